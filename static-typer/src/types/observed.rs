//! The code against owners that runs have shown (type discovery, paper 004, section 4): observed owners are types to check.
//!
//! Where a field is proved race-free, there is nothing to say. Else what the code may do that no run has done is held to what all
//! runs did: an access needs the lock, and what was only read once it was shared may not be written. Accesses that ran are not
//! reported: they kept to the owner, by whatever the analysis does not see. `this-thread` and `unique` cannot be checked this way.
//!
//! Where the code refutes the owner for which most speaks, a runner-up is taken to which it keeps: another lock that was held at
//! every access, or a lock where a field was only read.
//!
//! **False alarms**: code that never runs, or only before other threads can reach the object, in a way that is not proved.
//! **Misses**: a lock of which it is only known that there was one is looked for only where all accesses that ran hold a lock of
//! one name.

use std::collections::BTreeMap;

use facts::focus::hash;
use facts::type_log::{self, Lock, Observed, TypeLog};

use crate::program::{FieldId, MethodId, Program, Type};

use super::accesses::{Access, Guard};
use super::annotations;
use super::bodies::Bodies;
use super::common::common;
use super::owner::{FieldType, Owner};
use super::path::{Path, Root};

/// Code that does not keep to an observed owner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breach {
    /// The field.
    pub field: FieldId,
    /// Where.
    pub access: Access,
    /// The lock that is not held, or none if the access writes what was only read.
    pub lock: Option<Guard>,
    /// The runners-up, with how many accesses do not keep to each.
    pub refuted: Vec<(type_log::Owner, usize)>,
}

/// A field whose observed owner the code refutes, though it keeps to a runner-up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunnerUp {
    /// The field.
    pub field: FieldId,
    /// The owner that the code keeps to.
    pub owner: type_log::Owner,
    /// An access that does not keep to the observed one.
    pub refuting: Access,
}

/// How what is proved and what was observed compare, for fields that are neither final nor volatile.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Agreement {
    /// Owners that are the same.
    pub same: usize,
    /// Fields with two owners.
    pub other: usize,
    /// Fields that are proved, without an owner in the log.
    pub only_proved: usize,
    /// Fields with an owner in the log that are not proved.
    pub only_observed: usize,
}

/// What came of the check.
#[derive(Debug)]
pub struct Conformance {
    /// What was observed of each field of a class that is still the same.
    pub observed: BTreeMap<FieldId, Observed>,
    /// What contradicts it, by field and in the order of methods.
    pub breaches: Vec<Breach>,
    /// Where a runner-up was taken instead, by field.
    pub runners_up: Vec<RunnerUp>,
    /// Classes of which another version was observed.
    pub changed: Vec<String>,
    /// See [`Agreement`].
    pub agreement: Agreement,
}

impl Conformance {
    /// Holds a program to a log.
    #[must_use]
    pub fn of(program: &Program, bodies: &Bodies, fields: &[FieldType], mut log: TypeLog) -> Self {
        let find = |class: &str| program.find(program.names().named(class)?);
        let is_of_program = |class: &str| find(class).is_some_and(|class| program.class(class).is_application);
        let others = log.keep(|class, known| {
            find(class).is_some_and(|class| program.class(class).is_application && hash(program.bytes(class)) == known)
        });
        let changed = others.into_iter().filter(|class| is_of_program(class)).collect();
        let log = log.fields();
        let named = |field: &FieldType| Some((field.field, log.get(&full_name(program, field.field))?.clone()));
        let observed: BTreeMap<FieldId, Observed> = fields.iter().filter_map(named).collect();
        let check = Check { program, bodies, observed: &observed };
        let (mut breaches, mut runners_up) = (Vec::new(), Vec::new());
        for field in fields {
            match check.verdict(field) {
                Verdict::Keeps => {}
                Verdict::KeepsToRunnerUp(owner) => runners_up.push(owner),
                Verdict::Breaks(broken) => breaches.extend(broken),
            }
        }
        let agreement = check.agreement(fields);
        Self { observed, breaches, runners_up, changed, agreement }
    }
}

/// Class, name and descriptor.
fn full_name(program: &Program, field: FieldId) -> (String, String, String) {
    let data = program.field(field);
    let names = program.names();
    (program.class_name(data.class).into_owned(), names.text(data.name).into_owned(), names.descriptor(data.ty))
}

/// What code that has not run makes of the owners of a field.
enum Verdict {
    Keeps,
    KeepsToRunnerUp(RunnerUp),
    Breaks(Vec<Breach>),
}

/// An observed owner that can be checked, with the lock that it asks for and the accesses that do not keep to it.
struct Candidate<'f> {
    owner: type_log::Owner,
    lock: Option<Guard>,
    refuting: Vec<&'f Access>,
}

struct Check<'a> {
    program: &'a Program,
    bodies: &'a Bodies,
    observed: &'a BTreeMap<FieldId, Observed>,
}

