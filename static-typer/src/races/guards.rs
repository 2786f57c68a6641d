//! Which locks are held whenever an instance runs: those that every call that leads there holds (paper 000, section 2.2.4, in
//! the form that one traversal computes).

use crate::points_to::{InstanceId, Local, Lock, ObjectId, PointsTo};

/// A lock that is held, as an abstract object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Guard {
    /// What is locked.
    pub object: ObjectId,
    /// Whether it is the object's monitor.
    pub monitor: bool,
    /// Whether other readers may hold it too.
    pub shared: bool,
}

/// The locks of every instance.
#[derive(Debug)]
pub struct Guards {
    /// None for what no thread runs.
    on_entry: Vec<Option<Vec<Guard>>>,
    /// Whether the monitor of the very object that it is called on is held.
    on_this: Vec<bool>,
}

impl Guards {
    /// The greatest solution: what no call without the lock leads to is guarded.
    #[must_use]
    pub fn of(points_to: &PointsTo, roots: &[InstanceId]) -> Self {
        let n_instances = points_to.instances().count();
        let mut guards = Self { on_entry: vec![None; n_instances], on_this: vec![true; n_instances] };
        guards.follow(points_to, roots);
        guards.follow_receivers(points_to, roots);
        guards
    }

    fn follow(&mut self, points_to: &PointsTo, roots: &[InstanceId]) {
        let mut open = roots.to_vec();
        for root in roots {
            self.on_entry[root.index()] = Some(Vec::new());
        }
        while let Some(caller) = open.pop() {
            let code = points_to.code(caller);
            for edge in points_to.calls(caller) {
                let site = &code.calls[edge.call as usize];
                if !site.is_fork {
                    let held = self.at(points_to, caller, &site.held);
                    open.extend(self.flow(edge.callee, held));
                }
            }
        }
    }

    /// The same for the monitor of the receiver, whichever object that is.
    fn follow_receivers(&mut self, points_to: &PointsTo, roots: &[InstanceId]) {
        roots.iter().for_each(|root| self.on_this[root.index()] = false);
        let mut open: Vec<InstanceId> =
            points_to.instances().filter(|caller| self.on_entry[caller.index()].is_some()).collect();
        while let Some(caller) = open.pop() {
            let code = points_to.code(caller);
            for edge in points_to.calls(caller) {
                let site = &code.calls[edge.call as usize];
                let receiver = site.arguments.first().copied().flatten();
                let holds = !site.is_fork && receiver.is_some_and(|of| self.holds(points_to, caller, of, &site.held));
                if !holds && std::mem::replace(&mut self.on_this[edge.callee.index()], false) {
                    open.push(edge.callee);
                }
            }
        }
    }

    /// Whether an instance holds the monitor of the very object that a variable refers to.
    #[must_use]
    pub fn holds(&self, points_to: &PointsTo, instance: InstanceId, of: Local, held: &[Lock]) -> bool {
        let this = points_to.code(instance).parameters.first().copied().flatten();
        held.iter().any(|lock| lock.monitor && lock.local == of) || this == Some(of) && self.on_this[instance.index()]
    }

    /// The locks held at a place of an instance that holds some itself; sorted.
    #[must_use]
    pub fn at(&self, points_to: &PointsTo, instance: InstanceId, held: &[Lock]) -> Vec<Guard> {
        let mut guards = self.on_entry[instance.index()].clone().unwrap_or_default();
        guards.extend(held.iter().filter_map(|lock| guard(points_to, instance, lock)));
        guards.sort_unstable();
        guards.dedup();
        guards
    }

    fn flow(&mut self, callee: InstanceId, held: Vec<Guard>) -> Option<InstanceId> {
        match &mut self.on_entry[callee.index()] {
            Some(known) => {
                let before = known.len();
                known.retain(|guard| held.binary_search(guard).is_ok());
                (known.len() < before).then_some(callee)
            }
            unknown => {
                *unknown = Some(held);
                Some(callee)
            }
        }
    }
}

/// A lock counts if one abstract object is all that it may be.
#[must_use]
pub fn guard(points_to: &PointsTo, instance: InstanceId, lock: &Lock) -> Option<Guard> {
    let object = points_to.local(instance, lock.local).only()?;
    Some(Guard { object, monitor: lock.monitor, shared: lock.shared })
}

/// A lock that keeps two accesses apart: the same object, and not by readers on both sides.
#[must_use]
pub fn common(a: &[Guard], b: &[Guard]) -> Option<ObjectId> {
    let excludes =
        |a: &&Guard| b.iter().any(|b| a.object == b.object && a.monitor == b.monitor && !(a.shared && b.shared));
    a.iter().find(excludes).map(|guard| guard.object)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_do_not_exclude_each_other() {
        let guard = |object, shared| Guard { object: ObjectId(object), monitor: false, shared };
        let (reads, writes) = ([guard(1, true)], [guard(1, false)]);
        assert_eq!(common(&reads, &reads), None);
        assert_eq!(common(&reads, &writes), Some(ObjectId(1)));
        assert_eq!(common(&writes, &[guard(2, false)]), None);
        assert_eq!(common(&writes, &[Guard { monitor: true, ..guard(1, false) }]), None);
    }
}
