//! Files of annotations that people write: one statement a line, `#` before comments.

use std::path::Path;

use anyhow::{Context, Result};

/// Reads a file of statements by `parse`, which is given each with the place where it stands (`locks.txt:3`).
///
/// # Errors
/// It cannot be read, or `parse` fails; the error tells the place.
pub fn read<T>(path: &Path, parse: impl FnMut(&str, &str) -> Result<T>) -> Result<Vec<T>> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the annotations file `{name}`; correct or leave out --annotations"))?;
    // Some editors begin a file with a byte order mark.
    parse_all(text.trim_start_matches('\u{feff}'), &name, parse)
}

/// The same for text at hand.
///
/// # Errors
/// See [`read`].
pub fn parse_all<T>(text: &str, name: &str, mut parse: impl FnMut(&str, &str) -> Result<T>) -> Result<Vec<T>> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let statements = lines.enumerate().filter(|(_, line)| !line.is_empty());
    let parsed = statements.map(|(index, line)| {
        let at = format!("{name}:{}", index + 1);
        parse(line, &at).with_context(|| at)
    });
    parsed.collect()
}
