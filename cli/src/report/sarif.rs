//! What counts in a report, in SARIF 2.1.0: one result a variable, or a piece of code that can go wrong. Races are errors, possible
//! ones warnings, with their grade among the properties; so are atomicity violations and deadlocks, which are foreseen and were not
//! seen. What is known or suppressed can be there too, with a suppression, as the standard has it; GitHub knows none.

use anyhow::Result;
use facts::finding::{Access, Grade, Rule, Step};
use facts::site::Place;

use super::advice::advice;
use super::attributed;
use super::frames::is_folded;
use super::hint::hint;
use super::judge::{Gone, Judged, JudgedHazard, News, Status, Verdict};
use super::merge::Sighting;
use super::suppress::{Suppression, What};
use super::terminal;
use super::words::{self, count};
use crate::sarif::form::{
    self, CodeFlow, Configuration, Graded, Help, Location, Properties, ResultEntry, ThreadFlow, ThreadFlowLocation,
};
use crate::sarif::{self, MAX_CALLS, MAX_FLOWS, MAX_RESULTS};

/// A rule of the document.
struct Kind {
    id: &'static str,
    name: &'static str,
    short: &'static str,
    level: &'static str,
    precision: &'static str,
    tag: &'static str,
    help: &'static str,
}

const RACE: usize = 0;
const POSSIBLE_RACE: usize = 1;
const ATOMICITY: usize = 2;
const DEADLOCK: usize = 3;

const KINDS: [Kind; 4] = [
    Kind {
        id: "race",
        name: "Race",
        short: "Two threads access a variable at once",
        level: "error",
        precision: "high",
        tag: "external/cwe/cwe-362",
        help: "Two threads accessed the variable, at least one of them wrote, and nothing ordered the accesses, or no lock was held at \
               both. What a thread sees is then undefined by the Java memory model. Hold one lock at every access, or make the \
               variable volatile if that is enough.",
    },
    Kind {
        id: "possible-race",
        name: "PossibleRace",
        short: "Two threads may access a variable at once",
        level: "warning",
        precision: "medium",
        tag: "external/cwe/cwe-362",
        help: super::grade::MEANING,
    },
    Kind {
        id: "atomicity",
        name: "AtomicityViolation",
        short: "Other threads can come in between",
        level: "warning",
        precision: "medium",
        tag: "external/cwe/cwe-662",
        help: "Another order of what was seen, which the locks allow, lets another thread come between the steps of what is expected \
               to be atomic. Hold one lock from the first step to the last.",
    },
    Kind {
        id: "deadlock",
        name: "PotentialDeadlock",
        short: "Threads may wait for each other's locks",
        level: "warning",
        precision: "medium",
        tag: "external/cwe/cwe-833",
        help: "Threads take locks in orders that do not agree, so that each may come to wait for a lock that another one holds. Take \
               them in one order everywhere.",
    },
];

/// The document; also with what is suppressed, known or gone, if everything is wanted.
///
/// # Errors
/// None in practice: the data has no map whose keys are not strings.
pub fn document(verdict: &Verdict<'_>, wants_all: bool) -> Result<String> {
    let races = verdict.races().map(|judged| race(judged, RACE));
    let possible = verdict.possible_races().map(|judged| race(judged, POSSIBLE_RACE));
    let hazards = verdict.hazards_with(Status::New).map(hazard);
    let mut results: Vec<ResultEntry> = races.chain(hazards).chain(possible).collect();
    if wants_all {
        results.extend(others(verdict));
    }
    let more = results.len().saturating_sub(MAX_RESULTS) as u64;
    let cut = (more > 0).then(|| format!("{} left out: GitHub stores {MAX_RESULTS}", count(more, "more finding")));
    let notes = cut.into_iter().chain(terminal::notes(verdict));
    sarif::document(KINDS.iter().map(rule).collect(), notes, results.into_iter().take(MAX_RESULTS).collect())
}

/// What does not count.
fn others<'v>(verdict: &'v Verdict<'_>) -> impl Iterator<Item = ResultEntry> + 'v {
    let old = |status: Status| status != Status::New;
    let races = verdict.findings.iter().filter(move |judged| old(judged.status));
    let races = races.map(|judged| race(judged, if judged.is_possible() { POSSIBLE_RACE } else { RACE }));
    let hazards = verdict.hazards.iter().filter(move |judged| old(judged.status)).map(hazard);
    races.chain(hazards).chain(verdict.gone.iter().flat_map(gone))
}

