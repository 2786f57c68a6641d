//! Points-to analysis and call graph, found together: k-object-sensitive with heap cloning, or without contexts, or with
//! contexts for the application only (paper 000, sections 2.2.1 and 2.2.2).
//!
//! The rooms: `frontend` turns bodies into code, `library` stands for what has no code to read, [`reflection`] for what calls by
//! names, and [`environment`] is who calls; `core` is what all of them speak of, and the graph along which objects flow. `solver`
//! applies code in contexts. [`naive`] does the same by the rules alone, to test against.
//!
//! What it cannot see it does not follow: reflection by names that are computed, native methods without a model, method handles,
//! finalizers. Exceptions are followed by type only; all texts are one object for each class of text, but for names of classes.

mod call_graph;
mod casts;
mod core;
pub mod environment;
mod frontend;
mod holders;
mod library;
pub mod naive;
pub mod reflection;
mod sensitivity;
mod solver;

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::ir::Value;
use crate::program::MethodId;

pub use self::core::code::{Access, ArrayOf, CallSite, Code, Contexts, Dispatch, Global, Local, Lock, Slot, Use};
pub use self::core::cycles::components;
pub use self::core::id::{CodeId, InstanceId, ObjectId};
pub use self::core::object::{Context, Object, Objects};
pub use self::core::set::ObjectSet;
pub use self::core::site::Site;
pub use call_graph::{CallGraph, Edge};
pub use casts::casts;
pub use environment::beans::Beans;
pub use environment::client::Client;
pub use environment::framework::Framework;
pub use environment::suite::Suite;
pub use environment::test_methods::test_methods;
pub use frontend::codes::Codes;
pub use frontend::handles::Handles;
pub use frontend::resolve::Resolution;
pub use holders::{Above, Holders};
pub(crate) use library::containers::access as container_access;
pub(crate) use library::containers::reads_last;
pub use library::containers::{is_unsafe as is_unsafe_container, looks_up};
pub(crate) use library::elements::accesses as element_accesses;
pub use library::parts::ClosedParts;
pub(crate) use library::thread_locals::is_of_one_thread;
pub use reflection::logged::Logged;
pub use sensitivity::Sensitivity;

use self::core::graph::{Graph, Node};
use solver::Solver;

/// What a call of an instance runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CallEdge {
    /// The number of the call in the caller's code.
    pub call: u32,
    /// What it runs.
    pub callee: InstanceId,
}

/// What the JVM sets before `main`: fields of `System`, and the classes of what they hold.
const STREAMS: [(&str, &str); 3] =
    [("in", "java/io/BufferedInputStream"), ("out", "java/io/PrintStream"), ("err", "java/io/PrintStream")];

/// The result.
#[derive(Debug)]
pub struct PointsTo {
    /// Where everything begins: the code of the environment.
    pub root: InstanceId,
    /// The abstract objects.
    pub objects: Objects,
    codes: Vec<Option<Arc<Code>>>,
    instances: Vec<(CodeId, Context)>,
    edges: Vec<Vec<CallEdge>>,
    graph: Graph,
    first_node: Vec<Node>,
    slots: IndexMap<(ObjectId, Slot), Node, FxBuildHasher>,
    globals: IndexMap<Global, Node, FxBuildHasher>,
    missing: Vec<MethodId>,
}

static NOTHING: ObjectSet = ObjectSet::EMPTY;
static NO_CODE: std::sync::LazyLock<Code> = std::sync::LazyLock::new(Code::default);

impl PointsTo {
    /// Analyses a program as an environment's code uses it; `progress` hears how much code is reached. None if that would take
    /// more than about `memory` bytes.
    #[must_use]
    pub fn of(
        resolution: &Resolution<'_>,
        sensitivity: &Sensitivity,
        environment: Code,
        memory: u64,
        progress: &dyn Fn(usize),
    ) -> Option<Self> {
        let handles = Handles::of(resolution);
        Solver::new(resolution, &handles, sensitivity).solve(environment, memory, progress)
    }

