//! The call graph without contexts: which methods are reached, and which of them each call runs. That is no finding; other analyses
//! of the same program have one too, so reach and precision can be held against theirs.

use std::collections::BTreeSet;

use crate::ir::Value;
use crate::program::MethodId;

use super::core::id::InstanceId;
use super::{CallEdge, PointsTo};

/// What a call may run: the caller, the call's instruction, and a method.
pub type Edge = (MethodId, Value, MethodId);

/// The call graph.
#[derive(Debug)]
pub struct CallGraph {
    /// The methods that are reached and whose code is followed, natives with a model among them.
    pub methods: BTreeSet<MethodId>,
    /// What the JVM, a test framework or a client calls, class initializers among them.
    pub entries: BTreeSet<MethodId>,
    /// What each call runs. A call on a lambda runs its method, a reflective call what it names, a start what the
    /// thread runs.
    pub edges: BTreeSet<Edge>,
}

impl CallGraph {
    /// That of an analysis.
    #[must_use]
    pub fn of(points_to: &PointsTo) -> Self {
        let mut graph = Self { methods: BTreeSet::new(), entries: BTreeSet::new(), edges: BTreeSet::new() };
        for instance in points_to.instances() {
            let code = points_to.code(instance);
            if code.lambda.is_some() {
                continue;
            }
            graph.methods.extend(code.method);
            for CallEdge { call, callee } in points_to.calls(instance) {
                let Some(caller) = code.method else {
                    graph.entries.extend(run(points_to, *callee));
                    continue;
                };
                let at = code.calls[*call as usize].at;
                graph.edges.extend(run(points_to, *callee).into_iter().map(|callee| (caller, at, callee)));
            }
        }
        graph
    }
}

/// The methods that a call of an instance runs: its own, or those that a lambda or a reflective call leads to.
fn run(points_to: &PointsTo, instance: InstanceId) -> BTreeSet<MethodId> {
    let (mut methods, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![instance]);
    while let Some(instance) = open.pop() {
        let code = points_to.code(instance);
        match code.method.filter(|_| code.lambda.is_none()) {
            Some(method) => methods.extend([method]),
            None if seen.insert(instance) => open.extend(points_to.calls(instance).iter().map(|edge| edge.callee)),
            None => {}
        }
    }
    methods
}
