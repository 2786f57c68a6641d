//! Findings in SARIF 2.1.0, for code scanning: one result a finding, whose ways are code flows. The structures of the form are in
//! [`form`].
//!
//! GitHub stores 5,000 results of an upload and 1,000 thread flow locations of a result, and takes 10 MB in gzip: what would
//! be cut off there is left out, and notifications say so. What is known or suppressed is there only if it is wanted, with a
//! suppression, as the standard has it: GitHub knows none.

mod files;
mod form;

use std::borrow::Cow;
use std::iter::once;
use std::path::Path;

use anyhow::Result;
use facts::site::Place;

use self::files::Files;
use self::form::{
    ArtifactLocation, BaseIds, CodeFlow, Configuration, Driver, Graded, Help, Invocation, Location, LogicalLocation,
    Notification, PhysicalLocation, Properties, Region, ResultEntry, Run, Sarif, SourceRoot, Suppression, ThreadFlow,
    ThreadFlowLocation, Timed, Tool,
};
use crate::document::Document;
use crate::document::finding::{Finding, Level, News, Rule, Standing};
use crate::document::way::{Frame, Shape, Step, Way};
use crate::report::words::{self, count, printable, source_file};

/// How many results GitHub stores.
const MAX_RESULTS: usize = 5_000;

/// How many ways of a finding become code flows.
const MAX_FLOWS: usize = 3;

/// How many calls of a path are kept, those nearest to the access.
const MAX_CALLS: usize = 150;

/// How many locations all flows of a result have: GitHub stores 1,000.
const MAX_STEPS: usize = 1_000;

/// How many places besides its own a result has: with that one, fewer than the 1,000 that GitHub stores.
const MAX_RELATED: usize = 900;

/// Where relative paths begin; whoever reads the file knows where that is.
const ROOT: &str = "%SRCROOT%";

/// The document, also with what does not count if everything is wanted. Files that were found below `root` are named from there.
///
/// # Errors
/// None in practice: the data has no map whose keys are not strings.
pub fn document(document: &Document<'_>, root: Option<&Path>, wants_all: bool) -> Result<String> {
    let is_wanted = |finding: &&Finding<'_>| (wants_all || finding.standing.counts()) && !finding.is_aside;
    let wanted: Vec<&Finding<'_>> = document.findings.iter().filter(is_wanted).collect();
    let mut results: Vec<ResultEntry> =
        wanted.iter().take(MAX_RESULTS).map(|finding| result(finding, document.rules)).collect();
    let files = Files::of(wanted.iter().copied(), root);
    results.iter_mut().for_each(|result| files.name(result));
    let notes = left_out(&wanted, &results).into_iter().chain(document.notes.iter().cloned());
    let notes = notes.map(|text| Notification { level: "note", message: text.into() });
    let version = env!("CARGO_PKG_VERSION");
    let rules = document.rules.iter().map(rule).collect();
    let times = Some(document.times.clone()).filter(|times| !times.is_empty());
    let invocation = Invocation {
        execution_successful: true,
        tool_execution_notifications: notes.collect(),
        properties: times.map(|times| Timed { times }),
    };
    let run = Run {
        tool: Tool { driver: Driver { name: "jrace", version, semantic_version: version, rules } },
        invocations: vec![invocation],
        original_uri_base_ids: BaseIds { root: SourceRoot { description: "Where the packages begin.".into() } },
        results,
    };
    let sarif = Sarif { schema: form::SCHEMA, version: "2.1.0", runs: vec![run] };
    Ok(serde_json::to_string(&sarif)? + "\n")
}

