//! By what findings can be chosen: their package, rule, grade and tests, and what a command adds.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::document::finding::Finding;
use crate::document::page::Page;

/// A list to choose from.
pub struct Choice<'a> {
    pub label: &'a str,
    /// The mark by which it chooses.
    pub name: &'a str,
    /// Values of the mark, and how they are shown.
    pub options: Vec<(&'a str, String)>,
}

/// A mark of a finding, and its value.
pub type Mark<'a> = (&'a str, Cow<'a, str>);

/// The choices. One that leaves nothing to choose is not offered.
pub fn of<'a>(page: &'a Page, findings: &[&'a Finding<'_>]) -> Vec<Choice<'a>> {
    let packages = choice("Package", "package", findings.iter().map(|finding| finding.entry.package.as_str()));
    let rules = choice("Rule", "rule", findings.iter().map(|finding| finding.rule.id));
    let grades = choice("Grade", "grade", findings.iter().map(|finding| finding.grade));
    let tests = findings.iter().flat_map(|finding| finding.names_of_tests());
    let tests = choice("Test", "test", tests);
    let others = page.filters.iter().map(|filter| Choice {
        label: filter.label,
        name: filter.name,
        options: filter.values.clone(),
    });
    [packages, rules, grades, tests].into_iter().flatten().chain(others).collect()
}

/// A choice of values, with how many findings have each; none of a single one.
fn choice<'a>(label: &'a str, name: &'a str, values: impl Iterator<Item = &'a str>) -> Option<Choice<'a>> {
    let mut numbers = BTreeMap::<&str, usize>::new();
    values.for_each(|value| *numbers.entry(value).or_default() += 1);
    let shown = |value: &'a str| if value.is_empty() { "(none)" } else { value };
    let options = numbers.iter().map(|(value, number)| (*value, format!("{} ({number})", shown(value))));
    (numbers.len() > 1).then(|| Choice { label, name, options: options.collect() })
}

/// What filters look at. Of what a finding has several of, the values are between bars.
pub fn marks<'a>(finding: &'a Finding<'_>) -> Vec<Mark<'a>> {
    let tests =
        Some(("test", Vec::from_iter(finding.names_of_tests()).join("|"))).filter(|(_, tests)| !tests.is_empty());
    let known = [("package", finding.entry.package.as_str()), ("rule", finding.rule.id), ("grade", finding.grade)];
    let known = known.into_iter().map(|(name, value)| (name, value.into()));
    let others = finding.entry.marks.iter().map(|(name, value)| (*name, (*value).into()));
    known.chain(tests.map(|(name, value)| (name, value.into()))).chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::finding::Test;
    use crate::document::fixtures::finding;

    #[test]
    fn only_what_differs_can_be_chosen() {
        let tested = |grade, tests: &[&str]| Finding {
            grade,
            tests: tests.iter().map(|test| Test { name: (*test).to_owned(), directory: None }).collect(),
            ..finding("a.B.x")
        };
        let (one, two) = (tested("certain", &["T.x", "T.y"]), tested("possible", &[]));
        let page = Page::default();
        let choices = of(&page, &[&one, &two]);
        assert_eq!(choices.iter().map(|choice| choice.name).collect::<Vec<_>>(), ["grade", "test"]);
        let test = ("test", "T.x|T.y".into());
        assert!(marks(&one).contains(&test) && marks(&two).iter().all(|(name, _)| *name != "test"));
    }
}
