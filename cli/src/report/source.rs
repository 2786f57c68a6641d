//! Finding the source line of a frame.
//!
//! The working directory and the directories of `source_path` are walked once, at the first question, and never far: at most
//! [`MAX_ENTRIES`] entries each, [`MAX_DEPTH`] deep, without build results and hidden directories. A file belongs to a class
//! when it has the name that the class file tells and declares the class's package.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use facts::site::Place;

/// How many directory entries of each root are looked at.
const MAX_ENTRIES: usize = 50_000;

/// How deep directories are walked.
const MAX_DEPTH: usize = 16;

/// Larger files are not taken for sources.
const MAX_FILE_BYTES: u64 = 4 << 20;

/// Directories that hold no sources of the program.
const SKIPPED: [&str; 5] = ["target", "build", "out", "bin", "node_modules"];

/// Extensions of source files.
const EXTENSIONS: [&str; 4] = ["java", "kt", "scala", "groovy"];

/// A source line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The file.
    pub path: PathBuf,
    /// The line without its indentation, tabs written as spaces.
    pub text: String,
}

/// A few lines around one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt {
    /// The file.
    pub path: PathBuf,
    /// Number of the first line.
    pub first: usize,
    /// The lines without the indentation that they share, tabs written as spaces.
    pub lines: Vec<String>,
}

/// The sources that can be found.
pub struct Sources {
    roots: BTreeSet<PathBuf>,
    by_name: Option<BTreeMap<String, BTreeSet<PathBuf>>>,
    files: BTreeMap<PathBuf, Option<Arc<File>>>,
}

/// A source file that was read.
struct File {
    package: String,
    lines: Vec<String>,
}

impl Sources {
    /// Sources below the working directory and the other directories; nothing is read yet.
    pub fn new(directory: &Path, others: &[PathBuf]) -> Self {
        let roots = others.iter().cloned().chain([directory.to_owned()]).collect();
        Self { roots, by_name: None, files: BTreeMap::new() }
    }

    /// Besides the working directory and the other directories, those of an application's classes and jars.
    pub fn beside(directory: &Path, others: &[PathBuf], application: &[PathBuf]) -> Self {
        let place = |path: &PathBuf| if path.is_dir() { Some(path.clone()) } else { path.parent().map(Path::to_owned) };
        let places = application.iter().filter_map(place).filter(|path| !path.as_os_str().is_empty());
        Self::new(directory, &others.iter().cloned().chain(places).collect::<Vec<_>>())
    }

    /// The line of a frame.
    pub fn line(&mut self, place: &Place) -> Option<Line> {
        let (path, file, index) = self.find(place)?;
        Some(Line { path, text: file.lines[index].trim().replace('\t', "    ") })
    }

    /// The line of a frame, and as many as `around` before and after it.
    pub fn excerpt(&mut self, place: &Place, around: usize) -> Option<Excerpt> {
        let (path, file, index) = self.find(place)?;
        let first = index.saturating_sub(around);
        let lines = file.lines[first..].iter().take(index - first + 1 + around);
        let lines: Vec<String> = lines.map(|line| line.trim_end().replace('\t', "    ")).collect();
        let indents = lines.iter().filter(|line| !line.is_empty()).map(|line| line.len() - line.trim_start().len());
        let shared = indents.min().unwrap_or_default();
        let lines = lines.iter().map(|line| line.get(shared..).unwrap_or_default().to_owned()).collect();
        Some(Excerpt { path, first: first + 1, lines })
    }

    /// The file of a frame, and the index of its line, which is there.
    fn find(&mut self, place: &Place) -> Option<(PathBuf, Arc<File>, usize)> {
        let index = usize::try_from(place.line?).ok()?.checked_sub(1)?;
        let package = place.class.rsplit_once('/').map_or(String::new(), |(package, _)| package.replace('/', "."));
        for path in self.candidates(place.file.as_deref()?) {
            let Some(file) = self.file(&path) else { continue };
            if file.package == package && index < file.lines.len() {
                return Some((path, file, index));
            }
        }
        None
    }

    /// Files of this name, those nearest to a root first.
    fn candidates(&mut self, name: &str) -> Vec<PathBuf> {
        let by_name = self.by_name.get_or_insert_with(|| index(&self.roots));
        let mut paths: Vec<PathBuf> = by_name.get(name).into_iter().flatten().cloned().collect();
        paths.sort_by_key(|path| path.components().count());
        paths
    }

