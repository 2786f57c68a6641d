//! Jars: multi-release ones (JEP 238), and executable ones with classes and jars inside.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use facts::inflated::Inflated;
use zip::ZipArchive;
use zip::result::ZipError;

use super::services::{providers, service_of};
use super::{ClassPathError, FoundClass, is_class};

/// Jars in jars in jars are followed this far.
const MAX_NESTING: u8 = 4;
/// Where executable jars and web archives keep classes.
const FOLDERS: [&str; 2] = ["BOOT-INF/classes/", "WEB-INF/classes/"];
/// Where they keep the libraries of these.
const LIBRARIES: [&str; 2] = ["BOOT-INF/lib/", "WEB-INF/lib/"];
const VERSIONS: &str = "META-INF/versions/";

trait ReadSeek: Read + Seek + Send {}
impl<T: Read + Seek + Send> ReadSeek for T {}

pub(super) struct Jar {
    origin: PathBuf,
    archive: ZipArchive<Box<dyn ReadSeek>>,
    /// Whether `java -jar` runs it.
    pub is_executable: bool,
    /// Whether it lies in another one that keeps it as a library of its own classes.
    pub is_library: bool,
    /// Which entry holds a class.
    classes: BTreeMap<String, usize>,
    inflated: Inflated,
}

impl Jar {
    /// The jar, then the jars inside it.
    pub fn open(path: &Path, release: u32) -> Result<Vec<Self>, ClassPathError> {
        let file = File::open(path).map_err(|source| ClassPathError::File { path: path.to_owned(), source })?;
        let length = file.metadata().map_err(|source| ClassPathError::File { path: path.to_owned(), source })?.len();
        let mut jars = Vec::new();
        open(path, Box::new(file), release, (0, Inflated::of(length)), false, &mut jars)?;
        Ok(jars)
    }

    /// The names of its classes.
    pub fn classes(&self) -> impl Iterator<Item = &str> {
        self.classes.keys().map(String::as_str)
    }

    pub fn find(&mut self, name: &str) -> Option<FoundClass> {
        let index = *self.classes.get(name)?;
        let bytes = read_class(&mut self.archive, index, &self.inflated).ok()?;
        Some(FoundClass { bytes, origin: self.origin.clone() })
    }

    /// Services and their providers.
    pub fn services(&mut self) -> Vec<(String, String)> {
        let names: Vec<String> = self.archive.file_names().map(str::to_owned).collect();
        let mut found = Vec::new();
        for name in names {
            let Some(service) = service_of(&name) else { continue };
            let Some(index) = self.archive.index_for_name(&name) else { continue };
            let text = read(&mut self.archive, index, &self.inflated).unwrap_or_default();
            found.extend(providers(service, &String::from_utf8_lossy(&text)));
        }
        found
    }

    /// Every class that can be read.
    ///
    /// # Errors
    /// The first that cannot.
    pub fn read_all(&mut self, into: &mut Vec<FoundClass>) -> Result<(), ClassPathError> {
        let mut read_all = Ok(());
        for (name, index) in &self.classes {
            match read_class(&mut self.archive, *index, &self.inflated) {
                Ok(bytes) => into.push(FoundClass { bytes, origin: self.origin.clone() }),
                Err(source) => read_all = read_all.and_then(|()| Err(damaged(&self.origin, name)(source))),
            }
        }
        read_all
    }
}

