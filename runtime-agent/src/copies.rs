//! Copies of the class files that a JVM loads, for the next analysis.
//!
//! They go to a folder of the run. Beside the focus set lies `classes` with what earlier runs have learnt: what is there is not copied
//! again, for a suite loads thousands of classes and hardly any is new. Of a class with several versions in one JVM all are copied,
//! and everything is where transactions are foreseen: for them a run is asked whether its JVMs had one version of each class.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use facts::focus::hash;
use parking_lot::Mutex;

use crate::loading::Loading;
use crate::log;
use crate::private::{create_private, private};

/// Where class files are copied to.
pub struct Copies {
    /// The folder of the run.
    pub folder: PathBuf,
    /// What earlier runs have learnt, if that is not copied again.
    known: Option<PathBuf>,
    /// The files of each class that has come, by their names from the folder on.
    seen: Mutex<HashMap<String, Vec<String>>>,
}

impl Copies {
    /// Copies to a folder what is not in another one.
    pub fn to(folder: PathBuf, known: Option<PathBuf>) -> Self {
        Self { folder, known, seen: Mutex::default() }
    }

    /// Copies a class file for `jrace check`: what is checked to `checked`, the rest to `library`.
    pub fn copy(&self, class: Loading<'_>, is_checked: bool) {
        let library = || format!("library/{}.class", class.name);
        let file = if is_checked { checked(class.name, class.bytes) } else { library() };
        if let Err(error) = self.keep(class.name, file, class.bytes) {
            log::once(&format!("class files cannot be copied to {}: {error}", self.folder.display()));
        }
    }

    fn keep(&self, class: &str, file: String, bytes: &[u8]) -> io::Result<()> {
        let mut seen = self.seen.lock();
        let versions = seen.entry(class.to_owned()).or_default();
        if versions.contains(&file) {
            return Ok(());
        }
        versions.push(file.clone());
        match &versions[..] {
            [_] if self.is_known(class, &file, bytes) => Ok(()),
            [_] => write(&self.folder.join(&file), bytes),
            [first, ..] => {
                if let Some(bytes) = self.known.as_ref().and_then(|known| read(&known.join(first))) {
                    write(&self.folder.join(first), &bytes)?;
                }
                write(&self.folder.join(&file), bytes)
            }
            [] => Ok(()),
        }
    }

    /// Classes that are not checked but use checked ones are kept with these.
    fn is_known(&self, class: &str, file: &str, bytes: &[u8]) -> bool {
        let Some(known) = &self.known else { return false };
        let is_library = || file.starts_with("library/") && read(&known.join(file)).is_some_and(|known| known == bytes);
        known.join(checked(class, bytes)).exists() || is_library()
    }
}

/// The name has the hash of the bytes.
fn checked(class: &str, bytes: &[u8]) -> String {
    format!("checked/{class}.{:016x}.class", hash(bytes))
}

/// What an earlier run has kept, if it has.
fn read(path: &Path) -> Option<Vec<u8>> {
    #[allow(clippy::disallowed_methods, reason = "the agent's own files, like those it writes")]
    fs::read(path).ok()
}

/// In one step, as several JVMs may copy the same class.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if path.exists() {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        create_private(folder)?;
    }
    let part = path.with_extension(format!("{}.part", std::process::id()));
    private().write(true).create(true).truncate(true).open(&part)?.write_all(bytes)?;
    fs::rename(part, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_not_copied_unless_there_are_more_versions() {
        let folder = tempfile::tempdir().unwrap();
        let copies = Copies::to(folder.path().join("run-1"), Some(folder.path().join("classes")));
        let library = |class: &str| format!("library/{class}.class");
        for file in [checked("A", b"1"), checked("B", b"1"), library("L")] {
            write(&folder.path().join("classes").join(file), b"1").unwrap();
        }
        let keep = |copies: &Copies, class: &str, file: String, bytes: &[u8]| {
            copies.keep(class, file.clone(), bytes).unwrap();
            copies.folder.join(file).exists()
        };
        let keep_checked = |class: &str, bytes: &[u8]| keep(&copies, class, checked(class, bytes), bytes);
        assert!(!keep_checked("A", b"1") && keep_checked("C", b"1"));
        assert!(!keep(&copies, "L", library("L"), b"1") && !keep(&copies, "B", library("B"), b"1"));
        assert!(keep_checked("A", b"2") && keep_checked("A", b"1"));
        // A library has one version.
        assert!(!keep(&copies, "L", library("L"), b"2"));
        let later = Copies::to(folder.path().join("run-2"), Some(folder.path().join("classes")));
        assert!(keep(&later, "L", library("L"), b"2"));
        let all = Copies::to(folder.path().join("run-3"), None);
        assert!(keep(&all, "A", checked("A", b"1"), b"1"));
    }
}
