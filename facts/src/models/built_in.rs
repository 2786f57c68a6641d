//! The rows that come with jrace.

use std::sync::LazyLock;

use serde::Deserialize;

use super::called::{self, Called};
use super::table::{self, Models};
use super::written::ModelError;

/// The rows of `models/*.toml`, in one table of JSON that the build script has made of them: to read TOML takes longer, and every JVM does
/// it.
const BUILT_IN: &str = include_str!(concat!(env!("OUT_DIR"), "/models.json"));

/// The rows that come with jrace, in both forms.
fn tables() -> &'static (Models, Called) {
    static TABLES: LazyLock<(Models, Called)> = LazyLock::new(|| {
        let document = serde_json::from_str::<OwnDocument>(BUILT_IN);
        // A test shows that it can be read.
        document.ok().and_then(|document| document.tables().ok()).unwrap_or_default()
    });
    &TABLES
}

impl Models {
    /// Those that come with jrace.
    #[must_use]
    pub fn built_in() -> &'static Self {
        &tables().0
    }
}

impl Called {
    /// Those that come with jrace.
    #[must_use]
    pub fn built_in() -> &'static Self {
        &tables().1
    }
}

/// A file of jrace's own, which says what calls do, too.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OwnDocument {
    #[serde(default, rename = "source")]
    _source: String,
    #[serde(default)]
    model: Vec<table::Entry>,
    #[serde(default)]
    called: Vec<called::Entry>,
}

impl OwnDocument {
    fn tables(self) -> Result<(Models, Called), ModelError> {
        Ok((Models::of(self.model)?, Called::of(self.called)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::disallowed_methods, reason = "a test reads the tables as they are written")]
    fn what_comes_with_jrace_can_be_read() {
        let (mut models, mut rows) = (Models::default(), Vec::new());
        let mut files: Vec<_> = std::fs::read_dir("models").unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort_by(|one, other| one.file_stem().cmp(&other.file_stem()));
        for name in files {
            let text = std::fs::read_to_string(&name).unwrap();
            let name = name.display();
            let document: OwnDocument = toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
            let sources = document.model.iter().map(|entry| &entry._source);
            let mut sources = sources.chain(document.called.iter().map(|entry| &entry._source));
            let is_sourced = sources.all(|source| !source.is_empty() || !document._source.is_empty());
            assert!(is_sourced, "{name}: where is it promised?");
            let (of_file, called) = document.tables().unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(of_file.classes().next().is_some() || !called.rows().is_empty(), "{name}");
            models = models.and(of_file);
            rows.extend_from_slice(called.rows());
        }
        let built: OwnDocument = serde_json::from_str(BUILT_IN).unwrap();
        let (built, called) = built.tables().unwrap();
        assert!(built == models && called.rows() == rows, "the build script changes what is written");
    }
}
