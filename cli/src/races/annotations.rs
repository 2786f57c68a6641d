//! The annotations file: what people know of a program and the analysis does not.
//!
//! One a line, with `#` comments: `local PATTERN` for fields and classes whose objects are used by one thread at a time
//! though several reach them, `benign PATTERN` for fields whose races do no harm. A pattern is a whole dotted name, with `*`
//! for any run of characters; elements of arrays and contents of containers go by their type, `int[]`.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, bail};
use facts::pattern::Pattern;
use serde::Serialize;

use super::report::{RaceView, Report, VariableRaces};

/// A file of annotations.
#[derive(Debug)]
pub struct Annotations(Vec<Annotation>);

/// One line.
#[derive(Debug)]
struct Annotation {
    /// `races.txt:3: local bank.Account`.
    text: String,
    claim: Claim,
}

#[derive(Debug)]
enum Claim {
    Local(Pattern),
    Benign(Pattern),
}

/// A variable of which an annotation leaves out races.
#[derive(Serialize, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LeftOut {
    /// The variable, as other races have it.
    pub variable: String,
    /// The annotation and where it stands.
    pub by: String,
}

impl Annotations {
    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, or a line is no annotation.
    pub fn read(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read the annotations file `{name}`"))?;
        Self::parse(&text, &name)
    }

    fn parse(text: &str, name: &str) -> Result<Self> {
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        let lines = lines.enumerate().filter(|(_, line)| !line.is_empty());
        let parse = |(index, line)| {
            let at = format!("{name}:{}", index + 1);
            let claim = claim(line).with_context(|| at.clone())?;
            Ok(Annotation { text: format!("{at}: {line}"), claim })
        };
        lines.map(parse).collect::<Result<Vec<_>>>().map(Self)
    }

    /// Leaves races out of a report, and notes which annotations did so.
    pub fn apply(&self, report: &mut Report) {
        let mut left_out = BTreeSet::new();
        for variable in &mut report.variables {
            let name = variable.variable.clone();
            let note = |annotation: &Annotation| LeftOut { variable: name.clone(), by: annotation.text.clone() };
            left_out.extend(self.leave_out(variable).into_iter().map(note));
        }
        report.variables.retain(|variable| !variable.races.is_empty());
        let is_unmatched = |annotation: &&Annotation| !left_out.iter().any(|left_out| left_out.by == annotation.text);
        report.unmatched_annotations = self.0.iter().filter(is_unmatched).map(|one| one.text.clone()).collect();
        report.left_out = left_out.into_iter().collect();
        report.sort();
    }

    /// Every annotation that leaves out a race of a variable.
    fn leave_out(&self, variable: &mut VariableRaces) -> Vec<&Annotation> {
        let name = variable.name.clone();
        let matching = |race: &RaceView| self.0.iter().filter(|one| one.claim.matches(&name, race)).collect::<Vec<_>>();
        let used: Vec<&Annotation> = variable.races.iter().flat_map(&matching).collect();
        variable.races.retain(|race| matching(race).is_empty());
        variable.pairs = variable.races.iter().map(|race| race.pairs).sum();
        used
    }
}

impl Claim {
    fn matches(&self, name: &str, race: &RaceView) -> bool {
        match self {
            Self::Benign(pattern) => pattern.matches(name),
            Self::Local(pattern) => {
                let are_local = !race.types.is_empty() && race.types.iter().all(|ty| pattern.matches(ty));
                pattern.matches(name) || are_local
            }
        }
    }
}

fn claim(line: &str) -> Result<Claim> {
    let mut words = line.split_whitespace();
    let (kind, patterns) = (words.next().unwrap_or_default(), words.collect::<Vec<_>>());
    match (kind, &patterns[..]) {
        ("local", [pattern]) => Ok(Claim::Local(Pattern::whole(pattern))),
        ("benign", [pattern]) => Ok(Claim::Benign(Pattern::whole(pattern))),
        ("unparallel", [_, _]) => bail!(
            "`unparallel` is not supported yet: remove the line, and leave out the fields in question with `local`"
        ),
        ("local" | "benign", _) => {
            bail!("`{line}` is not of the form `{kind} PATTERN`: write `{kind} package.Class.field`")
        }
        ("unparallel", _) => bail!("`{line}` is not of the form `unparallel METHOD METHOD`"),
        _ => bail!("`{kind}` is no annotation: write `local PATTERN` or `benign PATTERN`, and `#` before a comment"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::report;
    use super::*;

    fn after(text: &str) -> Report {
        let mut report = report();
        Annotations::parse(text, "notes").unwrap().apply(&mut report);
        report
    }

    fn names(report: &Report) -> Vec<&str> {
        report.variables.iter().map(|variable| variable.name.as_str()).collect()
    }

    #[test]
    fn fields_and_classes_are_left_out() {
        assert_eq!(names(&after("")), ["bank.Account.balance", "int[]", "bank.Bank.total"]);
        assert_eq!(names(&after("benign bank.Account.*")), ["int[]", "bank.Bank.total"]);
        assert_eq!(names(&after("local bank.Account # by hand")), ["int[]", "bank.Bank.total"]);
        assert_eq!(names(&after("local int[]\nbenign bank.Bank.total")), ["bank.Account.balance"]);
    }

    #[test]
    fn what_matches_nothing_is_told() {
        let report = after("# none\n\nlocal bank.Acc\nbenign *.total\n");
        assert_eq!(report.unmatched_annotations, ["notes:3: local bank.Acc"]);
        assert_eq!(report.left_out[0].by, "notes:4: benign *.total");
    }

    #[test]
    fn mistakes_carry_their_place() {
        for (text, expected) in [
            (
                "\nfinal x",
                "notes:2: `final` is no annotation: write `local PATTERN` or `benign PATTERN`, and `#` before a comment",
            ),
            ("local", "notes:1: `local` is not of the form `local PATTERN`: write `local package.Class.field`"),
            ("unparallel a", "notes:1: `unparallel a` is not of the form `unparallel METHOD METHOD`"),
        ] {
            assert_eq!(format!("{:#}", Annotations::parse(text, "notes").unwrap_err()), expected);
        }
    }
}