/// What the baseline knows and was not seen.
fn gone(gone: &Gone) -> Vec<ResultEntry> {
    let absent = |index: usize, what: &str, print| ResultEntry {
        baseline_state: Some("absent"),
        ..result(index, format!("{what} was not seen any more."), print)
    };
    let races = gone.whole.iter().map(|key| {
        let subject = words::subject(&key.variable);
        absent(RACE, &format!("Race on {subject}"), ("variable/v1", subject))
    });
    let hazards = gone.hazards.iter().map(|key| {
        let (index, code) = (of_rule(key.rule), words::code(&key.subject));
        absent(index, &format!("{} of {code}", capital(terminal::hazard::title(key.rule))), ("code/v1", code))
    });
    races.chain(hazards).collect()
}

fn baseline_state(news: Option<News>) -> Option<&'static str> {
    Some(match news? {
        // The standard has no word for what has come back.
        News::New | News::Returned => "new",
        News::Updated => "updated",
        News::Unchanged => "unchanged",
    })
}

/// Why it does not count; nothing if it does.
fn suppressions(status: Status, by: &[&Suppression]) -> Vec<form::Suppression> {
    let told = |suppression: &&Suppression| {
        let reason = suppression.reason.as_deref().unwrap_or("no reason is given");
        let kind = if matches!(suppression.what, What::Annotated(_)) { "inSource" } else { "external" };
        form::Suppression { kind, justification: format!("{}: {reason}", suppression.text()) }
    };
    match status {
        Status::New => Vec::new(),
        Status::Suppressed => by.iter().map(told).collect(),
        Status::Baseline => {
            vec![form::Suppression { kind: "external", justification: "It is in the baseline.".to_owned() }]
        }
    }
}

fn of_rule(rule: Rule) -> usize {
    match rule {
        Rule::Race => RACE,
        Rule::Atomicity => ATOMICITY,
        Rule::Deadlock => DEADLOCK,
    }
}

fn rule(kind: &Kind) -> form::Rule {
    form::Rule {
        id: kind.id,
        name: kind.name,
        short_description: kind.short.into(),
        full_description: kind.help.into(),
        help: Help { text: kind.help, markdown: kind.help },
        default_configuration: Configuration { level: kind.level },
        properties: Properties { tags: ["concurrency", kind.tag], precision: kind.precision },
    }
}

fn race(judged: &Judged<'_>, index: usize) -> ResultEntry {
    let subject = words::subject(&judged.key.variable);
    let first = judged.conflicts.first().map(|sighting| &sighting.conflict);
    let accesses: Vec<&Access> = first.into_iter().flat_map(|pair| [&pair.current, &pair.previous]).collect();
    let said: Vec<String> = accesses.iter().map(|access| headline(access)).collect();
    let hint = hint(&judged.key.variable, &judged.conflicts).map(|hint| format!(" Hint: {hint}")).unwrap_or_default();
    let text = format!("{} on {subject}. {}.{hint}", capital(judged.title()), said.join(". "));
    let flow = |sighting: &&Sighting| {
        let sides = [&sighting.conflict.current, &sighting.conflict.previous];
        let sides = sides.map(|access| (headline(access), access.stack.as_slice()));
        code_flow(format!("Two threads come to {subject}"), sides)
    };
    ResultEntry {
        locations: accesses.first().and_then(|access| place_of(&access.stack, None, None)).into_iter().collect(),
        related_locations: accesses.get(1).and_then(|access| related(access)).into_iter().collect(),
        code_flows: sarif::bounded(judged.conflicts.iter().take(MAX_FLOWS).filter_map(flow).collect()),
        properties: judged.grade().map(|grade| Graded { grade: grade_name(grade) }),
        baseline_state: baseline_state(judged.news),
        suppressions: suppressions(judged.status, &judged.by),
        ..result(index, text, ("variable/v1", subject))
    }
}

fn hazard(judged: &JudgedHazard<'_>) -> ResultEntry {
    let index = of_rule(judged.key.rule);
    let code = words::code(&judged.key.subject);
    let first = judged.scenarios.first().map(|foreseen| &foreseen.scenario);
    let steps: &[Step] = first.map_or(&[], |scenario| &scenario.steps);
    let hint = first.map(|scenario| format!(" Hint: {}", advice(judged.key, scenario))).unwrap_or_default();
    let text = format!("{} of {code}.{hint}", capital(terminal::hazard::title(judged.key.rule)));
    let sides = steps.iter().map(|step| {
        let said = format!("{} {}", words::thread(&step.access.thread), words::does(step, false));
        (said, step.access.stack.as_slice())
    });
    ResultEntry {
        locations: steps.first().and_then(|step| place_of(&step.access.stack, None, None)).into_iter().collect(),
        baseline_state: baseline_state(judged.news),
        suppressions: suppressions(judged.status, &judged.by),
        code_flows: sarif::bounded(
            code_flow(format!("What can happen to {code}, step by step"), sides).into_iter().collect(),
        ),
        ..result(index, text, ("code/v1", code))
    }
}

