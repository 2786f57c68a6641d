//! From findings files to what people and programs read.
//!
//! `load` reads files, `merge` is the union of what they say, `judge` applies `suppressed` (what `suppress` reads, with `annotated` and `dates`) and `baseline`
//! (which knows findings by `identity`, those without a run as `claims`, and becomes another in `updated`), and `terminal`
//! and `json` show the result, `document` (with `ways`) makes of it what `formats` show. `words`, `grade`, `hint`, `advice`, `attributed`, `entries`, `ledger`, `ordering`, `source`, `own`,
//! `frames`, `generated` and `start` serve them. `replayed` (races) and `predicted` (hazards) make
//! the same of a trace as a findings file holds, with `names` and `hazards`.

pub mod advice;
mod annotated;
mod attributed;
pub mod baseline;
mod budget;
pub mod claims;
mod dates;
pub mod document;
mod entries;
pub mod frames;
mod generated;
pub mod grade;
pub mod hazards;
pub mod hint;
pub mod identity;
pub mod json;
pub mod judge;
pub mod ledger;
pub mod load;
pub mod merge;
pub mod moved;
pub mod names;
mod ordering;
pub mod own;
pub mod owners;
pub mod predicted;
pub mod replayed;
mod shortfall;
pub mod source;
mod start;
pub mod suppress;
pub mod suppressed;
pub mod terminal;
pub mod updated;
pub mod ways;
pub mod words;

#[cfg(test)]
pub mod fixtures;

use std::path::Path;

use anyhow::Result;

use crate::args::Forms;
use crate::document::spot::Locator;
use crate::formats::{self, Outlets};
use crate::output::{Destination, Stream};
use crate::settings::Settings;
use judge::Judges;
use merge::Merged;
use terminal::Detail;

/// How a report is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// For people.
    Text(Detail),
    /// One line for each finding.
    Brief,
    /// One JSON document, of everything or only of what counts.
    Json {
        /// Whether what is suppressed or known is left out.
        only_new: bool,
    },
}

impl Form {
    /// What the flags ask for.
    pub fn of(json: bool, forms: &Forms, detail: Detail) -> Self {
        match (json, forms.brief) {
            (true, _) => Self::Json { only_new: false },
            (false, true) => Self::Brief,
            (false, false) => Self::Text(detail),
        }
    }

    /// The same with what counts only, where it would have more.
    #[must_use]
    pub fn only_new(self, only_new: bool) -> Self {
        if let Self::Json { .. } = self { Self::Json { only_new } } else { self }
    }
}

/// A report: what was asked for, by which command, and how it is shown.
pub struct Shown<'a> {
    /// The command: `jrace report`.
    pub command: &'static str,
    /// How it is shown.
    pub form: Form,
    /// Where.
    pub stream: Stream,
    /// Whether unlikely races are shown like others.
    pub unlikely: bool,
    /// The other forms that were asked for.
    pub outlets: Outlets<'a>,
    /// Where the JSON document goes besides.
    pub json: Option<Destination<'a>>,
    /// What the command has ended with that was run.
    pub command_exit: Option<u8>,
}

impl<'a> Shown<'a> {
    /// What a command shows that runs no other.
    pub fn new(command: &'static str, form: Form, stream: Stream, outlets: Outlets<'a>) -> Self {
        Self { command, form, stream, unlikely: false, outlets, json: None, command_exit: None }
    }
}

/// Judges what was loaded, shows it, and returns the exit code that `exit_code` makes of "some findings make it fail".
///
/// # Errors
/// A document that cannot be written.
pub fn show(
    merged: &Merged,
    judges: &Judges,
    settings: &Settings,
    shown: &Shown<'_>,
    exit_code: impl FnOnce(bool) -> u8,
) -> Result<u8> {
    let verdict = judges.judge(merged);
    let code = exit_code(verdict.fails());
    let path = |path: &Path| settings.shown(path);
    let mut locator = Locator::new(sources(settings), &path);
    let is_complete = merged.is_complete(settings.options().allow_none);
    let is_wanted = shown.outlets.are_wanted() || shown.form == Form::Brief;
    let document = is_wanted.then(|| document::of(&verdict, shown.command, is_complete, shown.unlikely, &mut locator));
    let text = |stream, detail| {
        terminal::Terminal::new(Stream::paint(stream), sources(settings), detail, |path| settings.shown(path))
    };
    let json = |only_new| {
        let own = own::Own::of(&verdict, &mut sources(settings), &|path| settings.shown(path));
        json::document(&verdict, &own, json::Exits { jrace: code, command: shown.command_exit }, only_new)
    };
    document.iter().for_each(|document| shown.outlets.mark_tests(document));
    let stream = shown.stream;
    match shown.form {
        Form::Text(detail) => stream.show(&text(stream, detail).report(&verdict, code)),
        Form::Brief => {
            stream.write(&document.as_ref().map(formats::brief).unwrap_or_default());
            Stream::Err.show(&text(Stream::Err, Detail::default()).ending(&verdict, code));
        }
        Form::Json { only_new } => stream.write(&json(only_new)?),
    }
    if let Some(file) = &shown.json {
        file.write(&json(false)?)?;
    }
    if let Some(document) = &document {
        shown.outlets.write(document, &mut locator)?;
    }
    Ok(code)
}

fn sources(settings: &Settings) -> source::Sources {
    source::Sources::new(settings.directory(), &settings.options().source_path)
}
