//! The annotations file: what people know of a program and the analysis does not.
//!
//! One a line, with `#` comments: `local PATTERN` for fields and classes whose objects are used by one thread at a time
//! though several reach them, `benign PATTERN` for fields whose races do no harm, `unparallel METHOD METHOD` for methods that
//! threads begin with and that do not run in parallel. A pattern is a whole dotted name, with `*` for any run of characters;
//! elements of arrays and contents of containers go by their type, `int[]`.
//!
//! `PATTERN @NoRace` and `PATTERN @MayRace`, as in the file of `jrace check`, say what `--only-norace` and `--except-mayrace` ask about,
//! `METHOD @AliasSets("a, b")` which parameters may be one object.
//!
//! In the code, `@ThreadLocal` on a class says that it is local, `@NoWarn` on a field or its class that it is benign.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Result, bail};
use facts::name::dotted;
use facts::pattern::Pattern;
use static_typer::program::{MethodId, Program};
use static_typer::types::{ALIAS_SETS, Claim as ClassClaim, Qualifier, claim as claim_of, is_field_silenced};

use super::report::{LeftOut, RaceView, Report, VariableRaces};
use crate::sidecar::{self, ForRaces};
use crate::statements;

/// The annotations of a file and of the code.
#[derive(Clone, Default, Debug)]
pub struct Annotations {
    lines: Vec<Annotation>,
    /// They are for other commands too, and may have nothing to leave out here.
    in_code: Vec<Annotation>,
}

/// One line.
#[derive(Clone, Debug)]
struct Annotation {
    /// `races.txt:3: local bank.Account`, or `@ThreadLocal on bank.Account`.
    text: String,
    claim: Claim,
}

#[derive(Clone, Debug)]
enum Claim {
    Local(Pattern),
    Benign(Pattern),
    Unparallel([Pattern; 2]),
    /// It leaves out nothing unless that is asked for.
    Qualified(Pattern, Qualifier),
    /// It leaves out nothing, but is checked.
    AliasSets(Pattern, String),
}

impl Annotations {
    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, or a line is no annotation.
    pub fn read(path: &Path) -> Result<Self> {
        Ok(Self { lines: statements::read(path, parse_line)?, in_code: Vec::new() })
    }

    /// Adds those of the code.
    pub fn add_code(&mut self, program: &Program) {
        let annotation = |kind: &str, name: &str, claim: fn(Pattern) -> Claim| {
            let name = dotted(name);
            Annotation { text: format!("@{kind} on {name}"), claim: claim(Pattern::whole(&name)) }
        };
        for class in program.application() {
            if claim_of(program, class) == Some(ClassClaim::ThreadLocal) {
                self.in_code.push(annotation("ThreadLocal", &program.class_name(class), Claim::Local));
            }
            let fields = program.fields_of(class).filter(|field| is_field_silenced(program, *field));
            self.in_code.extend(fields.map(|field| annotation("NoWarn", &program.field_name(field), Claim::Benign)));
        }
    }

    /// The pairs of methods that do not run in parallel.
    pub fn unparallel(&self) -> Vec<[Pattern; 2]> {
        self.unparallel_lines().map(|(_, names)| names.clone()).collect()
    }

    fn unparallel_lines(&self) -> impl Iterator<Item = (&Annotation, &[Pattern; 2])> {
        self.lines.iter().filter_map(|line| match &line.claim {
            Claim::Unparallel(names) => Some((line, names)),
            _ => None,
        })
    }

    /// What the last line of the file that fits one of the names says of races on it.
    pub fn qualifier(&self, names: &[&str]) -> Option<Qualifier> {
        self.lines.iter().rev().find_map(|line| match &line.claim {
            Claim::Qualified(pattern, said) => names.iter().any(|name| pattern.matches(name)).then_some(*said),
            _ => None,
        })
    }

    /// Tells a program which parameters may be one object; a line is for those methods of the name that have so many. What fits none is
    /// returned.
    pub fn tell_alias_sets(&self, program: &mut Program) -> Vec<&str> {
        let mut unmatched = Vec::new();
        for line in &self.lines {
            let Claim::AliasSets(pattern, sets) = &line.claim else { continue };
            let is_meant = |method: &MethodId| {
                let n_parameters = program.signature(*method).parameters.len();
                n_parameters == sets.split(',').count() && pattern.matches(&dotted(&name_of(program, *method)))
            };
            let all = program.application().flat_map(|class| program.methods_of(class));
            let methods: Vec<MethodId> = all.filter(is_meant).collect();
            methods.iter().for_each(|method| program.annotate_method(*method, ALIAS_SETS, sets));
            unmatched.extend(methods.is_empty().then_some(line.text.as_str()));
        }
        unmatched
    }

    /// Whether it says which parameters may be one object.
    pub fn has_alias_sets(&self) -> bool {
        self.lines.iter().any(|line| matches!(line.claim, Claim::AliasSets(..)))
    }

