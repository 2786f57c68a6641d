//! Which locks are held whenever an instance runs: those that every call that leads there holds (paper 000, section 2.2.4, in
//! the form that one traversal computes).

use crate::points_to::{InstanceId, Local, Lock, ObjectId, ObjectSet, PointsTo, Slot};
use crate::program::{FieldId, Program};
use crate::races::must::{calls, flow_from};
use crate::races::worklist::Worklist;

use crate::types::locks;

use super::genuine::Genuine;
use super::released::Released;
use super::settled::Settled;

/// A lock that is held, as an abstract object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Guard {
    /// What is locked.
    pub object: ObjectId,
    /// Whether it is the object's monitor.
    pub monitor: bool,
    /// Whether other readers may hold it too.
    pub shared: bool,
    /// Whether it is a flag that one code only sets.
    pub is_flag: bool,
}

/// A lock that belongs to an object: if two accesses are to one object, it is one lock.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OwnLock {
    /// The final fields from the object to the lock; none for the object itself.
    pub fields: Vec<FieldId>,
    /// Whether it is a monitor.
    pub monitor: bool,
    /// Whether other readers may hold it too.
    pub shared: bool,
}

/// The locks of every instance.
#[derive(Debug)]
pub struct Guards<'a> {
    /// None for what no thread runs.
    on_entry: Vec<Option<Vec<Guard>>>,
    /// The locks of the very object that it is called on, or of its first argument; none if nothing calls it.
    on_this: Vec<Option<Vec<OwnLock>>>,
    released: Released,
    genuine: Genuine,
    settled: &'a Settled,
}

impl<'a> Guards<'a> {
    /// The greatest solution: what no call without the lock leads to is guarded.
    #[must_use]
    pub fn of(program: &Program, points_to: &PointsTo, roots: &[InstanceId], settled: &'a Settled) -> Self {
        let n_instances = points_to.instances().count();
        let released = Released::of(program, points_to);
        let genuine = Genuine::of(program, points_to);
        let mut guards =
            Self { on_entry: vec![None; n_instances], on_this: vec![None; n_instances], released, genuine, settled };
        guards.follow(program, points_to, roots);
        guards.follow_receivers(program, points_to, roots);
        guards
    }

    fn follow(&mut self, program: &Program, points_to: &PointsTo, roots: &[InstanceId]) {
        let mut open: Worklist<InstanceId> = roots.iter().copied().collect();
        for root in roots {
            self.on_entry[root.index()] = Some(Vec::new());
        }
        while let Some(caller) = open.pop() {
            for (site, edges) in calls(points_to, caller).filter(|(site, _)| !site.is_fork) {
                let mut held = self.at(points_to, caller, &site.held);
                held.retain(|guard| guard.monitor || !locks::may_release(program, site.method));
                for edge in edges {
                    open.extend(flow_from(&mut self.on_entry[edge.callee.index()], &held).then_some(edge.callee));
                }
            }
        }
    }

    /// The same for the locks of the receiver, whichever object that is.
    fn follow_receivers(&mut self, program: &Program, points_to: &PointsTo, roots: &[InstanceId]) {
        roots.iter().for_each(|root| self.on_this[root.index()] = Some(Vec::new()));
        let mut open: Worklist<InstanceId> = roots.iter().copied().collect();
        while let Some(caller) = open.pop() {
            for (site, edges) in calls(points_to, caller) {
                let receiver = site.arguments.first().copied().flatten().filter(|_| !site.is_fork);
                let mut held = receiver.map_or_else(Vec::new, |of| self.own(points_to, caller, of, &site.held));
                held.retain(|lock| lock.monitor || !locks::may_release(program, site.method));
                for edge in edges {
                    open.extend(flow_from(&mut self.on_this[edge.callee.index()], &held).then_some(edge.callee));
                }
            }
        }
    }

