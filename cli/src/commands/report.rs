//! `jrace report`: the findings of earlier runs, merged.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::args::Report;
use crate::exit;
use crate::formats::Outlets;
use crate::output::{Destination, Stream, say};
use crate::report::baseline::Baseline;
use crate::report::judge::Judges;
use crate::report::merge::Merged;
use crate::report::terminal::Detail;
use crate::report::words::count;
use crate::report::{self, Form, Shown, baseline, load};
use crate::settings::{self, Settings};

/// Shows the report.
///
/// # Errors
/// Nothing to read, or a file that cannot be read.
pub fn report(args: &Report) -> Result<u8> {
    let settings = Settings::gather(settings::flags(None, &args.judging, &args.showing)?)?;
    let options = settings.options();
    let outlets = Outlets::of(&args.forms)?;
    let merged = load_all(&args.paths, args.last, &settings)?;
    let mut judges = Judges::read(&settings)?;
    if let Some(path) = &args.write_baseline {
        judges = judges.with_baseline(None);
        let known = write_baseline(path, &merged, &judges)?;
        judges = judges.with_baseline(Some(known));
    }
    let form = Form::of(args.json, &args.forms, Detail::of(&args.showing)).only_new(args.only_new);
    let unlikely = args.showing.unlikely;
    let shown = Shown { unlikely, ..Shown::new("jrace report", form, Stream::Out, outlets) };
    let complete = merged.is_complete(options.allow_none);
    let exit_code = |findings| exit::of_report(findings, options.exitcode, complete);
    report::show(&merged, &judges, &settings, &shown, exit_code)
}

/// Loads findings from paths, or else from where runs of these settings put them.
///
/// # Errors
/// See [`load::load`].
pub fn load_all(paths: &[PathBuf], only_last: bool, settings: &Settings) -> Result<Merged> {
    let shown = |path: &Path| settings.shown(path);
    if !paths.is_empty() {
        return load::load(paths, only_last, &shown);
    }
    let output = &settings.options().output;
    if !output.is_dir() {
        bail!("there is no directory `{}`: name one, or first run `jrace run -- COMMAND`", shown(output));
    }
    load::load(std::slice::from_ref(output), only_last, &shown)
}

/// Writes what is not suppressed, and returns it.
fn write_baseline(path: &Path, merged: &Merged, judges: &Judges) -> Result<Baseline> {
    let known = Baseline::of(&judges.judge(merged));
    Destination::at(path, "the baseline", "--write-baseline")?.write(&baseline::text(&known)?)?;
    say(&format!("wrote a baseline of {} to `{}`", count(known.len() as u64, "finding"), path.display()));
    Ok(known)
}