    /// Leaves races out of a report, and notes which annotations did so; `apart` are the variables of races that are left out
    /// already, each with the numbers of the pairs in [`Self::unparallel`] that do so.
    pub fn apply(&self, report: &mut Report, apart: &[(BTreeSet<usize>, String)]) {
        let mut left_out = BTreeSet::new();
        for (number, (line, _)) in self.unparallel_lines().enumerate() {
            let variables = apart.iter().filter(|(numbers, _)| numbers.contains(&number));
            left_out.extend(variables.map(|(_, name)| LeftOut { variable: name.clone(), by: line.text.clone() }));
        }
        for variable in &mut report.variables {
            let name = variable.variable.clone();
            let note = |annotation: &Annotation| LeftOut { variable: name.clone(), by: annotation.text.clone() };
            left_out.extend(self.leave_out(variable).into_iter().map(note));
        }
        report.variables.retain(|variable| !variable.races.is_empty());
        let leaves_out =
            |annotation: &Annotation| !matches!(annotation.claim, Claim::Qualified(..) | Claim::AliasSets(..));
        let is_unmatched = |annotation: &&Annotation| {
            leaves_out(annotation) && !left_out.iter().any(|left_out| left_out.by == annotation.text)
        };
        report.unmatched_annotations = self.lines.iter().filter(is_unmatched).map(|one| one.text.clone()).collect();
        report.left_out = left_out.into_iter().collect();
        report.sort();
    }

    /// Every annotation that leaves out a race of a variable.
    fn leave_out(&self, variable: &mut VariableRaces) -> Vec<&Annotation> {
        let name = variable.name.clone();
        let all = || self.lines.iter().chain(&self.in_code);
        let matching = |race: &RaceView| all().filter(|one| one.claim.matches(&name, race)).collect::<Vec<_>>();
        let used: Vec<&Annotation> = variable.races.iter().flat_map(&matching).collect();
        variable.races.retain(|race| matching(race).is_empty());
        variable.pairs = variable.races.iter().map(|race| race.pairs).sum();
        used
    }
}

impl Claim {
    fn matches(&self, name: &str, race: &RaceView) -> bool {
        match self {
            // The search has done so.
            Self::Unparallel(_) | Self::Qualified(..) | Self::AliasSets(..) => false,
            Self::Benign(pattern) => pattern.matches(name),
            Self::Local(pattern) => {
                let are_local = !race.types.is_empty() && race.types.iter().all(|ty| pattern.matches(ty));
                pattern.matches(name) || are_local
            }
        }
    }
}

/// `bank/Account.deposit`.
fn name_of(program: &Program, method: MethodId) -> String {
    let data = program.method(method);
    format!("{}.{}", program.class_name(data.class), program.names().text(data.name))
}

fn parse_line(line: &str, at: &str) -> Result<Annotation> {
    Ok(Annotation { text: format!("{at}: {line}"), claim: claim(line)? })
}

fn claim(line: &str) -> Result<Claim> {
    if line.contains('@') {
        return Ok(match sidecar::for_races(line)? {
            ForRaces::Qualified(pattern, said) => Claim::Qualified(pattern, said),
            ForRaces::AliasSets(pattern, sets) => Claim::AliasSets(pattern, sets),
        });
    }
    let mut words = line.split_whitespace();
    let (kind, patterns) = (words.next().unwrap_or_default(), words.collect::<Vec<_>>());
    match (kind, &patterns[..]) {
        ("local", [pattern]) => Ok(Claim::Local(Pattern::whole(pattern))),
        ("benign", [pattern]) => Ok(Claim::Benign(Pattern::whole(pattern))),
        ("unparallel", [first, second]) => Ok(Claim::Unparallel([first, second].map(|name| Pattern::whole(name)))),
        ("local" | "benign", _) => {
            bail!("`{line}` is not of the form `{kind} PATTERN`: write `{kind} package.Class.field`")
        }
        ("unparallel", _) => bail!(
            "`{line}` is not of the form `unparallel METHOD METHOD`: write `unparallel package.Class.method package.Class.method`"
        ),
        _ => bail!(
            "`{kind}` is no annotation: write `local PATTERN`, `benign PATTERN` or `unparallel METHOD METHOD`, and `#` before a comment"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::report;
    use super::*;

    fn parse(text: &str) -> Result<Annotations> {
        let lines = statements::parse_all(text, "notes", parse_line)?;
        Ok(Annotations { lines, in_code: Vec::new() })
    }

    fn after(text: &str) -> Report {
        let mut report = report();
        let apart = [([0].into(), "bank.Bank.rate (int)".to_owned())];
        parse(text).unwrap().apply(&mut report, &apart);
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
    fn methods_that_the_search_kept_apart_are_noted() {
        let report = after("unparallel bank.Bank.open bank.Bank.*\nunparallel a.B.c a.B.c");
        let by = "notes:1: unparallel bank.Bank.open bank.Bank.*".to_owned();
        assert_eq!(report.left_out, [LeftOut { variable: "bank.Bank.rate (int)".into(), by }]);
        assert_eq!(report.unmatched_annotations, ["notes:2: unparallel a.B.c a.B.c"]);
    }

    #[test]
    fn mistakes_carry_their_place() {
        for (text, expected) in [
            (
                "\nfinal x",
                "notes:2: `final` is no annotation: write `local PATTERN`, `benign PATTERN` or `unparallel METHOD METHOD`, and \
                 `#` before a comment",
            ),
            ("local", "notes:1: `local` is not of the form `local PATTERN`: write `local package.Class.field`"),
            (
                "unparallel a",
                "notes:1: `unparallel a` is not of the form `unparallel METHOD METHOD`: write `unparallel package.Class.method \
                 package.Class.method`",
            ),
        ] {
            assert_eq!(format!("{:#}", parse(text).unwrap_err()), expected);
        }
    }
}
