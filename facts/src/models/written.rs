//! What rows of both forms have in common as they are written down, and why a file of them is refused.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::config;

/// Why a file of models was refused: one sentence with the remedy.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ModelError {
    /// It is not TOML, or has other keys.
    #[error("line {0}: {1}")]
    Syntax(usize, String),
    /// A model of no class.
    #[error("model {0} of the file names no class: write `class = \"package.Class\"`")]
    NoClass(usize),
    /// What a method is said to do is nothing that jrace knows.
    #[error(
        "`{class}.{method}` cannot have the effect `{phrase}`: write, for example, `publishes arg0`, `observes result`, \
         `acquires this` or `releases this`; the chapter on models in the manual lists them all"
    )]
    Effect {
        /// The class, dotted.
        class: String,
        /// The method.
        method: String,
        /// What was written.
        phrase: String,
    },
    /// A call that names no method.
    #[error("`{0}` names no method: write `package.Class.method`")]
    NoMethod(String),
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "an effect, or a list of effects, must be a string or a list of strings")]
pub(super) enum Phrases {
    One(String),
    Many(Vec<String>),
}

impl Phrases {
    pub fn all(&self) -> &[String] {
        match self {
            Self::One(phrase) => std::slice::from_ref(phrase),
            Self::Many(phrases) => phrases,
        }
    }
}

/// Each method of a table with each of its effects. A key may name several methods.
pub(super) fn words(table: &BTreeMap<String, Phrases>) -> impl Iterator<Item = (&str, &str)> {
    table.iter().flat_map(|(names, phrases)| {
        names.split(' ').flat_map(|name| phrases.all().iter().map(move |phrase| (name, phrase.as_str())))
    })
}

pub(super) fn refused(class: &str, method: &str, phrase: &str) -> ModelError {
    ModelError::Effect { class: class.to_owned(), method: method.to_owned(), phrase: phrase.to_owned() }
}

pub(super) fn syntax(error: &toml::de::Error, text: &str) -> ModelError {
    let (line, message) = config::place_of(error, text);
    ModelError::Syntax(line, message)
}
