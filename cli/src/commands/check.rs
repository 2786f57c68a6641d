//! `jrace check` and `jrace explain`: race-free types and atomicities without a run.

mod atomicity;
mod believed;
mod document;
pub mod explained;
mod ledger;
mod observed;
pub mod report;
mod rules;
mod suppressed;
mod text;
mod why_not;
mod words;

use std::path::Path;

use anyhow::{Context, Result, ensure};
use facts::name::dotted;
use facts::pattern::Pattern;
use facts::type_log::TypeLog;
use static_typer::program::MethodId;
use static_typer::types::{Claim, FieldType, Guard, Required, Subject, claim, has_guard, is_field_silenced};

use crate::analysis::{Analysis, jdk_said};
use crate::args::{Begin, Check, Classes, Explain, Focus};
use crate::document::spot::Locator;
use crate::evidence::{Key, Observation, Runs};
use crate::exit;
use crate::formats::{self, Outlets};
use crate::models;
use crate::output::{Destination, Stream, out, say};
use crate::report::claims::{Claims, Identities, Since};
use crate::report::source::{self, Sources};
use crate::report::suppressed::Suppressions;
use crate::report::words::count;
use crate::settings;
use crate::sidecar::Sidecar;
use atomicity::Methods;
use believed::Believed;
use explained::{Explained, ExplainedField, ExplainedMethod, Lines};
use ledger::Ledger;
use observed::Observations;
use report::{Error, Field, Report, Summary};
use why_not::WhyNot;

/// Checks classes.
///
/// # Errors
/// The classes, those of the JDK, a type log or findings cannot be read; or the focus set or the page cannot be written.
pub fn check(args: &Check) -> Result<u8> {
    let outlets = Outlets::of(&args.forms)?;
    let focus_set = args.focus_set.as_deref();
    focus_set.map(|path| Destination::at(path, "the focus set", "--focus-set")).transpose()?;
    source::check(&args.source_path)?;
    let since = Since::read(args.compared.baseline.as_deref(), rules::ids())?;
    let suppressions = Suppressions::told(args.compared.suppressions.as_deref())?;
    let log = observed::read(&args.types)?;
    let runs = args.observed.as_deref().map(Runs::read).transpose()?;
    let focus = args.focus_set.as_ref().map_or(Focus::Field, |_| args.focus);
    let (mut analysis, required) =
        analysis(&args.classes, &args.begin, args.annotations.as_deref(), focus, log.as_ref())?;
    let believed = Believed::of(&mut analysis);
    let unheld = required.take(&mut analysis.types.errors);
    if let Some(path) = &args.focus_set {
        analysis.write_focus_set(path)?;
    }
    let observations = log.map(|log| Observations::of(&analysis, log, unheld));
    let mut report =
        checked(args, &analysis, &believed, (observations.as_ref(), runs.as_ref(), since.as_ref(), &suppressions));
    if args.compared.only_new {
        report.errors.retain(Error::counts);
        report.fields.retain(Field::counts);
    }
    let directory = std::env::current_dir().context("the working directory cannot be found")?;
    let shown = |path: &Path| settings::shown(path, &directory, "");
    let sources = Sources::beside(&directory, &args.source_path, &args.classes.application);
    let mut locator = Locator::new(sources, &shown);
    let is_whole = runs.as_ref().is_none_or(Runs::is_whole);
    let is_wanted = outlets.are_wanted() || args.forms.brief;
    let document = is_wanted.then(|| {
        let jdk = jdk_said(args.classes.jdk.as_deref());
        document::of(&report, is_whole, &mut locator).made_of("JDK", jdk)
    });
    if args.json {
        out(&(serde_json::to_string_pretty(&report)? + "\n"));
    } else if let Some(document) = document.as_ref().filter(|_| args.forms.brief) {
        out(&formats::brief(document));
        Stream::Err.show(&report.summary.to_string());
    } else {
        Stream::Out.show(&report.to_string());
    }
    if let Some(document) = &document {
        outlets.write(document, &mut locator)?;
    }
    Ok(report.exit)
}