fn open(
    origin: &Path,
    file: Box<dyn ReadSeek>,
    release: u32,
    (nesting, inflated): (u8, Inflated),
    is_library: bool,
    into: &mut Vec<Jar>,
) -> Result<(), ClassPathError> {
    let mut archive = ZipArchive::new(file).map_err(no_jar(origin))?;
    let manifest = manifest(&mut archive, &inflated);
    let is_executable = manifest.iter().any(|(name, _)| name == "main-class");
    let versioned = manifest.iter().any(|(name, value)| name == "multi-release" && value == "true");
    let is_own = |name: &str| FOLDERS.iter().any(|folder| name.starts_with(folder));
    let has_own = archive.file_names().any(is_own);
    let mut classes = classes(&archive, release, versioned);
    if has_own {
        // The others start the program, and are nothing of its own.
        classes.retain(|_, index| archive.name_for_index(*index).is_some_and(is_own));
    }
    let inside: Vec<String> = archive.file_names().filter(|name| is_jar(name)).map(str::to_owned).collect();
    let mut contents = Vec::new();
    if nesting < MAX_NESTING {
        for name in inside {
            let index = archive.index_for_name(&name).ok_or(ZipError::FileNotFound).map_err(no_jar(origin))?;
            let bytes = read(&mut archive, index, &inflated).map_err(damaged(origin, &name))?;
            contents.push((name, bytes));
        }
    }
    into.push(Jar {
        origin: origin.to_owned(),
        archive,
        is_executable,
        is_library,
        classes,
        inflated: inflated.clone(),
    });
    for (name, bytes) in contents {
        let origin = PathBuf::from(format!("{}!{name}", origin.display()));
        let is_library = is_library || has_own && LIBRARIES.iter().any(|folder| name.starts_with(folder));
        open(&origin, Box::new(Cursor::new(bytes)), release, (nesting + 1, inflated.clone()), is_library, into)?;
    }
    Ok(())
}

fn no_jar(path: &Path) -> impl FnOnce(ZipError) -> ClassPathError {
    move |source| ClassPathError::Jar { path: path.to_owned(), source }
}

fn damaged(path: &Path, name: &str) -> impl FnOnce(ZipError) -> ClassPathError {
    move |source| {
        // A `ZipError` does not say what it is made of.
        let reason = if let ZipError::Io(error) = &source { error.to_string() } else { source.to_string() };
        ClassPathError::Entry { path: path.to_owned(), name: name.to_owned(), reason }
    }
}

fn is_jar(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jar"))
}

/// For each class, the entry with the highest version that is not above the release.
fn classes(archive: &ZipArchive<Box<dyn ReadSeek>>, release: u32, versioned: bool) -> BTreeMap<String, usize> {
    let mut newest: BTreeMap<String, (u32, usize)> = BTreeMap::new();
    for index in 0..archive.len() {
        let Some((version, class)) = archive.name_for_index(index).and_then(class_of) else { continue };
        if version <= release && (version == 0 || versioned) {
            let kept = newest.entry(class.to_owned()).or_insert((version, index));
            *kept = (*kept).max((version, index));
        }
    }
    newest.into_iter().map(|(class, (_, index))| (class, index)).collect()
}

/// Version (0 for the base) and class of an entry.
fn class_of(entry: &str) -> Option<(u32, &str)> {
    let path = entry.strip_suffix(".class").filter(|path| is_class(path))?;
    if let Some(rest) = path.strip_prefix(VERSIONS) {
        let (version, class) = rest.split_once('/')?;
        return Some((version.parse().ok()?, class));
    }
    Some((0, FOLDERS.iter().find_map(|folder| path.strip_prefix(folder)).unwrap_or(path)))
}

/// The attributes in the manifest, in small letters.
fn manifest(archive: &mut ZipArchive<Box<dyn ReadSeek>>, inflated: &Inflated) -> Vec<(String, String)> {
    let Some(index) = archive.index_for_name("META-INF/MANIFEST.MF") else { return Vec::new() };
    let manifest = read(archive, index, inflated).unwrap_or_default();
    let manifest = String::from_utf8_lossy(&manifest).to_ascii_lowercase();
    let attributes = manifest.lines().filter_map(|line| line.split_once(':'));
    attributes.map(|(name, value)| (name.to_owned(), value.trim().to_owned())).collect()
}

fn read(archive: &mut ZipArchive<Box<dyn ReadSeek>>, index: usize, inflated: &Inflated) -> Result<Vec<u8>, ZipError> {
    let entry = archive.by_index(index)?;
    let declared = entry.size();
    Ok(inflated.other(entry, declared)?)
}

fn read_class(
    archive: &mut ZipArchive<Box<dyn ReadSeek>>,
    index: usize,
    inflated: &Inflated,
) -> Result<Vec<u8>, ZipError> {
    let entry = archive.by_index(index)?;
    let declared = entry.size();
    Ok(inflated.class(entry, declared)?)
}
