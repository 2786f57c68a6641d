//! Jars: multi-release ones (JEP 238), and executable ones with classes and jars inside.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use zip::ZipArchive;
use zip::result::ZipError;

use super::services::{providers, service_of};
use super::{ClassPathError, FoundClass, is_class};

/// Jars in jars in jars are followed this far.
const MAX_NESTING: u8 = 4;
/// Where executable jars and web archives keep classes.
const FOLDERS: [&str; 2] = ["BOOT-INF/classes/", "WEB-INF/classes/"];
const VERSIONS: &str = "META-INF/versions/";

trait ReadSeek: Read + Seek + Send {}
impl<T: Read + Seek + Send> ReadSeek for T {}

pub(super) struct Jar {
    origin: PathBuf,
    archive: ZipArchive<Box<dyn ReadSeek>>,
    /// Whether `java -jar` runs it.
    pub is_executable: bool,
    /// Which entry holds a class.
    classes: BTreeMap<String, usize>,
}

impl Jar {
    /// The jar, then the jars inside it.
    pub fn open(path: &Path, release: u32) -> Result<Vec<Self>, ClassPathError> {
        let file = File::open(path).map_err(|source| ClassPathError::File { path: path.to_owned(), source })?;
        let mut jars = Vec::new();
        open(path, Box::new(file), release, 0, &mut jars)?;
        Ok(jars)
    }

    pub fn find(&mut self, name: &str) -> Option<FoundClass> {
        let index = *self.classes.get(name)?;
        let bytes = read(&mut self.archive, index).ok()?;
        Some(FoundClass { bytes, origin: self.origin.clone() })
    }

    /// Services and their providers.
    pub fn services(&mut self) -> Vec<(String, String)> {
        let names: Vec<String> = self.archive.file_names().map(str::to_owned).collect();
        let mut found = Vec::new();
        for name in names {
            let Some(service) = service_of(&name) else { continue };
            let Some(index) = self.archive.index_for_name(&name) else { continue };
            let text = read(&mut self.archive, index).unwrap_or_default();
            found.extend(providers(service, &String::from_utf8_lossy(&text)));
        }
        found
    }

    pub fn read_all(&mut self, into: &mut Vec<FoundClass>) -> Result<(), ClassPathError> {
        for index in self.classes.values() {
            let bytes = read(&mut self.archive, *index).map_err(damaged(&self.origin))?;
            into.push(FoundClass { bytes, origin: self.origin.clone() });
        }
        Ok(())
    }
}

fn open(
    origin: &Path,
    file: Box<dyn ReadSeek>,
    release: u32,
    nesting: u8,
    into: &mut Vec<Jar>,
) -> Result<(), ClassPathError> {
    let mut archive = ZipArchive::new(file).map_err(damaged(origin))?;
    let manifest = manifest(&mut archive);
    let is_executable = manifest.iter().any(|(name, _)| name == "main-class");
    let versioned = manifest.iter().any(|(name, value)| name == "multi-release" && value == "true");
    let classes = classes(&archive, release, versioned);
    let inside: Vec<String> = archive.file_names().filter(|name| is_jar(name)).map(str::to_owned).collect();
    let mut contents = Vec::new();
    if nesting < MAX_NESTING {
        for name in inside {
            let index = archive.index_for_name(&name).ok_or(ZipError::FileNotFound).map_err(damaged(origin))?;
            contents.push((name, read(&mut archive, index).map_err(damaged(origin))?));
        }
    }
    into.push(Jar { origin: origin.to_owned(), archive, is_executable, classes });
    for (name, bytes) in contents {
        let origin = PathBuf::from(format!("{}!{name}", origin.display()));
        open(&origin, Box::new(Cursor::new(bytes)), release, nesting + 1, into)?;
    }
    Ok(())
}

fn damaged(path: &Path) -> impl FnOnce(ZipError) -> ClassPathError {
    move |source| ClassPathError::Jar { path: path.to_owned(), source }
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
fn manifest(archive: &mut ZipArchive<Box<dyn ReadSeek>>) -> Vec<(String, String)> {
    let Some(index) = archive.index_for_name("META-INF/MANIFEST.MF") else { return Vec::new() };
    let manifest = read(archive, index).unwrap_or_default();
    let manifest = String::from_utf8_lossy(&manifest).to_ascii_lowercase();
    let attributes = manifest.lines().filter_map(|line| line.split_once(':'));
    attributes.map(|(name, value)| (name.to_owned(), value.trim().to_owned())).collect()
}

fn read(archive: &mut ZipArchive<Box<dyn ReadSeek>>, index: usize) -> Result<Vec<u8>, ZipError> {
    let mut bytes = Vec::new();
    archive.by_index(index)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}
