//! `requires` clauses that runs have shown (step D of type discovery, `algorithms.md` 8): methods that used fields of their object
//! only while its lock was held, and do not take a lock themselves. Then those who call them held it.
//!
//! The clauses are claims, like annotations: a call that no run has made is held to them. Of calls it is only known in which methods
//! a run has accessed fields, so **false alarms** come from methods that ran, accessed none, and whose callers held the lock.

use std::collections::{BTreeMap, BTreeSet};

use facts::focus::hash;
use facts::type_log::{MethodUse, TypeLog};

use crate::ir::{Body, Op};
use crate::program::{MethodId, Program};

use super::annotations;
use super::type_error::{Rule, Subject, TypeError};

/// What runs have shown of methods.
#[derive(Default, Debug)]
pub struct Required {
    methods: BTreeMap<MethodId, MethodUse>,
    ran: BTreeSet<MethodId>,
}

impl Required {
    /// Finds the clauses in a log, and has the methods say them.
    pub fn claim(program: &mut Program, log: &TypeLog) -> Self {
        let mut log = log.clone();
        let find = |class: &str| program.find(program.names().named(class)?);
        log.keep(|class, known| {
            find(class).is_some_and(|class| program.class(class).is_application && hash(program.bytes(class)) == known)
        });
        let all = program.application().flat_map(|class| program.methods_of(class));
        let names: BTreeMap<(String, String), MethodId> =
            all.map(|method| (full_name(program, method), method)).collect();
        let sites = log.fields().into_values().flat_map(|field| field.seen.sites);
        let ran = sites.flat_map(|(class, methods)| methods.into_keys().map(move |method| (class.clone(), method)));
        let ran = ran.filter_map(|name| names.get(&name).copied()).collect();
        let seen = log.methods().into_iter().filter_map(|(name, seen)| Some((*names.get(&name)?, seen)));
        let methods: BTreeMap<MethodId, MethodUse> =
            seen.filter(|(method, seen)| is_always_held(*seen) && is_for_callers(program, *method)).collect();
        for method in methods.keys() {
            program.annotate_method(*method, "jrace/annotations/Requires", "this");
        }
        Self { methods, ran }
    }

    /// Takes out of a list of errors those that are about the clauses; those in methods that have run are none.
    pub fn take(&self, errors: &mut Vec<TypeError>) -> Vec<(TypeError, MethodUse)> {
        let seen = |error: &TypeError| match error.subject {
            Subject::Method(method) if error.rule == Rule::UnheldCall => self.methods.get(&method).copied(),
            _ => None,
        };
        let has_run = |error: &TypeError| error.place.is_some_and(|(method, _)| self.ran.contains(&method));
        let taken = errors
            .iter()
            .filter(|error| error.place.is_some() && !has_run(error))
            .filter_map(|error| Some((error.clone(), seen(error)?)));
        let taken = taken.collect();
        errors.retain(|error| seen(error).is_none());
        taken
    }
}

fn is_always_held(seen: MethodUse) -> bool {
    seen.accesses > 0 && seen.accesses == seen.own_lock
}

/// Whether a method leaves locks to its callers, and no annotation says which.
fn is_for_callers(program: &Program, method: MethodId) -> bool {
    let data = program.method(method);
    let takes = |body: &Body| body.all_values().any(|value| matches!(body.op(value), Op::Enter(_)));
    let leaves_to_callers = || Body::of(program, method).and_then(Result::ok).is_some_and(|body| !takes(&body));
    !data.is_static()
        && !data.is_synchronized()
        && !data.is_constructor()
        && annotations::guards_of_method(program, method).is_empty()
        && leaves_to_callers()
}

/// The class, and the name with the descriptor.
fn full_name(program: &Program, method: MethodId) -> (String, String) {
    let data = program.method(method);
    let descriptor = program.names().text(program.signature(method).text);
    (program.class_name(data.class).into_owned(), format!("{}{descriptor}", program.names().text(data.name)))
}
