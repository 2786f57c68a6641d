//! A race report beside what runs have shown: which of its races they confirm, and what they have shown that it does not have.

use facts::finding::Variable;
use facts::site::Place;

use super::observation::{Missed, Observed};
use super::report::Report;
use crate::evidence::{Observation, Runs};
use crate::report::words;

/// Joins a report with the runs; `unseen` says why the analysis may not have seen an access.
pub fn apply(runs: &Runs, report: &mut Report, unseen: &dyn Fn(&Place) -> Option<String>) {
    for variable in &mut report.variables {
        variable.observed = Some(runs.of_variable(&variable.keys));
    }
    report.observed = Some(Observed {
        directory: runs.directory.clone(),
        jvms: runs.n_jvms(),
        confirmed: report.n_observed(Observation::Confirmed),
        possible: report.n_observed(Observation::Possible),
        exercised: report.n_observed(Observation::Exercised),
        missed: missed(runs, report, unseen),
    });
    report.sort();
}

fn missed(runs: &Runs, report: &Report, unseen: &dyn Fn(&Place) -> Option<String>) -> Vec<Missed> {
    let others = runs.other_variables(|key| report.variables.iter().any(|variable| variable.keys.contains(key)));
    let missed = others.map(|(variable, places)| Missed {
        variable: words::subject(variable),
        excluded_by: excluded(report, variable).or_else(|| places.into_iter().find_map(unseen)),
    });
    missed.collect()
}

/// What the report itself says against a race.
fn excluded(report: &Report, variable: &Variable) -> Option<String> {
    let name = words::variable_name(variable);
    let is_it = |text: &str| text.split(" (").next() == Some(name.as_str());
    let left_out = report.left_out.iter().find(|left_out| is_it(&left_out.variable));
    let proved = report.proved.iter().find(|proved| is_it(proved));
    let by_types = || proved.map(|_| "types are taken to prove it race-free".to_owned());
    left_out.map(|left_out| format!("the annotation {}", left_out.by)).or_else(by_types)
}

#[cfg(test)]
mod tests {
    use facts::finding::{Grade, Record};

    use super::super::fixtures::report;
    use super::*;
    use crate::report::fixtures::{access, conflict, field, file, finding, graded};

    fn joined(names: &[&str], unseen: &dyn Fn(&Place) -> Option<String>) -> Report {
        let pair = || conflict(access("write", 10, 1, &[]), access("read", 20, 2, &[]));
        // A name with a question mark is that of a possible race, with two that of an unlikely one.
        let races = names.iter().map(|name| match (name.trim_end_matches('?'), name.matches('?').count()) {
            (name, 0) => finding(field(name), vec![pair()]),
            (name, 1) => finding(field(name), vec![graded(Some(Grade::Possible), pair())]),
            (name, _) => finding(field(name), vec![graded(Some(Grade::Unlikely), pair())]),
        });
        let total = Variable::Static { class: "bank/Bank".into(), name: "total".into(), descriptor: "I".into() };
        let shared = [field("balance"), total].map(Record::Shared);
        let merged = file(1, races.chain(shared).collect());
        let mut report = report();
        apply(&Runs::of("out".into(), merged), &mut report, unseen);
        report
    }

    #[test]
    fn what_runs_have_shown_comes_first() {
        let report = joined(&["balance"], &|_| None);
        let seen: Vec<_> = report.variables.iter().map(|variable| variable.observed).collect();
        let [confirmed, _, exercised, not, _] = Observation::ALL.map(Some);
        assert_eq!(seen, [confirmed, not, exercised]);
        assert!(report.observed.unwrap().missed.is_empty());
    }

    #[test]
    fn a_possible_race_confirms_nothing() {
        let first = |names: &[&str]| {
            let report = joined(names, &|_| None);
            let observed = report.observed.unwrap();
            (report.variables[0].observed, observed.confirmed, observed.possible)
        };
        assert_eq!(first(&["balance?"]), (Some(Observation::Possible), 0, 1));
        assert_eq!(first(&["balance?", "balance"]), (Some(Observation::Confirmed), 1, 0));
        assert_eq!(first(&["balance??"]), (Some(Observation::Exercised), 0, 0));
        assert!(joined(&["unheard??"], &|_| None).observed.unwrap().missed.is_empty());
    }

    #[test]
    fn what_the_analysis_has_not_found_is_told_with_what_excludes_it() {
        let excluded = |names: &[&str], unseen: &dyn Fn(&Place) -> Option<String>| {
            let mut missed = joined(names, unseen).observed.unwrap().missed;
            missed.pop().unwrap().excluded_by
        };
        assert_eq!(excluded(&["rate"], &|_| None), None);
        assert_eq!(excluded(&["rate"], &|place| Some(place.method.clone())).as_deref(), Some("write"));
        assert_eq!(excluded(&["safe"], &|_| None).as_deref(), Some("types are taken to prove it race-free"));
    }
}
