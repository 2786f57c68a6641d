//! Suppressions: findings that somebody has looked at and that do not count.
//!
//! In a file of its own: one `race:PATTERN`, `atomicity:PATTERN` or `deadlock:PATTERN` a line, `#` comments, blank lines. In
//! `jrace.toml`, tables with a reason, and the last day on which they hold if there is to be one:
//!
//! ```toml
//! [[suppress]]
//! race = "bank.Statistics.*"
//! reason = "a lost update does no harm"
//! expires = 2027-01-31
//! ```
//!
//! A pattern (see [`facts::pattern`]) is tried on the variable's name (`bank.Account.balance`), on every frame of either
//! stack (`bank.Account.deposit`), and on the frame's source file (`bank/Account.java`). On the variable it suppresses the
//! finding; on a frame it suppresses that conflict, and the finding once all its conflicts are. Of a hazard, the code takes
//! the place of the variable (`bank.Account.transfer`), and scenarios that of conflicts.
//!
//! In the place of `race`, `atomicity` or `deadlock`, a table has `package`, for what code of a library does: all accesses of a
//! conflict are made in the package or below it (of an access whose stack was not kept, the variable is declared there). Or it has
//! `annotation`, see [`super::annotated`].

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use facts::finding::{Conflict, Rule, Scenario, Subject, Variable};
use facts::pattern::Pattern;
use facts::site::Place;

use super::annotated::Annotated;
use super::dates::Date;
use super::frames::is_folded;
use super::generated::stable;
use super::words;

/// The members of a table that say what is suppressed.
const KINDS: [&str; 5] = ["race", "atomicity", "deadlock", "package", "annotation"];

/// One suppression.
#[derive(Clone, PartialEq, Debug)]
pub struct Suppression {
    /// Where it stands: `line 3`, `jrace.toml`.
    pub at: String,
    /// What it matches.
    pub what: What,
    /// Why.
    pub reason: Option<String>,
    /// The last day on which it holds.
    pub expires: Option<Date>,
}

/// What is suppressed.
#[derive(Clone, PartialEq, Debug)]
pub enum What {
    /// Findings of a rule.
    Rule(Rule, Pattern),
    /// What code of a package does: `org/apache/logging/`.
    Package(String),
    /// What has an annotation.
    Annotated(Annotated),
}

impl Suppression {
    /// Whether it does not hold any more.
    pub fn is_over(&self, today: Date) -> bool {
        self.expires.is_some_and(|last| last < today)
    }

    /// Whether it matches what has this name, whatever is found there.
    pub fn matches_named(&self, rule: Rule, name: &str) -> bool {
        match &self.what {
            What::Rule(own, pattern) => *own == rule && pattern.matches(name),
            What::Package(_) => false,
            What::Annotated(annotated) => annotated.has_named(name),
        }
    }

    /// Whether it matches the variable, whatever its conflicts are.
    pub fn matches_variable(&self, rule: Rule, variable: &Variable) -> bool {
        match &self.what {
            What::Rule(own, pattern) => *own == rule && pattern.matches(&words::variable_name(variable)),
            What::Package(_) => false,
            What::Annotated(annotated) => annotated.has_variable(variable),
        }
    }

    /// Whether it matches a frame of either access.
    pub fn matches_conflict(&self, rule: Rule, variable: &Variable, conflict: &Conflict) -> bool {
        let of_variable = words::variable_name(variable).replace('.', "/");
        let accesses = [&conflict.current, &conflict.previous];
        self.matches_stacks(rule, &of_variable, accesses.into_iter().map(|access| &access.stack[..]))
    }

    /// Whether it matches accesses that belong together, by a frame of any; of a stack that was not kept, the class of `owner` counts.
    pub fn matches_stacks<'p>(&self, rule: Rule, owner: &str, mut stacks: impl Iterator<Item = &'p [Place]>) -> bool {
        match &self.what {
            What::Rule(own, pattern) => *own == rule && stacks.flatten().any(|place| matches_frame(pattern, place)),
            What::Package(package) => stacks.all(|stack| maker(stack).unwrap_or(owner).starts_with(package.as_str())),
            What::Annotated(annotated) => stacks.any(|stack| annotated.has_code(stack)),
        }
    }

    /// Whether it matches the name of the code.
    pub fn matches_subject(&self, rule: Rule, subject: &Subject) -> bool {
        match &self.what {
            What::Rule(own, pattern) => *own == rule && pattern.matches(&words::subject_name(subject)),
            What::Package(_) => false,
            What::Annotated(annotated) => annotated.has_subject(subject),
        }
    }

    /// Whether it matches a frame of any step.
    pub fn matches_scenario(&self, rule: Rule, scenario: &Scenario) -> bool {
        self.matches_stacks(rule, "", scenario.steps.iter().map(|step| &step.access.stack[..]))
    }

    /// As it was written.
    pub fn text(&self) -> String {
        match &self.what {
            What::Rule(rule, pattern) => format!("{}:{}", words::rule(*rule), pattern.source()),
            What::Package(package) => format!("package:{}", package.trim_end_matches('/').replace('/', ".")),
            What::Annotated(annotated) => format!("annotation:{}", annotated.name()),
        }
    }
}

