//! From types to the focus set: what the agent need not check.

mod presumed;
mod search;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use facts::focus::{ClassFocus, FocusSet, Reference, hash};
use rustc_hash::FxHashSet;

pub use presumed::{Presumed, Untyped};
pub use search::{MethodFacts, Search, Searched, search};

use crate::program::{ClassId, FieldId, MethodId, Program, flag};
use crate::races::RaceFree;
use crate::types::{Owner, Types};

/// What was proved about each class of the application, by types or by the search for races, and what is presumed; and the
/// libraries that the search went through, about which nothing was.
#[must_use]
pub fn focus_set(program: &Program, proofs: &[RaceFree], facts: &MethodFacts, presumed: &Presumed) -> FocusSet {
    // Only the search depends on the code of libraries.
    let is_searched = proofs.iter().any(|proof| proof.called.is_some());
    let race_free: FxHashSet<FieldId> = proofs.iter().flat_map(|proof| &proof.fields).copied().collect();
    let mut set = FocusSet::default();
    let is_judged = |class: &ClassId| program.class(*class).is_application || is_searched && !program.is_of_jdk(*class);
    for class in program.classes().filter(is_judged) {
        set.add(ClassFocus {
            class: program.class_name(class).into_owned(),
            hash: hash(program.bytes(class)),
            fields: references(program, &race_free, class),
            accesses: by_method(program, class, |method| {
                proofs.iter().filter_map(|proof| proof.accesses.get(&method)).flatten().copied().collect()
            }),
            held: by_method(program, class, |method| {
                presumed.held.get(&method).into_iter().flatten().copied().collect()
            }),
            conforming: by_method(program, class, |method| {
                presumed.conforming.get(&method).into_iter().flatten().copied().collect()
            }),
            unreached: unreached(program, proofs, class),
            hiding: of_class(program, class, |method| facts.hiding.contains_key(&method)),
            run_by_one: of_class(program, class, |method| facts.run_by_one.contains(&method)),
            idle_methods: of_class(program, class, |method| facts.idle.methods.contains(&method)),
            idle_monitors: by_method(program, class, |method| {
                facts.idle.monitors.get(&method).into_iter().flatten().copied().collect()
            }),
            idle_transactions: of_class(program, class, |method| facts.idle_transactions.contains(&method)),
        });
    }
    if is_searched {
        set.basis.missing = program.missing().map(Cow::into_owned).collect();
    }
    set
}

/// What need not be observed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Accesses that cannot race.
    RaceFree,
    /// Accesses to what one thread only uses, or none writes while others may use it. Whatever another thread does, and whatever
    /// locks are held, nothing comes between them: no transaction is broken there either.
    Unshared,
}

/// What types prove.
#[must_use]
pub fn typed(types: &Types, goal: Goal) -> RaceFree {
    RaceFree::by_types(types, |owner| match owner {
        Owner::Volatile | Owner::Guarded(_) => goal == Goal::RaceFree,
        _ => true,
    })
}

/// The references of a class that resolve to race-free fields.
fn references(program: &Program, race_free: &FxHashSet<FieldId>, class: ClassId) -> Vec<Reference> {
    let names = program.names();
    let text = |name| names.text(name).into_owned();
    let members = program.members_of(class).filter(|member| member.is_field);
    let safe = members.filter(|member| program.resolve_field(member).is_some_and(|field| race_free.contains(&field)));
    let reference = |member: &crate::program::Member| {
        let owner = member.owner.as_class()?;
        Some((text(owner), text(member.name), text(names.signature(member.descriptor).text)))
    };
    safe.filter_map(reference).collect()
}

/// Offsets by method, where there are any.
fn by_method(
    program: &Program,
    class: ClassId,
    offsets: impl Fn(MethodId) -> BTreeSet<u16>,
) -> BTreeMap<String, Vec<u32>> {
    let of_method = |method: MethodId| {
        let offsets = offsets(method).into_iter().map(u32::from).collect();
        (full_name(program, method), offsets)
    };
    program.methods_of(class).map(of_method).filter(|(_, offsets): &(_, Vec<u32>)| !offsets.is_empty()).collect()
}

/// The methods of a class whose calls a search has not found. The JVM asks enums for their constants, which changes nothing.
fn unreached(program: &Program, proofs: &[RaceFree], class: ClassId) -> Vec<String> {
    let searched = proofs.iter().find(|proof| !proof.framework.has(class) && proof.called.is_some());
    let Some(called) = searched.and_then(|proof| proof.called.as_ref()) else { return Vec::new() };
    let of_enum = program.class(class).access & flag::ENUM != 0;
    let is_constants = |name: &str| of_enum && matches!(name, "values" | "$values" | "valueOf");
    let methods = program.methods_of(class).filter(|method| program.method(*method).has_code());
    let unreached = methods.filter(|method| {
        let name = program.names().text(program.method(*method).name);
        !called.contains(method) && !is_constants(&name)
    });
    unreached.map(|method| full_name(program, method)).collect()
}

/// Methods of a class.
fn of_class(program: &Program, class: ClassId, is_one: impl Fn(MethodId) -> bool) -> Vec<String> {
    program.methods_of(class).filter(|method| is_one(*method)).map(|method| full_name(program, method)).collect()
}

/// Name and descriptor.
fn full_name(program: &Program, method: MethodId) -> String {
    let descriptor = program.names().text(program.signature(method).text);
    format!("{}{descriptor}", program.names().text(program.method(method).name))
}
