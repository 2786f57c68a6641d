//! `jrace check --types LOG`: where the code does not keep to the owners that runs have shown.

use std::path::PathBuf;

use anyhow::Result;
use facts::name::{dotted, printable};
use facts::type_log::{MethodUse, Observed, Owner, TypeLog};
use static_typer::program::FieldId;
use static_typer::types::{Agreement, Breach, Conformance, RunnerUp, TypeError};

use super::report::{Error, ObservedCounts, Substitute};
use super::rules;
use crate::analysis::Analysis;
use crate::commands::discover;
use crate::output::say;
use crate::report::owners::lock_words;
use crate::report::words::count;

/// The logs, merged; `None` without any.
///
/// # Errors
/// One cannot be read.
pub fn read(paths: &[PathBuf]) -> Result<Option<TypeLog>> {
    let mut merged: Option<TypeLog> = None;
    for path in paths {
        let log = discover::read(path)?;
        merged = Some(merged.unwrap_or_default().merge(log));
    }
    Ok(merged)
}

/// What runs have shown of an analysed application.
pub struct Observations<'a> {
    analysis: &'a Analysis,
    conformance: Conformance,
    /// Calls without the lock that callers held in runs.
    unheld: Vec<(TypeError, MethodUse)>,
}

impl<'a> Observations<'a> {
    /// Holds the application to a log, and names the classes that are not those of the log.
    pub fn of(analysis: &'a Analysis, log: TypeLog, unheld: Vec<(TypeError, MethodUse)>) -> Self {
        let Analysis { program, bodies, types, .. } = analysis;
        let conformance = Conformance::of(program, bodies, &types.fields, log);
        if let Some((first, others)) = conformance.changed.split_first() {
            let others = match others.len() {
                0 => String::new(),
                number => format!(" and {}", count_of(number as u64, "other class")),
            };
            let first = dotted(first);
            say(&format!(
                "the type log is of another version of {first}{others}, so what it says of them is not used: run \
                 `jrace discover` again"
            ));
        }
        Self { analysis, conformance, unheld }
    }

    /// Whether an error is about this field, or a runner-up was taken for its owner.
    pub fn is_told(&self, field: FieldId) -> bool {
        let Conformance { breaches, runners_up, .. } = &self.conformance;
        breaches.iter().any(|breach| breach.field == field) || runners_up.iter().any(|taken| taken.field == field)
    }

    /// The type errors.
    pub fn errors(&self) -> Vec<Error<'static>> {
        let breaches = self.conformance.breaches.iter().map(|breach| self.error(breach));
        breaches.chain(self.unheld.iter().map(|(error, seen)| self.unheld(error, *seen))).collect()
    }

    fn unheld(&self, error: &TypeError, seen: MethodUse) -> Error<'static> {
        let accesses = count_of(seen.accesses, "access");
        let observed =
            Some(format!("observed: callers held `this` at all its {accesses} to fields of a shared object"));
        let what = "is called without `this`, which callers held in runs".to_owned();
        Error { what, observed, ..self.analysis.error(error) }
    }

    fn error(&self, breach: &Breach) -> Error<'static> {
        let Breach { field, access, lock, refuted } = breach;
        let name = dotted(&self.analysis.program.field_name(*field));
        let lock = lock.as_ref().map(|lock| self.analysis.guard(lock));
        let done = if access.write { "written" } else { "read" };
        let (rule, what) = match &lock {
            Some(lock) => ("unguarded-access", format!("is {done} without `{lock}`")),
            None => (rules::READ_ONLY_WRITE, "is written, where runs only read it once it was shared".to_owned()),
        };
        let place = Some(self.analysis.place(access.method, access.value));
        let observed = self.conformance.observed.get(field).map(|observed| self.derivations(observed, refuted));
        Error { rule, name, what, place, lock, observed, ..Error::default() }
    }

    /// Where the owner came from, and what became of the runners-up: a line each, whatever names are in it.
    fn derivations(&self, observed: &Observed, refuted: &[(Owner, usize)]) -> String {
        let derivation = |owner: &Owner| printable(&derivation(observed, owner));
        let first = observed.owner().map(|owner| derivation(&owner)).unwrap_or_default();
        let others = refuted.iter().map(|(owner, breaches)| {
            let breaches = count_of(*breaches as u64, "access");
            format!("\n  or: {}, not held at {breaches} in code that did not run", derivation(owner))
        });
        format!("observed: {first}{}", others.collect::<String>())
    }

    /// How the log and the proofs compare.
    pub fn counts(&self) -> ObservedCounts {
        let Agreement { same, other, only_proved, only_observed } = self.conformance.agreement;
        let substitutes = self.conformance.runners_up.iter().map(|taken| self.substitute(taken)).collect();
        ObservedCounts { fields: self.conformance.observed.len(), same, other, only_proved, only_observed, substitutes }
    }

    fn substitute(&self, taken: &RunnerUp) -> Substitute {
        let RunnerUp { field, owner, refuting } = taken;
        let observed = self.conformance.observed.get(field);
        let said = |owner: &Owner| observed.map(|observed| derivation(observed, owner)).unwrap_or_default();
        Substitute {
            name: dotted(&self.analysis.program.field_name(*field)),
            refuted: observed.and_then(Observed::owner).map(|owner| said(&owner)).unwrap_or_default(),
            refuting: self.analysis.place(refuting.method, refuting.value),
            kept: said(owner),
        }
    }
}

/// `` guarded by `this` at 120 accesses to 14 objects in 1 run ``.
fn derivation(observed: &Observed, owner: &Owner) -> String {
    let Observed { seen, runs } = observed;
    let what = match owner {
        Owner::Lock(lock) => format!("guarded by {} at {}", lock_words(lock), count_of(seen.late, "access")),
        _ => format!("read-only, {} once it was shared", count_of(seen.late, "access")),
    };
    format!("{what} to {} in {}", count(seen.shared, "object"), count(*runs, "run"))
}

/// Of a word whose plural ends in `es`.
fn count_of(number: u64, singular: &str) -> String {
    format!("{number} {singular}{}", if number == 1 { "" } else { "es" })
}