    /// The locks of the very object that a variable refers to which are held at a place of an instance that holds some itself;
    /// sorted.
    #[must_use]
    pub fn own(&self, points_to: &PointsTo, instance: InstanceId, of: Local, held: &[Lock]) -> Vec<OwnLock> {
        let code = points_to.code(instance);
        let (root, path) = code.path(of);
        let below = |fields: &[FieldId], monitor, shared| {
            let fields = fields.strip_prefix(&path[..])?.to_vec();
            Some(OwnLock { fields, monitor, shared })
        };
        let taken = held.iter().filter_map(|lock| {
            let (of, fields) = code.path(lock.local);
            let is_on_it = of == root || self.settled.are_one(points_to, instance, of, root);
            let lock = self.genuine.lock(points_to, instance, lock).filter(|_| is_on_it)?;
            below(&fields, lock.monitor, lock.shared)
        });
        let is_this = code.parameters.first().copied().flatten() == Some(root);
        let on_this = self.on_this[instance.index()].iter().flatten().filter(|_| is_this);
        let on_entry = on_this.filter_map(|lock| below(&lock.fields, lock.monitor, lock.shared));
        let objects = |lock: &OwnLock| objects_at(points_to, points_to.local(instance, of), &lock.fields);
        let is_kept = |lock: &OwnLock| {
            lock.monitor || self.released.is_nothing(instance) || !self.released.has_one_of(instance, &objects(lock))
        };
        let mut own: Vec<OwnLock> = taken.chain(on_entry).filter(is_kept).collect();
        own.sort_unstable();
        own.dedup();
        own
    }

    /// The locks held at a place of an instance that holds some itself; sorted.
    #[must_use]
    pub fn at(&self, points_to: &PointsTo, instance: InstanceId, held: &[Lock]) -> Vec<Guard> {
        let mut guards = self.on_entry[instance.index()].clone().unwrap_or_default();
        let genuine = held.iter().filter_map(|lock| self.genuine.lock(points_to, instance, lock));
        guards.extend(genuine.filter_map(|lock| guard(points_to, instance, &lock)));
        guards.retain(|guard| guard.monitor || !self.released.has(instance, guard.object));
        guards.sort_unstable();
        guards.dedup();
        guards
    }
}

/// What a path of fields leads to from some objects.
fn objects_at(points_to: &PointsTo, from: &ObjectSet, fields: &[FieldId]) -> ObjectSet {
    let all_in = |objects: ObjectSet, field: &FieldId| {
        let mut held = ObjectSet::default();
        objects.iter().for_each(|object| _ = held.insert_all(points_to.slot(object, Slot::Field(*field))));
        held
    };
    fields.iter().fold(from.clone(), all_in)
}

/// A lock counts if one abstract object is all that it may be.
#[must_use]
pub fn guard(points_to: &PointsTo, instance: InstanceId, lock: &Lock) -> Option<Guard> {
    let object = points_to.local(instance, lock.local).only()?;
    Some(Guard { object, monitor: lock.monitor, shared: lock.shared, is_flag: lock.is_flag })
}

/// The locks that keep two accesses apart: the same object, and not by readers on both sides.
pub fn common(a: &[Guard], b: &[Guard]) -> impl Iterator<Item = ObjectId> {
    let excludes =
        |a: &&Guard| b.iter().any(|b| a.object == b.object && a.monitor == b.monitor && !(a.shared && b.shared));
    a.iter().filter(excludes).map(|guard| guard.object)
}

/// Whether two accesses, if they are to one object, hold one lock of it, and not as readers both.
#[must_use]
pub fn exclude(a: &[OwnLock], b: &[OwnLock]) -> bool {
    a.iter().any(|a| b.iter().any(|b| a.fields == b.fields && a.monitor == b.monitor && !(a.shared && b.shared)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_do_not_exclude_each_other() {
        let guard = |object, shared| Guard { object: ObjectId(object), monitor: false, shared, is_flag: false };
        let (reads, writes) = ([guard(1, true)], [guard(1, false)]);
        assert_eq!(common(&reads, &reads).next(), None);
        assert_eq!(common(&reads, &writes).next(), Some(ObjectId(1)));
        assert_eq!(common(&writes, &[guard(2, false)]).next(), None);
        assert_eq!(common(&writes, &[Guard { monitor: true, ..guard(1, false) }]).next(), None);
    }
}
