//! Where a finding is shown: a file, as editors and code hosts know it, and a line.

use std::path::{Path, PathBuf};

use facts::name::{dotted, printable};
use facts::site::Place;

use crate::report::frames::is_folded;
use crate::report::source::{Sources, is_test};
use crate::report::words::source_file;

/// A place in the code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The class; empty if it is not known.
    pub class: String,
    /// The file as it is shown: as it lies below the working directory, or else from where its package lies.
    pub path: Option<String>,
    /// The file, if it was found.
    pub found: Option<PathBuf>,
    /// The line.
    pub line: Option<u32>,
    /// Whose code it is.
    pub origin: Origin,
}

/// Whose code it is, the most interesting first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// Of the program: its source was found.
    Program,
    /// Of its tests.
    Test,
    /// Nobody knows: there is no source.
    Unknown,
    /// Of the JDK, a test runner or a library.
    Library,
}

impl Spot {
    /// A class, where nothing else is known.
    pub fn of_class(class: &str) -> Self {
        Self { class: printable(class), path: None, found: None, line: None, origin: Origin::Unknown }
    }

    /// The file from a directory, if it was found below that.
    pub fn found_below(&self, root: &Path) -> Option<PathBuf> {
        let found = self.found.as_ref()?;
        let found = found.canonicalize().unwrap_or_else(|_| found.clone());
        found.strip_prefix(root).ok().map(Path::to_owned)
    }

    /// `src/bank/Account.java:12`, or what is known of it.
    pub fn position(&self) -> String {
        match (&self.path, self.line) {
            (Some(path), Some(line)) => format!("{path}:{line}"),
            (Some(path), None) => path.clone(),
            (None, _) if self.class.is_empty() => "unknown".to_owned(),
            (None, _) => self.class.clone(),
        }
    }
}

/// Finds the files of places.
pub struct Locator<'a> {
    /// What is searched.
    pub sources: Sources,
    /// How the path of a source appears.
    pub shown: &'a dyn Fn(&Path) -> String,
}

impl<'a> Locator<'a> {
    /// Those of sources.
    pub fn new(sources: Sources, shown: &'a dyn Fn(&Path) -> String) -> Self {
        Self { sources, shown }
    }

    /// For a document that names no places.
    pub fn none() -> Self {
        Self::new(Sources::default(), &|_| String::new())
    }

    /// Where a place is.
    pub fn spot(&mut self, place: &Place) -> Spot {
        let found = self.sources.line(place).map(|line| line.path);
        let path = found.as_deref().map(self.shown).or_else(|| source_file(place));
        let origin = match &path {
            _ if is_folded(place) => Origin::Library,
            Some(path) if found.is_some() && is_test(Path::new(path)) => Origin::Test,
            _ if found.is_some() => Origin::Program,
            _ => Origin::Unknown,
        };
        let line = place.line.filter(|line| *line > 0);
        Spot { class: printable(&dotted(&place.class)), path: path.map(|path| printable(&path)), found, line, origin }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixtures::place;

    #[test]
    fn files_are_named_as_they_lie() {
        let directory = tempfile::tempdir().unwrap();
        for path in ["src/main/java/bank/Account.java", "src/test/java/bank/AccountTest.java"] {
            let path = directory.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "package bank;\n\n\n").unwrap();
        }
        let shown = |path: &Path| path.strip_prefix(directory.path()).unwrap().display().to_string();
        let mut locator = Locator::new(Sources::new(directory.path(), &[]), &shown);
        let mut spot = |class: &str| {
            let spot = locator.spot(&place(class, "m", 1));
            (spot.position(), spot.origin, spot.found.is_some())
        };
        assert_eq!(spot("bank/Account"), ("src/main/java/bank/Account.java:1".into(), Origin::Program, true));
        assert_eq!(spot("bank/AccountTest"), ("src/test/java/bank/AccountTest.java:1".into(), Origin::Test, true));
        assert_eq!(spot("shop/Cart\n"), ("shop/Cart\\n.java:1".into(), Origin::Unknown, false));
        assert_eq!(spot("java/util/HashMap"), ("java/util/HashMap.java:1".into(), Origin::Library, false));
        assert_eq!(Spot::of_class("a.B").position(), "a.B");
    }
}
