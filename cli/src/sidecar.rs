//! The file of annotations for code that cannot be annotated: lines `NAME @Annotation("value")`, `#` before a comment.
//!
//! A name is that of a class, a field or a method (all that have the name), dotted, with `*` for any run of characters.

use std::path::Path;

use anyhow::{Result, bail};
use facts::name::dotted;
use facts::pattern::Pattern;
use static_typer::program::Program;

use crate::output::say;
use crate::statements;

/// Simple names, classes, and whether they say a lock.
const KNOWN: [(&str, &str, bool); 13] = [
    ("GuardedBy", "jrace/annotations/GuardedBy", true),
    ("Requires", "jrace/annotations/Requires", true),
    ("Holds", "jrace/annotations/Holds", true),
    ("LockParam", "jrace/annotations/LockParam", true),
    ("LockArgs", "jrace/annotations/LockArgs", true),
    ("ThreadLocal", "jrace/annotations/ThreadLocal", false),
    ("NoRace", NO_RACE, false),
    ("NoWarn", "jrace/annotations/NoWarn", false),
    ("Atomic", "jrace/annotations/Atomic", false),
    ("NotAtomic", "jrace/annotations/NotAtomic", false),
    ("Immutable", "net/jcip/annotations/Immutable", false),
    ("ThreadSafe", "net/jcip/annotations/ThreadSafe", false),
    ("NotThreadSafe", "net/jcip/annotations/NotThreadSafe", false),
];

/// No race is to be on these.
const NO_RACE: &str = "jrace/annotations/NoRace";

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

/// What a line names that says `@NoRace`, if it is such a line.
///
/// # Errors
/// It is no line of the file, or says something else.
pub fn norace(line: &str) -> Result<Pattern> {
    let Line { target, class, .. } = parse_line(line, "")?;
    if class != NO_RACE {
        bail!("`{line}` is for `jrace check --annotations`: of annotations, `jrace races` takes `@NoRace` only");
    }
    Ok(target)
}

fn parse_line(line: &str, at: &str) -> Result<Line> {
    let Some((target, annotation)) = line.split_once('@') else {
        bail!("`{line}` has no annotation: write `package.Class.field @GuardedBy(\"this\")`");
    };
    let (name, value) = annotation.split_once('(').unwrap_or((annotation, ""));
    let Some((_, class, takes_lock)) = KNOWN.iter().find(|(known, ..)| *known == name.trim()) else {
        let known = KNOWN.map(|(name, ..)| format!("@{name}")).join(", ");
        bail!("`@{}` is not known: write one of {known}", name.trim());
    };
    let value = value.trim().trim_end_matches(')').trim().trim_matches('"');
    if *takes_lock == value.is_empty() {
        let form = if *takes_lock { "names a lock: write" } else { "takes no value: write" };
        let example = if *takes_lock { format!("@{name}(\"this\")") } else { format!("@{}", name.trim()) };
        bail!("`@{}` {form} `{example}`", name.trim());
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
