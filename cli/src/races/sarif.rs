//! A race report in SARIF 2.1.0: one result a variable, whose races are code flows of two thread flows.

use std::collections::BTreeSet;

use anyhow::Result;
use static_typer::races::Confidence;

use super::observation::Observation;
use super::report::{AccessView, Frame, RaceView, Report, VariableRaces, confidence_name};
use crate::sarif::form::{
    CodeFlow, Configuration, Help, Location, Properties, ResultEntry, Rule, ThreadFlow, ThreadFlowLocation,
};
use crate::sarif::{self, MAX_CALLS, MAX_FLOWS, MAX_RELATED, MAX_RESULTS};

const HELP: &str = "Two threads may access the variable at once, at least one of them writes, and no lock that both hold keeps \
                    them apart. What the other thread sees is then undefined by the Java memory model. Hold one lock at every \
                    access of the variable, or make it final or volatile, or keep the object within one thread. If the race \
                    does no harm, or something that the analysis cannot see orders the accesses, say so in a file for \
                    `jrace races --annotations`: `benign package.Class.field` or `local package.Class`.";

/// The document.
///
/// # Errors
/// None in practice: the data has no map whose keys are not strings.
pub fn document(report: &Report) -> Result<String> {
    let rules = [Confidence::NoCommonLock, Confidence::MaybeSameLock].map(rule).into();
    let results = report.variables.iter().take(MAX_RESULTS).map(result).collect();
    sarif::document(rules, notifications(report), results)
}

fn rule(confidence: Confidence) -> Rule {
    let (name, short, level, precision) = match confidence {
        Confidence::NoCommonLock => ("NoCommonLock", "Race without a common lock", "warning", "medium"),
        Confidence::MaybeSameLock => ("MaybeSameLock", "Race unless two locks are the same", "note", "low"),
    };
    Rule {
        id: confidence_name(confidence),
        name,
        short_description: short.into(),
        full_description: HELP.into(),
        help: Help { text: HELP, markdown: HELP },
        default_configuration: Configuration { level },
        properties: Properties { tags: ["concurrency", "external/cwe/cwe-362"], precision },
    }
}

fn notifications(report: &Report) -> impl Iterator<Item = String> {
    let more = report.variables.len().saturating_sub(MAX_RESULTS);
    let cut =
        (more > 0).then(|| format!("{more} more variables with races are left out: the surest {MAX_RESULTS} are here"));
    let assumptions = report.assumptions.iter().map(|text| format!("not seen: {text}"));
    let missed = report.observed.iter().flat_map(|observed| &observed.missed);
    let missed = missed.map(|missed| format!("seen at run time only: {}", missed.variable));
    cut.into_iter().chain(missed).chain(assumptions)
}

fn result(variable: &VariableRaces) -> ResultEntry {
    let confidence = variable.confidence();
    let is_confirmed = variable.observed == Some(Observation::Confirmed);
    let level = if is_confirmed { "error" } else { rule(confidence).default_configuration.level };
    ResultEntry {
        rule_id: confidence_name(confidence),
        rule_index: usize::from(confidence == Confidence::MaybeSameLock),
        level,
        message: summary(variable).into(),
        locations: variable.races.first().and_then(first_place).into_iter().collect(),
        related_locations: related(variable),
        code_flows: sarif::bounded(
            variable.races.iter().take(MAX_FLOWS).map(|race| code_flow(variable, race)).collect(),
        ),
        // The name stays when lines and methods move; there is one result for it.
        partial_fingerprints: [("variable/v1", variable.variable.clone())].into(),
        rank: Some(variable.rank.percent()),
        properties: None,
        baseline_state: None,
        suppressions: Vec::new(),
    }
}

fn summary(variable: &VariableRaces) -> String {
    let accesses = variable.races.first().map(|race| &race.accesses[..]).unwrap_or_default();
    let accesses: Vec<String> =
        accesses.iter().map(|access| format!("{}, locks held: {}", access.headline(), access.locks_held())).collect();
    let observed = variable.observed.map_or_else(String::new, |observed| format!(" {}.", observed.sentence()));
    let doubt = variable.races.first().and_then(RaceView::doubt).map(|doubt| format!(" Doubtful: {doubt}."));
    let (subject, doubt) = (variable.subject(), doubt.unwrap_or_default());
    format!("Race on {subject}. {}.{doubt}{observed} {}.", accesses.join(". "), variable.ranked())
}

fn first_place(race: &RaceView) -> Option<Location> {
    let frame = race.accesses.first()?.path.first()?;
    Some(location(frame, None, None))
}

