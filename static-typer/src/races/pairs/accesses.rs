//! Every access that may race, in every context, with what the stages ask of it.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::ir::Value;
use crate::points_to::{
    Access, Code, InstanceId, Local, ObjectId, ObjectSet, PointsTo, Slot, is_unsafe_container, looks_up,
};
use crate::program::{ClassId, MethodId, Name, Program};
use crate::races::escape::filled::Filled;
use crate::races::escape::making::{Making, Unseen};
use crate::races::initialization::definite::Beginning;
use crate::races::initialization::effects::Of;
use crate::races::initialization::executions::Executions;
use crate::races::locks::guards::{Guard, Guards, OwnLock};
use crate::races::locks::settled::Settled;
use crate::races::order::joins::Joins;
use crate::races::order::own_joins::OwnJoins;
use crate::races::order::phase::Phase;
use crate::races::order::starts::ThreadKinds;
use crate::races::order::tasks::{Tasks, Within};
use crate::races::order::unparallel::{Entries, Kind};
use crate::races::proofs::typed::Proofs;
use crate::races::threads::disjoint::Disjoint;
use crate::races::threads::{RunBy, Threads};

use super::signature::{Signature, SignatureId};
use super::variable::Variable;
use super::views::Views;

/// An access in the code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The method.
    pub method: MethodId,
    /// The instruction.
    pub at: Value,
    /// Whether it writes.
    pub write: bool,
}

/// The accesses of one variable.
#[derive(Default, Debug)]
pub struct Group {
    /// The signatures that each place has, with an instance for each.
    pub places: FxHashMap<Place, Vec<(SignatureId, InstanceId)>>,
}

/// All accesses.
#[derive(Default, Debug)]
pub struct Accesses {
    /// By variable.
    pub groups: std::collections::BTreeMap<Variable, Group>,
    signatures: Vec<Signature>,
}

/// What accesses are looked at with.
pub struct View<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its objects and calls.
    pub points_to: &'a PointsTo,
    /// Its threads.
    pub threads: &'a Threads,
    /// What each thread has for itself; none for paper 000.
    pub disjoint: Option<&'a Disjoint<'a>>,
    /// And which of these code has joined; none for paper 000.
    pub own_joins: Option<&'a OwnJoins<'a>>,
    /// What stays as constructors have made it.
    pub settled: &'a Settled,
    /// The locks on entry.
    pub guards: &'a Guards<'a>,
    /// What comes before starts.
    pub phase: &'a Phase,
    /// What comes after the end of a thread or of a task.
    pub joins: &'a Joins,
    /// What runs as a part of tasks only.
    pub tasks: &'a Tasks,
    /// Where the ways to all code begin.
    pub entries: &'a Entries,
    /// Objects that may be shared.
    pub escaping: &'a ObjectSet,
    /// What other threads may see of what is made.
    pub unseen: Unseen<'a>,
    /// What is done with new objects.
    pub filled: &'a Filled,
    /// Objects that have come to another thread by a race.
    pub handed_over: &'a ObjectSet,
    /// Whether constructors are left out altogether, and volatile fields are not, as in paper 000.
    pub is_chord: bool,
    /// What class initializers do that is not their own.
    pub executions: &'a Executions<'a>,
    /// What is proved by other means.
    pub proofs: &'a Proofs,
    /// What views and iterators stand for.
    pub views: Views,
    /// Maps that each look into changes.
    pub in_access_order: ObjectSet,
}

impl Accesses {
    /// Finds them.
    #[must_use]
    pub fn of(view: &View<'_>) -> Self {
        let mut accesses = Self::default();
        let mut known = Signatures::default();
        for instance in view.points_to.instances() {
            let code = view.points_to.code(instance);
            let Some(method) = code.method.filter(|_| code.is_checked) else { continue };
            let looked_up = code.accesses.iter().filter_map(|access| view.as_write(code, access));
            for access in code.accesses.iter().cloned().chain(looked_up) {
                let access = &access;
                let Some(variable) = view.variable(access) else { continue };
                let is_unshared = view.proofs.has_access(method, access.at);
                let is_new = || view.is_of_maker(instance, access) || view.filled.has(view.points_to, instance, access);
                if is_unshared || view.initializes(method, access) || is_new() {
                    continue;
                }
                let place = Place { method, at: access.at, write: access.write };
                let signatures = accesses.groups.entry(variable).or_default().places.entry(place).or_default();
                let in_initializer = view.in_initializer(instance, variable, access);
                for signature in std::iter::once(view.signature(instance, variable, access)).chain(in_initializer) {
                    let id = known.intern(signature, &mut accesses.signatures);
                    if !signatures.iter().any(|(other, _)| *other == id) {
                        signatures.push((id, instance));
                    }
                }
            }
        }
        accesses
    }