/// What came of the check.
fn checked<'a>(
    args: &Check,
    analysis: &Analysis,
    believed: &Believed,
    (observations, runs, since, suppressions): (
        Option<&Observations<'_>>,
        Option<&'a Runs>,
        Option<&Since>,
        &Suppressions,
    ),
) -> Report<'a> {
    let is_silenced = |field: &&FieldType| is_field_silenced(&analysis.program, field.field);
    let unsafe_fields: Vec<&FieldType> = analysis.types.unsafe_fields().filter(|field| !is_silenced(field)).collect();
    let breaks_type =
        |field: &FieldType| analysis.is_annotated(field) || observations.is_some_and(|seen| seen.is_told(field.field));
    let misses_lock = |field: &&FieldType| {
        let field = believed.field(field);
        field.owner.is_none() && usual_guard(field).is_some() && !breaks_type(field)
    };
    let missing: Vec<&FieldType> = unsafe_fields.iter().copied().filter(misses_lock).collect();
    let methods = Methods::of(analysis);
    runs.iter().for_each(|runs| name_others(runs, &methods));
    runs.iter().for_each(|runs| name_refuted(runs, analysis));
    let claimed = analysis.types.errors.iter().map(|error| analysis.error(error));
    let wrong_uses = observations.map(Observations::errors).unwrap_or_default();
    let mut errors: Vec<Error<'a>> = claimed.chain(wrong_uses).chain(methods.wrong(runs)).collect();
    // `n++` reads and writes.
    errors.dedup_by(|next, error| next.says_no_more_than(error));
    let is_missing = |field: &FieldType| missing.iter().any(|of| of.field == field.field);
    let observed =
        |field: &FieldType| runs.map(|runs| runs.of_variable(&Key::of_field(&analysis.program, field.field)));
    let has_raced = |field: &FieldType| observed(field) == Some(Observation::Confirmed);
    let is_reached = |field: &FieldType| args.all && analysis.reaches(analysis.program.field(field.field).class);
    let is_shown = |field: &&FieldType| is_missing(field) || has_raced(field) || is_reached(field);
    let shown: Vec<&FieldType> = unsafe_fields.iter().copied().filter(is_shown).collect();
    let field = |field: &&FieldType| Field { observed: observed(field), ..believed.shown(analysis, field) };
    let mut fields: Vec<Field> = shown.iter().map(field).collect();
    let is_other =
        |field: &&&FieldType| !is_shown(field) && analysis.reaches(analysis.program.field(field.field).class);
    let others: Vec<Field> = unsafe_fields.iter().filter(is_other).map(field).collect();
    let unsafe_fields = unsafe_fields.iter().filter(|_| since.is_some()).map(|field| believed.shown(analysis, field));
    suppressed::apply(suppressions, &mut errors, &mut fields);
    let identities = compared(since, &mut errors, &mut fields, unsafe_fields.collect());
    let n_errors = errors.iter().filter(|error| error.counts()).count();
    let counting = || shown.iter().zip(&fields).filter(|(_, field)| field.counts());
    let n_missing = counting().filter(|(field, _)| is_missing(field)).count();
    let is_reported = n_errors + n_missing > 0 || counting().any(|(_, field)| field.has_raced());
    let summary = Summary {
        errors: n_errors,
        not_always_guarded: n_missing,
        suppressed: errors.iter().filter(|error| !error.suppressed_by.is_empty()).count()
            + fields.iter().filter(|field| !field.suppressed_by.is_empty()).count(),
        fields: analysis.field_counts(),
        arrays: analysis.array_counts(),
        methods: methods.counts(),
        observed: observations.map(Observations::counts),
        since: identities.summary(),
    };
    Report {
        format: report::FORMAT,
        jrace: env!("CARGO_PKG_VERSION"),
        exit: exit::of_report(is_reported, args.exitcode, runs.is_none_or(Runs::is_whole)),
        application: application(&args.classes),
        entries: analysis.entries.words.clone(),
        summary,
        identities,
        errors,
        fields,
        others,
        not_reached: args.all.then(|| analysis.not_reached()),
        atomic: args.all.then(|| methods.list()),
    }
}

