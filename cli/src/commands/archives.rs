//! The JVM's own archives of classes (CDS, and the caches of AOT): a JVM with an agent writes none and uses none.
//!
//! Asked for one, it does not start, prints errors where the program prints, or crashes while it writes the archive; for some of these it
//! decides before it loads agents. So what asks for archives is looked for where commands and builds keep options, and
//! switched off by `_JAVA_OPTIONS`, which has the last word in every HotSpot JVM.

use std::env;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::output::say;

/// The variable of which HotSpot reads options after all others.
pub const LAST: &str = "_JAVA_OPTIONS";

/// Where a JVM of another release may read it too, which does not know the options that are for this one.
const TOLERANT: &str = "-XX:+IgnoreUnrecognizedVMOptions";

/// An option that asks for an archive.
struct Row {
    /// How it begins, or all of it.
    option: &'static str,
    /// What switches it off, if anything does.
    off: Option<&'static str>,
    /// Whether it is one of the caches of JDK 24 and later, which a JVM takes for an error beside archives.
    is_cache: bool,
}

const fn archive(option: &'static str, off: &'static str) -> Row {
    Row { option, off: Some(off), is_cache: false }
}

const fn cache(option: &'static str) -> Row {
    Row { option, off: Some(NO_CACHE), is_cache: true }
}

const NO_CACHE: &str = "-XX:AOTMode=off";
const NO_ARCHIVE: &str = "-Xshare:off";
const ROWS: [Row; 10] = [
    archive("-Xshare:on", NO_ARCHIVE),
    archive("-XX:SharedArchiveFile=", NO_ARCHIVE),
    archive("-XX:ArchiveClassesAtExit=", "-XX:ArchiveClassesAtExit="),
    archive("-XX:+AutoCreateSharedArchive", "-XX:-AutoCreateSharedArchive"),
    archive("-XX:+RecordDynamicDumpInfo", "-XX:-RecordDynamicDumpInfo"),
    cache("-XX:AOTMode=record"),
    cache("-XX:AOTMode=on"),
    cache("-XX:AOTCacheOutput="),
    cache("-XX:AOTCache="),
    Row { option: "-Xshare:dump", off: None, is_cache: false },
];

/// A JVM that only makes a cache of a recording runs no program, and loads no agent.
const CREATES: &str = "-XX:AOTMode=create";

/// Files in which builds keep options of JVMs.
const BUILD_FILES: [&str; 8] = [
    "pom.xml",
    "jvm.config",
    "maven.config",
    "build.gradle",
    "build.gradle.kts",
    "gradle.properties",
    "build.sbt",
    "build.xml",
];
/// What is looked at of a build: folders in folders, entries, and bytes of a file.
const DEPTH: usize = 4;
const ENTRIES: usize = 4096;
const BYTES: u64 = 1 << 20;

/// What asks for archives, each with the place where it stands.
#[derive(Default)]
pub struct Archives {
    found: Vec<(&'static Row, String)>,
}

impl Archives {
    /// Looks at a command, the options that are added to its JVMs, the environment, and the build in the current directory.
    pub fn of(command: &[String], jvm_options: &[String]) -> Self {
        let mut archives = Self::default();
        archives.look("the command", &command.join(" "));
        archives.look("--jvm-option", &jvm_options.join(" "));
        for (name, value) in env::vars_os() {
            let name = name.to_string_lossy().into_owned();
            if ["OPT", "ARG"].iter().any(|part| name.contains(part)) {
                archives.look(&name, &value.to_string_lossy());
            }
        }
        for file in files_of(command) {
            if let Some(text) = text_of(&file) {
                archives.look(&format!("`{}`", file.display()), &text);
            }
        }
        archives
    }

    fn look(&mut self, place: &str, text: &str) {
        let is_meant = |row: &&Row| has(text, row.option) && !(row.is_cache && has(text, CREATES));
        for row in ROWS.iter().filter(is_meant) {
            if !self.found.iter().any(|(known, _)| known.option == row.option) {
                self.found.push((row, place.to_owned()));
            }
        }
    }

