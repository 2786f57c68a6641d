//! Reflection logs: what runs have reached by reflection, for the search to follow.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use facts::name::dotted;
use facts::reflection_log::ReflectionLog;
use static_typer::points_to::Logged;

use crate::output::say;
use crate::report::words::count;

/// Reads logs as one; says where one is damaged.
///
/// # Errors
/// A file cannot be read, or is no log.
pub fn read_all(paths: &[PathBuf]) -> Result<ReflectionLog> {
    let mut all = ReflectionLog::default();
    for path in paths {
        let shown = path.display();
        ensure!(path.exists(), "there is no reflection log `{shown}`: `jrace run --record-reflection FILE` writes one");
        let log = read(path).with_context(|| format!("cannot use the reflection log `{shown}`"))?;
        if let Some(line) = log.damaged {
            let path = path.display();
            say(&format!("`{path}` is damaged in line {line}: what follows is not used"));
        }
        all.entries.extend(log.entries);
    }
    Ok(all)
}

/// Reads a log.
///
/// # Errors
/// See [`read_all`].
pub fn read(path: &Path) -> Result<ReflectionLog> {
    Ok(ReflectionLog::read(BufReader::new(File::open(path)?))?)
}

/// Internal names of the classes that a log names, for the program to have them.
pub fn classes(log: &ReflectionLog) -> Vec<String> {
    let classes: BTreeSet<&String> = log.entries.iter().map(|entry| &entry.target.class).collect();
    classes.into_iter().cloned().collect()
}

/// What is not followed as the program lacks it: a sentence.
pub fn lacking(logged: &Logged) -> Option<String> {
    let first = dotted(logged.lacking().first()?);
    let number = logged.lacking().len() as u64;
    let others = if number == 1 { "which".to_owned() } else { format!("for one of {}, which", count(number, "thing")) };
    Some(format!("the reflection log names `{first}`, {others} the program does not have: that is not followed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_no_log_is_named() {
        let error = format!("{:#}", read_all(&["Cargo.toml".into()]).unwrap_err());
        assert!(error.starts_with("cannot use the reflection log `Cargo.toml`: it is no reflection log"), "{error}");
        assert!(read_all(&["nowhere".into()]).is_err());
    }
}
