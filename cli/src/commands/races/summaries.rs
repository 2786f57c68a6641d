//! Races by method summaries.

use anyhow::{Result, ensure};
use modular::analysis::{Analysis, Limits, Remembered};
use static_typer::points_to::Resolution;
use static_typer::program::Program;

use super::Outputs;
use crate::analysis::{Origin, load};
use crate::args::Races;
use crate::entries::{Caller, Entries};
use crate::exit;
use crate::models;
use crate::races::modular as by_summary;
use crate::races::report::RULES;
use crate::races::store::{self, Kept};
use crate::report::claims::Since;
use crate::stages::Stages;

/// Finds races by method summaries.
///
/// # Errors
/// As for the other search.
pub fn races(args: &Races) -> Result<u8> {
    let compared = Since::path(args.compared.baseline.as_deref())?;
    let findings = compared.as_deref().and_then(store::findings);
    let since = Since::read(findings.as_deref().or(compared.as_deref()), RULES.to_vec())?;
    let build = store::build();
    let mut kept = Kept::open(args.store.as_deref(), findings.and(compared.as_deref()), &build)?;
    let outputs = Outputs::of(args)?;
    let models = models::file(args.classes.models.as_deref())?;
    let mut stages = Stages::begin("reading classes");
    let mut is_program = false;
    let classes = &args.classes;
    let mut program =
        load(&classes.application, &classes.library, classes.jdk.as_deref(), Origin::ClassPath, |path| {
            is_program = path.is_program();
            Program::load(path)
        })?;
    models::tell(&mut program, models.as_deref())?;
    let entries = Entries::of(&args.begin, &program, is_program)?;
    ensure!(
        entries.caller == Caller::Jvm,
        "--modular begins with `main`, and there is none: name a class that has one with --main, or leave --modular out"
    );
    stages.next("method summaries");
    let resolution = Resolution::of(&program);
    let analysis = match &kept {
        Some(kept) => {
            let with = Remembered { store: kept.disk(), build: &build, max_listed: by_summary::MAX_LISTED };
            Analysis::remembered(&resolution, &entries.methods, Limits::default(), &with)
        }
        None => Analysis::of(&resolution, &entries.methods, Limits::default()),
    };
    stages.next("races");
    let found = analysis.races(by_summary::MAX_LISTED);
    let application = classes.application.iter().map(|path| path.display().to_string()).collect();
    let mut report = by_summary::report(application, &entries.words, &analysis, &found);
    let times = stages.end();
    report.times = args.times.then_some(times);
    let claims = report.claims();
    if let Some(mut kept) = kept.take() {
        kept.note_damaged(analysis.counts.damaged);
        kept.write(&claims)?;
    }
    report.compare(since.as_ref(), &claims);
    let code = exit::of_report(report.counting().next().is_some(), args.exitcode, true);
    outputs.write(args, &mut report, true, code)?;
    Ok(code)
}
