//! The tests for which threads worked when they raced.

use std::collections::{BTreeMap, BTreeSet};

use facts::finding::Access;

use super::judge::{Judged, Verdict};
use super::merge::RacedTest;
use super::words::{self, printable};

/// `, for test bank.AccountTest.transfers`; nothing where no test is known.
pub fn of_access(access: &Access) -> String {
    access.test.as_ref().map_or_else(String::new, |test| format!(", for test {}", printable(test)))
}

/// By test, the variables of which a race was found in its work.
pub fn by_test(verdict: &Verdict<'_>) -> BTreeMap<String, BTreeSet<String>> {
    let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for judged in verdict.worth_a_look() {
        for test in of_finding(judged) {
            all.entry(test.name.clone()).or_default().insert(words::variable_name(&judged.key.variable));
        }
    }
    all
}

/// All tests that a finding names.
pub fn of_finding<'v>(judged: &'v Judged<'_>) -> BTreeSet<&'v RacedTest> {
    judged.conflicts.iter().flat_map(|sighting| &sighting.tests).collect()
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{access, conflict, field, file, finding};
    use super::super::judge::Judges;
    use super::*;

    fn in_test(line: u32, thread: u32, test: Option<&str>) -> Access {
        Access { test: test.map(str::to_owned), ..access("write", line, thread, &[]) }
    }

    #[test]
    fn tests_have_their_variables() {
        let pair = |line, test| conflict(in_test(line, 1, Some(test)), in_test(line + 1, 2, Some(test)));
        let findings =
            vec![finding(field("a"), vec![pair(1, "T.x")]), finding(field("b"), vec![pair(1, "T.x"), pair(5, "T.y")])];
        let merged = file(1, findings);
        let judges = Judges::default();
        let tests = by_test(&judges.judge(&merged));
        let names: Vec<(&str, usize)> =
            tests.iter().map(|(test, variables)| (test.as_str(), variables.len())).collect();
        assert_eq!(names, [("T.x", 2), ("T.y", 1)]);
    }
}
