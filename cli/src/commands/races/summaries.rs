//! Races by method summaries.

use anyhow::{Result, bail, ensure};
use facts::name::dotted;
use modular::analysis::{Analysis, Counts, Limits, Remembered};
use modular::environment::Begin;
use modular::store::Store;
use modular::store::linked::Linked;
use static_typer::points_to::Resolution;
use static_typer::program::Program;
use static_typer::types::mistake;

use super::Outputs;
use super::environment::Environment;
use crate::analysis::{Origin, load};
use crate::args::Races;
use crate::entries::{Caller, Entries};
use crate::exit;
use crate::models;
use crate::output::say;
use crate::races::annotations::Annotations;
use crate::races::api::Api;
use crate::races::linked::{Folders, basis};
use crate::races::modular as by_summary;
use crate::races::norace;
use crate::races::report::MODULAR_RULES;
use crate::races::store::{self, Kept};
use crate::races::suppressed;
use crate::report::claims::Since;
use crate::report::suppressed::Suppressions;
use crate::stages::Stages;

/// Finds races by method summaries.
///
/// # Errors
/// As for the other search.
pub fn races(args: &Races) -> Result<u8> {
    let compared = Since::path(args.compared.baseline.as_deref())?;
    let findings = compared.as_deref().and_then(store::findings);
    let since = Since::read(findings.as_deref().or(compared.as_deref()), MODULAR_RULES.to_vec())?;
    let suppressions = Suppressions::told(args.compared.suppressions.as_deref())?;
    let mut annotations = annotations(args)?;
    let linked = Folders::open(&args.link)?;
    let models = models::file(args.classes.models.as_deref())?;
    let basis = (!args.link.is_empty()).then(|| basis(args.classes.jdk.as_deref(), models.as_deref())).transpose()?;
    let build = basis.as_ref().map_or_else(store::build, |basis| basis.build.clone());
    let mut kept = Kept::open(args.store.as_deref(), findings.and(compared.as_deref()), &build)?;
    let mut outputs = Outputs::of(args)?;
    outputs.application.extend(linked.names());
    let mut stages = Stages::begin("reading classes");
    let mut is_program = false;
    let classes = &args.classes;
    let all = [classes.application.clone(), linked.classes()].concat();
    let mut program = load(&all, &classes.library, classes.jdk.as_deref(), Origin::ClassPath, |path| {
        is_program = path.is_program();
        Program::load(path)
    })?;
    models::tell(&mut program, models.as_deref())?;
    for line in annotations.tell_alias_sets(&mut program) {
        say(&format!("{line}: no method with so many parameters has this name"));
    }
    check_alias_sets(&program)?;
    annotations.add_code(&program);
    let entries = Entries::of(&args.begin, &program, is_program)?;
    stages.next("method summaries");
    let resolution = modular::resolution(&program);
    let (begin, assumptions, api) = begin(&entries, &resolution)?;
    let own = kept.as_ref().map(|kept| kept.disk() as &dyn Store);
    let parts = basis.as_ref().map(|basis| Linked { parts: linked.parts(basis), own, ..Linked::default() });
    let store = parts.as_ref().map(|parts| parts as &dyn Store).or(own);
    let analysis = analysis(&resolution, &begin, store, &build);
    stages.next("races");
    let found = analysis.races(by_summary::MAX_LISTED);
    let application = outputs.application.iter().map(|path| path.display().to_string()).collect();
    let mut report = by_summary::report(application, &entries.words, &analysis, &found);
    report.harness = entries.has_clients();
    report.assumptions.splice(0..0, assumptions);
    report.api = api;
    let times = stages.end();
    report.times = args.times.then_some(times);
    let claims = report.claims();
    annotations.apply(&mut report, &[]);
    report.unmatched_annotations.iter().for_each(|one| say(&format!("{one}: this annotation leaves out no race")));
    norace::apply(args, &program, &annotations, &mut report)?;
    suppressed::apply(&suppressions, &mut report);
    if basis.is_some() {
        say_linked(analysis.counts);
    }
    drop(parts);
    if let Some(mut kept) = kept.take() {
        kept.note_damaged(analysis.counts.damaged);
        kept.write(&claims)?;
    }
    report.compare(since.as_ref(), &claims);
    let code = exit::of_report(report.has_findings(), args.exitcode, true);
    outputs.write(args, &mut report, true, code)?;
    Ok(code)
}

/// What the user says of the program.
fn annotations(args: &Races) -> Result<Annotations> {
    let annotations = args.annotations.as_deref().map_or_else(|| Ok(Annotations::default()), Annotations::read)?;
    ensure!(
        annotations.unparallel().is_empty(),
        "`unparallel` is for the search without --modular: leave these lines out of the file of --annotations"
    );
    Ok(annotations)
}

/// What methods say of their parameters has to fit them.
fn check_alias_sets(program: &Program) -> Result<()> {
    let methods = program.application().flat_map(|class| program.methods_of(class));
    match methods.filter_map(|method| Some((method, mistake(program, method)?))).next() {
        Some((method, mistake)) => bail!("{}: {mistake}", dotted(&program.method_name(method))),
        None => Ok(()),
    }
}

/// The analysis, with what a store has of earlier ones.
fn analysis<'p>(resolution: &Resolution<'p>, begin: &Begin, store: Option<&dyn Store>, build: &str) -> Analysis<'p> {
    match store {
        Some(store) => {
            let with = Remembered { store, build, max_listed: by_summary::MAX_LISTED };
            Analysis::remembered(resolution, begin, Limits::default(), &with)
        }
        None => Analysis::of(resolution, begin, Limits::default()),
    }
}

/// Where the application begins, what is not known of that, and which classes clients use.
pub fn begin(entries: &Entries, resolution: &Resolution<'_>) -> Result<(Begin, Vec<String>, Option<Api>)> {
    if entries.caller == Caller::Jvm {
        return Ok((Begin::mains(&entries.methods), Vec::new(), None));
    }
    let Environment { code, assumptions, api } = Environment::of(entries, resolution)?;
    Ok((Begin::Environment(Box::new(code)), assumptions, api))
}

/// How much of what was linked could be taken.
fn say_linked(counts: Counts) {
    let made = counts.components - counts.taken;
    let damaged = match counts.damaged {
        0 => String::new(),
        1 => ", as 1 of them is damaged".to_owned(),
        number => format!(", as {number} of them are damaged"),
    };
    say(&format!("{} of {} summaries were linked, {made} made anew{damaged}", counts.taken, counts.components));
}
