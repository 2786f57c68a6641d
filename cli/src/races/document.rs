//! Races without a run, as a [`Document`]: a finding a variable, whose races are its ways. What runs have shown is certain; all else may
//! be kept apart by what the analysis does not see.

use std::borrow::Cow;
use std::collections::BTreeSet;

use facts::site::Place;
use static_typer::races::Confidence;

use super::api::Api;
use super::broken::{self, BrokenSets};
use super::report::{Frame, Kind, Report, VariableRaces, confidence_name};
use super::text::Text;
use super::ways::way;
use crate::document::Document;
use crate::document::finding::{Finding, Identity, Level, Rule};
use crate::document::page::{Badge, Entry, Filter, List, Page, Part};
use crate::document::spot::Locator;
use crate::evidence::Observation;
use crate::report::suppressed::in_brackets;
use crate::report::terminal::news;
use crate::report::words::{count, printable};

const HELP: &str = "Two threads may access the variable at once, at least one of them writes, and no lock that both hold keeps \
                    them apart. What the other thread sees is then undefined by the Java memory model. Hold one lock at every \
                    access of the variable, or make it final or volatile, or keep the object within one thread. If the race \
                    does no harm, or something that the analysis cannot see orders the accesses, say so in a file for \
                    `jrace races --annotations`: `benign package.Class.field` or `local package.Class`.";

/// The rules, by how sure it is that no lock stands against a race.
static RULES: [Rule; 3] = [
    Rule {
        id: confidence_name(Confidence::NoCommonLock),
        title: "race",
        name: "NoCommonLock",
        short: "Race without a common lock",
        level: "warning",
        precision: "medium",
        tag: "external/cwe/cwe-362",
        help: HELP,
    },
    Rule {
        id: confidence_name(Confidence::MaybeSameLock),
        title: "race",
        name: "MaybeSameLock",
        short: "Race unless two locks are the same",
        level: "note",
        precision: "low",
        tag: "external/cwe/cwe-362",
        help: HELP,
    },
    broken::RULE,
];

/// The document.
pub fn of<'r>(report: &'r Report, is_complete: bool, locator: &mut Locator<'_>) -> Document<'r> {
    let others = report.variables.iter().filter(|variable| !variable.counts());
    let gone = report.identities.gone_findings(|claim| &RULES[if claim.rule == broken::NAME { 2 } else { 0 }]);
    let (sets, other_sets): (Vec<_>, Vec<_>) = report.broken_sets.iter().partition(|sets| sets.counts());
    let of_sets = |sets: Vec<&'r BrokenSets>| sets.into_iter().map(|sets| sets.finding(&RULES[2]));
    let counting = report.counting().map(finding).chain(of_sets(sets));
    let findings = counting.chain(others.map(finding)).chain(of_sets(other_sets)).chain(gone).collect();
    // Only method summaries look for more than races.
    let rules = if report.rules.len() > 1 { &RULES[..] } else { &RULES[..2] };
    let (command, notes, page) = ("jrace races", notes(report), page(report));
    let times = report.times.clone().unwrap_or_default();
    Document { command, rules, findings, tables: Vec::new(), times, notes, is_complete, page }.located(locator)
}

fn notes(report: &Report) -> Vec<String> {
    let missed = report.observed.iter().flat_map(|observed| &observed.missed);
    let missed = missed.map(|missed| format!("seen at run time only: {}", missed.variable));
    let assumptions = report.assumptions.iter().map(|text| format!("not seen: {text}"));
    let gone = report.identities.gone_lines();
    missed.chain(gone).chain(report.path_lines()).chain(assumptions).map(|note| printable(&note)).collect()
}

fn finding(variable: &VariableRaces) -> Finding<'_> {
    let is_confirmed = variable.observed == Some(Observation::Confirmed);
    let is_doubtful = variable.confidence() == Confidence::MaybeSameLock;
    let rule = &RULES[usize::from(is_doubtful)];
    let observed = variable.observed.map(|observed| observed.sentence().to_owned());
    let races = variable.races.iter().enumerate();
    Finding {
        news: variable.baseline,
        grade: if is_confirmed { "certain" } else { rule.id },
        level: if is_confirmed { Level::Error } else { Level::Warning },
        lead: format!("race on {}", name(variable)),
        remarks: observed.into_iter().chain([variable.ranked()]).collect(),
        ways: races.map(|(index, race)| way(variable, index, race)).collect(),
        more_ways: variable.pairs.saturating_sub(variable.races.len() as u64),
        related: others(variable),
        identity: Identity { scheme: "variable/v1", name: variable.variable.clone() },
        rank: Some(variable.rank.percent()),
        full: Text::plain(variable),
        entry: entry(variable),
        ..Finding::new(rule, variable.standing(), printable(&variable.subject()))
    }
}

fn name(variable: &VariableRaces) -> &str {
    match variable.kind {
        Kind::Field | Kind::StaticField => &variable.name,
        Kind::Elements | Kind::Contents => &variable.variable,
    }
}

