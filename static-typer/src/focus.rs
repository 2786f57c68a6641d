//! From types to the focus set: what the agent need not check.

mod families;
mod presumed;
mod search;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use facts::focus::{ClassFocus, Elided, FocusSet, MethodFocus, Open, Proof, Reference, hash};
use rustc_hash::FxHashSet;

pub use families::add_families;
pub use presumed::{Presumed, Untyped};
pub use search::{MethodFacts, Search, Searched, search};

use crate::program::{ClassId, FieldId, MethodId, Name, Program};
use crate::races::RaceFree;
use crate::types::{Owner, Types, Unseen};

/// What was proved about each class of the application, by types or by the search for races, and what is presumed; and the
/// libraries that the search went through, about which nothing was.
#[must_use]
pub fn focus_set(program: &Program, proofs: &[RaceFree], facts: &MethodFacts, presumed: &Presumed) -> FocusSet {
    let sources = Sources { program, proofs, facts, presumed };
    let race_free: FxHashSet<FieldId> = proofs.iter().flat_map(|proof| &proof.fields).copied().collect();
    let mut set = FocusSet::default();
    // Only the search depends on the code of libraries.
    let is_searched = sources.search().is_some();
    let is_judged = |class: &ClassId| program.class(*class).is_application || is_searched && !program.is_of_jdk(*class);
    for class in program.classes().filter(is_judged) {
        set.add(ClassFocus {
            class: program.class_name(class).into_owned(),
            hash: hash(program.bytes(class)),
            fields: references(program, &race_free, class),
            methods: sources.methods(class),
            open: sources.open(class, &race_free),
            family: None,
        });
    }
    let unseen = proofs.iter().find_map(|proof| proof.unseen.as_ref());
    set.basis.gives_back = unseen.is_none_or(|unseen| unseen.gives_back);
    if is_searched {
        set.basis.missing = program.missing().map(Cow::into_owned).collect();
    }
    set
}

/// From where methods get what the set says of them.
struct Sources<'a> {
    program: &'a Program,
    proofs: &'a [RaceFree],
    facts: &'a MethodFacts,
    presumed: &'a Presumed,
}

impl Sources<'_> {
    /// What a search has proved, if there was one.
    fn search(&self) -> Option<&RaceFree> {
        self.proofs.iter().find(|proof| proof.called.is_some())
    }

    /// What of a class may be reached unseen, if types have proved something about it.
    fn open(&self, class: ClassId, race_free: &FxHashSet<FieldId>) -> Option<Open> {
        let program = self.program;
        let unseen = self.proofs.iter().find_map(|proof| proof.unseen.as_ref());
        let unseen = unseen.filter(|_| program.class(class).is_application)?;
        let is_searched = self.search().is_some();
        let flags = self.search().map(|search| &search.flags);
        let is_flag = |field: &FieldId| flags.is_some_and(|flags| flags.contains(field));
        // Who accesses what is volatile does not matter to types. A search has followed the objects and the flags.
        let is_left_out = |field: &FieldId| {
            let data = program.field(*field);
            data.is_volatile() && !(is_searched && data.ty.is_reference() || is_flag(field))
        };
        // Of a field that is not race-free as a whole, a search may have proved single accesses.
        let is_unproved =
            |field: &FieldId| !is_searched && !race_free.contains(field) && !self.presumed.fields.contains(field);
        let name = |name| program.names().text(name).into_owned();
        let named = |fields: &dyn Fn(&FieldId) -> bool| {
            program.fields_of(class).filter(fields).map(|field| name(program.field(field).name)).collect()
        };
        let methods = program.methods_of(class).filter(|method| unseen.methods.contains(method));
        Some(Open {
            fields: named(&|field| unseen.fields.contains(field) || is_unproved(field) || is_left_out(field)),
            methods: methods.map(|method| full_name(program, method)).collect(),
            is_made: unseen.classes.contains(&class) && !(is_searched && is_for_services(program, unseen, class)),
            locks: named(&|field| unseen.locks.contains(field) || is_flag(field)),
        })
    }

    /// The methods of a class of which something is known.
    fn methods(&self, class: ClassId) -> BTreeMap<String, MethodFocus> {
        let methods = self.program.methods_of(class).map(|method| (method, self.method(method)));
        let known = methods.filter(|(_, focus)| !focus.is_empty());
        known.map(|(method, focus)| (full_name(self.program, method), focus)).collect()
    }

    fn method(&self, method: MethodId) -> MethodFocus {
        let race_free: BTreeSet<u16> =
            self.proofs.iter().filter_map(|proof| proof.accesses.get(&method)).flatten().copied().collect();
        let proofs = [
            (Proof::RaceFree, Some(race_free.into_iter().collect())),
            (Proof::Held, self.presumed.held.get(&method).cloned()),
            (Proof::Conforming, self.presumed.conforming.get(&method).cloned()),
            (Proof::Idle, self.facts.idle.monitors.get(&method).cloned()),
        ];
        let elided = [
            (Elided::Lock, self.facts.idle.methods.contains(&method)),
            (Elided::Transaction, self.facts.idle_transactions.contains(&method)),
        ];
        let widened = |(proof, offsets): (_, Option<Vec<u16>>)| {
            let offsets: Vec<u32> = offsets?.into_iter().map(u32::from).collect();
            (!offsets.is_empty()).then_some((proof, offsets))
        };
        MethodFocus {
            proofs: proofs.into_iter().filter_map(widened).collect(),
            guard: self.search().and_then(|search| self.facts.guard(self.program, search, method)),
            elided: elided.into_iter().filter_map(|(elided, is_so)| is_so.then_some(elided)).collect(),
        }
    }
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

/// Whether the JDK may make objects of a class for itself, as of handlers of `java.util.logging`, of bundles of resources and of what
/// providers of security name: it calls these unseen. What constants tell of, a search follows; copies of exceptions are never called.
fn is_for_services(program: &Program, unseen: &Unseen, class: ClassId) -> bool {
    let is_above = |above: ClassId| {
        let data = program.class(above);
        program.is_of_jdk(above) && data.super_class.is_some() && !data.is_interface()
    };
    let is_thrown = |above: ClassId| program.class(above).name == Name::THROWABLE;
    program.ancestors(class).any(is_above)
        && !program.ancestors(class).any(is_thrown)
        && !unseen.looked_up.contains(&class)
}

/// What types prove.
#[must_use]
pub fn typed(types: &Types, goal: Goal) -> RaceFree {
    RaceFree::by_types(types, |owner| match owner {
        Owner::Volatile | Owner::Guarded(_) => goal == Goal::RaceFree,
        _ => true,
    })
}

/// The references of a class that resolve to race-free fields. What is volatile does not race, and orders what does.
fn references(program: &Program, race_free: &FxHashSet<FieldId>, class: ClassId) -> Vec<Reference> {
    let names = program.names();
    let text = |name| names.text(name).into_owned();
    let members = program.members_of(class).filter(|member| member.is_field);
    let is_safe = |field: FieldId| race_free.contains(&field) && !program.field(field).is_volatile();
    let safe = members.filter(|member| program.resolve_field(member).is_some_and(is_safe));
    let reference = |member: &crate::program::Member| {
        let owner = member.owner.as_class()?;
        Some((text(owner), text(member.name), text(names.signature(member.descriptor).text)))
    };
    safe.filter_map(reference).collect()
}

/// Name and descriptor.
fn full_name(program: &Program, method: MethodId) -> String {
    let descriptor = program.names().text(program.signature(method).text);
    format!("{}{descriptor}", program.names().text(program.method(method).name))
}