fn matches_frame(pattern: &Pattern, place: &Place) -> bool {
    pattern.matches(&words::function(place)) || words::source_file(place).is_some_and(|file| pattern.matches(&file))
}

/// The class whose code makes an access, by itself or by a call of the JDK.
fn maker(stack: &[Place]) -> Option<&str> {
    let place = stack.iter().find(|place| !is_folded(place)).or(stack.first())?;
    Some(&place.class)
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
    let Some(rule) = rule(kind.trim()) else {
        bail!("line {line}: unknown kind `{}`; the kinds are `race`, `atomicity` and `deadlock`", kind.trim());
    };
    let pattern = pattern.trim();
    if pattern.is_empty() {
        bail!("line {line}: `{text}` has no pattern; write `race:*` to suppress everything");
    }
    let what = What::Rule(rule, Pattern::new(&stable(pattern)));
    Ok(Suppression { at: format!("line {line}"), what, reason: None, expires: None })
}

fn rule(name: &str) -> Option<Rule> {
    [Rule::Race, Rule::Atomicity, Rule::Deadlock].into_iter().find(|rule| words::rule(*rule) == name)
}

/// The tables `suppress` of a configuration file of this name, which lies in the directory.
///
/// # Errors
/// What is no such table, and what it lacks.
pub fn of_tables(value: &toml::Value, name: &str, directory: &Path) -> Result<Vec<Suppression>> {
    let tables = value.as_array().filter(|items| items.iter().all(toml::Value::is_table));
    let tables = tables
        .with_context(|| format!("in {name}: `suppress` is no table: write `[[suppress]]`, and what below it"))?;
    let tables = tables.iter().filter_map(toml::Value::as_table).enumerate();
    tables
        .map(|(at, table)| {
            let suppression = of_table(table, name, directory);
            suppression.with_context(|| format!("in {name}: table {} of `suppress`", at + 1))
        })
        .collect()
}

fn of_table(table: &toml::Table, name: &str, directory: &Path) -> Result<Suppression> {
    let is_known = |member: &str| KINDS.contains(&member) || ["reason", "expires", "classes"].contains(&member);
    if let Some(member) = table.keys().find(|member| !is_known(member)) {
        bail!("unknown member `{member}`; it has `reason`, `expires`, and one of `{}`", KINDS.join("`, `"));
    }
    let kinds: Vec<&str> = KINDS.into_iter().filter(|kind| table.contains_key(*kind)).collect();
    let [kind] = kinds[..] else {
        bail!("it needs one of `{}`, and no more", KINDS.join("`, `"));
    };
    let named = text(table, kind)?.with_context(|| format!("`{kind}` is empty: write `{kind} = \"com.acme.*\"`"))?;
    ensure!(kind == "annotation" || !table.contains_key("classes"), "`classes` is for `annotation` only");
    let reason = text(table, "reason")?.context("it has no reason: write `reason = \"why this does no harm\"`")?;
    let expires = table.get("expires").map(expiry).transpose()?;
    let what = match (rule(kind), kind) {
        (Some(rule), _) => What::Rule(rule, Pattern::new(&stable(&named))),
        (None, "package") => What::Package(format!("{}/", named.trim_end_matches(".*").replace('.', "/"))),
        _ => What::Annotated(Annotated::read(&named, table.get("classes"), directory)?),
    };
    Ok(Suppression { at: name.to_owned(), what, reason: Some(reason), expires })
}

/// A string that is not empty.
fn text(table: &toml::Table, member: &str) -> Result<Option<String>> {
    let Some(value) = table.get(member) else { return Ok(None) };
    let text = value.as_str().with_context(|| format!("`{member}` is no text: write `{member} = \"…\"`"))?;
    Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty()))
}