    /// A signature.
    #[must_use]
    pub fn signature(&self, id: SignatureId) -> &Signature {
        &self.signatures[id as usize]
    }
}

/// A signature in the form that is compared.
type Key = (Threading, Option<Vec<u32>>, Vec<Guard>, Vec<OwnLock>, Vec<Kind>);
/// Whether it writes and is to what is the thread's own, who runs it, what was started and what has ended before, and as a part of
/// which tasks it is made.
type Threading = ([bool; 3], RunBy, Of, Option<ThreadKinds>, Vec<ClassId>, Vec<InstanceId>, InTasks);
/// The tasks that have ended, and those that it is a part of.
type InTasks = (Vec<ObjectId>, Vec<Within>);

#[derive(Default)]
struct Signatures(IndexSet<Key, FxBuildHasher>);

impl Signatures {
    fn intern(&mut self, signature: Signature, all: &mut Vec<Signature>) -> SignatureId {
        let bases = signature.bases.as_ref().map(|bases| bases.iter().map(|object| object.0).collect());
        let Signature { write, run_by, of, .. } = signature;
        let ended = (signature.initialized.clone(), signature.ended.clone());
        let started = signature.started.clone();
        let tasks = (signature.ended_tasks.clone(), signature.within.clone());
        let threading =
            ([write, signature.is_of_thread, signature.is_of_ended], run_by, of, started, ended.0, ended.1, tasks);
        let key = (threading, bases, signature.guards.clone(), signature.own.clone(), signature.entries.clone());
        let (id, is_new) = self.0.insert_full(key);
        if is_new {
            all.push(signature);
        }
        id as SignatureId
    }
}