/// A result of a rule, without its places.
fn result(index: usize, text: String, (print, name): (&'static str, String)) -> ResultEntry {
    ResultEntry {
        rule_id: KINDS[index].id,
        rule_index: index,
        level: KINDS[index].level,
        message: text.into(),
        locations: Vec::new(),
        related_locations: Vec::new(),
        code_flows: Vec::new(),
        // The name stays when lines and methods move; there is one result for it.
        partial_fingerprints: [(print, name)].into(),
        rank: None,
        properties: None,
        baseline_state: None,
        suppressions: Vec::new(),
    }
}

fn grade_name(grade: Grade) -> &'static str {
    match grade {
        Grade::Certain => "certain",
        Grade::Possible => "possible",
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// `Write by thread T3 "worker", locks held: none`.
fn headline(access: &Access) -> String {
    let kind = capital(words::kind(access.kind));
    format!(
        "{kind} by {}{}, locks held: {}",
        words::thread(&access.thread),
        attributed::of_access(access),
        words::locks(access)
    )
}

fn related(access: &Access) -> Option<Location> {
    place_of(&access.stack, Some(headline(access)), Some(0))
}

/// The first frame that is of the program, as the JDK's sources are not where findings are shown.
fn place_of(stack: &[Place], message: Option<String>, id: Option<usize>) -> Option<Location> {
    let place = stack.iter().find(|place| !is_folded(place)).or(stack.first())?;
    Some(location(place, message, id))
}

fn location(place: &Place, message: Option<String>, id: Option<usize>) -> Location {
    let function = words::printable(&words::function(place));
    sarif::location(function, (words::source_file(place), place.line), message, id)
}

/// What each side does, with the calls that have led there; `None` where no stack was kept.
fn code_flow<'a>(message: String, sides: impl IntoIterator<Item = (String, &'a [Place])>) -> Option<CodeFlow> {
    let sides = sides.into_iter().filter(|(_, stack)| !stack.is_empty());
    let flow = |(index, (said, stack)): (usize, (String, &[Place]))| ThreadFlow {
        id: (index + 1).to_string(),
        message: said.clone().into(),
        locations: calls(said, stack),
    };
    let thread_flows: Vec<ThreadFlow> = sides.enumerate().map(flow).collect();
    (!thread_flows.is_empty()).then(|| CodeFlow { message: message.into(), thread_flows })
}

fn calls(said: String, stack: &[Place]) -> Vec<ThreadFlowLocation> {
    let frames = stack.iter().take(MAX_CALLS).enumerate().rev();
    let step = |(depth, place): (usize, &Place)| {
        let what = if depth == 0 { said.clone() } else { format!("call in {}", words::function(place)) };
        let importance = if depth == 0 { "essential" } else { "important" };
        ThreadFlowLocation { location: location(place, Some(words::printable(&what)), None), importance }
    };
    frames.map(step).collect()
}

#[cfg(test)]
mod tests {
    use facts::finding::{Record, Variable};
    use serde_json::Value;

    use super::super::fixtures::{access, conflict, deadlock, field, file, finding, graded, hazard, place};
    use super::super::judge::Judges;
    use super::*;

    fn results(records: Vec<Record>) -> Vec<Value> {
        let merged = file(1, records);
        let text = document(&Judges::default().judge(&merged), false).unwrap();
        let document: Value = serde_json::from_str(&text).unwrap();
        document["runs"][0]["results"].as_array().unwrap().clone()
    }

    fn race(name: &str, grade: Option<Grade>) -> Record {
        let pair = conflict(access("write", 10, 1, &["o5"]), access("read", 20, 2, &[]));
        finding(field(name), vec![graded(grade, pair)])
    }

