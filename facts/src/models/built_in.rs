//! The rows that come with jrace.

use std::sync::LazyLock;

use serde::Deserialize;

use super::called::{self, Called};
use super::table::{self, Models};
use super::written::{ModelError, syntax};

/// The rows that come with jrace, a file a package.
const BUILT_IN: [(&str, &str); 17] = [
    ("java.beans", include_str!("../../models/java.beans.toml")),
    ("java.io", include_str!("../../models/java.io.toml")),
    ("java.lang", include_str!("../../models/java.lang.toml")),
    ("java.lang.invoke", include_str!("../../models/java.lang.invoke.toml")),
    ("java.lang.reflect", include_str!("../../models/java.lang.reflect.toml")),
    ("java.nio", include_str!("../../models/java.nio.toml")),
    ("java.security", include_str!("../../models/java.security.toml")),
    ("java.text", include_str!("../../models/java.text.toml")),
    ("java.util", include_str!("../../models/java.util.toml")),
    ("java.util.concurrent", include_str!("../../models/java.util.concurrent.toml")),
    ("java.util.concurrent.atomic", include_str!("../../models/java.util.concurrent.atomic.toml")),
    ("java.util.concurrent.locks", include_str!("../../models/java.util.concurrent.locks.toml")),
    ("java.util.regex", include_str!("../../models/java.util.regex.toml")),
    ("jdk.internal", include_str!("../../models/jdk.internal.toml")),
    ("packages", include_str!("../../models/packages.toml")),
    ("sun.misc", include_str!("../../models/sun.misc.toml")),
    ("test-frameworks", include_str!("../../models/test-frameworks.toml")),
];

/// The rows that come with jrace, in both forms.
fn tables() -> &'static (Models, Called) {
    static TABLES: LazyLock<(Models, Called)> = LazyLock::new(|| {
        let mut tables = (Models::default(), Called::default());
        for (_, text) in BUILT_IN {
            // A test shows that each can be read.
            if let Ok((models, called)) = OwnDocument::read(text).and_then(OwnDocument::tables) {
                tables.0 = std::mem::take(&mut tables.0).and(models);
                tables.1.extend(called);
            }
        }
        tables
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
    fn read(text: &str) -> Result<Self, ModelError> {
        toml::from_str(text).map_err(|error| syntax(&error, text))
    }

    fn tables(self) -> Result<(Models, Called), ModelError> {
        Ok((Models::of(self.model)?, Called::of(self.called)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_with_jrace_can_be_read() {
        for (name, text) in BUILT_IN {
            let document = OwnDocument::read(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            let sources = document.model.iter().map(|entry| &entry._source);
            let mut sources = sources.chain(document.called.iter().map(|entry| &entry._source));
            let is_sourced = sources.all(|source| !source.is_empty() || !document._source.is_empty());
            assert!(is_sourced, "{name}: where is it promised?");
            let (models, called) = document.tables().unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(models.classes().next().is_some() || !called.rows().is_empty(), "{name}");
        }
    }
}
