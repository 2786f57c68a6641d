//! The baseline: findings that are known, so that only new ones count.
//!
//! `{"format": 1, "findings": [{"rule": "race", "variable": {…}, "name": "bank.Account.balance"}]}`. Findings are keyed by
//! rule and variable, so a baseline outlives changes of line numbers; hazards, in a list of that name, by rule and code
//! (`subject`). Other members are ignored, so the document of `jrace report --json` is a baseline too.
//!
//! A finding that was possible when the baseline was made has `"grade": "possible"`: only that is known, so a certain race on its
//! variable is news. One that was not graded, or was certain, is known whatever is found later.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, bail};
use facts::finding::{Grade, Rule, Subject, Variable};
use serde::{Deserialize, Serialize};

use super::generated::stable;
use super::grade::{is_possible, surest};
use super::merge::{HazardKey, Key};
use super::words;

/// Version of the file.
pub const FORMAT: u32 = 1;

/// What is known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Baseline {
    /// Races, with the grade that they had.
    pub races: BTreeMap<Key, Option<Grade>>,
    /// Hazards.
    pub hazards: BTreeSet<HazardKey>,
}

impl Baseline {
    /// Whether a race of this grade is known. What no check has graded claims no more than what was possible did.
    pub fn knows(&self, key: &Key, grade: Option<Grade>) -> bool {
        self.races.get(key).is_some_and(|known| !is_possible(*known) || grade != Some(Grade::Certain))
    }

    /// How much there is.
    pub fn len(&self) -> usize {
        self.races.len() + self.hazards.len()
    }
}

#[derive(Serialize, Deserialize)]
struct Document {
    format: u32,
    findings: Vec<Entry>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    hazards: Vec<HazardEntry>,
}

#[derive(Serialize, Deserialize)]
struct HazardEntry {
    rule: Rule,
    #[serde(default)]
    name: String,
    subject: Subject,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    rule: Rule,
    #[serde(default)]
    name: String,
    variable: Variable,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    grade: Option<Grade>,
}

/// Reads a baseline.
///
/// # Errors
/// An unreadable file, or one that is no baseline.
pub fn read(path: &Path) -> Result<Baseline> {
    let text = std::fs::read_to_string(path).with_context(|| {
        format!("cannot read the baseline `{}`; write one with `jrace report --write-baseline`", path.display())
    })?;
    parse(&text).with_context(|| format!("`{}` is no baseline", path.display()))
}

/// Writes findings as a baseline: sorted, so that it can be kept under version control.
///
/// # Errors
/// A file that cannot be written.
pub fn write(path: &Path, known: &Baseline) -> Result<()> {
    let text = render(known)?;
    std::fs::write(path, text).with_context(|| format!("cannot write the baseline `{}`", path.display()))
}

fn parse(text: &str) -> Result<Baseline> {
    let document: Document =
        serde_json::from_str(&stable(text)).context("write one with `jrace report --write-baseline`")?;
    if document.format > FORMAT {
        bail!("its format {} is newer than this jrace reads ({FORMAT}); update jrace", document.format);
    }
    let mut races = BTreeMap::<Key, Option<Grade>>::new();
    for Entry { rule, variable, grade, .. } in document.findings {
        let known = races.entry(Key { variable, rule }).or_insert(grade);
        *known = surest([*known, grade]);
    }
    let hazard = |entry: HazardEntry| HazardKey { subject: entry.subject, rule: entry.rule };
    Ok(Baseline { races, hazards: document.hazards.into_iter().map(hazard).collect() })
}

fn render(known: &Baseline) -> Result<String> {
    let findings = known.races.iter().map(|(key, grade)| Entry {
        rule: key.rule,
        name: words::variable_name(&key.variable),
        variable: key.variable.clone(),
        grade: *grade,
    });
    let hazards = known.hazards.iter().map(|key| HazardEntry {
        rule: key.rule,
        name: words::subject_name(&key.subject),
        subject: key.subject.clone(),
    });
    let document = Document { format: FORMAT, findings: findings.collect(), hazards: hazards.collect() };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::fixtures::field;
    use super::*;

    #[test]
    fn baselines_survive_writing() {
        let race = |name, grade| (Key { variable: field(name), rule: Rule::Race }, grade);
        let races = [race("b", Some(Grade::Possible)), race("a", None)];
        let known = Baseline { races: races.into(), hazards: BTreeSet::new() };
        let text = render(&known).unwrap();
        assert_eq!(parse(&text).unwrap(), known);
        expect![[r#"
            {
              "format": 1,
              "findings": [
                {
                  "rule": "race",
                  "name": "bank.Account.a",
                  "variable": {
                    "kind": "field",
                    "class": "bank/Account",
                    "name": "a",
                    "descriptor": "I"
                  }
                },
                {
                  "rule": "race",
                  "name": "bank.Account.b",
                  "variable": {
                    "kind": "field",
                    "class": "bank/Account",
                    "name": "b",
                    "descriptor": "I"
                  },
                  "grade": "possible"
                }
              ]
            }
        "#]]
        .assert_eq(&text);
    }

    #[test]
    fn hazards_survive_writing() {
        let subject = Subject::Methods { names: vec!["a/B.m".into(), "a/B.n".into()] };
        let known = Baseline { hazards: [HazardKey { subject, rule: Rule::Deadlock }].into(), ..Baseline::default() };
        assert_eq!(parse(&render(&known).unwrap()).unwrap(), known);
    }

    #[test]
    fn of_what_was_possible_only_that_is_known() {
        let entry = |grade: &str| {
            let variable = serde_json::to_string(&field("a")).unwrap();
            format!(r#"{{"rule":"race","variable":{variable}{grade}}}"#)
        };
        let (plain, certain) = (entry(""), entry(r#","grade":"certain""#));
        let (null, possible) = (entry(r#","grade":null"#), entry(r#","grade":"possible""#));
        let key = Key { variable: field("a"), rule: Rule::Race };
        for (entries, knows_certain) in [
            (vec![&plain], true),
            (vec![&certain], true),
            (vec![&null], true),
            (vec![&possible], false),
            (vec![&possible, &certain], true),
            (vec![&plain, &possible], true),
        ] {
            let entries = entries.into_iter().cloned().collect::<Vec<_>>().join(",");
            let known = parse(&format!(r#"{{"format":1,"findings":[{entries}]}}"#)).unwrap();
            let knows = [Some(Grade::Certain), None, Some(Grade::Possible)].map(|grade| known.knows(&key, grade));
            assert_eq!(knows, [knows_certain, true, true], "{entries}");
        }
    }

    #[test]
    fn other_files_are_refused() {
        assert!(parse("{}").is_err());
        let newer = parse(r#"{"format":2,"findings":[]}"#).unwrap_err().to_string();
        assert_eq!(newer, "its format 2 is newer than this jrace reads (1); update jrace");
    }
}