    /// Every code instance that can be reached.
    pub fn instances(&self) -> impl Iterator<Item = InstanceId> + use<> {
        (0..self.instances.len() as u32).map(InstanceId)
    }

    /// The code of an instance.
    #[must_use]
    pub fn code(&self, instance: InstanceId) -> &Code {
        self.codes[self.instances[instance.index()].0.0 as usize].as_deref().unwrap_or(&NO_CODE)
    }

    /// The number of an instance's code.
    #[must_use]
    pub fn code_id(&self, instance: InstanceId) -> CodeId {
        self.instances[instance.index()].0
    }

    /// The context of an instance.
    #[must_use]
    pub fn context(&self, instance: InstanceId) -> Context {
        self.instances[instance.index()].1
    }

    /// What the calls of an instance run.
    #[must_use]
    pub fn calls(&self, instance: InstanceId) -> &[CallEdge] {
        &self.edges[instance.index()]
    }

    /// What the calls of an instance run in the same thread.
    pub fn callees(&self, instance: InstanceId) -> impl Iterator<Item = InstanceId> + '_ {
        let code = self.code(instance);
        let calls = self.calls(instance).iter().filter(|edge| !code.calls[edge.call as usize].is_fork);
        calls.map(|edge| edge.callee)
    }

    /// What a variable refers to.
    #[must_use]
    pub fn local(&self, instance: InstanceId, local: Local) -> &ObjectSet {
        self.graph.objects(Node(self.first_node[instance.index()].0 + local.0))
    }

    /// What the result of an instruction refers to.
    #[must_use]
    pub fn value(&self, instance: InstanceId, value: Value) -> &ObjectSet {
        self.code(instance).find_local(value).map_or(&NOTHING, |local| self.local(instance, local))
    }

    /// What a variable of the whole program refers to.
    #[must_use]
    pub fn global(&self, global: Global) -> &ObjectSet {
        self.globals.get(&global).map_or(&NOTHING, |node| self.graph.objects(*node))
    }

    /// Every variable of the whole program.
    pub fn globals(&self) -> impl Iterator<Item = (Global, &ObjectSet)> {
        self.globals.iter().map(|(global, node)| (*global, self.graph.objects(*node)))
    }

    /// What a slot of an object refers to.
    #[must_use]
    pub fn slot(&self, object: ObjectId, slot: Slot) -> &ObjectSet {
        self.slots.get(&(object, slot)).map_or(&NOTHING, |node| self.graph.objects(*node))
    }

    /// Every slot of every object, in no order.
    pub fn slots(&self) -> impl Iterator<Item = (ObjectId, Slot, &ObjectSet)> {
        self.slots.iter().map(|((object, slot), node)| (*object, *slot, self.graph.objects(*node)))
    }

    /// These objects and all that they lead to, by the slots that are followed.
    #[must_use]
    pub fn reached(&self, from: &ObjectSet, follows: &dyn Fn(ObjectId, Slot) -> bool) -> ObjectSet {
        let mut held: Vec<Vec<&ObjectSet>> = vec![Vec::new(); self.objects.len()];
        for (object, _, objects) in self.slots().filter(|(object, slot, _)| follows(*object, *slot)) {
            held[object.0 as usize].push(objects);
        }
        let mut reached = ObjectSet::default();
        let mut open: Vec<ObjectId> = from.iter().collect();
        while let Some(object) = open.pop() {
            if reached.insert(object) {
                open.extend(held[object.0 as usize].iter().flat_map(|objects| objects.iter()));
            }
        }
        reached
    }

    /// Methods that are called and have no code that can be read.
    #[must_use]
    pub fn missing(&self) -> &[MethodId] {
        &self.missing
    }

    /// How large the analysis became: nodes and edges of its graph.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        (self.graph.len(), self.graph.n_edges())
    }

    /// How often objects went along an edge: the work that it took, whatever the machine.
    #[must_use]
    pub const fn n_flows(&self) -> u64 {
        self.graph.n_flows()
    }
}
