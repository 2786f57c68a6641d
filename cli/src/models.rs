//! The user's models, as a file.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use facts::models::Models;
use static_typer::program::Program;

use crate::settings::Settings;

/// Reads a file of models.
///
/// # Errors
/// It cannot be read, or a row is none.
pub fn read(path: &Path) -> Result<Models> {
    let context = || format!("the models of {} cannot be used", path.display());
    let text = std::fs::read_to_string(path).with_context(context)?;
    Models::read(&text).with_context(context)
}

/// The file that an option names, or else `jrace.toml` or `JRACE_OPTIONS`.
///
/// # Errors
/// An option is bad.
pub fn file(named: Option<&Path>) -> Result<Option<PathBuf>> {
    match named {
        Some(path) => Ok(Some(path.to_owned())),
        None => Ok(Settings::gather(Vec::new())?.options().models.clone()),
    }
}

/// Tells a program what a file of models says of its methods.
///
/// # Errors
/// It cannot be read, or a row does not fit the program.
pub fn tell(program: &mut Program, file: Option<&Path>) -> Result<()> {
    let Some(path) = file else { return Ok(()) };
    program.tell(&read(path)?).with_context(|| format!("the models of {} cannot be used", path.display()))
}
