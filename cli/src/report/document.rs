//! What a report says, as a [`Document`]. Races are errors, possible ones warnings, unlikely ones notes; warnings are also atomicity violations and deadlocks, which
//! are foreseen and were not seen. What is known, suppressed or gone is in it too.

use std::collections::BTreeSet;
use std::path::PathBuf;

use facts::finding::{self, Grade, Subject};
use facts::name::dotted;

use super::advice::advice;
use super::attributed;
use super::grade::{self, Part};
use super::hint::hint;
use super::judge::{Gone, Judged, JudgedHazard, Status, Verdict};
use super::ledger;
use super::merge::{JvmFacts, RacedTest};
use super::own::{Own, Whose};
use super::source::Sources;
use super::suppress::Suppression;
use super::suppressed::{self, SuppressedBy, in_brackets};
use super::terminal::{self, Detail, Terminal};
use super::ways;
use super::words::{self, printable};
use crate::document::Document;
use crate::document::finding::{Finding, Identity, Level, Rule, Standing, Test, capital};
use crate::document::page::{self, Badge, Entry, List, Page, package};

use crate::document::spot::Locator;
use crate::paint::Paint;

/// How many conflicts of one finding are shown; the others have no more to tell.
const MAX_CONFLICTS: usize = 10;

/// How many scenarios of one hazard are shown: most are consequences of the first.
const MAX_SCENARIOS: usize = 4;

/// How sure hazards are: no run has shown them.
const FORESEEN: &str = "foreseen";

const RACE: usize = 0;
const POSSIBLE_RACE: usize = 1;
const UNLIKELY_RACE: usize = 2;
const ATOMICITY: usize = 3;
const DEADLOCK: usize = 4;

pub const RULES: [Rule; 5] = [
    Rule {
        id: "race",
        title: Part::Races.race(),
        name: "Race",
        short: "Two threads access a variable at once",
        level: "error",
        precision: "high",
        tag: "external/cwe/cwe-362",
        help: "Two threads accessed the variable, at least one of them wrote, and nothing ordered the accesses, or no lock was held at \
               both. What a thread sees is then undefined by the Java memory model. Hold one lock at every access, or make the \
               variable volatile if that is enough.",
    },
    Rule {
        id: "possible-race",
        title: Part::Possible.race(),
        name: "PossibleRace",
        short: "Two threads may access a variable at once",
        level: "warning",
        precision: "medium",
        tag: "external/cwe/cwe-362",
        help: grade::OF_POSSIBLE,
    },
    Rule {
        id: "unlikely-race",
        title: Part::Unlikely.race(),
        name: "UnlikelyRace",
        short: "What a lock guards is most probably handed over",
        level: "note",
        precision: "low",
        tag: "external/cwe/cwe-362",
        help: grade::OF_UNLIKELY,
    },
    Rule {
        id: "atomicity",
        title: terminal::hazard::title(finding::Rule::Atomicity),
        name: "AtomicityViolation",
        short: "Other threads can come in between",
        level: "warning",
        precision: "medium",
        tag: "external/cwe/cwe-662",
        help: "Another order of what was seen, which the locks allow, lets another thread come between the steps of what is expected \
               to be atomic. Hold one lock from the first step to the last.",
    },
    Rule {
        id: "deadlock",
        title: terminal::hazard::title(finding::Rule::Deadlock),
        name: "PotentialDeadlock",
        short: "Threads may wait for each other's locks",
        level: "warning",
        precision: "medium",
        tag: "external/cwe/cwe-833",
        help: "Threads take locks in orders that do not agree, so that each may come to wait for a lock that another one holds. Take \
               them in one order everywhere.",
    },
];

