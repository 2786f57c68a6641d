//! The user's models, as a file.

use std::path::Path;

use anyhow::{Context, Result};
use facts::models::Models;

/// Reads a file of models.
///
/// # Errors
/// It cannot be read, or a row is none.
pub fn read(path: &Path) -> Result<Models> {
    let context = || format!("the models of {} cannot be used", path.display());
    let text = std::fs::read_to_string(path).with_context(context)?;
    Models::read(&text).with_context(context)
}