    /// What switches them off, after what the variable holds already; none if nothing is to be switched off.
    pub fn last_options(&self) -> Option<String> {
        let mut off: Vec<&str> = self.switched_off().filter_map(|(row, _)| row.off).collect();
        off.dedup();
        if off.is_empty() {
            return None;
        }
        let present = env::var(LAST).unwrap_or_default();
        let words = [present.trim(), TOLERANT].into_iter().chain(off);
        Some(words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "))
    }

    /// Beside an option for archives, one for caches is an error: if both are meant for different JVMs, only what is an error beside
    /// nothing is switched off.
    fn switched_off(&self) -> impl Iterator<Item = &(&'static Row, String)> {
        let has = |is_cache: bool| self.found.iter().any(|(row, _)| row.off.is_some() && row.is_cache == is_cache);
        let has_both = has(true) && has(false);
        self.found
            .iter()
            .filter(move |(row, _)| row.off.is_some_and(|off| !has_both || ![NO_ARCHIVE, NO_CACHE].contains(&off)))
    }

    /// Says what is switched off, and what cannot be.
    pub fn say(&self) {
        let off: Vec<String> = self.switched_off().map(named).collect();
        if !off.is_empty() {
            say(&format!(
                "switched off by {LAST}, because a JVM with an agent writes no archive of classes and uses none: {}",
                off.join(", ")
            ));
        }
        let is_off = |option: &str| self.switched_off().any(|(row, _)| row.option == option);
        let left: Vec<String> = self.found.iter().filter(|(row, _)| !is_off(row.option)).map(named).collect();
        if !left.is_empty() {
            say(&format!(
                "a JVM with an agent writes no archive of classes and uses none, and this cannot be switched off here: {}; leave it out, \
                 or run it without jrace",
                left.join(", ")
            ));
        }
    }
}

fn named((row, place): &(&'static Row, String)) -> String {
    format!("{} ({place})", row.option.trim_end_matches('='))
}

/// Whether an option stands in a text as a word, or the beginning of one if it takes a value.
fn has(text: &str, option: &str) -> bool {
    let goes_on = |rest: &str| rest.starts_with(|next: char| next.is_alphanumeric());
    text.match_indices(option).any(|(at, _)| option.ends_with('=') || !goes_on(&text[at + option.len()..]))
}

/// Files that may hold options: those that the command names, and those of the build.
fn files_of(command: &[String]) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = command.iter().filter_map(|word| word.strip_prefix('@')).map(PathBuf::from).collect();
    let named: Vec<&Path> = command.iter().map(Path::new).collect();
    files.extend(named.iter().filter(|path| is_build_file(path) || is_script(path)).map(|path| (*path).to_owned()));
    let is_build = |folder: &&Path| BUILD_FILES.iter().any(|name| folder.join(name).is_file());
    let roots = named.into_iter().filter(|path| path.is_dir()).filter(is_build);
    let mut left = ENTRIES;
    for root in roots.chain([Path::new(".")]) {
        collect(root, DEPTH, &mut left, &mut files);
    }
    files
}

fn is_build_file(path: &Path) -> bool {
    path.file_name().is_some_and(|name| BUILD_FILES.iter().any(|build| name == *build))
}

fn is_script(path: &Path) -> bool {
    let mut begins = [0; 2];
    path.is_file() && File::open(path).and_then(|mut file| file.read_exact(&mut begins)).is_ok() && begins == *b"#!"
}

/// What builds make, and what is hidden, holds no options; but Maven keeps some in a hidden folder.
fn collect(folder: &Path, depth: usize, left: &mut usize, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut entries: Vec<PathBuf> = entries.flatten().take(*left).map(|entry| entry.path()).collect();
    *left -= entries.len();
    entries.sort();
    for path in entries {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let is_searched =
            name == ".mvn" || !name.starts_with('.') && !["target", "build", "node_modules"].contains(&name.as_str());
        if is_build_file(&path) {
            files.push(path);
        } else if depth > 0 && is_searched && path.is_dir() && !path.is_symlink() {
            collect(&path, depth - 1, left, files);
        }
    }
}

fn text_of(file: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    File::open(file).ok()?.take(BYTES).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn off(text: &str) -> Option<String> {
        let mut archives = Archives::default();
        archives.look("x", text);
        archives.last_options()
    }

    #[test]
    fn each_option_is_switched_off_by_its_own() {
        let off_with = |options: &str| Some(format!("{TOLERANT} {options}"));
        assert_eq!(off("java -Xshare:on -cp x Main"), off_with("-Xshare:off"));
        assert_eq!(off("<argLine>-Xshare:on</argLine>"), off_with("-Xshare:off"));
        assert_eq!(off("-XX:AOTMode=on -XX:AOTCache=x"), off_with("-XX:AOTMode=off"));
        assert_eq!(
            off("-XX:SharedArchiveFile=x -XX:+AutoCreateSharedArchive"),
            off_with("-Xshare:off -XX:-AutoCreateSharedArchive")
        );
        // Both: each would be an error where the other was meant.
        assert_eq!(off("-Xshare:on -XX:AOTMode=on"), None);
        assert_eq!(off("-XX:ArchiveClassesAtExit=x -XX:AOTCacheOutput=y"), off_with("-XX:ArchiveClassesAtExit="));
    }

    #[test]
    fn what_asks_for_no_archive_stays() {
        for text in [
            "-Xshare:off -Xshare:auto -XX:AOTMode=off -XX:-AutoCreateSharedArchive",
            "-Xshare:one",
            "-XX:AOTMode=create -XX:AOTConfiguration=x -XX:AOTCache=y",
            "-Xshare:dump",
        ] {
            assert_eq!(off(text), None, "{text}");
        }
    }
}
