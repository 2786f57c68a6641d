//! The points-to graph of methods that are analysed together, with the summaries of what they call: inclusion-based and
//! flow-insensitive (appendix A of paper 003).
//!
//! A summary is instantiated as the constraints that it is: what it requires of a node is loaded from whatever that node is here,
//! now or later. So nothing is lost if two external nodes turn out to be one object, or if a slot is filled after the call.

mod calls;
mod cells;
mod constraints;
mod context;
mod cycles;
mod handed;
mod instance;
mod libraries;
mod regions;
mod renamed;
mod set;
mod types;
mod variables;

use std::cell::Cell as Flag;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use static_typer::ir::Value;
use static_typer::points_to::{CodeId, Site};
use static_typer::program::{MethodId, Program, Type};

use crate::call_graph::CallGraph;
use crate::library::Calls;
use crate::limits::Limits;
use crate::node::{Cell, Label, NodeId, Nodes};
use crate::regions::Regions;
use crate::store::{Kept, Names};
use crate::summary::{Cells, Summary, ThreadId};

pub use context::Context;
pub use handed::Handed;
pub use instance::Instance;
pub use set::Set;

/// A variable.
pub type Var = u32;

/// What is done with each node that a variable refers to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Hook {
    Load(Cell, Var, Option<Type>),
    Store(Cell, Var),
    /// Its cell has what the variable has, and the other way round.
    Join(Cell, Var),
    /// It is the receiver of a call: code and number.
    Call(CodeId, u32),
    /// It is handed over: the library may call it.
    CalledBack(usize),
    /// It is handed over: the library may fill it and take from it.
    Filled(Var),
    /// A copy of it goes to a variable.
    Copied(Var, Label),
}

/// A thread that is started, and by what.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// Something handed over here.
    Handed(usize),
    /// A thread of a summary.
    Instance(usize, ThreadId),
}

/// Where an internal node comes from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Maker {
    /// An instruction; whether it may run again.
    Here(CodeId, Value, bool),
    /// A node of an instance.
    Instance(usize, NodeId),
}

/// A region that is entered, the thread that does, and the call.
type Entered = (ThreadId, Option<ThreadId>, Option<(CodeId, u32)>);

/// What is known of the methods that are called.
#[derive(Default)]
pub struct Known<'a, 'p> {
    /// Their summaries.
    pub summaries: FxHashMap<CodeId, Rc<Kept>>,
    /// Those that have none.
    pub regions: Regions,
    /// By which summaries are read that are kept as bytes.
    pub names: Option<&'a Names<'a, 'p>>,
    /// Whether one could not be read.
    pub is_broken: Flag<bool>,
}

impl Known<'_, '_> {
    /// The summary of a method.
    #[must_use]
    pub fn summary(&self, code: CodeId) -> Option<Rc<Summary>> {
        let kept = self.summaries.get(&code)?;
        let summary = kept.summary(self.names);
        self.is_broken.set(self.is_broken.get() || summary.is_none());
        summary
    }
}

/// What a summary was made of besides code.
#[derive(Default, Debug)]
pub struct Used {
    /// The methods whose summaries were asked for.
    pub callees: IndexSet<CodeId, FxBuildHasher>,
    /// Methods that are called on objects of which nothing is known: anything may run that overrides them.
    pub dispatched: IndexSet<MethodId, FxBuildHasher>,
    /// Methods that are called and have no code.
    pub absent: IndexSet<MethodId, FxBuildHasher>,
}

/// Solves.
pub struct Solver<'a, 'p> {
    /// What calls run.
    pub graph: &'a CallGraph<'p>,
    /// The nodes.
    pub nodes: Nodes,
    /// What is known of the methods that are called.
    pub known: &'a Known<'a, 'p>,
    /// What was made use of.
    pub used: Used,
    /// The methods that are analysed; those of all regions for the root.
    pub component: Vec<CodeId>,
    /// Whether it is everything, which has no callers.
    pub is_root: bool,
    members: FxHashSet<CodeId>,
    /// Whether they call themselves.
    pub is_recursive: bool,
    /// How many labels are kept.
    pub limit: usize,
    /// The first variable of each code.
    first: FxHashMap<CodeId, Var>,
    results: FxHashMap<CodeId, Var>,
    points: Vec<Set>,
    done: Vec<usize>,
    copies: Vec<IndexSet<(Var, Option<Type>), FxBuildHasher>>,
    hooks: Vec<IndexSet<Hook, FxBuildHasher>>,
    is_out: Vec<bool>,
    /// What a variable was made one with; itself if nothing.
    same: Vec<Var>,
    open: Vec<Var>,
    /// The variables of cells, and whether they are loaded from.
    pub cells: IndexMap<(NodeId, Cell), (Var, bool), FxBuildHasher>,
    cells_of: FxHashMap<NodeId, Vec<Cell>>,
    constants: FxHashMap<NodeId, Var>,
    /// Internal nodes that callers may get at.
    pub escaping: FxHashSet<NodeId>,
    /// Whose cells nodes beyond the limit stand for.
    pub beyond: BTreeMap<NodeId, Cells>,
    /// What is instantiated.
    pub instances: Vec<Instance>,
    by_call: FxHashMap<(CodeId, u32, CodeId), usize>,
    /// Code whose constraints are to be added yet.
    adopted: Vec<CodeId>,
    by_library: FxHashSet<(Calls, bool)>,
    /// What regions pass to libraries.
    libraries: Option<Var>,
    passed: FxHashSet<(CodeId, u32, CodeId)>,
    /// Whether sites of regions are told apart by types only.
    merges: bool,
    returned: FxHashMap<Type, Site>,
    /// The regions that are entered, and from where.
    pub entered: IndexSet<Entered, FxBuildHasher>,
    /// What is handed over.
    pub handed: Vec<Handed>,
    #[allow(clippy::type_complexity, reason = "it is a key")]
    by_callback: FxHashMap<(CodeId, Option<ThreadId>, Vec<(Var, bool, bool)>, Option<(CodeId, u32)>), usize>,
    by_handing: FxHashMap<(CodeId, u32, bool), usize>,
    /// Who starts which thread.
    pub threads: BTreeMap<ThreadId, BTreeSet<Origin>>,
    /// What makes each internal node.
    pub makers: BTreeMap<NodeId, BTreeSet<Maker>>,
    /// The threads in which code of the component runs that it hands over itself.
    pub own_threads: BTreeSet<ThreadId>,
    /// Calls of the component itself.
    pub inner_calls: BTreeSet<(CodeId, u32)>,
    /// Whether a limit was reached.
    pub is_limited: bool,
    /// Methods of libraries that are called.
    pub assumed: BTreeSet<MethodId>,
    /// Cycles are looked for when so many steps are left.
    next_look: u64,
    /// How many steps may be taken yet: none is left if it was given up.
    pub steps: u64,
}