impl Check<'_> {
    /// The first owner that all code keeps to is taken; if there is none, the first one is broken.
    fn verdict(&self, field: &FieldType) -> Verdict {
        let mut candidates = self.candidates(field).into_iter();
        let Some(first) = candidates.next() else { return Verdict::Keeps };
        let Some(refuting) = first.refuting.first() else { return Verdict::Keeps };
        let others: Vec<Candidate<'_>> = candidates.filter(|other| other.lock != first.lock).collect();
        if let Some(kept) = others.iter().find(|other| other.refuting.is_empty()) {
            let (owner, refuting) = (kept.owner.clone(), (*refuting).clone());
            return Verdict::KeepsToRunnerUp(RunnerUp { field: field.field, owner, refuting });
        }
        let refuted: Vec<_> = others.iter().map(|other| (other.owner.clone(), other.refuting.len())).collect();
        let breach = |access: &&Access| Breach {
            field: field.field,
            access: (*access).clone(),
            lock: first.lock.clone(),
            refuted: refuted.clone(),
        };
        Verdict::Breaks(first.refuting.iter().map(breach).collect())
    }

    /// The observed owners that can be checked, the best first; none if the best cannot.
    fn candidates<'f>(&self, field: &'f FieldType) -> Vec<Candidate<'f>> {
        let Some(observed) = self.observed.get(&field.field) else { return Vec::new() };
        // What an annotation says is checked instead.
        let is_annotated = !annotations::guards_of_field(self.program, field.field).is_empty();
        if field.owner.is_some() || field.is_unknown || field.is_reflected || is_annotated {
            return Vec::new();
        }
        let (ran, others): (Vec<&Access>, Vec<&Access>) =
            field.accesses.iter().partition(|access| self.has_run(observed, access));
        let candidates = observed.owners().into_iter().map(|owner| self.candidate(owner, &ran, &others));
        let mut candidates: Vec<Option<Candidate<'f>>> = candidates.collect();
        if candidates.first().is_none_or(Option::is_none) {
            candidates.clear();
        }
        candidates.into_iter().flatten().collect()
    }

    fn candidate<'f>(
        &self,
        owner: type_log::Owner,
        ran: &[&'f Access],
        others: &[&'f Access],
    ) -> Option<Candidate<'f>> {
        let lock = match &owner {
            type_log::Owner::ReadOnly => None,
            type_log::Owner::Lock(lock) => Some(self.guard(lock, ran)?),
            type_log::Owner::ThisThread | type_log::Owner::Unique => return None,
        };
        let breaks = |access: &&&Access| match &lock {
            None => access.write,
            Some(guard) => !access.guards.iter().any(|held| held.path == guard.path),
        };
        let refuting = others.iter().filter(breaks).copied().collect();
        Some(Candidate { owner, lock, refuting })
    }

    fn has_run(&self, observed: &Observed, access: &Access) -> bool {
        let Some(body) = self.bodies.get(access.method) else { return false };
        let offset = u32::from(body.instruction(access.value).at);
        let (class, method) = self.method_name(access.method);
        let methods = observed.seen.sites.get(&class);
        methods.and_then(|methods| methods.get(&method)).is_some_and(|offsets| offsets.contains(&offset))
    }

    fn method_name(&self, method: MethodId) -> (String, String) {
        let data = self.program.method(method);
        let names = self.program.names();
        let signature = names.text(self.program.signature(method).text);
        (self.program.class_name(data.class).into_owned(), format!("{}{signature}", names.text(data.name)))
    }

    /// An observed lock as the code names it.
    fn guard(&self, lock: &Lock, ran: &[&Access]) -> Option<Guard> {
        match lock {
            Lock::This => Some(Guard { path: Path::of(Root::Parameter(0)), monitor: true }),
            Lock::Class(class) => {
                let name = self.program.names().named(class)?;
                Some(Guard { path: Path::of(Root::Class(Type::class(name))), monitor: true })
            }
            Lock::Same(_) | Lock::Other(_) => {
                let first = ran.first()?.guards.clone();
                let held = ran.iter().fold(first, |held, access| common(&held, &access.guards));
                held.into_iter().find(is_other)
            }
        }
    }

    fn agreement(&self, fields: &[FieldType]) -> Agreement {
        let mut agreement = Agreement::default();
        let is_fixed = |field: &&FieldType| matches!(field.owner, Some(Owner::Final | Owner::Volatile));
        for field in fields.iter().filter(|field| !is_fixed(field)) {
            let observed = self.observed.get(&field.field).and_then(Observed::owner);
            match (&field.owner, observed) {
                (Some(proved), Some(observed)) if self.agree(proved, &observed) => agreement.same += 1,
                (Some(_), Some(_)) => agreement.other += 1,
                (Some(_), None) => agreement.only_proved += 1,
                (None, Some(_)) => agreement.only_observed += 1,
                (None, None) => {}
            }
        }
        agreement
    }

    /// Whether runs have shown the owner that is proved.
    fn agree(&self, proved: &Owner, observed: &type_log::Owner) -> bool {
        use type_log::Owner as Seen;
        match (proved, observed) {
            (Owner::Guarded(proved), Seen::Lock(lock @ (Lock::This | Lock::Class(_)))) => {
                self.guard(lock, &[]).is_some_and(|guard| guard.path == proved.path)
            }
            (Owner::Guarded(proved), Seen::Lock(_)) => is_other(proved),
            (Owner::ReadOnly, Seen::ReadOnly | Seen::ThisThread) => true,
            (Owner::Unique, Seen::Unique | Seen::ThisThread) => true,
            (Owner::ThisThread | Owner::MainThread, Seen::ThisThread) => true,
            _ => false,
        }
    }
}

/// Whether it is neither the object itself nor a class.
fn is_other(guard: &Guard) -> bool {
    !guard.path.fields.is_empty() || matches!(guard.path.root, Root::Static(_) | Root::Text(_) | Root::Owner(_))
}
