//! The bundled demo programs, as `demo-apps/demos.toml` lists them.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::fixture::compiled;
use crate::jdk::{Jdk, sources};
use crate::root;

/// A demo.
#[derive(Clone, Debug)]
pub struct Demo {
    /// Its name, which is that of its folder and package.
    pub name: String,
    /// Its main class.
    pub main: String,
    /// Its usual arguments.
    pub args: Vec<String>,
}

impl Demo {
    /// Every demo.
    ///
    /// # Errors
    /// The index cannot be read.
    pub fn all() -> Result<Vec<Self>> {
        let index: toml::Table = std::fs::read_to_string(root().join("demo-apps/demos.toml"))?.parse()?;
        index["demo"].as_array().context("demos.toml lists no demo")?.iter().map(Self::of).collect()
    }

    fn of(entry: &toml::Value) -> Result<Self> {
        let text = |key: &str| entry.get(key).and_then(|value| value.as_str()).map(str::to_owned);
        let args = entry.get("args").and_then(|args| args.as_array()).into_iter().flatten();
        Ok(Self {
            name: text("name").context("a demo without a name")?,
            main: text("main").context("a demo without a main class")?,
            args: args.filter_map(|arg| arg.as_str().map(str::to_owned)).collect(),
        })
    }

    /// Its sources.
    ///
    /// # Errors
    /// There are none.
    pub fn sources(&self) -> Result<Vec<PathBuf>> {
        sources(&root().join("demo-apps").join(&self.name))
    }

    /// Its classes, compiled for the oldest release that is supported.
    ///
    /// # Errors
    /// What javac says.
    pub fn classes(&self) -> Result<PathBuf> {
        compiled(&Jdk::oldest(), &self.sources()?, &["--release", "17"])
    }
}