/// What the results do not have of the findings.
fn left_out(findings: &[&Finding<'_>], results: &[ResultEntry]) -> Vec<String> {
    let more = (findings.len() - results.len()) as u64;
    let in_part = findings.iter().zip(results).filter(|(finding, result)| n_calls(finding) > n_locations(result));
    let in_part = in_part.count() as u64;
    let cut = (more > 0).then(|| format!("{} left out: GitHub stores {MAX_RESULTS}", count(more, "more finding")));
    let shortened = (in_part > 0).then(|| {
        format!("code flows of {} shortened: GitHub stores {MAX_STEPS} locations of each", count(in_part, "finding"))
    });
    cut.into_iter().chain(shortened).collect()
}

/// How many calls and steps are known of the threads of a finding.
fn n_calls(finding: &Finding<'_>) -> usize {
    finding.ways.iter().filter(|way| has_flow(way)).flat_map(|way| &way.steps).map(|step| step.path.len()).sum()
}

/// How many of them a result has.
fn n_locations(result: &ResultEntry) -> usize {
    result.code_flows.iter().flat_map(|flow| &flow.thread_flows).map(|thread| thread.locations.len()).sum()
}

fn rule(rule: &Rule) -> form::Rule {
    form::Rule {
        id: rule.id,
        name: rule.name,
        short_description: rule.short.into(),
        full_description: rule.help.into(),
        help: Help { text: rule.help, markdown: rule.help },
        default_configuration: Configuration { level: rule.level },
        properties: Properties { tags: ["concurrency", rule.tag], precision: rule.precision },
    }
}

fn result(finding: &Finding<'_>, rules: &[Rule]) -> ResultEntry {
    let rule = finding.rule;
    let is_grade = finding.grade != rule.id && !matches!(finding.standing, Standing::Gone);
    let flows = finding.ways.iter().take(MAX_FLOWS).filter_map(|way| code_flow(&finding.subject, way));
    ResultEntry {
        rule_id: rule.id,
        rule_index: rules.iter().position(|one| one.id == rule.id).unwrap_or_default(),
        level: if finding.level == Level::Error { "error" } else { rule.level },
        message: message(finding).into(),
        locations: finding.place().map(|place| location(place, None, None)).into_iter().collect(),
        related_locations: related(finding),
        code_flows: bounded(flows.collect()),
        partial_fingerprints: [(finding.identity.scheme, finding.identity.name.clone())].into(),
        rank: finding.rank,
        properties: is_grade.then_some(Graded { grade: finding.grade }),
        baseline_state: baseline_state(finding),
        suppressions: suppressions(&finding.standing),
    }
}

/// The claim, what threads do at once, and what else belongs to it.
fn message(finding: &Finding<'_>) -> String {
    let way = finding.ways.first();
    let sides = way.filter(|way| way.shape == Shape::Threads).into_iter().flat_map(|way| &way.steps);
    let doubt = way.and_then(|way| way.doubt.as_ref()).map(|doubt| format!("Doubtful: {doubt}"));
    let caveat = way.and_then(|way| way.caveat).map(|caveat| format!("Paths: {caveat}"));
    let hint = finding.hint.iter().map(|hint| format!("Hint: {}", hint.trim_end_matches('.')));
    let sentences = once(finding.claim.clone()).chain(sides.map(Step::with_locks)).chain(doubt).chain(caveat);
    let sentences = sentences.chain(finding.remarks.iter().cloned()).chain(hint);
    printable(&sentences.map(|sentence| sentence + ".").collect::<Vec<_>>().join(" "))
}

/// What threads do besides, or other places of the kind; where the objects are made; and what else there is.
fn related(finding: &Finding<'_>) -> Vec<Location> {
    let way = finding.ways.first();
    let stand_alone = way.is_some_and(|way| matches!(way.shape, Shape::Threads | Shape::Places));
    let steps = finding.other_steps().filter(|_| stand_alone);
    let steps = steps.filter_map(|step| Some((step.shown()?.place.as_ref(), step.with_locks())));
    let objects = way.into_iter().flat_map(|way| &way.objects);
    let made = objects.filter_map(|(text, site)| Some((site.as_deref()?, format!("The object: {text}"))));
    let others = finding.related.iter().map(|(place, text)| (place.as_ref(), text.clone()));
    let all = steps.chain(made).chain(others).take(MAX_RELATED).enumerate();
    all.map(|(id, (place, text))| location(place, Some(text), Some(id))).collect()
}

/// Whether it is about what threads or code do, one step after the other.
fn has_flow(way: &Way<'_>) -> bool {
    match way.shape {
        Shape::Threads | Shape::Order => true,
        Shape::Code => way.steps.len() > 1,
        Shape::Places => false,
    }
}

/// What each thread does, with the calls that lead there; of code, all in one. `None` where nothing is known of it.
fn code_flow(subject: &str, way: &Way<'_>) -> Option<CodeFlow> {
    if !has_flow(way) {
        return None;
    }
    let steps = way.steps.iter().filter(|step| !step.path.is_empty());
    let (message, thread_flows) = match way.shape {
        Shape::Threads => (format!("Two threads come to {subject}"), steps.enumerate().map(thread_flow).collect()),
        Shape::Order => {
            (format!("What can happen to {subject}, step by step"), steps.enumerate().map(thread_flow).collect())
        }
        Shape::Code | Shape::Places => {
            let locations = steps.flat_map(calls).collect();
            let flow = ThreadFlow { id: "1".to_owned(), message: subject.to_owned().into(), locations };
            (format!("What the code of {subject} does, step by step"), vec![flow])
        }
    };
    (!thread_flows.is_empty()).then(|| CodeFlow { message: message.into(), thread_flows })
}

fn thread_flow((index, step): (usize, &Step<'_>)) -> ThreadFlow {
    ThreadFlow { id: (index + 1).to_string(), message: step.with_locks().into(), locations: calls(step) }
}

/// The path from where the thread begins to what it does.
fn calls(step: &Step<'_>) -> Vec<ThreadFlowLocation> {
    let frames = step.path.iter().take(MAX_CALLS).enumerate().rev();
    let call = |(depth, frame): (usize, &Frame<'_>)| {
        let what = if depth == 0 { step.deed.clone() } else { format!("call in {}", frame.name()) };
        let locks =
            if frame.locks.is_empty() { String::new() } else { format!(", holding {}", frame.locks.join("; ")) };
        let importance = if depth == 0 { "essential" } else { "important" };
        ThreadFlowLocation { location: location(&frame.place, Some(what + &locks), None), importance }
    };
    frames.map(call).collect()
}

/// Flows of one result, cut so that GitHub stores all of them: of each thread, the calls nearest to where it ends stay.
fn bounded(mut flows: Vec<CodeFlow>) -> Vec<CodeFlow> {
    let n_threads = flows.iter().map(|flow| flow.thread_flows.len()).sum::<usize>().max(1);
    let most = (MAX_STEPS / n_threads).max(1);
    for thread in flows.iter_mut().flat_map(|flow| &mut flow.thread_flows) {
        thread.locations.drain(..thread.locations.len().saturating_sub(most));
    }
    flows
}

fn baseline_state(finding: &Finding<'_>) -> Option<&'static str> {
    if matches!(finding.standing, Standing::Gone) {
        return Some("absent");
    }
    Some(match finding.news? {
        // The standard has no word for what has come back.
        News::New | News::Returned => "new",
        News::Updated => "updated",
        News::Unchanged => "unchanged",
    })
}

/// Why it does not count; nothing if it does.
fn suppressions(standing: &Standing) -> Vec<Suppression> {
    match standing {
        Standing::Counts | Standing::Gone => Vec::new(),
        Standing::Known => vec![Suppression { kind: "external", justification: "It is in the baseline.".to_owned() }],
        Standing::Suppressed(reasons) => {
            let kind = |in_source| if in_source { "inSource" } else { "external" };
            let told = reasons.iter();
            told.map(|by| Suppression { kind: kind(by.in_source), justification: by.text.clone() }).collect()
        }
    }
}

/// A line of a method, and what is said of it. The file is named from where its package lies.
fn location(place: &Place, message: Option<String>, id: Option<usize>) -> Location {
    let physical = |uri: String| PhysicalLocation {
        artifact_location: ArtifactLocation { uri: words::uri(&uri), uri_base_id: Some(ROOT) },
        region: place.line.filter(|line| *line > 0).map(|start_line| Region { start_line }),
    };
    let name = Frame { place: Cow::Borrowed(place), locks: &[], library: false }.name();
    Location {
        id,
        physical_location: source_file(place).or_else(|| likely_file(&place.class)).map(physical),
        logical_locations: vec![LogicalLocation { fully_qualified_name: name, kind: "function" }],
        message: message.map(|text| printable(&text).into()),
    }
}

/// The file by the class's name, where the class file does not say: `bank/Account.java`.
fn likely_file(class: &str) -> Option<String> {
    let outer = class.split('$').next().filter(|class| !class.is_empty())?;
    Some(format!("{outer}.java"))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::document::fixtures;

    fn run(findings: Vec<Finding<'_>>) -> Value {
        let text = document(&fixtures::document(findings), None, false).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()["runs"][0].clone()
    }

    #[test]
    fn more_than_github_stores_is_left_out_and_told() {
        let run = run((0..=MAX_RESULTS).map(|n| fixtures::finding(&format!("a.B.f{n}"))).collect());
        assert_eq!(run["results"].as_array().unwrap().len(), MAX_RESULTS);
        let notes = &run["invocations"][0]["toolExecutionNotifications"];
        assert_eq!(notes[0]["message"]["text"], "1 more finding left out: GitHub stores 5000");
        assert_eq!(notes[1]["message"]["text"], "JVM 7 ran unchecked: it is old");
    }

    #[test]
    fn no_result_has_more_locations_than_github_stores() {
        let place = crate::report::fixtures::place("a/B", "m", 1);
        let frame = || Frame { place: Cow::Borrowed(&place), locks: &[], library: false };
        let deep = || Step { path: vec![frame(); 1024], ..Step::default() };
        let way = |shape, n| Way { steps: (0..n).map(|_| deep()).collect(), ..Way::new(shape) };
        for (ways, least) in [
            ((0..9).map(|_| way(Shape::Threads, 2)).collect::<Vec<_>>(), MAX_CALLS),
            (vec![way(Shape::Order, 40)], 25),
            (vec![way(Shape::Code, 40)], 1_000),
        ] {
            let run = run(vec![Finding { ways, ..fixtures::finding("a.B.x") }]);
            let flows = run["results"][0]["codeFlows"].as_array().unwrap().clone();
            let threads = flows.iter().flat_map(|flow| flow["threadFlows"].as_array().unwrap());
            let lengths: Vec<usize> = threads.map(|thread| thread["locations"].as_array().unwrap().len()).collect();
            let sum: usize = lengths.iter().sum();
            let note = &run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
            assert_eq!(note, "code flows of 1 finding shortened: GitHub stores 1000 locations of each");
            assert!(sum <= MAX_STEPS && lengths.iter().all(|length| *length >= least), "{lengths:?}");
        }
    }

    #[test]
    fn where_nothing_is_known_of_a_step_there_is_no_location() {
        let steps = vec![Step::default(), Step::default()];
        let ways = vec![Way { steps, ..Way::new(Shape::Threads) }];
        let result = &run(vec![Finding { ways, ..fixtures::finding("a.B.x") }])["results"][0];
        let none = Value::Array(Vec::new());
        assert_eq!([&result["locations"], &result["relatedLocations"], &result["codeFlows"]], [&none; 3]);
    }
}
