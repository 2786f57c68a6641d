//! Class files in a directory, below the path that their package gives.

use std::io;
use std::path::{Path, PathBuf};

use super::services::{FOLDER, providers};
use super::{ClassPathError, FoundClass, is_class};

pub(super) fn find(folder: &Path, name: &str) -> Option<FoundClass> {
    let bytes = std::fs::read(folder.join(format!("{name}.class"))).ok()?;
    Some(FoundClass { bytes, origin: folder.to_owned() })
}

pub(super) fn read_all(folder: &Path, into: &mut Vec<FoundClass>) -> Result<(), ClassPathError> {
    for path in files(folder)? {
        let is_class = path.extension().is_some_and(|extension| extension == "class")
            && path.file_stem().and_then(|stem| stem.to_str()).is_some_and(is_class);
        if is_class {
            let bytes = std::fs::read(&path).map_err(|source| ClassPathError::File { path, source })?;
            into.push(FoundClass { bytes, origin: folder.to_owned() });
        }
    }
    Ok(())
}

/// Services and their providers.
pub(super) fn services(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for path in listing(&folder.join(FOLDER)).unwrap_or_default() {
        let Some(service) = path.file_name().and_then(|name| name.to_str()).filter(|_| path.is_file()) else {
            continue;
        };
        let text = std::fs::read(&path).unwrap_or_default();
        found.extend(providers(service, &String::from_utf8_lossy(&text)));
    }
    found
}

/// The jars directly in a directory.
pub(super) fn jars(folder: &Path) -> Result<Vec<PathBuf>, ClassPathError> {
    let mut jars = listing(folder)?;
    jars.retain(|path| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jar")));
    Ok(jars)
}

/// All files below a directory, sorted. Links to directories are not followed: they may lead in circles.
fn files(folder: &Path) -> Result<Vec<PathBuf>, ClassPathError> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in listing(&folder)? {
            if path.is_dir() && !path.is_symlink() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort_unstable();
    Ok(files)
}

fn listing(folder: &Path) -> Result<Vec<PathBuf>, ClassPathError> {
    let entries = std::fs::read_dir(folder).and_then(|entries| entries.collect::<io::Result<Vec<_>>>());
    let entries = entries.map_err(|source| ClassPathError::File { path: folder.to_owned(), source })?;
    let mut paths: Vec<PathBuf> = entries.iter().map(std::fs::DirEntry::path).collect();
    paths.sort_unstable();
    Ok(paths)
}