impl View<'_> {
    /// What may race; final and volatile fields do not.
    fn variable(&self, access: &Access) -> Option<Variable> {
        match access.slot {
            Slot::Element => Some(Variable::Element),
            Slot::Field(field) => {
                let data = self.program.field(field);
                let is_ordered = data.is_volatile() && !self.is_chord;
                (!self.program.is_of_jdk(data.class) && !is_ordered && !data.is_final())
                    .then_some(Variable::Field(field))
            }
            Slot::Content => (!self.is_chord).then_some(Variable::Content),
            Slot::Captured(_) | Slot::PerThread => None,
        }
    }

    /// What a call accesses that is made on some containers: views and iterators stand for others. One that looks something up writes
    /// to maps in access order only.
    fn unsafe_containers(&self, instance: InstanceId, access: &Access, objects: &ObjectSet) -> ObjectSet {
        let meant = self.views.meant(self.program, self.points_to, objects);
        let call = self.points_to.code(instance).call_on(access);
        let is_unsafe = |object: &ObjectId| is_unsafe_container(self.program, self.points_to.objects.ty(*object), call);
        let found = meant.iter().filter(is_unsafe).collect();
        let looks_up = || call.is_some_and(|call| looks_up(self.program, call.method));
        if access.write && looks_up() { self.in_access_order.common(&found) } else { found }
    }

    /// A call that looks something up as the write that it is to a map in access order.
    fn as_write(&self, code: &Code, access: &Access) -> Option<Access> {
        let looks_up = || code.call_on(access).is_some_and(|call| looks_up(self.program, call.method));
        let is_meant = !self.in_access_order.is_empty() && access.slot == Slot::Content && !access.write && looks_up();
        is_meant.then(|| Access { write: true, ..access.clone() })
    }

    /// A class initializer's accesses to its own class come before everybody else's (JVMS 5.5).
    fn initializes(&self, method: MethodId, access: &Access) -> bool {
        let method = self.program.method(method);
        match access.slot {
            Slot::Field(field) => {
                access.base.is_none() && method.name == Name::CLINIT && self.program.field(field).class == method.class
            }
            _ => false,
        }
    }

    /// Whether who makes an object accesses it before another thread may reach that.
    #[must_use]
    pub fn is_of_maker(&self, instance: InstanceId, access: &Access) -> bool {
        let code = self.points_to.code(instance);
        let is_constructor = |method| self.program.method(method).is_constructor() && code.lambda.is_none();
        let is_making = code.method.is_some_and(is_constructor) || self.unseen.helpers.contains(&instance);
        is_making && self.is_unseen(instance, code, access)
    }

    /// Whether a constructor, or a method that helps it, accesses the object that it makes before another thread may reach that, or an array
    /// that only a field of that has, or, for paper 000, anything.
    fn is_unseen(&self, instance: InstanceId, code: &Code, access: &Access) -> bool {
        let own = access.base.filter(|_| access.base == code.parameters.first().copied().flatten());
        let is_seen = || self.unseen.seen.get(&instance).is_some_and(|seen| seen.sees(access.at));
        let is_handed_over = |own| self.points_to.local(instance, own).intersects(self.handed_over);
        let array = access.base.filter(|_| access.slot == Slot::Element);
        let making = || Making::of(self.program, self.points_to, instance, self.unseen);
        let is_its_array = |array: &Local| making().has(*array, self.settled.contents());
        let is_unseen = |of: Local| !is_seen() && !is_handed_over(of);
        self.is_chord || own.or_else(|| array.filter(is_its_array)).is_some_and(is_unseen)
    }

    /// What matters of an access where calls lead to it from where a thread begins.
    fn signature(&self, instance: InstanceId, variable: Variable, access: &Access) -> Signature {
        let bases = access.base.map(|base| self.points_to.local(instance, base).clone());
        let entries = self.entries.kinds(instance);
        let (run_by, by) = (self.threads.run_by(instance), Beginning::Thread);
        Signature {
            barred: self.entries.barred(&entries),
            entries,
            started: self.phase.started(instance, by, access.at),
            is_of_thread: self.is_of_thread(instance, access),
            is_of_ended: self.is_of_ended(instance, access),
            within: self.tasks.within(instance).to_vec(),
            initialized: self.executions.ended(self.points_to, variable, (instance, by, access.at)),
            ..self.unordered(instance, access, bases, (run_by, self.guards))
        }
    }

    fn is_of_thread(&self, instance: InstanceId, access: &Access) -> bool {
        self.disjoint.zip(access.base).is_some_and(|(disjoint, base)| disjoint.has(instance, base))
    }

    fn is_of_ended(&self, instance: InstanceId, access: &Access) -> bool {
        let of = self.disjoint.zip(self.own_joins).zip(access.base);
        of.is_some_and(|((disjoint, joins), base)| {
            joins.has((instance, access.at), base, &disjoint.started, &disjoint.sole)
        })
    }

    /// The same where a class initializer is that is not all that the access is to.
    fn in_initializer(&self, instance: InstanceId, variable: Variable, access: &Access) -> Option<Signature> {
        let bases = self.executions.others(instance, access)?;
        let (run_by, by) = (self.executions.run_by(instance), Beginning::Initializer);
        Some(Signature {
            of: self.executions.run(instance),
            started: self.phase.started(instance, by, access.at),
            initialized: self.executions.ended(self.points_to, variable, (instance, by, access.at)),
            ..self.unordered(instance, access, bases, (run_by, &self.executions.guards))
        })
    }

    fn unordered(
        &self,
        instance: InstanceId,
        access: &Access,
        bases: Option<ObjectSet>,
        (run_by, guards): (RunBy, &Guards<'_>),
    ) -> Signature {
        let bases = if access.slot == Slot::Content {
            bases.map(|bases| self.unsafe_containers(instance, access, &bases))
        } else {
            bases
        };
        Signature {
            write: access.write,
            run_by,
            of: Of::Nobody,
            initialized: Vec::new(),
            thread_kind: self.threads.kind_of(run_by),
            started: None,
            ended: self.joins.ended(instance, access.at).filter_map(|object| self.threads.begun_on(object)).collect(),
            ended_tasks: self.joins.ended(instance, access.at).filter(|object| self.tasks.has(*object)).collect(),
            within: Vec::new(),
            shared: bases.as_ref().map(|bases| bases.common(self.escaping)),
            bases,
            is_of_thread: false,
            is_of_ended: false,
            guards: guards.at(self.points_to, instance, &access.held),
            own: access.base.map_or_else(Vec::new, |base| guards.own(self.points_to, instance, base, &access.held)),
            entries: Vec::new(),
            barred: Vec::new(),
        }
    }
}