    #[test]
    fn levels_go_by_grade() {
        let records = vec![
            race("a", Some(Grade::Possible)),
            race("b", None),
            race("c", Some(Grade::Certain)),
            hazard("transfer", 20, 1),
            deadlock(),
        ];
        let told: Vec<_> = results(records)
            .iter()
            .map(|result| {
                let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
                [text(&result["ruleId"]), text(&result["level"]), text(&result["properties"]["grade"])].join(" ")
            })
            .collect();
        let expected = [
            "race error certain",
            "race error -",
            "atomicity warning -",
            "deadlock warning -",
            "possible-race warning possible",
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn a_result_has_both_threads() {
        let result = &results(vec![race("x", Some(Grade::Certain))])[0];
        assert_eq!(
            result["message"]["text"],
            "Race on field bank.Account.x (int). Write by thread T1 \"worker-1\", locks held: bank.Lock (o5). Read by thread T2 \
             \"worker-2\", locks held: none. Hint: hold bank.Lock (o5) also at bank.Account.read(Account.java:20)."
        );
        let line = |location: &Value| location["physicalLocation"]["region"]["startLine"].as_u64();
        assert_eq!((line(&result["locations"][0]), line(&result["relatedLocations"][0])), (Some(10), Some(20)));
        let flows = result["codeFlows"][0]["threadFlows"].as_array().unwrap();
        let ends: Vec<_> = flows.iter().map(|flow| line(&flow["locations"][3]["location"])).collect();
        assert_eq!(ends, [Some(10), Some(20)]);
        assert_eq!(result["partialFingerprints"]["variable/v1"], "field bank.Account.x (int)");
    }

    #[test]
    fn what_was_not_kept_is_left_out() {
        let mut pair = conflict(access("write", 10, 1, &[]), access("read", 20, 2, &[]));
        pair.current.stack.clear();
        let half = results(vec![finding(field("x"), vec![pair.clone()])]);
        assert_eq!(half[0]["codeFlows"][0]["threadFlows"].as_array().map(Vec::len), Some(1));
        pair.previous.stack.clear();
        let none = results(vec![finding(field("x"), vec![pair])]);
        assert_eq!((&none[0]["locations"], &none[0]["codeFlows"]), (&Value::Array(vec![]), &Value::Array(vec![])));
    }

    #[test]
    fn a_finding_stands_in_the_program() {
        let mut pair = conflict(access("write", 10, 1, &[]), access("read", 20, 2, &[]));
        pair.current.stack.insert(0, place("java/util/ArrayList", "add", 454));
        let list = Variable::Object { class: "java/util/ArrayList".into() };
        let location = &results(vec![finding(list, vec![pair])])[0]["locations"][0]["physicalLocation"];
        assert_eq!(location["artifactLocation"]["uri"], "bank/Account.java");
    }

    fn fingerprints(records: Vec<Record>) -> Vec<String> {
        results(records).iter().map(|result| result["partialFingerprints"].to_string()).collect()
    }

    #[test]
    fn fingerprints_survive_moved_lines() {
        let moved = |name: &str, by: u32| {
            let pair = conflict(access("write", 10 + by, 1, &["o5"]), access("read", 20 + 2 * by, 2, &[]));
            vec![finding(field(name), vec![pair]), hazard("transfer", 20 + by, 1)]
        };
        assert_eq!(fingerprints(moved("x", 0)), fingerprints(moved("x", 7)));
        assert_ne!(fingerprints(moved("x", 0)), fingerprints(moved("y", 0)));
    }

    #[test]
    fn no_result_has_more_locations_than_github_stores() {
        let deep = |line, thread| {
            let mut access = access("write", line, thread, &[]);
            access.stack = vec![access.stack[0].clone(); 1024];
            access
        };
        let Record::Hazard(mut many) = deadlock() else { unreachable!() };
        many.scenarios[0].steps.iter_mut().for_each(|step| step.access.stack = deep(1, 1).stack);
        let steps = many.scenarios[0].steps.clone();
        many.scenarios[0].steps = steps.iter().cycle().take(40).cloned().collect();
        let pairs = (0..9).map(|line| conflict(deep(line, 1), deep(line, 2))).collect();
        for result in results(vec![finding(field("x"), pairs), Record::Hazard(many)]) {
            let threads =
                result["codeFlows"].as_array().unwrap().iter().flat_map(|flow| flow["threadFlows"].as_array().unwrap());
            let lengths: Vec<usize> = threads.map(|thread| thread["locations"].as_array().unwrap().len()).collect();
            assert!(
                lengths.iter().sum::<usize>() <= 1_000 && lengths.iter().all(|length| *length >= 25),
                "{lengths:?}"
            );
        }
    }
}