/// The second access and where the objects are made, of the surest race, and every other place of any.
fn related(variable: &VariableRaces) -> Vec<Location> {
    let surest = variable.races.first();
    let second =
        surest.and_then(|race| race.accesses.get(1)).and_then(|access| Some((top(access)?, access.headline())));
    let objects = surest.into_iter().flat_map(|race| &race.objects);
    let made = objects.filter_map(|object| Some((object.site.as_ref()?, format!("The object: {}", object.text))));
    second
        .into_iter()
        .chain(made)
        .chain(others(variable))
        .take(MAX_RELATED)
        .enumerate()
        .map(|(id, (frame, text))| location(frame, Some(text), Some(id)))
        .collect()
}

fn top(access: &AccessView) -> Option<&Frame> {
    access.path.first()
}

/// Every place but those of the surest race, each line once.
fn others(variable: &VariableRaces) -> Vec<(&Frame, String)> {
    let accesses = || variable.races.iter().flat_map(|race| &race.accesses);
    let at = |frame: &Frame| (frame.method.clone(), frame.line);
    let shown = variable.races.first().into_iter().flat_map(|race| &race.accesses);
    let mut known: BTreeSet<(String, Option<u16>)> = shown.filter_map(top).map(at).collect();
    let places = accesses().flat_map(|access| {
        let frames = access.path.first().into_iter().chain(&access.alike);
        frames.map(|frame| (frame, format!("Also a {} like this", access.kind)))
    });
    places.filter(|(frame, _)| known.insert(at(frame))).collect()
}

fn code_flow(variable: &VariableRaces, race: &RaceView) -> CodeFlow {
    let flow = |(index, access): (usize, &AccessView)| ThreadFlow {
        id: (index + 1).to_string(),
        message: format!("{}, locks held: {}", access.headline(), access.locks_held()).into(),
        locations: steps(variable, access),
    };
    CodeFlow {
        message: format!("Two threads come to {}", variable.subject()).into(),
        thread_flows: race.accesses.iter().enumerate().map(flow).collect(),
    }
}

/// The path from where the thread begins to the access.
fn steps(variable: &VariableRaces, access: &AccessView) -> Vec<ThreadFlowLocation> {
    let frames = access.path.iter().take(MAX_CALLS).enumerate().rev();
    let step = |(depth, frame): (usize, &Frame)| {
        let what = match depth {
            0 => format!("{} of {}", if access.kind == "write" { "write" } else { "read" }, variable.subject()),
            _ => format!("call in {}", frame.method),
        };
        let locks =
            if frame.locks.is_empty() { String::new() } else { format!(", holding {}", frame.locks.join("; ")) };
        let importance = if depth == 0 { "essential" } else { "important" };
        ThreadFlowLocation { location: location(frame, Some(what + &locks), None), importance }
    };
    frames.map(step).collect()
}

fn location(frame: &Frame, message: Option<String>, id: Option<usize>) -> Location {
    sarif::location(frame.method.clone(), (frame.source(), frame.line.map(u32::from)), message, id)
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{report, variable};
    use super::super::report::Kind;
    use super::*;

    fn document_of(report: &Report) -> serde_json::Value {
        serde_json::from_str(&document(report).unwrap()).unwrap()
    }

    #[test]
    fn a_result_has_both_threads() {
        let sarif = document_of(&report());
        let result = &sarif["runs"][0]["results"][0];
        let flows = &result["codeFlows"][0]["threadFlows"];
        assert_eq!(flows.as_array().unwrap().len(), 2);
        let last = &flows[0]["locations"][2]["location"];
        assert_eq!(last["message"]["text"], "write of field bank.Account.balance (int)");
        assert_eq!(last["physicalLocation"]["artifactLocation"]["uri"], "bank/Account.java");
        assert_eq!(
            flows[0]["locations"][1]["location"]["message"]["text"],
            "call in bank.Account.express, holding bank.Teller made at Bank.java:41"
        );
        assert_eq!(result["relatedLocations"][1]["physicalLocation"]["region"]["startLine"], 22);
        assert_eq!(result["relatedLocations"][2]["physicalLocation"]["region"]["startLine"], 57);
        assert_eq!(result["rank"], 50.0);
        assert!(result["message"]["text"].as_str().unwrap().ends_with(" Rank 1: both write."), "{result}");
        assert_eq!(result["partialFingerprints"]["variable/v1"], "bank.Account.balance (int)");
    }

    #[test]
    fn more_than_github_stores_is_left_out_and_told() {
        let mut report = report();
        let many = |index| variable(Kind::Field, &format!("a.B.f{index}"), "a.B", Confidence::NoCommonLock);
        report.variables = (0..=MAX_RESULTS).map(many).collect();
        let run = &document_of(&report)["runs"][0];
        assert_eq!(run["results"].as_array().unwrap().len(), MAX_RESULTS);
        let note = run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"].as_str().unwrap();
        assert!(note.starts_with("1 more variables"), "{note}");
    }
}