    fn file(&mut self, path: &Path) -> Option<Arc<File>> {
        self.files.entry(path.to_owned()).or_insert_with(|| read(path).map(Arc::new)).clone()
    }
}

fn read(path: &Path) -> Option<File> {
    if std::fs::metadata(path).ok()?.len() > MAX_FILE_BYTES {
        return None;
    }
    let text = String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned();
    Some(File { package: package(&text), lines: text.lines().map(str::to_owned).collect() })
}

/// The package a source file declares; empty for none.
fn package(text: &str) -> String {
    let declaration = text.lines().find_map(|line| line.trim_start().strip_prefix("package "));
    let name = declaration.map(|rest| rest.split([';', '/', ' ']).find(|part| !part.is_empty()).unwrap_or_default());
    name.unwrap_or_default().trim().to_owned()
}

fn index(roots: &BTreeSet<PathBuf>) -> BTreeMap<String, BTreeSet<PathBuf>> {
    let mut by_name = BTreeMap::<String, BTreeSet<PathBuf>>::new();
    for root in roots {
        walk(root, |path, name| {
            by_name.entry(name.to_owned()).or_default().insert(path);
        });
    }
    by_name
}

/// Breadth first, so that a bound that is reached costs the deepest files.
fn walk(root: &Path, mut found: impl FnMut(PathBuf, &str)) {
    let mut left = MAX_ENTRIES;
    let mut level = vec![root.to_owned()];
    for _ in 0..MAX_DEPTH {
        let mut next = Vec::new();
        for directory in &level {
            for entry in sorted_entries(directory, &mut left) {
                let name = entry.file_name().to_string_lossy().into_owned();
                // The kind of the entry itself: symbolic links could lead in circles.
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() && !is_skipped(&name) => next.push(entry.path()),
                    Ok(kind) if kind.is_file() && is_source(&name) => found(entry.path(), &name),
                    _ => {}
                }
            }
        }
        level = next;
    }
}

fn sorted_entries(directory: &Path, left: &mut usize) -> Vec<std::fs::DirEntry> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let mut entries: Vec<_> = entries.flatten().take(*left).collect();
    *left -= entries.len();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    entries
}

fn is_skipped(name: &str) -> bool {
    name.starts_with('.') || SKIPPED.contains(&name)
}

fn is_source(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, extension)| EXTENSIONS.contains(&extension))
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::place;
    use super::*;

    fn write(root: &Path, path: &str, text: &str) {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    #[test]
    fn the_package_decides_between_files_of_one_name() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        write(root, "target/bank/Account.java", "package bank;\nwrong\n");
        write(root, "a/src/main/java/bank/Account.java", "/* x */\npackage bank;\n\tbalance\t+= 1;\n");
        write(root, "shop/Account.java", "package shop; // bank\n\n  total++;\n");
        write(root, "Account.java", "class Account {\n\n  none\n");
        let mut sources = Sources::new(root, &[]);
        let mut line = |class| {
            let line = sources.line(&place(class, "m", 3))?;
            Some((line.path.strip_prefix(root).unwrap().to_str().unwrap().to_owned(), line.text))
        };
        let found = |path: &str, text: &str| Some((path.to_owned(), text.to_owned()));
        assert_eq!(line("bank/Account$1"), found("a/src/main/java/bank/Account.java", "balance    += 1;"));
        assert_eq!(line("shop/Account"), found("shop/Account.java", "total++;"));
        assert_eq!(line("Account"), found("Account.java", "none"));
        assert_eq!(line("other/Account"), None);
    }

    #[test]
    fn an_excerpt_keeps_the_shape_of_the_code() {
        let directory = tempfile::tempdir().unwrap();
        write(directory.path(), "A.java", "class A {\n    void m() {\n\tx++;\n    }\n}\n");
        let mut sources = Sources::new(directory.path(), &[]);
        let mut at = |line| sources.excerpt(&Place { line: Some(line), ..place("A", "m", 1) }, 1);
        let excerpt = at(3).unwrap();
        assert_eq!((excerpt.first, &excerpt.lines[..]), (2, &["void m() {", "x++;", "}"].map(str::to_owned)[..]));
        assert_eq!(at(1).unwrap().lines, ["class A {", "    void m() {"]);
        assert_eq!(at(6), None);
    }
}