/// The document. Of races that count, of possible and of unlikely ones each, those of the user's own code come first and those of libraries last.
pub fn of<'v>(
    verdict: &'v Verdict<'v>,
    command: &'static str,
    is_complete: bool,
    unlikely: bool,
    locator: &mut Locator<'_>,
) -> Document<'v> {
    let shown = locator.shown;
    let own = Own::of(verdict, &mut locator.sources, &shown);
    let maker = Maker { verdict, own, unlikely };
    let mut findings = maker.races(verdict.races());
    findings.extend(verdict.hazards_with(Status::New).map(|judged| maker.hazard(judged)));
    findings.extend(maker.races(verdict.of_part(Part::Possible)));
    findings.extend(maker.races(verdict.of_part(Part::Unlikely)));
    findings.extend(maker.others());
    let notes = terminal::notes(verdict);
    let page = page(verdict, command, maker.own.is_known());
    Document { command, rules: &RULES, findings, tables: Vec::new(), times: Vec::new(), notes, is_complete, page }
        .located(locator)
}

/// Makes findings.
struct Maker<'v> {
    verdict: &'v Verdict<'v>,
    own: Own,
    /// Whether unlikely races are shown like others.
    unlikely: bool,
}

impl<'v> Maker<'v> {
    fn races(&self, races: impl Iterator<Item = &'v Judged<'v>>) -> Vec<Finding<'v>> {
        let mut races: Vec<(Whose, &Judged<'v>)> = races.map(|judged| (self.own.of_finding(judged), judged)).collect();
        races.sort_by_key(|(whose, _)| *whose);
        races.into_iter().map(|(whose, judged)| self.race(judged, whose)).collect()
    }

    fn test(&self, test: &RacedTest) -> Test {
        let directory = self.verdict.jvms.get(&test.jvm).map(|facts| PathBuf::from(&facts.jvm.directory));
        let directory = directory.filter(|directory| directory.is_absolute());
        Test { name: test.name.clone(), directory }
    }

    /// What does not count.
    fn others(&self) -> Vec<Finding<'v>> {
        let Verdict { findings, hazards, gone, .. } = self.verdict;
        let races = findings.iter().filter(|judged| judged.status != Status::New);
        let hazards = hazards.iter().filter(|judged| judged.status != Status::New);
        let mut others: Vec<Finding<'v>> = races.map(|judged| self.race(judged, Whose::Program)).collect();
        others.extend(hazards.map(|judged| self.hazard(judged)));
        others.extend(gone.iter().flat_map(of_gone));
        others
    }

    fn race(&self, judged: &'v Judged<'v>, whose: Whose) -> Finding<'v> {
        let variable = &judged.key.variable;
        let part = judged.part();
        let (rule, level) = match part {
            Part::Races => (&RULES[RACE], Level::Error),
            Part::Possible => (&RULES[POSSIBLE_RACE], Level::Warning),
            Part::Unlikely => (&RULES[UNLIKELY_RACE], Level::Note),
        };
        let shown = judged.conflicts.iter().take(MAX_CONFLICTS);
        let badge = if part > Part::Races { Badge::Doubtful } else { Badge::Plain };
        let news = terminal::news(judged.news).map(str::to_owned);
        Finding {
            news: judged.news,
            grade: grade(judged.grade()),
            level,
            fails: self.verdict.fails_for(judged),
            is_aside: part == Part::Unlikely && !self.unlikely && !self.verdict.fails_for(judged),
            lead: format!("{} on {}", judged.title(), words::variable_name(variable)),
            ways: shown.map(|sighting| ways::of_conflict(variable, sighting, judged.doubt(sighting))).collect(),
            more_ways: judged.conflicts.len().saturating_sub(MAX_CONFLICTS) as u64,
            hint: hint(variable, &judged.conflicts).map(|hint| printable(&hint)),
            tests: attributed::of_finding(judged).into_iter().map(|test| self.test(test)).collect(),
            full: plain().only_finding(judged, self.verdict),
            entry: Entry {
                part: part as usize,
                package: package(&words::variable_name(variable)).to_owned(),
                marks: Vec::new(),
                group: whose as usize,
                badges: vec![(badge, rule.title.to_owned())],
                is_closed: whose == Whose::Library || part == Part::Unlikely,
                ending: [terminal::seen(judged, self.verdict)].into_iter().chain(news).collect(),
            },
            ..Finding::new(rule, standing(judged.status, &judged.by), words::subject(variable))
        }
    }

    fn hazard(&self, judged: &'v JudgedHazard<'v>) -> Finding<'v> {
        let rule = &RULES[of_rule(judged.key.rule)];
        let subject = words::code(&judged.key.subject);
        let scenarios = || judged.scenarios.iter().map(|foreseen| &foreseen.scenario);
        let news = terminal::news(judged.news).map(str::to_owned);
        Finding {
            news: judged.news,
            grade: FORESEEN,
            claim: capital(&format!("{} of {subject}", rule.title)),
            lead: format!("{} of {}", rule.title, words::subject_name(&judged.key.subject)),
            ways: scenarios().take(MAX_SCENARIOS).map(|one| ways::of_scenario(judged.key.rule, one)).collect(),
            more_ways: judged.scenarios.len().saturating_sub(MAX_SCENARIOS) as u64,
            hint: scenarios().next().map(|first| printable(&advice(judged.key, first))),
            identity: Identity { scheme: "code/v1", name: subject.clone() },
            full: plain().only_hazard(judged, self.verdict),
            entry: Entry {
                package: package_of(&judged.key.subject),
                group: Whose::Program as usize,
                badges: vec![(Badge::Sure, rule.title.to_owned())],
                ending: [terminal::hazard::seen(judged, self.verdict)].into_iter().chain(news).collect(),
                ..Entry::default()
            },
            ..Finding::new(rule, standing(judged.status, &judged.by), subject)
        }
    }
}

