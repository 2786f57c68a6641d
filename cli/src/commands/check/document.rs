//! What `jrace check` reports, as a [`Document`]: a finding for each error and for each field.

use std::borrow::Cow;
use std::collections::BTreeMap;

use facts::site::Place;

use super::report::{Access, Broken, Error, Event, Field, Report};
use super::rules;
use crate::document::Document;
use crate::document::finding::{Finding, Identity, Level, capital};
use crate::document::page::{Badge, Entry, List, Page, Part, package};
use crate::document::spot::{Locator, Spot};
use crate::document::way::{Frame, Shape, Step, Way};
use crate::report::suppressed::in_brackets;
use crate::report::terminal::news;
use crate::report::words::{position, printable};
use crate::report::{identity, ways};

/// How many orders of steps of a transaction are shown: most are consequences of the first.
const MAX_ORDERS: usize = 4;

/// The document.
pub fn of<'r>(report: &'r Report<'_>, is_complete: bool, locator: &mut Locator<'_>) -> Document<'r> {
    let mut findings: Vec<Finding<'r>> = report.errors.iter().map(of_error).collect();
    findings.extend(report.fields.iter().map(of_field));
    number(&mut findings);
    findings.sort_by_key(|finding| !finding.standing.counts());
    findings.extend(report.identities.gone_findings(|claim| rules::of(&claim.rule)));
    let (command, page) = ("jrace check", page(report));
    let notes = report.identities.gone_lines().iter().map(|line| printable(line)).collect();
    Document {
        command,
        rules: &rules::RULES,
        findings,
        tables: Vec::new(),
        times: Vec::new(),
        notes,
        is_complete,
        page,
    }
    .located(locator)
}

/// One method may break a claim in several places: those after the first get a number.
fn number(findings: &mut [Finding<'_>]) {
    let mut seen = BTreeMap::<String, usize>::new();
    for finding in findings {
        let before = seen.entry(finding.identity.name.clone()).or_default();
        *before += 1;
        if *before > 1 {
            finding.identity.name += &format!(" #{before}");
        }
    }
}

/// What the code claims and does not keep to.
pub fn of_error<'r>(error: &'r Error<'_>) -> Finding<'r> {
    let rule = rules::of(error.rule);
    let place = error.position();
    let at = place.map(|place| format!(" at {}", position(place))).unwrap_or_default();
    let within = place.map(|place| format!(" in {}{}", identity::method(place), place.descriptor));
    let claim = printable(&format!("{} {}", error.name, error.what));
    let seen = (!error.runs.is_empty()).then(|| (Badge::Sure, "seen in runs".to_owned()));
    Finding {
        news: error.baseline,
        level: Level::Error,
        lead: claim.clone(),
        claim,
        remarks: error.observed.iter().flat_map(|text| text.lines()).map(|line| capital(line.trim())).collect(),
        ways: by_types(error).into_iter().chain(error.runs.iter().flat_map(in_runs)).collect(),
        hint: error.runs.iter().find_map(|broken| broken.hint.as_deref()).map(printable),
        identity: Identity {
            scheme: "claim/v1",
            name: format!("{} {}{}", error.rule, error.name, within.unwrap_or_default()),
        },
        full: error.to_string(),
        spot: Spot::of_class(&error.name),
        entry: Entry {
            badges: [(Badge::Plain, rule.title.to_owned())].into_iter().chain(seen).collect(),
            ending: news(error.baseline).map(str::to_owned).into_iter().collect(),
            ..entry(&error.name)
        },
        // A claim may be broken in several places.
        ..Finding::new(rule, error.standing(), printable(&format!("{}{at}", error.name)))
    }
}

/// The code that breaks it.
fn by_types<'r>(error: &'r Error<'_>) -> Option<Way<'r>> {
    let of_event = |event: &'r Event| {
        let mover = event.mover.as_ref().map(|mover| format!(" ({mover})")).unwrap_or_default();
        let text = format!("{} {}{mover}", event.role, event.what);
        Step { title: text.clone(), deed: text, ..at(&event.place) }
    };
    let of_place = |place: &'r Place| Step { deed: "here".to_owned(), ..at(place) };
    let steps: Vec<Step<'r>> = match &error.events[..] {
        [] => error.place.iter().map(of_place).collect(),
        events => events.iter().map(of_event).collect(),
    };
    let title = (!error.events.is_empty()).then(|| "By its types".to_owned());
    (!steps.is_empty()).then(|| Way { title, steps, ..Way::new(Shape::Code) })
}

