//! Where findings are on a page: names that stay the same from run to run, so that a link to one goes on to lead there.

use std::collections::BTreeMap;

use crate::document::finding::Finding;

/// The names of the findings of a page.
pub struct Anchors(Vec<String>);

impl Anchors {
    /// Made of the rule and of that by which a baseline knows the finding again.
    pub fn of(findings: &[&Finding<'_>]) -> Self {
        let mut numbers = BTreeMap::<String, usize>::new();
        let name = |finding: &&Finding<'_>| {
            let name = slug(finding);
            let number = numbers.entry(name.clone()).and_modify(|number| *number += 1).or_insert(1);
            if *number == 1 { name } else { format!("{name}~{number}") }
        };
        Self(findings.iter().map(name).collect())
    }

    /// That of a finding: `race:field-bank.Account.balance-int`.
    pub fn finding(&self, index: usize) -> &str {
        &self.0[index]
    }

    /// That of one of its ways.
    pub fn way(&self, index: usize, way: usize) -> String {
        format!("{}/{}", self.0[index], way + 1)
    }
}

/// Letters, digits, dots and dollars stay; all else is a dash.
fn slug(finding: &Finding<'_>) -> String {
    let is_kept = |letter: char| letter.is_alphanumeric() || "._$".contains(letter);
    let words: Vec<&str> =
        finding.identity.name.split(|letter| !is_kept(letter)).filter(|word| !word.is_empty()).collect();
    format!("{}:{}", finding.rule.id, words.join("-"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::fixtures::finding;

    #[test]
    fn names_are_readable_and_each_is_there_once() {
        let [first, second, other] = ["a.B.x", "a.B.x", "a.B$C.<init>é"].map(finding);
        let anchors = Anchors::of(&[&first, &second, &other]);
        assert_eq!((anchors.finding(0), anchors.finding(1)), ("race:field-a.B.x-int", "race:field-a.B.x-int~2"));
        assert_eq!(anchors.way(2, 0), "race:field-a.B$C.-init-é-int/1");
    }
}
