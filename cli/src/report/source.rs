//! Finding the source line of a frame.
//!
//! The working directory and the directories of `source_path` are walked once, at the first question, and never far: at most
//! [`MAX_ENTRIES`] entries each, [`MAX_DEPTH`] deep, without build results and hidden directories.
//!
//! A file belongs to a class when it has the name that the class file tells, declares the class's package, has the line, and, if it is
//! of Java, lies in the folders of the package (other languages leave out folders). Modules may have a `Main.java` each: of several
//! files, those that declare the class go first, then those with code on the line, those in directories that were named, and those in
//! the folders of the package. Where that leaves several, none is shown: a wrong line is worse than none.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, bail};
use facts::site::Place;

use super::words::{some_of, source_file};
use crate::output::say_once;

/// How many directory entries of each root are looked at.
const MAX_ENTRIES: usize = 50_000;

/// How deep directories are walked.
const MAX_DEPTH: usize = 16;

/// Larger files are not taken for sources.
const MAX_FILE_BYTES: u64 = 4 << 20;

/// Directories that hold no sources of the program.
const SKIPPED: [&str; 5] = ["target", "build", "out", "bin", "node_modules"];

/// What a declaration of a class begins with, in any of the languages.
const DECLARING: [&str; 6] = ["class", "interface", "enum", "record", "object", "trait"];

/// How many files that all fit are named.
const MAX_NAMED: usize = 3;

/// Extensions of source files.
const EXTENSIONS: [&str; 4] = ["java", "kt", "scala", "groovy"];

/// Folders that hold tests.
const TESTS: [&str; 4] = ["test", "tests", "androidTest", "integrationTest"];

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

/// The sources that can be found; by default there are none.
#[derive(Default)]
pub struct Sources {
    roots: BTreeSet<PathBuf>,
    named: Vec<PathBuf>,
    by_name: Option<BTreeMap<String, BTreeSet<PathBuf>>>,
    files: BTreeMap<PathBuf, Option<Arc<File>>>,
}

/// A source file that was read.
struct File {
    package: String,
    lines: Vec<String>,
}

/// Whether directories that somebody has named are there: without a word, no source of theirs would be shown.
///
/// # Errors
/// One is not.
pub fn check(directories: &[PathBuf]) -> Result<()> {
    match directories.iter().find(|path| !path.is_dir()) {
        Some(path) => {
            bail!("there is no directory of sources `{}`: correct it, or leave it out of --source-path", path.display())
        }
        None => Ok(()),
    }
}

impl Sources {
    /// Sources below the working directory and the other directories; nothing is read yet.
    pub fn new(directory: &Path, others: &[PathBuf]) -> Self {
        let roots = others.iter().cloned().chain([directory.to_owned()]).collect();
        Self { roots, named: others.to_vec(), by_name: None, files: BTreeMap::new() }
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

    /// The files that can be that of a frame, all that fit equally well.
    pub fn paths(&mut self, place: &Place) -> Vec<PathBuf> {
        let fitting = line_index(place).map(|index| self.likeliest(place, index));
        fitting.unwrap_or_default().into_iter().map(|(path, _)| path).collect()
    }

    /// The file of a frame, and the index of its line, which is there.
    fn find(&mut self, place: &Place) -> Option<(PathBuf, Arc<File>, usize)> {
        let index = line_index(place)?;
        let mut fitting = self.likeliest(place, index);
        if fitting.len() > 1 {
            say_ambiguous(place, &fitting);
            return None;
        }
        fitting.pop().map(|(path, file)| (path, file, index))
    }

    fn likeliest(&mut self, place: &Place, index: usize) -> Vec<(PathBuf, Arc<File>)> {
        let mut fitting = self.fitting(place, index);
        self.narrow(&mut fitting, place, index);
        fitting
    }

    /// Files that can be that of a frame, those nearest to a root first.
    fn fitting(&mut self, place: &Place, index: usize) -> Vec<(PathBuf, Arc<File>)> {
        let package = place.class.rsplit_once('/').map_or("", |(package, _)| package);
        let candidates = place.file.as_deref().map(|name| self.candidates(name)).unwrap_or_default();
        let files = candidates.into_iter().filter_map(|path| Some((path.clone(), self.file(&path)?)));
        files.filter(|(path, file)| file.fits(path, package) && index < file.lines.len()).collect()
    }

    /// Leaves the likeliest of several files.
    fn narrow(&self, files: &mut Vec<(PathBuf, Arc<File>)>, place: &Place, index: usize) {
        let simple = facts::name::simple(&place.class);
        let outermost = simple.split('$').find(|name| !name.is_empty()).unwrap_or(simple);
        let folders = place.class.rsplit_once('/').map_or("", |(package, _)| package);
        prefer(files, |_, file| file.declares(outermost));
        prefer(files, |_, file| !file.lines[index].trim().is_empty());
        prefer(files, |path, _| self.named.iter().any(|root| path.starts_with(root)));
        prefer(files, |path, _| lies_in(path, folders));
        // A directory may be reached in two ways.
        let mut seen = BTreeSet::new();
        files.retain(|(path, _)| seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())));
    }

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

