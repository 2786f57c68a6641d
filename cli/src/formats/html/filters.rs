//! By what findings can be chosen: their package, rule, grade and tests, and what a command adds.

use std::collections::BTreeMap;

use crate::document::finding::Finding;
use crate::document::page::Page;
use crate::html::escape;
use crate::html::findings::{self, choice};

/// The form. A choice that leaves nothing to choose is not offered.
pub fn form(page: &Page, findings: &[&Finding<'_>]) -> String {
    let packages = choice_of("Package", "package", findings.iter().map(|finding| finding.entry.package.as_str()));
    let rules = choice_of("Rule", "rule", findings.iter().map(|finding| finding.rule.id));
    let grades = choice_of("Grade", "grade", findings.iter().map(|finding| finding.grade));
    let tests = findings.iter().flat_map(|finding| &finding.tests).map(String::as_str);
    let tests = choice_of("Test", "test", tests);
    let others = page.filters.iter().map(|filter| {
        let values = filter.values.iter().map(|(value, text)| (escape(value), text.clone()));
        choice(filter.label, filter.name, values)
    });
    let choices: Vec<String> = [packages, rules, grades, tests].into_iter().flatten().chain(others).collect();
    findings::filters(findings.len(), page.of, &choices)
}

/// A choice of values, with how many findings have each; none of a single one.
fn choice_of<'a>(label: &str, name: &str, values: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut numbers = BTreeMap::<&str, usize>::new();
    values.for_each(|value| *numbers.entry(value).or_default() += 1);
    let shown = |value: &str| if value.is_empty() { "(none)".to_owned() } else { value.to_owned() };
    let entries = numbers.iter().map(|(value, number)| (escape(value), format!("{} ({number})", shown(value))));
    (numbers.len() > 1).then(|| choice(label, name, entries))
}

/// What filters look at. Of what a finding has several of, the values are between bars.
pub fn marks(finding: &Finding<'_>) -> String {
    let tests = finding.tests.join("|");
    let known = [("package", finding.entry.package.as_str()), ("rule", finding.rule.id), ("grade", finding.grade)];
    let tests = Some(("test", tests.as_str())).filter(|(_, tests)| !tests.is_empty());
    let marks = known.into_iter().chain(tests).chain(finding.entry.marks.iter().copied());
    marks.map(|(name, value)| format!(" data-{name}=\"{}\"", escape(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::fixtures::finding;

    #[test]
    fn only_what_differs_can_be_chosen() {
        let tested = |grade, tests: &[&str]| Finding {
            grade,
            tests: tests.iter().map(|test| (*test).to_owned()).collect(),
            ..finding("a.B.x")
        };
        let (one, two) = (tested("certain", &["T.x", "T.y"]), tested("possible", &[]));
        let form = form(&Page::default(), &[&one, &two]);
        for (name, is_there) in [("package", false), ("rule", false), ("grade", true), ("test", true)] {
            assert_eq!(form.contains(&format!("<select name=\"{name}\">")), is_there, "{name}: {form}");
        }
        assert!(marks(&one).contains(" data-test=\"T.x|T.y\"") && !marks(&two).contains("data-test"));
    }
}
