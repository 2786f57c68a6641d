//! Points-to analysis and call graph, found together: k-object-sensitive with heap cloning, or without contexts, or with
//! contexts for the application only (paper 000, sections 2.2.1 and 2.2.2).
//!
//! `extract` turns bodies into `code`, `models` stands for what has no code, `solver` applies code in contexts, and `graph`
//! moves sets of `object`s along. [`naive`] does the same by the rules alone, to test against.
//!
//! What it cannot see it does not follow: reflection by names that are computed, native methods without a model, method handles,
//! finalizers. Exceptions are followed by type only; all texts are one object for each class of text, but for names of classes.

mod casts;
mod client;
mod code;
mod codes;
mod containers;
mod copies;
mod cycles;
pub mod environment;
mod extract;
mod framework;
mod graph;
mod handles;
mod held;
mod logged;
mod mirrors;
mod models;
pub mod naive;
mod object;
mod opened;
pub mod reflection;
mod resolve;
mod set;
mod sets;
mod solver;
mod suite;
mod test_methods;
mod thread_locals;

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

pub use casts::casts;
pub use client::Client;
pub use code::{Access, CallSite, Code, CodeId, Contexts, Dispatch, Global, Local, Lock, Slot, Use};
pub use codes::Codes;
pub(crate) use containers::access as container_access;
pub use containers::is_unsafe as is_unsafe_container;
pub use framework::Framework;
use graph::{Graph, Node};
pub use handles::Handles;
pub use logged::Logged;
pub use object::{Context, Object, ObjectId, Objects, Site};
pub use resolve::Resolution;
pub use set::ObjectSet;
use solver::Solver;
pub use suite::Suite;
pub use test_methods::test_methods;
pub(crate) use thread_locals::is_of_one_thread;

use crate::ir::Value;
use crate::program::{MethodId, Program};

/// Code in a context.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct InstanceId(pub u32);

impl InstanceId {
    /// Its place in the table.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a call of an instance runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CallEdge {
    /// The number of the call in the caller's code.
    pub call: u32,
    /// What it runs.
    pub callee: InstanceId,
}

/// Which code is told apart by the objects it is called on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sensitivity {
    /// None.
    None,
    /// All, by that many allocation sites.
    Object(usize),
    /// That of the application and of threads, and that of the JDK's containers on those that the application makes.
    Hybrid(usize),
}

impl std::fmt::Display for Sensitivity {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::None => write!(formatter, "no contexts"),
            Self::Object(k) => write!(formatter, "{k}-object contexts"),
            Self::Hybrid(k) => write!(formatter, "hybrid {k}-object contexts"),
        }
    }
}

/// What the JVM sets before `main`: fields of `System`, and the classes of what they hold.
const STREAMS: [(&str, &str); 3] =
    [("in", "java/io/BufferedInputStream"), ("out", "java/io/PrintStream"), ("err", "java/io/PrintStream")];

/// Containers: what they hold would be one for all of them.
const CONTAINERS: &[&str] = &["java/util/"];
/// What of these holds nothing, or is one for all anyway.
const NO_CONTAINERS: &[&str] = &[
    "java/util/concurrent/locks/",
    "java/util/concurrent/atomic/",
    "java/util/concurrent/ForkJoin",
    "java/util/concurrent/ThreadPoolExecutor",
    "java/util/stream/",
    "java/util/regex/",
    "java/util/zip/",
    "java/util/jar/",
    "java/util/logging/",
    "java/util/prefs/",
    "java/util/spi/",
    "java/util/Locale",
    "java/util/ResourceBundle",
    "java/util/Formatter",
    "java/util/Calendar",
    "java/util/Properties",
    "java/util/Scanner",
    "java/util/ServiceLoader",
];

impl Sensitivity {
    /// How many makers an object keeps that code makes. The parts of a container know which container they are of.
    fn depth(&self, contexts: Contexts) -> usize {
        match (self, contexts) {
            (Self::None, _) | (_, Contexts::None) => 0,
            (Self::Hybrid(k), Contexts::OfApplication | Contexts::Threads) => k.saturating_sub(1).max(1),
            (Self::Object(k) | Self::Hybrid(k), _) => k.saturating_sub(1),
        }
    }

    fn contexts(&self, program: &Program, method: MethodId) -> Contexts {
        let class = program.class(program.method(method).class);
        let name = program.names().text(class.name);
        let is_in = |list: &[&str]| list.iter().any(|prefix| name.starts_with(prefix));
        match self {
            Self::None => Contexts::None,
            Self::Object(_) => Contexts::All,
            Self::Hybrid(_) if class.is_application || is_apart(program, method) => Contexts::All,
            Self::Hybrid(_) if matches!(&*name, "java/lang/Thread" | "java/lang/Thread$FieldHolder") => {
                Contexts::Threads
            }
            Self::Hybrid(_) if is_in(CONTAINERS) && !is_in(NO_CONTAINERS) => Contexts::OfApplication,
            Self::Hybrid(_) => Contexts::None,
        }
    }
}

/// Whether a method of the JDK returns what depends on its receiver only, and is called on everything.
fn is_apart(program: &Program, method: MethodId) -> bool {
    copies::is_made_by(program, method) || thread_locals::is_of(program, method)
}

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