impl File {
    /// Whether it can hold classes of a package.
    fn fits(&self, path: &Path, package: &str) -> bool {
        let is_java = path.extension().is_some_and(|extension| extension == "java");
        self.package == package.replace('/', ".") && (!is_java || lies_in(path, package))
    }

    /// Whether a class of this name is declared somewhere in it.
    fn declares(&self, class: &str) -> bool {
        let is_apart = |character: char| !character.is_alphanumeric() && character != '_' && character != '$';
        self.lines.iter().any(|line| {
            let words: Vec<&str> = line.split(is_apart).filter(|word| !word.is_empty()).collect();
            words.windows(2).any(|pair| DECLARING.contains(&pair[0]) && pair[1] == class)
        })
    }
}

fn line_index(place: &Place) -> Option<usize> {
    usize::try_from(place.line?).ok()?.checked_sub(1)
}

/// Keeps what is preferred, if anything is.
fn prefer(files: &mut Vec<(PathBuf, Arc<File>)>, is_preferred: impl Fn(&Path, &File) -> bool) {
    if files.len() > 1 && files.iter().any(|(path, file)| is_preferred(path, file)) {
        files.retain(|(path, file)| is_preferred(path, file));
    }
}

/// Whether a file lies in the folders of a package; a path may begin in the midst of them.
fn lies_in(path: &Path, package: &str) -> bool {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    package.is_empty() || whole.parent().is_some_and(|folder| folder.ends_with(package))
}

/// Says why no source is shown, once for each file.
fn say_ambiguous(place: &Place, files: &[(PathBuf, Arc<File>)]) {
    let name = source_file(place).unwrap_or_default();
    let paths: Vec<String> = files.iter().map(|(path, _)| format!("`{}`", path.display())).collect();
    let paths = some_of(&paths, MAX_NAMED);
    let sentence = format!(
        "no source is shown for `{name}`, as several files fit: {paths}; name the right directory with --source-path"
    );
    say_once(&sentence, &sentence);
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

/// Whether a source lies in a folder for tests.
pub fn is_test(path: &Path) -> bool {
    path.components().any(|part| TESTS.iter().any(|test| part.as_os_str() == *test))
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

    /// The file of line 3 of a class, as it is below the root.
    fn found(sources: &mut Sources, root: &Path, class: &str, file: &str) -> Option<String> {
        let place = Place { file: Some(file.into()), ..place(class, "m", 3) };
        let path = sources.line(&place)?.path;
        Some(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned())
    }

    #[test]
    fn modules_may_have_files_of_one_name() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        write(root, "a/src/Main.java", "\nclass Main {\n  int a;\n");
        write(root, "b/src/Main.java", "\nclass Other {\n  int b;\n");
        write(root, "a/src/Job.java", "\nclass Job {\n  int a;\n");
        write(root, "b/src/Job.java", "\nclass Job {\n\n}\n");
        write(root, "a/src/Both.java", "\nclass Both {\n  int a;\n");
        write(root, "b/src/Both.java", "\nclass Both {\n  int b;\n");
        let mut sources = Sources::new(root, &[]);
        let mut found_in = |class: &str, file| found(&mut sources, root, class, file);
        assert_eq!(found_in("Main", "Main.java").as_deref(), Some("a/src/Main.java"), "by its class");
        assert_eq!(found_in("Other$1", "Main.java").as_deref(), Some("b/src/Main.java"), "by its class");
        assert_eq!(found_in("Job", "Job.java").as_deref(), Some("a/src/Job.java"), "by its line");
        assert_eq!(found_in("Both", "Both.java"), None, "nobody knows");
        let mut sources = Sources::new(root, &[root.join("b")]);
        assert_eq!(found(&mut sources, root, "Both", "Both.java").as_deref(), Some("b/src/Both.java"), "as was named");
    }

    #[test]
    fn a_source_of_java_lies_in_the_folders_of_its_package() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        write(root, "old/Account.java", "package bank;\nclass Account {\n  int old;\n");
        write(root, "src/main/java/bank/Account.java", "package bank;\nclass Account {\n  int new;\n");
        write(root, "old/Alone.java", "package bank;\nclass Alone {\n  int x;\n");
        write(root, "src/main/kotlin/Bank.kt", "package bank\n\nvar x = 1\n");
        let mut sources = Sources::new(root, &[]);
        let mut found_in = |class: &str, file| found(&mut sources, root, class, file);
        assert_eq!(found_in("bank/Account", "Account.java").as_deref(), Some("src/main/java/bank/Account.java"));
        assert_eq!(found_in("bank/Alone", "Alone.java"), None);
        assert_eq!(found_in("bank/BankKt", "Bank.kt").as_deref(), Some("src/main/kotlin/Bank.kt"));
        let inside = root.join("src/main/java/bank");
        let mut sources = Sources::new(&inside, &[]);
        assert_eq!(found(&mut sources, &inside, "bank/Account", "Account.java").as_deref(), Some("Account.java"));
    }

    #[test]
    fn a_file_that_is_reached_in_two_ways_is_one() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        write(root, "src/Main.java", "\nclass Main {\n  int a;\n");
        std::os::unix::fs::symlink(root.join("src"), root.join("link")).unwrap();
        let mut sources = Sources::new(&root.join("src"), &[root.join("link")]);
        assert!(found(&mut sources, root, "Main", "Main.java").is_some());
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
