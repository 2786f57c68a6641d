//! Which of a suite's methods its one thread runs and no other: if another one does, tests run in parallel, and whatever counts
//! on their coming one after the other is void.

use rustc_hash::FxHashSet;

use crate::points_to::PointsTo;
use crate::program::MethodId;
use crate::races::threads::{RunBy, Threads};

/// What the calls of some methods by the environment run, as far as one thread does; nothing if the environment has several.
#[must_use]
pub fn run_by_one(points_to: &PointsTo, threads: &Threads, called: &[MethodId]) -> FxHashSet<MethodId> {
    let environment = points_to.code(points_to.root);
    let is_meant = |call: u32| called.binary_search(&environment.calls[call as usize].method).is_ok();
    let edges = points_to.calls(points_to.root).iter().filter(|edge| environment.is_sequential && is_meant(edge.call));
    let mut found: FxHashSet<MethodId> = edges.filter_map(|edge| points_to.code(edge.callee).method).collect();
    for instance in points_to.instances() {
        let code = points_to.code(instance);
        if let (Some(method), RunBy::Several | RunBy::Alike(_)) = (code.method, threads.run_by(instance)) {
            found.remove(&method);
        }
    }
    found
}
