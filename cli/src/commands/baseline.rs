//! `jrace baseline update`: what is known from now on.

use std::path::PathBuf;

use anyhow::{Context, Result};

use super::report::load_all;
use crate::args::{self, BaselineAction, Judging, Showing, Update};
use crate::output::{Destination, Stream, say};
use crate::report::baseline::{self, Baseline};
use crate::report::judge::Judges;
use crate::report::merge::Merged;
use crate::report::updated::{Updated, updated};
use crate::report::words::{count, printable};
use crate::settings::{self, Settings};

/// Does what is asked with a baseline.
///
/// # Errors
/// Nothing to read, or a file that cannot be read or written.
pub fn baseline(args: &args::Baseline) -> Result<u8> {
    match &args.action {
        BaselineAction::Update(args) => update(args),
    }
}

fn update(args: &Update) -> Result<u8> {
    let judging = Judging { suppressions: args.suppressions.clone(), ..Judging::default() };
    let settings = Settings::gather(settings::flags(None, &judging, &Showing::default())?)?;
    let path = file(args, &settings)?;
    let known = if path.exists() { baseline::read(&path)? } else { Baseline::default() };
    let destination = Destination::at(&path, "the baseline", "FILE")?;
    let (documents, paths) = documents(&args.from);
    let merged = match &documents[..] {
        [_, ..] if paths.is_empty() => None,
        _ => Some(load_all(&paths, args.last, &settings)?),
    };
    // It need not be there yet, and all that is seen is asked for.
    let judges = Judges::read(&settings.with("baseline", "")?)?;
    let keeps = args.keep || merged.as_ref().is_some_and(is_partial);
    let verdict = merged.as_ref().map(|merged| (judges.judge(merged), merged));
    let updated = updated(&known, verdict.as_ref().map(|(verdict, merged)| (verdict, *merged)), &documents, keeps);
    destination.write(&baseline::text(&updated.baseline)?)?;
    if keeps && !args.keep {
        say(
            "something may be missing in these runs (`jrace report` says what; a build that runs no tests checks none), so nothing was taken out",
        );
    }
    Stream::Out.show(&told(&updated, &settings.shown(&path)));
    Ok(0)
}

/// What commands that run nothing have written, and the other paths.
fn documents(from: &[PathBuf]) -> (Vec<Baseline>, Vec<PathBuf>) {
    let (mut documents, mut others) = (Vec::new(), Vec::new());
    for path in from {
        match path.is_file().then(|| baseline::read(path).ok()).flatten().filter(|known| !known.looked_for.is_empty()) {
            Some(document) => documents.push(document),
            None => others.push(path.clone()),
        }
    }
    (documents, others)
}

fn file(args: &Update, settings: &Settings) -> Result<PathBuf> {
    let named = args.file.as_ref().map(|path| settings.directory().join(path));
    named
        .or_else(|| settings.options().baseline.clone())
        .context("no baseline is named: write `jrace baseline update FILE`, or set `baseline` in jrace.toml")
}

/// Whether what was not seen may be there.
fn is_partial(merged: &Merged) -> bool {
    let is_cut = merged.jvms.values().any(|facts| facts.summary.is_none());
    !merged.is_complete(false) || is_cut || !merged.problems.is_empty()
}

fn told(updated: &Updated, path: &str) -> String {
    let lines = |mark: &str, names: &[String]| {
        names.iter().map(|name| format!("{mark} {}\n", printable(name))).collect::<String>()
    };
    let Updated { baseline, added, gone, returned } = updated;
    let changes = [(added.len(), "new"), (returned.len(), "back"), (gone.len(), "gone")];
    let changes: Vec<String> =
        changes.into_iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    let changes = if changes.is_empty() { "nothing has changed".to_owned() } else { changes.join(", ") };
    format!(
        "{}{}{}`{path}` has {}: {changes}\n",
        lines("+", added),
        lines("+ (back)", returned),
        lines("-", gone),
        count(baseline.len() as u64, "finding")
    )
}
