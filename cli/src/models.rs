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
    let text = std::fs::read_to_string(path).with_context(|| unusable(path))?;
    Models::read(&text).with_context(|| unusable(path))
}

/// The file that an option names, or else `jrace.toml` or `JRACE_OPTIONS`. It is read once in vain, as who has waited for a program to be
/// read learns late that its models are none.
///
/// # Errors
/// An option is bad, or the file is.
pub fn file(named: Option<&Path>) -> Result<Option<PathBuf>> {
    let file = match named {
        Some(path) => Some(path.to_owned()),
        None => Settings::gather(Vec::new())?.options().models.clone(),
    };
    file.as_deref().map(read).transpose()?;
    Ok(file)
}

/// Tells a program what a file of models says of its methods.
///
/// # Errors
/// It cannot be read, or a row does not fit the program.
pub fn tell(program: &mut Program, file: Option<&Path>) -> Result<()> {
    let Some(path) = file else { return Ok(()) };
    // What is wrong with a row says what is to be done.
    program.tell(&read(path)?).with_context(|| of(path))
}

fn unusable(path: &Path) -> String {
    format!("{}; name another file with --models, or correct it: the manual's chapter on models has the form", of(path))
}

fn of(path: &Path) -> String {
    format!("the models of {} cannot be used", path.display())
}
