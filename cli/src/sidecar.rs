//! The file of annotations for code that cannot be annotated: lines `NAME @Annotation("value")`, `#` before a comment.
//!
//! A name is that of a class, a field or a method (all that have the name), dotted, with `*` for any run of characters.

use std::path::Path;

use anyhow::{Result, bail};
use facts::name::dotted;
use facts::pattern::Pattern;
use static_typer::program::Program;
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

/// Simple names, classes, and what they say.
const KNOWN: [(&str, &str, Value); 15] = [
    ("GuardedBy", "jrace/annotations/GuardedBy", Value::Lock),
    ("Requires", "jrace/annotations/Requires", Value::Lock),
    ("Holds", "jrace/annotations/Holds", Value::Lock),
    ("LockParam", "jrace/annotations/LockParam", Value::Lock),
    ("LockArgs", "jrace/annotations/LockArgs", Value::Lock),
    ("ThreadLocal", "jrace/annotations/ThreadLocal", Value::None),
    ("NoRace", "jrace/annotations/NoRace", Value::None),
    ("MayRace", "jrace/annotations/MayRace", Value::None),
    ("NoWarn", "jrace/annotations/NoWarn", Value::None),
    ("AliasSets", ALIAS_SETS, Value::Sets),
    ("Atomic", "jrace/annotations/Atomic", Value::None),
    ("NotAtomic", "jrace/annotations/NotAtomic", Value::None),
    ("Immutable", "net/jcip/annotations/Immutable", Value::None),
    ("ThreadSafe", "net/jcip/annotations/ThreadSafe", Value::None),
    ("NotThreadSafe", "net/jcip/annotations/NotThreadSafe", Value::None),
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
            let found = program.annotate(|name| line.target.matches(&dotted(name)), line.class, line.value.as_deref());
            if found == 0 {
                say(&format!("{}: no class, field or method has this name", line.text));
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
    let (name, value) = annotation.split_once('(').unwrap_or((annotation, ""));
    let Some((_, class, said)) = KNOWN.iter().find(|(known, ..)| *known == name.trim()) else {
        let known = KNOWN.map(|(name, ..)| format!("@{name}")).join(", ");
        bail!("`@{}` is not known: write one of {known}", name.trim());
    };
    let value = value.trim().trim_end_matches(')').trim().trim_matches('"');
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
    Ok(Line { text: format!("{at}: {line}"), target: Pattern::whole(target), class, value })
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
    }
}