/// What the baseline knows and was not seen.
fn of_gone<'v>(gone: &Gone) -> Vec<Finding<'v>> {
    let races = gone.whole.iter().map(|key| {
        let subject = words::subject(&key.variable);
        let claim = format!("Race on {subject} was not seen any more");
        Finding { claim, ..Finding::new(&RULES[RACE], Standing::Gone, subject) }
    });
    let hazards = gone.hazards.iter().map(|key| {
        let (rule, code) = (&RULES[of_rule(key.rule)], words::code(&key.subject));
        let claim = capital(&format!("{} of {code} was not seen any more", rule.title));
        let identity = Identity { scheme: "code/v1", name: code.clone() };
        Finding { claim, identity, ..Finding::new(rule, Standing::Gone, code) }
    });
    races.chain(hazards).collect()
}

fn standing(status: Status, by: &[&Suppression]) -> Standing {
    suppressed::standing(&all(by), status == Status::Baseline)
}

fn all(by: &[&Suppression]) -> Vec<SuppressedBy> {
    by.iter().map(|suppression| SuppressedBy::of(suppression)).collect()
}

fn of_rule(rule: finding::Rule) -> usize {
    match rule {
        finding::Rule::Race => RACE,
        finding::Rule::Atomicity => ATOMICITY,
        finding::Rule::Deadlock => DEADLOCK,
    }
}

fn package_of(subject: &Subject) -> String {
    let name = match subject {
        Subject::Method { class, .. } | Subject::Block { class, .. } => dotted(class),
        Subject::Methods { names } => names.first().map(|name| dotted(name)).unwrap_or_default(),
    };
    package(&name).to_owned()
}

fn grade(grade: Option<Grade>) -> &'static str {
    match grade {
        Some(Grade::Certain) => "certain",
        Some(Grade::Possible) => "possible",
        Some(Grade::Unlikely) => "unlikely",
        None => "ungraded",
    }
}

/// The report as text without colours and sources.
fn plain() -> Terminal<impl Fn(&std::path::Path) -> String> {
    Terminal::new(Paint::new(false), Sources::default(), Detail::default(), |path| path.display().to_string())
}