/// Marks what a baseline knows; `all` are the fields that would be seen if all were asked for.
fn compared(since: Option<&Since>, errors: &mut [Error<'_>], fields: &mut [Field], all: Vec<Field>) -> Identities {
    let mut identities =
        Identities::of(since, rules::ids(), &claims(errors, fields, false), &claims(errors, &all, true));
    if let Some(since) = since {
        errors.iter_mut().for_each(|error| error.compare(since));
        fields.iter_mut().for_each(|field| field.compare(since));
        let n_errors = errors.iter().filter(|error| error.standing().is_known()).count();
        identities.n_known = n_errors + fields.iter().filter(|field| field.standing().is_known()).count();
    }
    identities
}

/// What is reported, as a baseline knows it; also what is suppressed, `with_suppressed`.
fn claims(errors: &[Error<'_>], fields: &[Field], with_suppressed: bool) -> Claims {
    let errors = errors.iter().filter(|error| with_suppressed || error.suppressed_by.is_empty());
    let fields = fields.iter().filter(|field| with_suppressed || field.suppressed_by.is_empty());
    let mut claims = Claims::new();
    for (claim, pairs) in errors.map(Error::claim).chain(fields.map(Field::claim)) {
        claims.entry(claim).or_default().extend(pairs);
    }
    claims
}

/// Says which broken methods are not among those that are checked: of these, nothing is reported.
fn name_others(runs: &Runs, methods: &Methods<'_>) {
    let others = Vec::from_iter(runs.other_methods(&methods.names()));
    if !others.is_empty() {
        let number = count(others.len() as u64, "method");
        say(&format!("runs have broken {number} besides those of the classes that are checked: {}", others.join(", ")));
    }
}

/// Says on which fields runs have shown races that their types prove free of them: one of the two is wrong.
fn name_refuted(runs: &Runs, analysis: &Analysis) {
    let proved = analysis.types.fields.iter().filter(|field| field.owner.is_some());
    let names = proved.map(|field| Key::Field(dotted(&analysis.program.field_name(field.field))));
    for name in names.filter(|key| runs.of_variable(&[key.clone()].into()) == Observation::Confirmed) {
        if let Key::Field(name) = name {
            say(&format!(
                "runs have shown a race on {name}, which its type is taken to prove free of races: code that is not among these classes \
                 may use it, or please report this"
            ));
        }
    }
}

/// Explains fields and methods.
///
/// # Errors
/// The classes cannot be read, or nothing has that name.
pub fn explain(args: &Explain) -> Result<u8> {
    if args.summary {
        return super::races::explain(args);
    }
    let outlets = Outlets::of(&args.forms)?;
    source::check(&args.source_path)?;
    let explained = explained_of(args)?;
    let directory = std::env::current_dir().context("the working directory cannot be found")?;
    let shown = |path: &Path| settings::shown(path, &directory, "");
    let sources = Sources::beside(&directory, &args.source_path, &args.classes.application);
    let mut locator = Locator::new(sources, &shown);
    let errors = explained::errors(&explained);
    let document = (outlets.are_wanted() || args.forms.brief)
        .then(|| explained::document(&explained, &errors, &args.field, &mut locator));
    if args.json {
        out(&(serde_json::to_string_pretty(&explained)? + "\n"));
    } else if let Some(document) = document.as_ref().filter(|_| args.forms.brief) {
        out(&formats::brief(document));
    } else {
        Stream::Out.show(&explained.to_string());
    }
    if let Some(document) = &document {
        outlets.write(document, &mut locator)?;
    }
    Ok(0)
}

/// What is known of the fields and methods that are named.
fn explained_of(args: &Explain) -> Result<Explained> {
    let log = observed::read(&args.types)?;
    let focus = args.focus.unwrap_or(Focus::Field);
    let (mut analysis, _) = analysis(&args.classes, &args.begin, args.annotations.as_deref(), focus, None)?;
    let believed = Believed::of(&mut analysis);
    let pattern = Pattern::whole(&args.field);
    let known = Explained {
        format: report::FORMAT,
        jrace: env!("CARGO_PKG_VERSION"),
        application: application(&args.classes),
        entries: analysis.entries.words.clone(),
        fields: Vec::new(),
        methods: Vec::new(),
        why_not: None,
    };
    let is_named = |field: &&FieldType| pattern.matches(&dotted(&analysis.program.field_name(field.field)));
    let fields: Vec<&FieldType> = analysis.types.fields.iter().filter(is_named).collect();
    let methods = Methods::of(&analysis);
    let named: Vec<MethodId> = methods.named(&pattern).collect();
    ensure!(
        !fields.is_empty() || !named.is_empty(),
        "no field or method is called `{}`: write `package.Class.field`, `*` for any part",
        args.field
    );
    if args.why_not {
        return Ok(Explained { why_not: Some(WhyNot::of(&analysis, &pattern, log)), ..known });
    }
    let ledger = args.focus.map(|_| Ledger::of(&analysis));
    let lines = |text: Option<String>| Lines(text.unwrap_or_default());
    let field = |field: &&FieldType| ExplainedField {
        field: believed.shown(&analysis, field),
        has_type: field.owner.is_some(),
        leak: analysis.leak(field),
        focus: lines(ledger.as_ref().map(|ledger| ledger.field(field))),
    };
    let method = |method: &MethodId| ExplainedMethod {
        focus: lines(ledger.as_ref().map(|ledger| ledger.method(*method))),
        ..methods.explained(*method)
    };
    let (fields, methods) = (fields.iter().map(field).collect(), named.iter().map(method).collect());
    Ok(Explained { fields, methods, ..known })
}

/// The paths of the application, as they were given.
fn application(classes: &Classes) -> Vec<String> {
    classes.application.iter().map(|path| path.display().to_string()).collect()
}

/// The application, with what annotations and runs say of its methods.
fn analysis(
    classes: &Classes,
    begin: &Begin,
    annotations: Option<&Path>,
    focus: Focus,
    log: Option<&TypeLog>,
) -> Result<(Analysis, Required)> {
    let sidecar = annotations.map(Sidecar::read).transpose()?;
    let Classes { application, library, models, jdk } = classes;
    let models = models::file(models.as_deref())?;
    let mut required = Required::default();
    let analysis = Analysis::of(application, library, jdk.as_deref(), focus, None, begin, |program| {
        sidecar.iter().for_each(|sidecar| sidecar.apply(program));
        required = log.map(|log| Required::claim(program, log)).unwrap_or_default();
        models::tell(program, models.as_deref())
    });
    Ok((analysis?, required))
}

/// The lock that most accesses hold, if not all: those that reflection makes cannot be told to hold it.
fn usual_guard(field: &FieldType) -> Option<&Guard> {
    let writes = field.accesses.iter().any(|access| access.write);
    let guards = field.accesses.iter().flat_map(|access| &access.guards);
    let count = |guard: &Guard| field.accesses.iter().filter(|access| access.guards.contains(guard)).count();
    let best = guards.max_by_key(|guard| (count(guard), std::cmp::Reverse(*guard)))?;
    let is_mostly_held = 2 * count(best) > field.accesses.len();
    let is_always_held = field.is_reflected && count(best) == field.accesses.len();
    (writes && is_mostly_held && !is_always_held).then_some(best)
}

impl Analysis {
    /// Whether an annotation says how a field is used: then it is what the code is held to.
    fn is_annotated(&self, field: &FieldType) -> bool {
        let errors = &self.types.errors;
        let class = self.program.field(field.field).class;
        errors.iter().any(|error| error.subject == Subject::Field(field.field))
            || has_guard(&self.program, field.field)
            || claim(&self.program, class) == Some(Claim::NotThreadSafe)
    }
}
