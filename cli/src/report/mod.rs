//! From findings files to what people and programs read.
//!
//! `load` reads files, `merge` is the union of what they say, `judge` applies `suppress` and `baseline`, and `terminal`,
//! `json`, `html` and `sarif` show the result. `words`, `grade`, `hint`, `advice` and `source` serve them. `replayed` (races) and `predicted` (hazards) make
//! the same of a trace as a findings file holds, with `names` and `hazards`.

pub mod advice;
pub mod baseline;
mod budget;
pub mod grade;
pub mod hazards;
pub mod hint;
pub mod html;
pub mod json;
pub mod judge;
pub mod load;
pub mod merge;
pub mod names;
pub mod owners;
pub mod predicted;
pub mod replayed;
pub mod sarif;
pub mod source;
pub mod suppress;
pub mod terminal;
pub mod words;

#[cfg(test)]
pub mod fixtures;

use anyhow::Result;

use crate::output::Stream;
use crate::settings::Settings;
use judge::{Judges, Verdict};
use merge::Merged;

/// How a report is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// For people.
    Text {
        /// Nothing folded.
        full: bool,
    },
    /// One JSON document.
    Json,
}

/// Judges what was loaded, shows it, and returns the exit code that `exit_code` makes of "some findings make it fail".
///
/// # Errors
/// JSON that cannot be written.
pub fn show(
    merged: &Merged,
    judges: &Judges,
    settings: &Settings,
    form: Form,
    stream: Stream,
    exit_code: impl FnOnce(bool) -> u8,
) -> Result<u8> {
    let verdict = judges.judge(merged);
    let code = exit_code(verdict.fails());
    match form {
        Form::Text { full } => stream.write(&text(&verdict, settings, full, stream, code)),
        Form::Json => stream.write(&json::document(&verdict, code)?),
    }
    Ok(code)
}

fn text(verdict: &Verdict<'_>, settings: &Settings, full: bool, stream: Stream, code: u8) -> String {
    let options = settings.options();
    let sources = source::Sources::new(settings.directory(), &options.source_path);
    let paint = terminal::Paint::new(stream.is_colourful());
    terminal::Terminal::new(paint, sources, full, |path| settings.shown(path)).report(verdict, code)
}
