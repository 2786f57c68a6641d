//! The baseline: findings that are known, so that only new ones count.
//!
//! `{"format": 1, "findings": [{"rule": "race", "variable": {…}, "name": "bank.Account.balance"}]}`. Findings are keyed by
//! rule and variable, so a baseline outlives changes of line numbers. Other members are ignored, so the document of
//! `jrace report --json` is a baseline too.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, bail};
use facts::finding::{Rule, Variable};
use serde::{Deserialize, Serialize};

use super::merge::Key;
use super::words;

/// Version of the file.
pub const FORMAT: u32 = 1;

/// Known findings.
pub type Baseline = BTreeSet<Key>;

#[derive(Serialize, Deserialize)]
struct Document {
    format: u32,
    findings: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    rule: Rule,
    #[serde(default)]
    name: String,
    variable: Variable,
}

/// Reads a baseline.
///
/// # Errors
/// An unreadable file, or one that is no baseline.
pub fn read(path: &Path) -> Result<Baseline> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read the baseline `{}`", path.display()))?;
    parse(&text).with_context(|| format!("`{}` is no baseline", path.display()))
}

/// Writes findings as a baseline: sorted, so that it can be kept under version control.
///
/// # Errors
/// A file that cannot be written.
pub fn write<'a>(path: &Path, findings: impl IntoIterator<Item = &'a Key>) -> Result<()> {
    let text = render(findings)?;
    std::fs::write(path, text).with_context(|| format!("cannot write the baseline `{}`", path.display()))
}

fn parse(text: &str) -> Result<Baseline> {
    let document: Document = serde_json::from_str(text).context("write one with `jrace report --write-baseline`")?;
    if document.format > FORMAT {
        bail!("its format {} is newer than this jrace reads ({FORMAT}); update jrace", document.format);
    }
    Ok(document.findings.into_iter().map(|entry| Key { variable: entry.variable, rule: entry.rule }).collect())
}

fn render<'a>(findings: impl IntoIterator<Item = &'a Key>) -> Result<String> {
    let keys: BTreeSet<&Key> = findings.into_iter().collect();
    let findings = keys.into_iter().map(|key| Entry {
        rule: key.rule,
        name: words::variable_name(&key.variable),
        variable: key.variable.clone(),
    });
    Ok(serde_json::to_string_pretty(&Document { format: FORMAT, findings: findings.collect() })? + "\n")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::fixtures::field;
    use super::*;

    #[test]
    fn baselines_survive_writing() {
        let keys = ["b", "a"].map(|name| Key { variable: field(name), rule: Rule::Race });
        let text = render(&keys).unwrap();
        assert_eq!(parse(&text).unwrap(), BTreeSet::from(keys));
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
                  }
                }
              ]
            }
        "#]]
        .assert_eq(&text);
    }

    #[test]
    fn other_files_are_refused() {
        assert!(parse("{}").is_err());
        let newer = parse(r#"{"format":2,"findings":[]}"#).unwrap_err().to_string();
        assert_eq!(newer, "its format 2 is newer than this jrace reads (1); update jrace");
    }
}