/// Every place but those of the surest race, each line once.
fn others(variable: &VariableRaces) -> Vec<(Cow<'_, Place>, String)> {
    let at = |frame: &Frame| (frame.method.clone(), frame.line);
    let shown = variable.races.first().into_iter().flat_map(|race| &race.accesses);
    let mut known: BTreeSet<_> = shown.filter_map(|access| access.path.first()).map(at).collect();
    let places = variable.races.iter().flat_map(|race| &race.accesses).flat_map(|access| {
        let frames = access.path.first().into_iter().chain(&access.alike);
        frames.map(|frame| (frame, format!("Also a {} like this", access.kind)))
    });
    let others = places.filter(|(frame, _)| known.insert(at(frame)));
    others.map(|(frame, text)| (Cow::Owned(frame.place()), text)).collect()
}

fn entry(variable: &VariableRaces) -> Entry {
    let observed = match variable.observed {
        Some(Observation::Confirmed) => Some((Badge::Sure, "confirmed at run time")),
        Some(Observation::Possible) => Some((Badge::Doubtful, "possible at run time")),
        Some(Observation::Exercised) => Some((Badge::Plain, "exercised without racing")),
        _ => None,
    };
    let is_doubtful = variable.confidence() == Confidence::MaybeSameLock;
    let doubtful = is_doubtful.then_some((Badge::Doubtful, "maybe the same lock"));
    let badges = observed.into_iter().chain(doubtful).map(|(badge, text)| (badge, text.to_owned()));
    Entry {
        part: usize::from(variable.rank.is_below),
        group: 0,
        package: variable.package().to_owned(),
        marks: vec![("observed", variable.observed.map_or("", Observation::name))],
        badges: badges.chain([(Badge::Plain, count(variable.pairs, "pair"))]).collect(),
        is_closed: variable.rank.place > 1,
        ending: news(variable.baseline).map(str::to_owned).into_iter().collect(),
    }
}

fn page(report: &Report) -> Page {
    let Report { entries, jrace, stages, .. } = report;
    let observations = Observation::ALL.map(Observation::name).map(|name| (name, name.replace('-', " ")));
    let observations = Filter { label: "At run time", name: "observed", values: observations.into() };
    Page {
        heading: format!("Races in {}", report.application.join(", ")),
        about: format!(
            "Every call and every object was followed by jrace {jrace}; nothing was run. Entries: {entries}."
        ),
        facts: facts(report),
        stages: stages.iter().map(|stage| (stage.stage, stage.pairs)).collect(),
        of: "variables",
        libraries: "libraries",
        filters: report.observed.is_some().then_some(observations).into_iter().collect(),
        parts: vec![Part { title: "By variable", meaning: None }, Part { title: "Less likely", meaning: None }],
        lists: lists(report),
        ..Page::default()
    }
}

fn facts(report: &Report) -> Vec<(usize, &'static str)> {
    let kinds = if report.threads == 1 { "kind of thread" } else { "kinds of threads" };
    let mut facts = vec![
        (report.counting().count(), "variables may race"),
        (report.n_sure(), "without any common lock"),
        (report.proved.len(), "proved race-free by types"),
        (report.threads, kinds),
    ];
    if report.counting_sets().next().is_some() {
        facts.push((report.counting_sets().count(), "alias sets broken"));
    }
    if report.n_suppressed() > 0 {
        facts.push((report.n_suppressed(), "suppressed"));
    }
    if report.identities.gone.is_some() {
        facts.push((report.identities.n_known, "in the baseline"));
        facts.push((report.identities.n_gone(), "gone since"));
    }
    if let Some(observed) = &report.observed {
        facts.push((observed.confirmed, "confirmed at run time"));
        facts.push((observed.possible, "possible at run time"));
        facts.push((observed.exercised, "exercised without racing"));
        facts.push((observed.missed.len(), "seen at run time only"));
    }
    facts
}

fn lists(report: &Report) -> Vec<List> {
    let missed = report.observed.iter().flat_map(|observed| &observed.missed).map(|missed| {
        let why = missed.excluded_by.as_deref().unwrap_or("nothing that is assumed excludes it");
        format!("{}: {why}", missed.variable)
    });
    let suppressed = report.variables.iter().filter(|variable| !variable.suppressed_by.is_empty());
    let suppressed = suppressed.map(|variable| variable.subject() + &in_brackets(&variable.suppressed_by));
    let suppressed_sets = report.broken_sets.iter().filter(|sets| !sets.suppressed_by.is_empty());
    let suppressed_sets = suppressed_sets.map(|sets| sets.subject() + &in_brackets(&sets.suppressed_by));
    let left_out = report.left_out.iter().map(|left_out| format!("{}, by {}", left_out.variable, left_out.by));
    let exercised = report.observed.is_some().then(|| {
        "A race counts as exercised if two threads of a run came to its variable in one object, through whichever code.".to_owned()
    });
    let assumptions = report.assumptions.iter().map(|text| format!("Not seen: {text}."));
    [
        ("gone", "In the baseline and gone", report.identities.gone_lines()),
        ("seen", "Seen at run time only", missed.collect()),
        ("api", "The client", report.api.iter().flat_map(Api::lines).collect()),
        ("paths", "Call paths", report.path_lines()),
        ("assumptions", "What is not seen, and taken to do nothing", assumptions.chain(exercised).collect()),
        ("suppressed", "Suppressed", suppressed.chain(suppressed_sets).collect()),
        ("left-out", "Left out by annotations", left_out.collect()),
        ("unmatched", "Annotations that leave out nothing", report.unmatched_annotations.clone()),
        ("proved", "Proved race-free by types", report.proved.clone()),
    ]
    .map(|(id, title, entries)| List { id, title, entries })
    .into()
}

#[cfg(test)]
mod tests;
