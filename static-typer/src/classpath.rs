//! The class path: where the class files of a program and of its libraries come from.
//!
//! Directories, jars (multi-release ones, and the jars in executable jars) and the module image of a JDK. Nothing else in
//! this crate touches the file system.
#![allow(clippy::disallowed_methods, reason = "this is the module that reads files")]

mod directory;
mod image;
mod jar;
mod services;

use std::io;
use std::path::{Path, PathBuf};

use image::JdkImage;
use jar::Jar;

/// Why a class path cannot be used: one sentence.
#[derive(Debug, thiserror::Error)]
pub enum ClassPathError {
    /// A file or directory cannot be read.
    #[error("{path}: {source}")]
    File {
        /// Which.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file is no jar, or a damaged one.
    #[error("{path} is not a jar that can be read: {source}")]
    Jar {
        /// The jar; a jar inside it follows after `!`.
        path: PathBuf,
        /// What is wrong with it.
        source: zip::result::ZipError,
    },
    /// An entry of a jar cannot be read.
    #[error("{name} in {path} cannot be read: {reason}")]
    Entry {
        /// The jar; a jar inside it follows after `!`.
        path: PathBuf,
        /// The entry, or the class that it should hold.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The directory is no JDK with a module image.
    #[error("{path} is no JDK whose classes can be read ({reason}): give the home directory of a JDK 17 or later")]
    Jdk {
        /// The directory.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

/// A class file and where it was found.
#[derive(Clone, Debug)]
pub struct FoundClass {
    /// The class file.
    pub bytes: Vec<u8>,
    /// The jar, directory or image; a jar inside a jar follows after `!`.
    pub origin: PathBuf,
}

/// The application, then its libraries, then the JDK; the first that has a class provides it.
pub struct ClassPath {
    application: Vec<Entry>,
    libraries: Vec<Entry>,
    jdk: Option<JdkImage>,
    problems: Vec<ClassPathError>,
}

/// So long a name of a package is one program's: `com.acme`.
const OWN_PACKAGE: usize = 2;

enum Entry {
    Directory(PathBuf),
    Jar(Jar),
}

impl ClassPath {
    /// Opens a class path. `application` is what is analysed, without the libraries that an executable jar or a web archive brings along; a path
    /// that ends in `*` stands for the jars of a directory, as in Java. Versioned classes of multi-release jars are those for the JDK, or the newest if there is none.
    ///
    /// A library that cannot be read is left out and stands in [`ClassPath::problems`].
    ///
    /// # Errors
    /// A part of the application, or the JDK, cannot be read.
    pub fn open(application: &[PathBuf], libraries: &[PathBuf], jdk: Option<&Path>) -> Result<Self, ClassPathError> {
        let jdk = jdk.map(JdkImage::open).transpose()?;
        let release = jdk.as_ref().map_or(u32::MAX, |jdk| jdk.release);
        let mut path = Self { application: Vec::new(), libraries: Vec::new(), jdk, problems: Vec::new() };
        for part in application {
            let found = entries(part, release)?;
            let package = package(&found);
            let (inside, own): (Vec<Entry>, Vec<Entry>) =
                found.into_iter().partition(|entry| entry.is_library(&package));
            path.application.extend(own);
            path.libraries.extend(inside);
        }
        for part in libraries {
            match entries(part, release) {
                Ok(found) => path.libraries.extend(found),
                Err(problem) => path.problems.push(problem),
            }
        }
        Ok(path)
    }

    /// What could not be read.
    pub fn problems(&self) -> &[ClassPathError] {
        &self.problems
    }

    /// Whether the application can be meant to be run: a jar says so, a directory may.
    #[must_use]
    pub fn is_program(&self) -> bool {
        self.application.iter().any(|entry| match entry {
            Entry::Directory(_) => true,
            Entry::Jar(jar) => jar.is_executable,
        })
    }

    /// Every class file of the application, in a stable order. What cannot be read is added to [`ClassPath::problems`].
    pub fn application(&mut self) -> Vec<FoundClass> {
        let mut found = Vec::new();
        for entry in &mut self.application {
            if let Err(problem) = entry.read_all(&mut found) {
                self.problems.push(problem);
            }
        }
        found
    }

    /// Services and their providers, as files of the application and of libraries name them; sorted.
    pub fn services(&mut self) -> Vec<(String, String)> {
        let entries = self.application.iter_mut().chain(&mut self.libraries);
        let mut services: Vec<_> = entries.flat_map(Entry::services).collect();
        services.sort_unstable();
        services.dedup();
        services
    }

    /// Every class file of the JDK, in a stable order; none without a JDK.
    pub fn jdk(&self) -> Vec<FoundClass> {
        self.jdk.as_ref().map_or_else(Vec::new, JdkImage::read_all)
    }

    /// The class file that provides a class of that internal name to the application, if there is one.
    pub fn find(&mut self, name: &str) -> Option<FoundClass> {
        let entries = self.application.iter_mut().chain(&mut self.libraries);
        let found = entries.filter_map(|entry| entry.find(name)).next();
        found.or_else(|| self.jdk.as_ref()?.find(name))
    }
}

fn entries(path: &Path, release: u32) -> Result<Vec<Entry>, ClassPathError> {
    if path.file_name().is_some_and(|name| name == "*") {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let jars = directory::jars(folder)?;
        return jars
            .iter()
            .map(|jar| entries(jar, release))
            .collect::<Result<Vec<_>, _>>()
            .map(|all| all.into_iter().flatten().collect());
    }
    let metadata = std::fs::metadata(path).map_err(|source| ClassPathError::File { path: path.to_owned(), source })?;
    if metadata.is_dir() {
        return Ok(vec![Entry::Directory(path.to_owned())]);
    }
    Ok(Jar::open(path, release)?.into_iter().map(Entry::Jar).collect())
}

/// The package that all classes have which an archive does not bring along as a library; empty where these are all.
fn package(entries: &[Entry]) -> String {
    let own = entries.iter().filter_map(|entry| if let Entry::Jar(jar) = entry { Some(jar) } else { None });
    let mut classes = own.filter(|jar| !jar.is_library).flat_map(Jar::classes);
    let Some(first) = classes.next() else { return String::new() };
    let first: Vec<&str> = first.split('/').collect();
    let mut length = first.len() - 1;
    for class in classes {
        let parts = class.split('/');
        length = length.min(parts.zip(&first).take_while(|(a, b)| a == *b).count());
    }
    first[..length].iter().map(|part| format!("{part}/")).collect()
}

impl Entry {
    /// Whether an archive brings it along for its own classes: a jar of other packages than theirs.
    fn is_library(&self, package: &str) -> bool {
        let is_own = |jar: &Jar| {
            package.matches('/').count() >= OWN_PACKAGE && jar.classes().any(|class| class.starts_with(package))
        };
        matches!(self, Self::Jar(jar) if jar.is_library && !is_own(jar))
    }

    fn find(&mut self, name: &str) -> Option<FoundClass> {
        match self {
            Self::Directory(folder) => directory::find(folder, name),
            Self::Jar(jar) => jar.find(name),
        }
    }

    fn services(&mut self) -> Vec<(String, String)> {
        match self {
            Self::Directory(folder) => directory::services(folder),
            Self::Jar(jar) => jar.services(),
        }
    }

    fn read_all(&mut self, into: &mut Vec<FoundClass>) -> Result<(), ClassPathError> {
        match self {
            Self::Directory(folder) => directory::read_all(folder, into),
            Self::Jar(jar) => jar.read_all(into),
        }
    }
}

/// Whether a class file of that name holds a class: `module-info` does not.
fn is_class(name: &str) -> bool {
    name != "module-info" && !name.ends_with("/module-info")
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(io::Cursor::new(Vec::new()));
        for (name, bytes) in entries {
            writer.start_file(*name, SimpleFileOptions::default()).expect("an entry");
            writer.write_all(bytes).expect("memory");
        }
        writer.finish().expect("memory").into_inner()
    }

    fn opened(name: &str, jar: &[u8]) -> (tempfile::TempDir, Result<ClassPath, ClassPathError>) {
        let folder = tempfile::tempdir().expect("a directory");
        let path = folder.path().join(name);
        std::fs::write(&path, jar).expect("a file");
        let path = ClassPath::open(&[path], &[], None);
        (folder, path)
    }

    fn contents(path: &mut ClassPath) -> Vec<String> {
        path.application().into_iter().map(|found| String::from_utf8_lossy(&found.bytes).into_owned()).collect()
    }

    #[test]
    fn services_of_jars_in_jars_and_of_directories_are_found_once() {
        let library = zip(&[("META-INF/services/a.S", b"a.Two\na.One # first\n")]);
        let jar = zip(&[("BOOT-INF/classes/META-INF/services/a.S", b"a.One\n"), ("BOOT-INF/lib/b.jar", &library)]);
        let (folder, path) = opened("app.jar", &jar);
        let found = [("a.S", "a.One"), ("a.S", "a.Two")].map(|(service, class)| (service.to_owned(), class.to_owned()));
        assert_eq!(path.expect("a class path").services(), found);
        let services = folder.path().join("META-INF/services");
        std::fs::create_dir_all(&services).expect("a directory");
        std::fs::write(services.join("a.S"), "a.One\n").expect("a file");
        let mut path = ClassPath::open(&[], &[folder.path().to_owned()], None).expect("a class path");
        assert_eq!(path.services(), found[..1]);
    }

    #[test]
    fn executable_jars_are_opened_with_the_jars_inside() {
        let library = zip(&[("b/B.class", b"B")]);
        let own: (&str, &[u8]) = ("BOOT-INF/classes/a/A.class", b"A");
        let jar = zip(&[own, ("BOOT-INF/lib/b.jar", &library), ("boot/Loader.class", b"L"), ("x.txt", b"x")]);
        let (_folder, path) = opened("app.jar", &jar);
        let mut path = path.expect("a jar");
        // What it brings along are libraries.
        assert_eq!(contents(&mut path), ["A"]);
        assert!(path.find("boot/Loader").is_none());
        assert_eq!(path.find("a/A").map(|found| found.bytes), Some(b"A".to_vec()));
        assert!(path.find("b/B").is_some_and(|found| found.origin.ends_with("app.jar!BOOT-INF/lib/b.jar")));
        assert!(path.find("c/C").is_none());
        // But for other parts of the program.
        let [own, other] = [zip(&[("com/acme/b/B.class", b"B")]), zip(&[("com/other/C.class", b"C")])];
        let first: [(&str, &[u8]); 2] =
            [("WEB-INF/classes/com/acme/A.class", b"A"), ("WEB-INF/classes/com/acme/a/A.class", b"A")];
        let jars: [(&str, &[u8]); 2] = [("WEB-INF/lib/b.jar", &own), ("WEB-INF/lib/c.jar", &other)];
        let (_folder, path) = opened("app.war", &zip(&[first, jars].concat()));
        assert_eq!(contents(&mut path.expect("an archive")), ["A", "A", "B"]);
        // Other jars in a jar are as much of the program as the rest.
        let (_folder, path) = opened("all.jar", &zip(&[("A.class", b"A"), ("lib/b.jar", &library)]));
        assert_eq!(contents(&mut path.expect("a jar")), ["A", "B"]);
    }

    #[test]
    fn the_newest_version_counts_if_the_manifest_says_so() {
        let classes: [(&str, &[u8]); 3] =
            [("A.class", b"8"), ("META-INF/versions/11/A.class", b"11"), ("META-INF/versions/9/A.class", b"9")];
        let with = |manifest: &'static [u8]| zip(&[&[("META-INF/MANIFEST.MF", manifest)], &classes[..]].concat());
        let (_folder, path) = opened("m.jar", &with(b"Manifest-Version: 1.0\r\nMulti-Release: true\r\n"));
        assert_eq!(contents(&mut path.expect("a jar")), ["11"]);
        let (_folder, path) = opened("p.jar", &with(b"Manifest-Version: 1.0\r\n"));
        assert_eq!(contents(&mut path.expect("a jar")), ["8"]);
    }

    #[test]
    fn what_inflates_without_bounds_is_left_out_and_said() {
        let zeros = vec![0; 65 << 20];
        let (_folder, path) = opened("bomb.jar", &zip(&[("A.class", b"A"), ("B.class", &zeros), ("C.class", b"C")]));
        let mut path = path.expect("a jar");
        assert_eq!(contents(&mut path), ["A", "C"]);
        let said = path.problems().iter().map(ToString::to_string).collect::<String>();
        assert!(
            said.starts_with("B in ") && said.contains("it has more bytes than a class file has (67108864)"),
            "{said}"
        );
        assert!(path.find("B").is_none());
        // Many that are not too large, and jars inside, are bounded together.
        let inner = zip(&[("A.class", &zeros[..40 << 20]), ("B.class", &zeros[..40 << 20])]);
        let (_folder, path) = opened("nested.jar", &zip(&[("a.jar", &inner), ("C.class", b"C")]));
        let mut path = path.expect("a jar");
        assert_eq!(path.application().len(), 2);
        assert!(path.problems()[0].to_string().contains("may still come out of the archive"), "{:?}", path.problems());
        let (_folder, path) = opened("jar.jar", &zip(&[("a.jar", &[&zeros[..], &zeros[..]].concat())]));
        let said = path.err().expect("no jar").to_string();
        assert!(said.starts_with("a.jar in ") && said.contains("may still come out"), "{said}");
    }

    #[test]
    fn executable_jars_are_programs() {
        let is_program = |manifest: &[u8]| {
            let jar = zip(&[("META-INF/MANIFEST.MF", manifest), ("A.class", b"A")]);
            opened("a.jar", &jar).1.expect("a jar").is_program()
        };
        assert!(is_program(b"Manifest-Version: 1.0\r\nMain-Class: a.A\r\n"));
        assert!(!is_program(b"Manifest-Version: 1.0\r\nName: Main-Class\r\n"));
        assert!(ClassPath::open(&[PathBuf::from("/tmp")], &[], None).expect("a directory").is_program());
    }

    #[test]
    fn what_cannot_be_read_is_one_sentence() {
        let (_folder, path) = opened("no.jar", b"not a zip");
        let message = path.err().expect("no jar").to_string();
        assert!(message.contains("no.jar is not a jar that can be read"), "{message}");
        let missing = ClassPath::open(&[PathBuf::from("/nowhere")], &[], None);
        assert!(missing.err().expect("nothing").to_string().starts_with("/nowhere: "));
        let path = ClassPath::open(&[], &[PathBuf::from("/nowhere")], None).expect("libraries may be missing");
        assert_eq!(path.problems().len(), 1);
        let jdk = ClassPath::open(&[], &[], Some(Path::new("/tmp"))).err().expect("no JDK").to_string();
        assert!(jdk.contains("/tmp is no JDK"), "{jdk}");
    }
}