impl<'a, 'p> Solver<'a, 'p> {
    /// Before anything is known.
    pub fn new(
        graph: &'a CallGraph<'p>,
        known: &'a Known<'a, 'p>,
        (component, is_recursive): (Vec<CodeId>, bool),
        limit: usize,
    ) -> Self {
        Self {
            graph,
            nodes: Nodes::new(),
            known,
            used: Used::default(),
            is_root: false,
            members: component.iter().copied().collect(),
            component,
            is_recursive,
            limit,
            first: FxHashMap::default(),
            results: FxHashMap::default(),
            points: Vec::new(),
            done: Vec::new(),
            copies: Vec::new(),
            hooks: Vec::new(),
            is_out: Vec::new(),
            same: Vec::new(),
            open: Vec::new(),
            cells: IndexMap::default(),
            cells_of: FxHashMap::default(),
            constants: FxHashMap::default(),
            escaping: FxHashSet::default(),
            beyond: BTreeMap::new(),
            instances: Vec::new(),
            by_call: FxHashMap::default(),
            adopted: Vec::new(),
            by_library: FxHashSet::default(),
            libraries: None,
            passed: FxHashSet::default(),
            merges: false,
            returned: FxHashMap::default(),
            entered: IndexSet::default(),
            by_callback: FxHashMap::default(),
            handed: Vec::new(),
            by_handing: FxHashMap::default(),
            threads: BTreeMap::new(),
            makers: BTreeMap::new(),
            own_threads: BTreeSet::new(),
            inner_calls: BTreeSet::new(),
            is_limited: false,
            assumed: BTreeSet::new(),
            next_look: 0,
            steps: u64::MAX,
        }
    }

    /// Everything: the methods of all regions, and what is instantiated besides.
    pub fn root(graph: &'a CallGraph<'p>, known: &'a Known<'a, 'p>, limits: Limits) -> Self {
        let codes = known.regions.codes().to_vec();
        let n_sites: usize = codes.iter().map(|code| graph.code(*code).allocations.len()).sum();
        let merges = n_sites > limits.size;
        let new = Self::new(graph, known, (Vec::new(), true), limits.labels);
        // Clients call everything with whatever they have: to tell their calls apart takes long and gains little.
        let steps = if graph.environment().is_some() { limits.root_steps / 10 } else { limits.root_steps };
        let mut root = Self { is_root: true, merges, steps, next_look: steps, ..new };
        codes.into_iter().for_each(|code| root.adopt(code));
        root
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.graph.program
    }

    /// Solves the constraints of the component.
    pub fn solve(&mut self) {
        for code in self.component.clone() {
            self.declare(code);
        }
        self.adopted = self.component.clone();
        self.run();
    }

    /// Follows everything.
    pub fn run(&mut self) {
        loop {
            self.follow();
            match self.adopted.pop() {
                Some(code) if self.steps > 0 => self.constrain(code),
                _ => return,
            }
        }
    }

    fn follow(&mut self) {
        while self.steps > 0
            && let Some(var) = self.open.pop()
        {
            self.look_for_cycles();
            let v = self.find(var) as usize;
            // What is made one with something meanwhile is open again.
            while self.steps > 0 && self.same[v] == v as Var && self.done[v] < self.points[v].len() {
                let node = self.points[v][self.done[v]];
                self.done[v] += 1;
                self.process(v, node);
            }
        }
    }

    fn process(&mut self, v: usize, node: NodeId) {
        self.steps = self.steps.saturating_sub(1 + self.copies[v].len() as u64 + self.hooks[v].len() as u64);
        if self.is_out[v] {
            self.escape(node);
        }
        // What comes to a variable meanwhile has this node already.
        for (to, ty) in self.copies[v].clone() {
            self.flow(node, to, ty);
        }
        for hook in self.hooks[v].clone() {
            self.apply(node, &hook);
        }
    }

    fn apply(&mut self, node: NodeId, hook: &Hook) {
        match hook {
            Hook::Load(cell, ..) | Hook::Store(cell, _) | Hook::Join(cell, _) if !self.may_have(node, *cell) => {}
            Hook::Load(cell, to, ty) => self.load(node, *cell, *to, *ty),
            Hook::Store(cell, from) => self.store(node, *cell, *from),
            Hook::Join(cell, with) => {
                let cell = self.cell(node, *cell);
                self.unify(cell, *with);
            }
            Hook::Call(code, number) => self.receive(node, *code, *number),
            Hook::CalledBack(handed) => self.call_back(node, *handed),
            Hook::Filled(data) => self.fill(node, *data),
            Hook::Copied(to, label) => self.duplicate(node, *to, *label),
        }
    }
}