fn page(verdict: &Verdict<'_>, command: &str, knows_own: bool) -> Page {
    let jvms: Vec<String> = verdict.jvms.values().map(ledger::jvm_name).collect();
    let groups = [Whose::Program, Whose::Test, Whose::Library].map(Whose::title);
    let numbers = verdict.numbers();
    Page {
        heading: command.to_owned(),
        about: format!(
            "What jrace {} has seen and foreseen in {}.",
            env!("CARGO_PKG_VERSION"),
            words::some_of(&jvms, 3)
        ),
        origin: origin(verdict),
        groups: if knows_own { groups.into() } else { Vec::new() },
        facts: vec![
            (numbers.variables, "variables with races"),
            (numbers.possible_variables, "variables with possible races"),
            (numbers.unlikely_variables, "variables with unlikely races"),
            (numbers.atomicity, "atomicity violations"),
            (numbers.deadlocks, "potential deadlocks"),
            (numbers.suppressed, "suppressed"),
            (numbers.baseline, "in the baseline"),
            (numbers.jvms, "JVMs"),
        ],
        of: "findings",
        libraries: "the JDK or a test runner",
        parts: vec![
            page::Part { title: "Findings", meaning: None },
            page::Part { title: "Possible races", meaning: Some(grade::OF_POSSIBLE) },
            page::Part { title: "Unlikely races", meaning: Some(grade::OF_UNLIKELY) },
        ],
        lists: lists(verdict),
        ..Page::default()
    }
}

fn lists(verdict: &Verdict<'_>) -> Vec<List> {
    let with = |status| {
        let races =
            verdict.with(status).map(|judged| words::subject(&judged.key.variable) + &in_brackets(&all(&judged.by)));
        let hazards = verdict
            .hazards_with(status)
            .map(|judged| words::code(&judged.key.subject) + &in_brackets(&all(&judged.by)));
        races.chain(hazards).collect()
    };
    let gone = verdict.gone.as_ref().map(Gone::names).unwrap_or_default();
    [
        ("tests", "Tests in whose work races were found", tests(verdict)),
        ("unchecked", "What was not checked, and why", ledger::in_full(verdict)),
        ("notes", "Notes", terminal::of_what_is_known(verdict)),
        ("suppressed", "Suppressed", with(Status::Suppressed)),
        ("baseline", "In the baseline", with(Status::Baseline)),
        ("gone", "In the baseline and not seen this time", gone),
    ]
    .map(|(id, title, entries)| List { id, title, entries })
    .into()
}

/// The tests in whose work races were found, each with its variables; the filter has those that are not named.
fn tests(verdict: &Verdict<'_>) -> Vec<String> {
    const MAX_NAMED: usize = 20;
    let said = |(test, variables): (String, BTreeSet<String>)| {
        format!("{test}: {}", words::some_of(&Vec::from_iter(variables), MAX_NAMED))
    };
    attributed::by_test(verdict).into_iter().map(said).collect()
}

/// The JVMs, and the options that they were given.
fn origin(verdict: &Verdict<'_>) -> Vec<(&'static str, Vec<String>)> {
    let facts = || verdict.jvms.values().filter(|facts| facts.unchecked.is_empty());
    let options: BTreeSet<String> = facts().map(options).collect();
    vec![("Options", options.into_iter().collect()), ("JVMs", verdict.jvms.values().map(jvm).collect())]
}

/// The options of a JVM that say what was checked.
fn options(facts: &JvmFacts) -> String {
    match &facts.jvm.options[..] {
        [] => "the defaults".to_owned(),
        options => printable(&options.join(", ")),
    }
}

/// A JVM that was checked, and how.
fn jvm(facts: &JvmFacts) -> String {
    format!("JVM {} ({}), {}: {}", facts.jvm.pid, facts.jvm.version, facts.jvm.check, facts.jvm.command)
}

#[cfg(test)]
mod tests;
