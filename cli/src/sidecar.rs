//! The file of annotations for code that cannot be annotated: lines `NAME @Annotation("value")`, `#` before a comment.
//!
//! A name is that of a class, a field or a method (all that have the name), dotted, with `*` for any run of characters.

use std::path::Path;

use anyhow::{Result, bail};
use facts::name::dotted;
use facts::pattern::Pattern;
use static_typer::program::{On, Program};
use static_typer::types::{ALIAS_SETS, Qualifier};

use crate::output::say;
use crate::statements;

/// What an annotation says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    None,
    Lock,
    Sets,
}

const CLASSES: &[On] = &[On::Class];
const FIELDS: &[On] = &[On::Field];
const METHODS: &[On] = &[On::Method];
const CODE: &[On] = &[On::Class, On::Method];
const ALL: &[On] = &[On::Class, On::Field, On::Method];

/// Simple names, classes, what they say, and of what.
const KNOWN: [(&str, &str, Value, &[On]); 15] = [
    ("GuardedBy", "jrace/annotations/GuardedBy", Value::Lock, ALL),
    ("Requires", "jrace/annotations/Requires", Value::Lock, METHODS),
    ("Holds", "jrace/annotations/Holds", Value::Lock, METHODS),
    ("LockParam", "jrace/annotations/LockParam", Value::Lock, CLASSES),
    ("LockArgs", "jrace/annotations/LockArgs", Value::Lock, FIELDS),
    ("ThreadLocal", "jrace/annotations/ThreadLocal", Value::None, CLASSES),
    ("NoRace", "jrace/annotations/NoRace", Value::None, ALL),
    ("MayRace", "jrace/annotations/MayRace", Value::None, ALL),
    ("NoWarn", "jrace/annotations/NoWarn", Value::None, ALL),
    ("AliasSets", ALIAS_SETS, Value::Sets, METHODS),
    ("Atomic", "jrace/annotations/Atomic", Value::None, CODE),
    ("NotAtomic", "jrace/annotations/NotAtomic", Value::None, CODE),
    ("Immutable", "net/jcip/annotations/Immutable", Value::None, CLASSES),
    ("ThreadSafe", "net/jcip/annotations/ThreadSafe", Value::None, CLASSES),
    ("NotThreadSafe", "net/jcip/annotations/NotThreadSafe", Value::None, CLASSES),
];

/// The annotations of a file.
#[derive(Debug)]
pub struct Sidecar(Vec<Line>);

#[derive(Debug)]
struct Line {
    /// `locks.txt:3: bank.Account.balance @GuardedBy("this")`.
    text: String,
    target: Pattern,
    class: &'static str,
    value: Option<String>,
    on: &'static [On],
}

impl Sidecar {
    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, or a line is no annotation.
    pub fn read(path: &Path) -> Result<Self> {
        statements::read(path, parse_line).map(Self)
    }

    /// Adds the annotations to a program; says which of them fit nothing.
    pub fn apply(&self, program: &mut Program) {
        for line in &self.0 {
            let matches = |name: &str| line.target.matches(&dotted(name));
            if program.annotate(matches, line.on, line.class, line.value.as_deref()) == 0 {
                say(&format!("{}: no {} has this name", line.text, kinds(line.on)));
            }
        }
    }
}

/// What of a line is for `jrace races`.
pub enum ForRaces {
    /// What is said of races on what.
    Qualified(Pattern, Qualifier),
    /// Which parameters of which methods may be one object.
    AliasSets(Pattern, String),
}

/// What a line says to `jrace races`.
///
/// # Errors
/// It is no line of the file, or says nothing to it.
pub fn for_races(line: &str) -> Result<ForRaces> {
    let Line { target, class, value, .. } = parse_line(line, "")?;
    match (Qualifier::of_annotation(class), value) {
        (Some(qualifier), _) => Ok(ForRaces::Qualified(target, qualifier)),
        (None, Some(sets)) if class == ALIAS_SETS => Ok(ForRaces::AliasSets(target, sets)),
        _ => bail!(
            "`{line}` is for `jrace check --annotations`: of annotations, `jrace races` takes `@NoRace`, `@MayRace` and `@AliasSets` only"
        ),
    }
}

