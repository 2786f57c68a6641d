//! The configuration file `jrace.toml`: one option a line, `include = ["a.*", "b.*"]`; and tables [`SUPPRESS`], which only reports
//! read.

use std::io;
use std::path::Path;

/// Name of the file that is read when no other is named.
pub const FILE: &str = "jrace.toml";

/// Name of the tables that say which findings do not count. They are no option.
pub const SUPPRESS: &str = "suppress";

/// Why the file was refused: one sentence with the remedy.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// It is there, and cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// It is not TOML.
    #[error("line {0}: {1}")]
    Syntax(usize, String),
    /// A value of a type that no option has.
    #[error("option `{0}` cannot be a {1}: write a string, a number, a boolean or a list")]
    Type(String, &'static str),
}

/// Names and values of the file that was read from the path; nothing if there is no file of the usual name.
///
/// # Errors
/// See [`ConfigError`].
pub fn of(path: &Path, read: io::Result<String>) -> Result<Vec<(String, String)>, ConfigError> {
    match read {
        Ok(text) => pairs(&text),
        Err(error) if error.kind() == io::ErrorKind::NotFound && path.ends_with(FILE) => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

/// Names and values in the text of such a file.
///
/// # Errors
/// See [`ConfigError`].
pub fn pairs(text: &str) -> Result<Vec<(String, String)>, ConfigError> {
    let options = table(text)?.into_iter().filter(|(name, _)| name != SUPPRESS);
    options.map(|(name, value)| Ok((name.clone(), word(&name, value)?))).collect()
}

/// The whole of such a file.
///
/// # Errors
/// See [`ConfigError`].
pub fn table(text: &str) -> Result<toml::Table, ConfigError> {
    text.parse().map_err(|error| {
        let (line, message) = place_of(&error, text);
        ConfigError::Syntax(line, message)
    })
}

/// The line that an error of the parser is about, and its message without its drawing.
pub(crate) fn place_of(error: &toml::de::Error, text: &str) -> (usize, String) {
    let line = error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
    (line, error.message().replace('\n', ", "))
}

fn word(name: &str, value: toml::Value) -> Result<String, ConfigError> {
    match value {
        toml::Value::String(text) => Ok(text),
        toml::Value::Integer(number) => Ok(number.to_string()),
        toml::Value::Boolean(flag) => Ok(u8::from(flag).to_string()),
        toml::Value::Array(items) => {
            Ok(items.into_iter().map(|item| word(name, item)).collect::<Result<Vec<_>, _>>()?.join(":"))
        }
        other => Err(ConfigError::Type(name.to_owned(), other.type_str())),
    }
}