fn in_runs<'r>(broken: &'r Broken<'_>) -> impl Iterator<Item = Way<'r>> {
    broken.orders().take(MAX_ORDERS).map(|order| ways::of_scenario(broken.key.rule, order))
}

/// A field that may race. Those that no lock guards at most accesses are shown only when asked for, and do not make the command fail.
pub fn of_field(field: &Field) -> Finding<'_> {
    // That with the fewest locks is the likeliest to lack one.
    let mut unguarded: Vec<&Access> = field.unguarded.iter().collect();
    unguarded.sort_by_key(|access| access.locks.len());
    let steps: Vec<Step<'_>> = unguarded.into_iter().map(without_lock).collect();
    let class = field.name.rsplit_once('.').map_or(field.name.as_str(), |(class, _)| class);
    let claim = printable(&format!("{}: {}", field.name, field.what));
    let guarded = format!("Guarded at {} of {} accesses", field.guarded, field.accesses);
    let example = field.example.as_ref();
    let rule = rules::of(rules::RACE_UNSAFE);
    let seen = field.has_raced().then(|| (Badge::Sure, "seen in runs".to_owned()));
    let guarded_at = example.map(|place| format!("{guarded}: {}", super::text::position(place)));
    Finding {
        news: field.baseline,
        grade: if field.has_raced() { "certain" } else { rule.id },
        level: if field.has_raced() { Level::Error } else { Level::Warning },
        fails: field.fails(),
        remarks: field.observed.iter().map(|observed| observed.sentence().to_owned()).collect(),
        lead: claim.clone(),
        claim,
        ways: if steps.is_empty() { Vec::new() } else { vec![Way { steps, ..Way::new(Shape::Places) }] },
        related: example.map(|place| (Cow::Borrowed(place), guarded.clone())).into_iter().collect(),
        hint: field.guard.as_ref().map(|guard| printable(&format!("hold `{guard}` at every access"))),
        full: field.to_string(),
        spot: Spot::of_class(class),
        entry: Entry {
            badges: [(Badge::Plain, rule.title.to_owned())].into_iter().chain(seen).collect(),
            ending: guarded_at.into_iter().chain(news(field.baseline).map(str::to_owned)).collect(),
            ..entry(&field.name)
        },
        ..Finding::new(rule, field.standing(), printable(&format!("field {}", field.name)))
    }
}

fn without_lock(access: &Access) -> Step<'_> {
    Step {
        verb: access.kind.to_owned(),
        said: capital(access.kind),
        title: access.kind.to_owned(),
        locks: Some(access.locks.clone()),
        holds: true,
        ..at(&access.place)
    }
}

fn at(place: &Place) -> Step<'_> {
    let path = vec![Frame { place: Cow::Borrowed(place), locks: &[], library: false }];
    Step { path, ..Step::default() }
}

/// Of `bank.Account.pay(java.lang.String)` or of a field.
fn entry(name: &str) -> Entry {
    let package = package(name.split('(').next().unwrap_or(name));
    Entry { package: package.to_owned(), ..Entry::default() }
}

/// `bank.Account.balance: race-unsafe, …; read at bank.Account.audit (Account.java:20) with no lock; 3 more accesses`.
fn in_a_line(field: &Field) -> String {
    const MAX_ACCESSES: usize = 4;
    let accesses = field.unguarded.iter().take(MAX_ACCESSES).map(|access| {
        let locks = if access.locks.is_empty() { "no lock".to_owned() } else { access.locks.join(", ") };
        format!("{} at {} with {locks}", access.kind, super::text::position(&access.place))
    });
    let more = field.unguarded.len().saturating_sub(MAX_ACCESSES);
    let more = (more > 0).then(|| format!("{more} more accesses"));
    let text = std::iter::once(format!("{}: {}", field.name, field.what)).chain(accesses).chain(more);
    printable(&text.collect::<Vec<_>>().join("; "))
}

fn suppressed(report: &Report<'_>) -> Vec<String> {
    let errors = report.errors.iter().map(|error| (&error.name, error.rule, &error.suppressed_by));
    let fields = report.fields.iter().map(|field| (&field.name, rules::RACE_UNSAFE, &field.suppressed_by));
    let suppressed = errors.chain(fields).filter(|(.., by)| !by.is_empty());
    suppressed.map(|(name, rule, by)| printable(&format!("{rule}: {name}{}", in_brackets(by)))).collect()
}