fn parse_line(line: &str, at: &str) -> Result<Line> {
    let Some((target, annotation)) = line.split_once('@') else {
        bail!("`{line}` has no annotation: write `package.Class.field @GuardedBy(\"this\")`");
    };
    let (name, value) = annotation.split_once('(').unwrap_or((annotation, ")"));
    let Some((_, class, said, on)) = KNOWN.iter().find(|(known, ..)| *known == name.trim()) else {
        let known = KNOWN.map(|(name, ..)| format!("@{name}")).join(", ");
        bail!("`@{}` is not known: write one of {known}", name.trim());
    };
    let Some(value) = value_of(value) else {
        bail!("`({value}` is no value: write `@{}(\"this\")`", name.trim());
    };
    if (*said == Value::None) != value.is_empty() {
        let name = name.trim();
        match said {
            Value::None => bail!("`@{name}` takes no value: write `@{name}`"),
            Value::Lock => bail!("`@{name}` names a lock: write `@{name}(\"this\")`"),
            Value::Sets => bail!("`@{name}` has a name for each parameter: write `@{name}(\"from, to\")`"),
        }
    }
    let target = target.trim();
    if target.is_empty() || target.contains(char::is_whitespace) {
        bail!("`{target}` is no name: write `package.Class`, `package.Class.field` or `package.Class.method`");
    }
    let value = Some(value.to_owned()).filter(|value| !value.is_empty());
    Ok(Line { text: format!("{at}: {line}"), target: Pattern::whole(target), class, value, on })
}

/// What stands within the parentheses, with quotes or without.
fn value_of(rest: &str) -> Option<&str> {
    let inner = rest.trim().strip_suffix(')')?.trim();
    let value = inner.strip_prefix('"').map_or(Some(inner), |quoted| quoted.strip_suffix('"'))?;
    (!value.contains(['"', '(', ')'])).then_some(value)
}

fn kinds(on: &[On]) -> &'static str {
    match on {
        [On::Class] => "class",
        [On::Field] => "field",
        [On::Method] => "method",
        [_, _] => "class or method",
        _ => "class, field or method",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_a_name_and_an_annotation() {
        let lines =
            statements::parse_all("# locks\na.B.f @GuardedBy(\"this.lock\")\n\na.C @NoWarn # by hand", "f", parse_line)
                .unwrap();
        let read: Vec<_> = lines.iter().map(|line| (line.target.source(), line.class, line.value.as_deref())).collect();
        let guarded = ("a.B.f", "jrace/annotations/GuardedBy", Some("this.lock"));
        assert_eq!(read, [guarded, ("a.C", "jrace/annotations/NoWarn", None)]);
    }

    #[test]
    fn wrong_lines_say_what_to_write() {
        let wrong = |text: &str| format!("{:#}", statements::parse_all(text, "f", parse_line).unwrap_err());
        assert_eq!(
            wrong("\na.B.f"),
            "f:2: `a.B.f` has no annotation: write `package.Class.field @GuardedBy(\"this\")`"
        );
        assert!(
            wrong("a.B.f @Guarded").starts_with("f:1: `@Guarded` is not known: write one of @GuardedBy, @Requires")
        );
        assert_eq!(wrong("a.B.f @GuardedBy"), "f:1: `@GuardedBy` names a lock: write `@GuardedBy(\"this\")`");
        assert_eq!(wrong("a.B @NoWarn(\"x\")"), "f:1: `@NoWarn` takes no value: write `@NoWarn`");
        assert!(wrong("a b @NoWarn").starts_with("f:1: `a b` is no name"));
        let no_value =
            |text: &str| assert!(wrong(text).contains("` is no value: write `@GuardedBy(\"this\")`"), "{text}");
        no_value("a.B.f @GuardedBy(\"lock\") @NoWarn");
        no_value("a.B.f @GuardedBy(\"this");
        no_value("a.B.f @GuardedBy(\"this)");
        no_value("a.B.f @GuardedBy(this\")");
    }
}
