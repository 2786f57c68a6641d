//! The suppressions file: one `race:PATTERN`, `atomicity:PATTERN` or `deadlock:PATTERN` a line, `#` comments, blank lines.
//!
//! A pattern (see [`facts::pattern`]) is tried on the variable's name (`bank.Account.balance`), on every frame of either
//! stack (`bank.Account.deposit`), and on the frame's source file (`bank/Account.java`). On the variable it suppresses the
//! finding; on a frame it suppresses that conflict, and the finding once all its conflicts are. Of a hazard, the code takes
//! the place of the variable (`bank.Account.transfer`), and scenarios that of conflicts.

use std::path::Path;

use anyhow::{Context, Result, bail};
use facts::finding::{Conflict, Rule, Scenario, Subject, Variable};
use facts::pattern::Pattern;
use facts::site::Place;

use super::generated::stable;
use super::words;

/// One line of the file.
#[derive(Clone, PartialEq, Debug)]
pub struct Suppression {
    /// Where it stands.
    pub line: usize,
    /// The kind of finding.
    pub rule: Rule,
    /// What it matches.
    pub pattern: Pattern,
}

impl Suppression {
    /// Whether it matches the variable's name.
    pub fn matches_variable(&self, rule: Rule, variable: &Variable) -> bool {
        self.rule == rule && self.pattern.matches(&words::variable_name(variable))
    }

    /// Whether it matches a frame of either access.
    pub fn matches_conflict(&self, rule: Rule, conflict: &Conflict) -> bool {
        let mut frames = conflict.current.stack.iter().chain(&conflict.previous.stack);
        self.rule == rule && frames.any(|place| self.matches_frame(place))
    }

    /// Whether it matches the name of the code.
    pub fn matches_subject(&self, rule: Rule, subject: &Subject) -> bool {
        self.rule == rule && self.pattern.matches(&words::subject_name(subject))
    }

    /// Whether it matches a frame of any step.
    pub fn matches_scenario(&self, rule: Rule, scenario: &Scenario) -> bool {
        let mut frames = scenario.steps.iter().flat_map(|step| &step.access.stack);
        self.rule == rule && frames.any(|place| self.matches_frame(place))
    }

    fn matches_frame(&self, place: &Place) -> bool {
        self.pattern.matches(&words::function(place))
            || words::source_file(place).is_some_and(|file| self.pattern.matches(&file))
    }

    /// As it was written.
    pub fn text(&self) -> String {
        format!("{}:{}", words::rule(self.rule), self.pattern.source())
    }
}

/// Reads a suppressions file.
///
/// # Errors
/// An unreadable file, an unknown kind or a line without a pattern.
pub fn read(path: &Path) -> Result<Vec<Suppression>> {
    let text = std::fs::read_to_string(path).with_context(|| {
        format!("cannot read the suppressions file `{}`; correct or leave out --suppressions", path.display())
    })?;
    parse(&text).with_context(|| format!("in the suppressions file `{}`", path.display()))
}

fn parse(text: &str) -> Result<Vec<Suppression>> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(at, line)| parse_line(at, line))
        .collect()
}

fn parse_line(line: usize, text: &str) -> Result<Suppression> {
    let Some((kind, pattern)) = text.split_once(':') else {
        bail!("line {line}: `{text}` is not of the form `race:PATTERN`");
    };
    let rule = match kind.trim() {
        "race" => Rule::Race,
        "atomicity" => Rule::Atomicity,
        "deadlock" => Rule::Deadlock,
        other => bail!("line {line}: unknown kind `{other}`; the kinds are `race`, `atomicity` and `deadlock`"),
    };
    let pattern = pattern.trim();
    if pattern.is_empty() {
        bail!("line {line}: `{text}` has no pattern; write `race:*` to suppress everything");
    }
    Ok(Suppression { line, rule, pattern: Pattern::new(&stable(pattern)) })
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{access, conflict, field};
    use super::*;

    #[test]
    fn patterns_match_the_variable_and_either_stack() {
        let conflict = conflict(access("write", 10, 1, &[]), access("read", 20, 2, &[]));
        for (line, variable, frames) in [
            ("race:Account.balance", true, false),
            ("race:^bank.Account.read$", false, true),
            ("race:^bank.Account.write$", false, true),
            ("race:bank/Account.java", false, true),
            ("race:^Account", false, false),
            ("race:bank", true, true),
            ("race:$Proxy12", false, false),
        ] {
            let suppression = &parse(line).unwrap()[0];
            assert_eq!(suppression.matches_variable(Rule::Race, &field("balance")), variable, "{line}");
            assert_eq!(suppression.matches_conflict(Rule::Race, &conflict), frames, "{line}");
        }
    }

    #[test]
    fn a_generated_class_matches_next_time() {
        let mut conflict = conflict(access("write", 10, 1, &[]), access("read", 20, 2, &[]));
        conflict.current.stack[0].class = "bank/Main$$Lambda*".into();
        for line in ["race:Main$$Lambda$34.write", "race:Main$$Lambda*.write", "race:Main$$Lambda$*.write"] {
            assert!(parse(line).unwrap()[0].matches_conflict(Rule::Race, &conflict), "{line}");
        }
    }

    #[test]
    fn mistakes_carry_their_line() {
        assert_eq!(parse("# a comment\n\n  race: a.b.* \n").unwrap()[0].text(), "race:a.b.*");
        for (text, expected) in [
            ("\nrace", "line 2: `race` is not of the form `race:PATTERN`"),
            ("leak:x", "line 1: unknown kind `leak`; the kinds are `race`, `atomicity` and `deadlock`"),
            ("race:", "line 1: `race:` has no pattern; write `race:*` to suppress everything"),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), expected);
        }
    }
}