fn page(report: &Report<'_>) -> Page {
    let Report { jrace, entries, summary, errors, fields, .. } = report;
    let raced = fields.iter().filter(|field| field.has_raced()).count();
    let raced = Some((raced, "fields seen to race in runs")).filter(|(number, _)| *number > 0);
    let atomic = report.atomic.iter().flatten().map(|method| format!("{}: {}", method.name, method.atomicity));
    Page {
        heading: format!("Check of {}", report.application.join(", ")),
        about: format!(
            "What the types of jrace {jrace} prove and do not; nothing was run for them. Entries: {entries}."
        ),
        facts: vec![
            (summary.errors, "type errors"),
            (errors.iter().filter(|error| !error.runs.is_empty()).count(), "of them seen in runs"),
            (summary.not_always_guarded, "fields not always guarded"),
            (summary.suppressed, "suppressed"),
            (summary.fields.race_free, "fields race-free"),
            (summary.fields.not_reached, "fields not reached by any entry"),
            (summary.fields.all, "fields in all"),
            (summary.methods.atomic, "methods atomic"),
            (summary.methods.all, "methods in all"),
        ]
        .into_iter()
        .chain(raced)
        .collect(),
        of: "findings",
        libraries: "the JDK or a test runner",
        parts: vec![Part { title: "Findings", meaning: None }],
        lists: vec![
            List {
                id: "unsafe",
                title: "May race, without a usual lock",
                entries: report.others.iter().map(in_a_line).collect(),
            },
            List { id: "suppressed", title: "Suppressed", entries: suppressed(report) },
            List { id: "gone", title: "In the baseline and gone", entries: report.identities.gone_lines() },
            List {
                id: "not-reached",
                title: "Not reached by any entry",
                entries: report.not_reached.clone().unwrap_or_default(),
            },
            List { id: "atomic", title: "Atomic methods", entries: atomic.collect() },
        ],
        ..Page::default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::Access;
    use super::*;
    use crate::report::fixtures::place;
    use crate::report::source::Sources;

    #[test]
    fn fields_and_errors_are_lines() {
        let access = |line| Access { kind: "read", place: place("bank/Account", "audit", line), locks: Vec::new() };
        let mut field = Field {
            name: "bank.Account.balance".into(),
            what: "not always guarded by `this`".into(),
            guard: Some("this".into()),
            unguarded: vec![access(7), access(8)],
            guarded: 5,
            accesses: 7,
            example: None,
            observed: None,
            baseline: None,
            suppressed_by: Vec::new(),
        };
        let error = Error {
            rule: "no-lock",
            name: "bank.Account.total".into(),
            what: "is said to be guarded".into(),
            ..Error::default()
        };
        let line = |finding: Finding<'_>| {
            let mut finding = finding;
            finding.locate(&mut Locator::new(Sources::default(), &|_| String::new()));
            (finding.line(), finding.fails, finding.level)
        };
        let expected = "bank/Account.java:7: bank.Account.balance: not always guarded by `this`: read in audit() with no lock and 1 more \
                        [race-unsafe]\n";
        assert_eq!(line(of_field(&field)), (expected.into(), true, Level::Warning));
        field.guard = None;
        assert!(!of_field(&field).fails);
        let expected = "bank.Account.total: bank.Account.total is said to be guarded [no-lock]\n";
        assert_eq!(line(of_error(&error)), (expected.into(), true, Level::Error));
    }

    #[test]
    fn a_claim_is_known_again_by_its_method_and_when_lines_have_moved() {
        let names = |lines: &[(&str, u32)]| {
            let error = |(method, line): &(&str, u32)| Error {
                rule: "unguarded-access",
                name: "bank.Account.total".into(),
                place: Some(place("bank/Account", method, *line)),
                ..Error::default()
            };
            let errors: Vec<Error<'_>> = lines.iter().map(error).collect();
            let mut findings: Vec<Finding<'_>> = errors.iter().map(of_error).collect();
            number(&mut findings);
            findings.into_iter().map(|finding| finding.identity.name).collect::<Vec<_>>()
        };
        let before = names(&[("pay", 7), ("pay", 8), ("audit", 20)]);
        let claim = "unguarded-access bank.Account.total in bank/Account";
        assert_eq!(before, [format!("{claim}.pay()V"), format!("{claim}.pay()V #2"), format!("{claim}.audit()V")]);
        assert_eq!(before, names(&[("pay", 17), ("pay", 19), ("audit", 33)]));
        // The compiler numbers lambdas.
        assert_eq!(names(&[("lambda$run$3", 7)]), names(&[("lambda$run$4", 8)]));
    }
}