fn expiry(value: &toml::Value) -> Result<Date> {
    let date = value.as_datetime().and_then(|time| time.date.filter(|_| time.time.is_none()));
    let date = date.context("`expires` is no day: write `expires = 2027-01-31`")?;
    Ok(Date::new(date.year.into(), date.month, date.day))
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{access, conflict, field, place};
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
            assert_eq!(suppression.matches_conflict(Rule::Race, &field("x"), &conflict), frames, "{line}");
        }
    }

    #[test]
    fn a_generated_class_matches_next_time() {
        let mut conflict = conflict(access("write", 10, 1, &[]), access("read", 20, 2, &[]));
        conflict.current.stack[0].class = "bank/Main$$Lambda*".into();
        for line in ["race:Main$$Lambda$34.write", "race:Main$$Lambda*.write", "race:Main$$Lambda$*.write"] {
            assert!(parse(line).unwrap()[0].matches_conflict(Rule::Race, &field("x"), &conflict), "{line}");
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

    fn tables(text: &str) -> Result<Vec<Suppression>> {
        of_tables(&text.parse::<toml::Table>().unwrap()["suppress"], "jrace.toml", Path::new("."))
    }

    #[test]
    fn tables_have_a_reason_and_an_end() {
        let text = "[[suppress]]\nrace = 'a.B.*'\nreason = 'counts only'\nexpires = 2027-01-31\n[[suppress]]\npackage = 'org.x'\nreason = 'theirs'";
        let read = tables(text).unwrap();
        let told = read.iter().map(|one| (one.text(), one.reason.clone().unwrap()));
        assert_eq!(
            Vec::from_iter(told),
            [("race:a.B.*".into(), "counts only".into()), ("package:org.x".into(), "theirs".to_owned())]
        );
        let over = |year, month, day| read[0].is_over(Date::new(year, month, day));
        assert_eq!(
            [over(2027, 1, 30), over(2027, 1, 31), over(2027, 2, 1), over(2026, 12, 31)],
            [false, false, true, false]
        );
        assert!(!read[1].is_over(Date::new(9999, 1, 1)));
    }

    #[test]
    fn mistakes_in_tables_say_what_to_write() {
        for (text, expected) in [
            ("suppress = 'a'", "in jrace.toml: `suppress` is no table: write `[[suppress]]`, and what below it"),
            ("[[suppress]]\nrace = 'a'", "it has no reason: write `reason = \"why this does no harm\"`"),
            (
                "[[suppress]]\nreason = 'a'",
                "it needs one of `race`, `atomicity`, `deadlock`, `package`, `annotation`, and no more",
            ),
            (
                "[[suppress]]\nrace = 'a'\npackage = 'b'\nreason = 'c'",
                "it needs one of `race`, `atomicity`, `deadlock`, `package`, `annotation`, and no more",
            ),
            ("[[suppress]]\nrace = ''\nreason = 'c'", "`race` is empty: write `race = \"com.acme.*\"`"),
            ("[[suppress]]\nrace = 1\nreason = 'c'", "`race` is no text: write `race = \"…\"`"),
            (
                "[[suppress]]\nrace = 'a'\nreason = 'c'\nexpires = '2027'",
                "`expires` is no day: write `expires = 2027-01-31`",
            ),
            (
                "[[suppress]]\nrace = 'a'\nreason = 'c'\nexpries = 2027-01-31",
                "unknown member `expries`; it has `reason`, `expires`, and one of `race`, `atomicity`, `deadlock`, `package`, `annotation`",
            ),
        ] {
            let error = tables(text).unwrap_err();
            assert_eq!(error.root_cause().to_string(), expected);
            assert!(format!("{error:#}").starts_with("in jrace.toml: "), "{error:#}");
        }
    }

    #[test]
    fn a_package_is_of_the_code_that_makes_both_accesses() {
        let suppression = &tables("[[suppress]]\npackage = 'bank'\nreason = 'x'").unwrap()[0];
        let at = |classes: &[&str]| {
            let mut access = access("write", 10, 1, &[]);
            access.stack = classes.iter().map(|class| place(class, "m", 1)).collect();
            access
        };
        let (ours, theirs) = (at(&["app/Main"]), at(&["bank/inner/Account", "app/Main"]));
        let by_jdk = at(&["java/util/HashMap", "bank/Account"]);
        for (pair, expected) in [
            ((&theirs, &by_jdk), true),
            ((&theirs, &theirs), true),
            ((&theirs, &ours), false),
            ((&theirs, &at(&["bankrupt/A"])), false),
            ((&theirs, &at(&[])), true),
        ] {
            let conflict = conflict(pair.0.clone(), pair.1.clone());
            assert_eq!(suppression.matches_conflict(Rule::Race, &field("x"), &conflict), expected, "{conflict:?}");
        }
        let elsewhere = Variable::Static { class: "app/A".into(), name: "x".into(), descriptor: "I".into() };
        assert!(!suppression.matches_conflict(Rule::Race, &elsewhere, &conflict(theirs, at(&[]))));
    }
}
