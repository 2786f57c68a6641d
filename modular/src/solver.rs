//! The points-to graph of methods that are analysed together, with the summaries of what they call: inclusion-based and
//! flow-insensitive (appendix A of paper 003).
//!
//! A summary is instantiated as the constraints that it is: what it requires of a node is loaded from whatever that node is here,
//! now or later. So nothing is lost if two external nodes turn out to be one object, or if a slot is filled after the call.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use static_typer::ir::Value;
use static_typer::points_to::{CallSite, Code, CodeId, Dispatch, Global, Local, Site, Slot, Use};
use static_typer::program::{MethodId, Name, Program, Type};

use crate::call_graph::{CallGraph, Target};
use crate::library::{self, Calls};
use crate::multiplicity::Multiplicity;
use crate::node::{Cell, Label, Labels, Node, NodeId, Nodes, is_contextual, limited};
use crate::summary::{Lock, Summary, ThreadId};

/// How many steps of required nodes are told apart.
const MAX_DEPTH: usize = 2;

/// How many steps a component may take: some ten seconds.
pub const MAX_STEPS: u64 = 30_000_000;

/// A variable.
pub type Var = u32;

type Set = IndexSet<NodeId, FxBuildHasher>;

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

/// Where a call stands, which says what comes before it.
#[derive(Clone, Debug)]
pub struct Position {
    /// The code.
    pub code: CodeId,
    /// The call.
    pub number: u32,
    /// Its instruction.
    pub at: Value,
}

/// Who runs what is instantiated, and under which locks.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// The calls that lead there.
    pub labels: Labels,
    /// How often the place is reached.
    pub multiplicity: Multiplicity,
    /// Another thread, if it is one.
    pub thread: Option<ThreadId>,
    /// The locks that are held.
    pub locks: Vec<(Var, bool, bool)>,
    /// The threads that may have been started before, as far as the place does not say.
    pub started: BTreeSet<ThreadId>,
    /// The place.
    pub position: Option<Position>,
    /// The call, if it is one in code.
    pub call: Option<(CodeId, u32)>,
    /// Whether a library calls.
    pub is_callback: bool,
}

/// A summary at a call.
#[derive(Debug)]
pub struct Instance {
    /// The method.
    pub callee: CodeId,
    /// Its summary.
    pub summary: Rc<Summary>,
    /// Where and how it is called.
    pub context: Context,
    /// What its nodes are here.
    pub vars: FxHashMap<NodeId, Var>,
    parameters: Vec<Var>,
    result: Var,
}

/// What was handed to a library.
#[derive(Debug)]
pub struct Handed {
    /// Who does it, and where.
    pub context: Context,
    /// Which methods are called.
    pub calls: Calls,
    /// The objects that are called.
    pub receivers: Var,
    /// What is passed.
    pub data: Var,
    /// The thread that calls.
    pub runs_in: Option<ThreadId>,
    /// Whether the objects are threads.
    pub is_start: bool,
    /// What has been called.
    pub done: BTreeSet<NodeId>,
    instances: BTreeMap<CodeId, usize>,
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

/// Solves.
pub struct Solver<'a, 'p> {
    /// What calls run.
    pub graph: &'a CallGraph<'p>,
    /// The nodes.
    pub nodes: &'a mut Nodes,
    summaries: &'a FxHashMap<CodeId, Rc<Summary>>,
    /// The methods that are analysed; none for the root, which has no callers.
    pub component: Vec<CodeId>,
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
    pub beyond: BTreeMap<NodeId, BTreeSet<(NodeId, Cell)>>,
    /// What is instantiated.
    pub instances: Vec<Instance>,
    by_call: FxHashMap<(CodeId, u32, CodeId), usize>,
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
    /// How many steps may be taken yet: none is left if it was given up.
    pub steps: u64,
}

impl<'a, 'p> Solver<'a, 'p> {
    /// Before anything is known.
    pub fn new(
        graph: &'a CallGraph<'p>,
        nodes: &'a mut Nodes,
        summaries: &'a FxHashMap<CodeId, Rc<Summary>>,
        (component, is_recursive): (Vec<CodeId>, bool),
        limit: usize,
    ) -> Self {
        Self {
            graph,
            nodes,
            summaries,
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
            by_callback: FxHashMap::default(),
            handed: Vec::new(),
            by_handing: FxHashMap::default(),
            threads: BTreeMap::new(),
            makers: BTreeMap::new(),
            own_threads: BTreeSet::new(),
            inner_calls: BTreeSet::new(),
            is_limited: false,
            assumed: BTreeSet::new(),
            steps: MAX_STEPS,
        }
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
        for code in self.component.clone() {
            self.constrain(code);
        }
        self.run();
    }

    /// The variable of a local.
    pub fn local(&self, code: CodeId, local: Local) -> Var {
        self.first[&code] + local.0
    }

    /// What a variable refers to.
    pub fn points(&self, var: Var) -> &Set {
        &self.points[self.find(var) as usize]
    }

    /// The variable that a variable was made one with.
    pub fn find(&self, mut var: Var) -> Var {
        while self.same[var as usize] != var {
            var = self.same[var as usize];
        }
        var
    }

    /// Makes two variables one: each would be a copy of the other.
    fn unify(&mut self, a: Var, b: Var) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        // The larger one stays.
        let (a, b) = if self.points[a as usize].len() < self.points[b as usize].len() { (b, a) } else { (a, b) };
        self.same[b as usize] = a;
        self.done[b as usize] = 0;
        let (points, copies) =
            (std::mem::take(&mut self.points[b as usize]), std::mem::take(&mut self.copies[b as usize]));
        let hooks = std::mem::take(&mut self.hooks[b as usize]);
        if self.is_out[b as usize] && !self.is_out[a as usize] {
            self.is_out[a as usize] = true;
            self.processed(a).into_iter().for_each(|node| self.escape(node));
        }
        points.into_iter().for_each(|node| self.insert(a, node));
        copies.into_iter().for_each(|(to, ty)| self.copy(a, to, ty));
        hooks.into_iter().for_each(|hook| self.hook(a, hook));
    }

    /// What a method returns.
    pub fn result(&self, code: CodeId) -> &Set {
        self.points(self.results[&code])
    }

    /// A new variable.
    pub fn var(&mut self) -> Var {
        self.points.push(Set::default());
        self.done.push(0);
        self.copies.push(IndexSet::default());
        self.hooks.push(IndexSet::default());
        self.is_out.push(false);
        self.same.push(self.same.len() as Var);
        self.points.len() as Var - 1
    }

    /// The variable that refers to one node.
    pub fn constant(&mut self, node: NodeId) -> Var {
        if let Some(var) = self.constants.get(&node) {
            return *var;
        }
        let var = self.var();
        self.constants.insert(node, var);
        self.insert(var, node);
        var
    }

    fn insert(&mut self, var: Var, node: NodeId) {
        let var = self.find(var);
        if self.points[var as usize].insert(node) {
            self.open.push(var);
        }
    }

    fn declare(&mut self, code: CodeId) {
        let data = self.graph.code(code).clone();
        let first = self.points.len() as Var;
        (0..data.n_locals).for_each(|_| {
            self.var();
        });
        self.first.insert(code, first);
        let result = self.var();
        self.is_out[result as usize] = true;
        self.results.insert(code, result);
        for (n, parameter) in data.parameters.iter().enumerate() {
            if let Some(local) = parameter {
                let node = self.nodes.intern(Node::Parameter(code, n as u16));
                self.insert(first + local.0, node);
            }
        }
        if let Some(local) = data.result {
            self.copies[(first + local.0) as usize].insert((result, None));
        }
    }

    fn constrain(&mut self, code: CodeId) {
        let data = self.graph.code(code).clone();
        let local = |local: Local| self.first[&code] + local.0;
        let first = local(Local(0));
        let at = |local: Local| first + local.0;
        for (to, site, ty) in &data.allocations {
            self.allocate(code, at(*to), *site, *ty, &data);
        }
        for (to, from, ty) in &data.copies {
            self.copy(at(*from), at(*to), *ty);
        }
        for (to, global, ty) in &data.global_loads {
            self.load(Nodes::GLOBAL, Cell::Global(*global), at(*to), *ty);
        }
        for (global, from) in &data.global_stores {
            self.store(Nodes::GLOBAL, Cell::Global(*global), at(*from));
        }
        for (base, used) in data.used_locals().collect::<BTreeSet<_>>().into_iter().flat_map(|base| data.uses(base)) {
            match used {
                Use::Load(slot, to, ty) => self.hook(at(*base), Hook::Load(Cell::Slot(*slot), at(*to), *ty)),
                Use::Store(slot, from) => self.hook(at(*base), Hook::Store(Cell::Slot(*slot), at(*from))),
                Use::Clone(to) | Use::Resize(to, ..) => {
                    self.hook(at(*base), Hook::Copied(at(*to), Label { code, number: COPIES + to.0 }));
                }
                Use::Call(call) => self.hook(at(*base), Hook::Call(code, *call)),
                Use::ClassOf(to, _) => {
                    let node = Node::Object(
                        Labels::default(),
                        Site::Merged(Type::class(Name::CLASS)),
                        Type::class(Name::CLASS),
                    );
                    let node = self.nodes.intern(node);
                    self.insert(at(*to), node);
                }
                Use::Open(_) => {}
            }
        }
        for (number, site) in data.calls.iter().enumerate().filter(|(_, site)| site.dispatch == Dispatch::Static) {
            match self.graph.of_method(site.method) {
                Some(callee) => self.call(code, number as u32, callee, None),
                None => self.library(code, number as u32),
            }
        }
    }

    fn allocate(&mut self, code: CodeId, to: Var, site: Site, ty: Type, data: &Code) {
        let node = self.nodes.intern(Node::Object(Labels::default(), site, ty));
        let again = match site {
            Site::New(_, at, _) | Site::Lambda(_, at, _) | Site::Reflected(_, at, _) => data.repeated.contains(&at),
            _ => false,
        };
        self.makers.entry(node).or_default().insert(Maker::Here(code, Value(0), again));
        self.insert(to, node);
    }

    /// What one variable refers to, the other does too.
    pub fn copy(&mut self, from: Var, to: Var, ty: Option<Type>) {
        let (from, to) = (self.find(from), self.find(to));
        if from == to || !self.copies[from as usize].insert((to, ty)) {
            return;
        }
        self.steps = self.steps.saturating_sub(self.done[from as usize] as u64);
        for node in self.processed(from) {
            self.flow(node, to, ty);
        }
    }

    fn flow(&mut self, node: NodeId, to: Var, ty: Option<Type>) {
        if ty.is_none_or(|ty| self.may_be(node, ty)) {
            self.insert(to, node);
        }
    }

    /// Whether a node may be of a type.
    pub fn may_be(&self, node: NodeId, of: Type) -> bool {
        match self.nodes.get(node) {
            Node::Object(_, Site::Returned(_), ty) => self.may_share(*ty, of),
            Node::Object(_, _, ty) => *ty == Type::NULL || self.program().is_subtype(*ty, of),
            _ => self.declared(node).is_none_or(|declared| self.may_share(declared, of)),
        }
    }

    /// What the code says of what callers decide.
    fn declared(&self, node: NodeId) -> Option<Type> {
        match self.nodes.get(node) {
            Node::Required(_, cell) | Node::Beyond(cell) => match cell {
                Cell::Slot(Slot::Field(field)) | Cell::Global(Global::Static(field)) => {
                    Some(self.program().field(*field).ty)
                }
                _ => None,
            },
            Node::Parameter(code, n) => {
                let data = self.graph.code(*code);
                let method = data.method.filter(|_| data.lambda.is_none())?;
                let of_receiver = usize::from(!self.program().method(method).is_static());
                match usize::from(*n).checked_sub(of_receiver) {
                    Some(n) => self.program().signature(method).parameters.get(n).copied(),
                    None => Some(Type::class(self.program().class(self.program().method(method).class).name)),
                }
            }
            _ => None,
        }
    }

    /// Whether something may be of two types: one is the other, or one is an interface.
    fn may_share(&self, a: Type, b: Type) -> bool {
        let program = self.program();
        let is_open = |ty: Type| {
            let class = ty.as_class().and_then(|name| program.find(name));
            ty == Type::OBJECT || ty.dimensions == 0 && class.is_none_or(|class| program.class(class).is_interface())
        };
        is_open(a) || is_open(b) || program.is_subtype(a, b) || program.is_subtype(b, a)
    }

    /// Whether a node may have such a cell.
    pub fn may_have(&self, node: NodeId, cell: Cell) -> bool {
        match (cell, self.nodes.get(node)) {
            (Cell::Slot(Slot::Field(field)), _) => {
                let class = self.program().field(field).class;
                self.may_be(node, Type::class(self.program().class(class).name))
            }
            (Cell::Slot(Slot::Element), Node::Object(_, made, ty)) => {
                ty.dimensions > 0 || *ty == Type::NULL || matches!(made, Site::Returned(_)) && *ty == Type::OBJECT
            }
            (Cell::Slot(Slot::Element), _) => self.declared(node).is_none_or(|ty| {
                ty.dimensions > 0
                    || ty == Type::OBJECT
                    || ty.as_class().is_some_and(|name| self.program().find(name).is_none())
            }),
            (Cell::Slot(Slot::Captured(_)), Node::Object(_, made, _)) => matches!(made, Site::Lambda(..)),
            _ => true,
        }
    }

    fn hook(&mut self, var: Var, hook: Hook) {
        let var = self.find(var);
        let hook = match hook {
            Hook::Filled(data) => Hook::Filled(self.find(data)),
            Hook::Join(cell, with) => Hook::Join(cell, self.find(with)),
            Hook::Load(cell, to, ty) => Hook::Load(cell, self.find(to), ty),
            Hook::Store(cell, from) => Hook::Store(cell, self.find(from)),
            other => other,
        };
        if !self.hooks[var as usize].insert(hook.clone()) {
            return;
        }
        for node in self.processed(var) {
            self.apply(node, &hook);
        }
    }

    /// The nodes of a variable that its copies and hooks have had.
    fn processed(&self, var: Var) -> Vec<NodeId> {
        self.points[var as usize].iter().take(self.done[var as usize]).copied().collect()
    }

    /// Follows everything.
    pub fn run(&mut self) {
        while self.steps > 0
            && let Some(var) = self.open.pop()
        {
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

    fn escape(&mut self, node: NodeId) {
        if self.component.is_empty() || self.nodes.is_external(node) || !self.escaping.insert(node) {
            return;
        }
        for cell in self.cells_of.get(&node).cloned().unwrap_or_default() {
            let (var, is_loaded) = self.cells[&(node, cell)];
            self.open_cell(node, cell, var, is_loaded);
        }
    }

    /// Callers may fill the cell, and get at what is in it.
    fn open_cell(&mut self, node: NodeId, cell: Cell, var: Var, is_loaded: bool) {
        let var = self.find(var);
        self.is_out[var as usize] = true;
        self.processed(var).into_iter().for_each(|inner| self.escape(inner));
        if is_loaded {
            let required = self.required(node, cell);
            self.insert(var, required);
        }
    }

    fn is_open(&self, node: NodeId) -> bool {
        !self.component.is_empty() && (self.nodes.is_external(node) || self.escaping.contains(&node))
    }

    /// The variable of a cell.
    fn cell(&mut self, node: NodeId, cell: Cell) -> Var {
        if let Some((var, _)) = self.cells.get(&(node, cell)) {
            return *var;
        }
        let var = self.var();
        self.is_out[var as usize] = self.is_open(node);
        self.cells.insert((node, cell), (var, false));
        self.cells_of.entry(node).or_default().push(cell);
        var
    }

    fn required(&mut self, node: NodeId, cell: Cell) -> NodeId {
        let depth = if cell == Cell::Slot(Slot::Content) { 1 } else { MAX_DEPTH };
        if self.nodes.depth(node) < depth {
            return self.nodes.intern(Node::Required(node, cell));
        }
        let beyond = self.nodes.intern(Node::Beyond(cell));
        self.beyond.entry(beyond).or_default().insert((node, cell));
        self.is_limited = true;
        beyond
    }

    fn load(&mut self, node: NodeId, cell: Cell, to: Var, ty: Option<Type>) {
        let var = self.cell(node, cell);
        if let Some((_, is_loaded)) = self.cells.get_mut(&(node, cell))
            && !std::mem::replace(is_loaded, true)
            && self.is_open(node)
        {
            let required = self.required(node, cell);
            self.insert(var, required);
        }
        self.copy(var, to, ty);
    }

    fn store(&mut self, node: NodeId, cell: Cell, from: Var) {
        let var = self.cell(node, cell);
        self.copy(from, var, None);
    }

    /// Arrays and what `clone` makes: like the original, with what that holds.
    fn duplicate(&mut self, node: NodeId, to: Var, label: Label) {
        let copy = match self.nodes.get(node).clone() {
            Node::Object(labels, Site::New(method, at, depth), ty) => {
                self.nodes.intern(Node::Object(labels, Site::Copy(method, at, depth), ty))
            }
            _ => node,
        };
        if copy != node {
            self.makers.entry(copy).or_default().insert(Maker::Here(label.code, Value(0), true));
            for cell in self.cells_of.get(&node).cloned().unwrap_or_default() {
                let (from, into) = (self.cell(node, cell), self.cell(copy, cell));
                self.copy(from, into, None);
            }
            let cell = Cell::Slot(Slot::Element);
            let into = self.cell(copy, cell);
            self.load(node, cell, into, None);
        }
        // What is filled later is not followed into the copy: it is the original, too.
        self.insert(to, copy);
        self.insert(to, node);
    }

    fn receive(&mut self, node: NodeId, code: CodeId, number: u32) {
        let data = self.graph.code(code).clone();
        let site = &data.calls[number as usize];
        if site.dispatch == Dispatch::Special {
            return match self.graph.of_method(site.method) {
                Some(callee) => self.call(code, number, callee, Some(node)),
                None => self.library(code, number),
            };
        }
        let is_ours = self.is_ours(site.method);
        match self.nodes.get(node).clone() {
            Node::Object(_, made, ty) if !matches!(made, Site::Returned(_)) => {
                match self.graph.dispatch(site.method, made, ty) {
                    Target::Code(callee) => self.call(code, number, callee, Some(node)),
                    Target::Library => self.library(code, number),
                    Target::Nothing => {}
                }
            }
            _ if is_ours => {
                for callee in self.graph.targets(site.method).collect::<Vec<_>>() {
                    self.call(code, number, callee, Some(node));
                }
            }
            _ => {
                self.wait(node, code, number);
                self.library(code, number);
            }
        }
    }

    fn is_ours(&self, method: MethodId) -> bool {
        self.program().class(self.program().method(method).class).is_application
    }

    /// A call of a library's method on what is not known yet: an object of the application may be called.
    fn wait(&mut self, node: NodeId, code: CodeId, number: u32) {
        let key = (code, number, true);
        let index = match self.by_handing.get(&key) {
            Some(index) => *index,
            None => {
                let data = self.graph.code(code).clone();
                let site = &data.calls[number as usize];
                let passed = self.passed(code, site, None);
                let calls = Calls::Only(site.method);
                let context = self.context(code, number, None);
                self.hand_over(context, calls, None, false, passed, key)
            }
        };
        let receivers = self.handed[index].receivers;
        self.insert(receivers, node);
    }

    /// A variable for all that a call passes, and for what it gives.
    fn passed(&mut self, code: CodeId, site: &CallSite, of_receiver: Option<()>) -> Var {
        let data = self.var();
        let skipped = usize::from(of_receiver.is_none() && site.dispatch != Dispatch::Static);
        let signature = self.program().signature(site.method);
        let is_static = site.dispatch == Dispatch::Static;
        for (n, argument) in site.arguments.iter().enumerate().skip(skipped) {
            let parameter = if is_static { Some(n) } else { n.checked_sub(1) };
            let ty = parameter.and_then(|n| signature.parameters.get(n).copied());
            let ty = ty.unwrap_or(Type::class(self.program().class(self.program().method(site.method).class).name));
            if let Some(argument) = argument.filter(|_| library::is_open(self.program(), ty)) {
                let from = self.local(code, argument);
                self.copy(from, data, None);
            }
        }
        if let Some(result) = site.result {
            let to = self.local(code, result);
            self.copy(data, to, Some(signature.result));
        }
        data
    }

    fn library(&mut self, code: CodeId, number: u32) {
        let key = (code, number, false);
        if self.by_handing.contains_key(&key) {
            return;
        }
        self.by_handing.insert(key, usize::MAX);
        let data = self.graph.code(code).clone();
        let site = &data.calls[number as usize];
        let (program, method) = (self.program(), site.method);
        self.assumed.insert(method);
        let (class, name) =
            (program.class_name(program.method(method).class), program.names().text(program.method(method).name));
        if &*class == "java/lang/Thread" && &*name == "currentThread" {
            if let Some(result) = site.result {
                let to = self.local(code, result);
                self.load(Nodes::GLOBAL, Cell::Global(Global::Threads), to, None);
            }
            return;
        }
        let passed = self.passed(code, site, Some(()));
        self.give(code, number, site, passed);
        self.hook(passed, Hook::Filled(passed));
        let effect = library::effect(program, method);
        if effect.here != Calls::None {
            let context = self.context(code, number, None);
            self.hand_over(context, effect.here, None, false, passed, key);
        }
        if effect.elsewhere != Calls::None {
            self.fork(code, number, effect, passed, key);
        }
    }

    /// Something of its own that a library returns.
    fn give(&mut self, code: CodeId, number: u32, site: &CallSite, passed: Var) {
        let ty = self.program().signature(site.method).result;
        let Some(result) = site.result.filter(|_| ty.is_reference()) else { return };
        let labels: Labels = [Label { code, number }].into();
        let node = self.nodes.intern(Node::Object(labels, Site::Returned(site.method), ty));
        self.makers.entry(node).or_default().insert(Maker::Here(code, site.at, site.repeats));
        let to = self.local(code, result);
        self.insert(to, node);
        if library::is_open(self.program(), ty) {
            self.insert(passed, node);
        }
    }

    fn fork(&mut self, code: CodeId, number: u32, effect: library::Effect, passed: Var, key: (CodeId, u32, bool)) {
        let thread: ThreadId = [Label { code, number }].into();
        let context = self.context(code, number, None);
        if effect.is_start {
            let cell = self.cell(Nodes::GLOBAL, Cell::Global(Global::Threads));
            let data = self.graph.code(code).clone();
            if let Some(receiver) = data.calls[number as usize].arguments.first().copied().flatten() {
                let from = self.local(code, receiver);
                self.copy(from, cell, None);
            }
        }
        let index = self.hand_over(context, effect.elsewhere, Some(thread.clone()), effect.is_start, passed, key);
        self.threads.entry(thread).or_default().insert(Origin::Handed(index));
    }

    /// The place of a call in code.
    fn context(&self, code: CodeId, number: u32, thread: Option<ThreadId>) -> Context {
        let data = self.graph.code(code);
        let site = &data.calls[number as usize];
        let locks = site.held.iter().map(|lock| (self.local(code, lock.local), lock.monitor, lock.shared)).collect();
        let is_many = site.repeats || self.is_recursive;
        Context {
            labels: [Label { code, number }].into(),
            multiplicity: if is_many { Multiplicity::Many } else { Multiplicity::Unknown },
            thread,
            locks,
            started: BTreeSet::new(),
            position: Some(Position { code, number, at: site.at }),
            call: Some((code, number)),
            is_callback: false,
        }
    }

    fn hand_over(
        &mut self,
        context: Context,
        calls: Calls,
        runs_in: Option<ThreadId>,
        is_start: bool,
        data: Var,
        key: (CodeId, u32, bool),
    ) -> usize {
        let receivers = if matches!(calls, Calls::Only(_)) { self.var() } else { data };
        let context = Context { call: None, ..context };
        let handed = Handed {
            context,
            calls,
            receivers,
            data,
            runs_in,
            is_start,
            done: BTreeSet::new(),
            instances: BTreeMap::new(),
        };
        self.handed.push(handed);
        let index = self.handed.len() - 1;
        self.by_handing.insert(key, index);
        self.hook(receivers, Hook::CalledBack(index));
        index
    }

    /// A library fills what it gets with all else that it gets.
    fn fill(&mut self, node: NodeId, data: Var) {
        let cells: &[Slot] = match self.nodes.get(node) {
            Node::Object(_, _, ty) if ty.dimensions > 0 => &[Slot::Element],
            Node::Object(_, _, ty) if !self.holds(*ty) => &[],
            Node::Object(..) => &[Slot::Content],
            _ => &[Slot::Content, Slot::Element],
        };
        for slot in cells {
            if !self.may_have(node, Cell::Slot(*slot)) || *slot == Slot::Content && !self.may_hold(node) {
                continue;
            }
            self.load(node, Cell::Slot(*slot), data, None);
            let cell = self.cell(node, Cell::Slot(*slot));
            self.unify(cell, data);
        }
    }

    /// Whether what callers decide may have parts that are a library's.
    fn may_hold(&self, node: NodeId) -> bool {
        let Some(declared) = self.declared(node) else { return true };
        let class = declared.as_class().and_then(|name| self.program().find(name)).filter(|_| declared.dimensions == 0);
        // What is below a class of the application may be anything only if it is an interface.
        let is_interface = class.is_some_and(|class| self.program().class(class).is_interface());
        is_interface || declared == Type::OBJECT || declared.dimensions == 0 && self.holds(declared)
    }

    /// Whether objects have parts that are a library's.
    fn holds(&self, ty: Type) -> bool {
        let Some(class) = ty.as_class().and_then(|name| self.program().find(name)) else { return true };
        let program = self.program();
        library::is_open(program, ty)
            && (program.class(class).is_incomplete
                || program.superclasses(class).any(|above| {
                    let above = program.class(above);
                    !above.is_application && above.name != Name::OBJECT
                }))
    }

    fn call_back(&mut self, node: NodeId, index: usize) {
        let Node::Object(_, site, ty) = self.nodes.get(node).clone() else { return };
        let calls = self.handed[index].calls;
        if matches!(site, Site::Returned(_)) || !self.handed[index].done.insert(node) {
            return;
        }
        let program = self.program();
        let found: Vec<CodeId> = match calls {
            Calls::Only(method) => match self.graph.dispatch(method, site, ty) {
                Target::Code(code) => vec![code],
                _ => Vec::new(),
            },
            _ => {
                let all = self.graph.callbacks(site, ty).into_iter();
                all.filter(|(method, _)| library::is_called(program, calls, *method, ty))
                    .map(|(_, code)| code)
                    .collect()
            }
        };
        for callee in found {
            self.called_back(node, index, callee);
        }
    }

    fn called_back(&mut self, node: NodeId, index: usize, callee: CodeId) {
        let data = self.handed[index].data;
        let code = self.graph.code(callee).clone();
        if self.component.contains(&callee) {
            let receiver = code.parameters.first().copied().flatten();
            for (n, parameter) in code.parameters.iter().enumerate() {
                let Some(parameter) = parameter else { continue };
                let to = self.local(callee, *parameter);
                if n > 0 {
                    self.copy(data, to, self.parameter_type(callee, n));
                }
            }
            if let Some(receiver) = receiver {
                let to = self.local(callee, receiver);
                self.insert(to, node);
            }
            let result = self.results[&callee];
            self.copy(result, data, None);
            if let Some(thread) = self.handed[index].runs_in.clone() {
                self.own_threads.insert(thread);
            }
            return;
        }
        let Some(instance) = self.instance_of_callback(index, callee) else { return };
        for n in 1..code.parameters.len() {
            let to = self.instances[instance].parameters[n];
            let ty = self.parameter_type(callee, n);
            self.copy(data, to, ty);
        }
        let result = self.instances[instance].result;
        self.copy(result, data, None);
        if let Some(receiver) = self.instances[instance].parameters.first().copied() {
            self.insert(receiver, node);
        }
    }

    /// The instance of what a library calls back: one for each thread and place, or for each thread that is started, so that
    /// libraries that call what hands over more come to an end.
    fn instance_of_callback(&mut self, index: usize, callee: CodeId) -> Option<usize> {
        if let Some(instance) = self.handed[index].instances.get(&callee) {
            return Some(*instance);
        }
        let Handed { context, runs_in, is_start, .. } = &self.handed[index];
        let outer = context.clone();
        let labels = if *is_start { context.labels.clone() } else { Labels::default() };
        let context = match runs_in {
            Some(thread) => {
                Context { multiplicity: outer.multiplicity, thread: Some(thread.clone()), ..Context::default() }
            }
            None => Context { call: None, ..outer },
        };
        let context = Context { labels, is_callback: true, ..context };
        let place = context.position.as_ref().map(|position| (position.code, position.number));
        let key = (callee, context.thread.clone(), context.locks.clone(), place);
        let instance = match self.by_callback.get(&key) {
            Some(instance) => {
                self.instances[*instance].context.multiplicity = Multiplicity::Many;
                *instance
            }
            None => {
                let instance = self.instantiate(callee, context)?;
                self.by_callback.insert(key, instance);
                instance
            }
        };
        self.handed[index].instances.insert(callee, instance);
        Some(instance)
    }

    fn parameter_type(&self, code: CodeId, n: usize) -> Option<Type> {
        let data = self.graph.code(code);
        let method = data.method.filter(|_| data.lambda.is_none())?;
        self.program().signature(method).parameters.get(n.checked_sub(1)?).copied()
    }

    /// A call of code of the application.
    fn call(&mut self, code: CodeId, number: u32, callee: CodeId, receiver: Option<NodeId>) {
        let data = self.graph.code(code).clone();
        let site = &data.calls[number as usize];
        if self.component.contains(&callee) {
            self.inner_call(code, number, site, callee, receiver);
            return;
        }
        let key = (code, number, callee);
        let instance = match self.by_call.get(&key) {
            Some(instance) => *instance,
            None => {
                let context = self.context(code, number, None);
                let Some(instance) = self.instantiate(callee, context) else { return };
                self.by_call.insert(key, instance);
                for (n, argument) in site.arguments.iter().enumerate().skip(usize::from(receiver.is_some())) {
                    if let Some((argument, to)) = argument.zip(self.instances[instance].parameters.get(n).copied()) {
                        let from = self.local(code, argument);
                        self.copy(from, to, None);
                    }
                }
                if let Some(result) = site.result {
                    let (from, to) = (self.instances[instance].result, self.local(code, result));
                    self.copy(from, to, None);
                }
                instance
            }
        };
        if let Some((node, to)) = receiver.zip(self.instances[instance].parameters.first().copied()) {
            self.insert(to, node);
        }
    }

    fn inner_call(&mut self, code: CodeId, number: u32, site: &CallSite, callee: CodeId, receiver: Option<NodeId>) {
        let parameters = self.graph.code(callee).parameters.clone();
        self.inner_calls.insert((code, number));
        for (n, (argument, parameter)) in site.arguments.iter().zip(parameters).enumerate() {
            let Some((argument, parameter)) = argument.zip(parameter) else { continue };
            let (from, to) = (self.local(code, argument), self.local(callee, parameter));
            match receiver.filter(|_| n == 0) {
                Some(node) => self.insert(to, node),
                None => self.copy(from, to, None),
            }
        }
        if let Some(result) = site.result {
            let (from, to) = (self.results[&callee], self.local(code, result));
            self.copy(from, to, None);
        }
    }

    /// A summary at a place; none if there is none yet, which is so for code that nothing is known of.
    pub fn instantiate(&mut self, callee: CodeId, context: Context) -> Option<usize> {
        let summary = self.summaries.get(&callee)?.clone();
        Some(self.instantiate_summary(callee, summary, context))
    }

    /// A summary that is at hand, at a place.
    pub fn instantiate_summary(&mut self, callee: CodeId, summary: Rc<Summary>, context: Context) -> usize {
        let index = self.instances.len();
        let size = summary.multiplicities.len() + summary.contents.len() + summary.events.len();
        self.steps = self.steps.saturating_sub(size as u64);
        let result = self.var();
        let instance = Instance {
            callee,
            summary: summary.clone(),
            context,
            vars: FxHashMap::default(),
            parameters: Vec::new(),
            result,
        };
        self.instances.push(instance);
        let parameters = self.graph.code(callee).parameters.len();
        for n in 0..parameters {
            let node = self.nodes.intern(Node::Parameter(callee, n as u16));
            let var = self.of_node(index, node);
            self.instances[index].parameters.push(var);
        }
        for contents in &summary.contents {
            let from = self.var();
            for node in &contents.nodes {
                let node = self.of_node(index, *node);
                self.copy(node, from, None);
            }
            for (base, cell) in &contents.cells {
                let base = self.of_node(index, *base);
                let is_one = contents.cells.len() == 1;
                self.hook(base, if is_one { Hook::Store(*cell, from) } else { Hook::Join(*cell, from) });
            }
        }
        for node in summary.results.get(&callee).into_iter().flatten() {
            let from = self.of_node(index, *node);
            self.copy(from, result, None);
        }
        for thread in summary.threads.keys() {
            let mapped = self.thread_of(index, thread);
            self.threads.entry(mapped).or_default().insert(Origin::Instance(index, thread.clone()));
        }
        for n in 0..summary.hand_overs.len() {
            self.hand_on(index, n);
        }
        // Events name nodes that may be in no edge.
        for node in summary.multiplicities.keys() {
            self.of_node(index, *node);
        }
        index
    }

    /// What a summary has handed over waits on here.
    fn hand_on(&mut self, index: usize, n: usize) {
        let summary = self.instances[index].summary.clone();
        let from = &summary.hand_overs[n];
        let (receivers, data) = (self.var(), self.var());
        for (nodes, to) in [(&from.receivers, receivers), (&from.data, data)] {
            for node in nodes {
                let var = self.of_node(index, *node);
                self.copy(var, to, None);
            }
        }
        if !matches!(from.calls, Calls::Only(_)) {
            self.hook(data, Hook::Filled(data));
            self.copy(data, receivers, None);
        }
        let mut done = BTreeSet::new();
        for node in &from.done {
            let var = self.of_node(index, *node);
            done.extend(self.points(var).iter().copied());
        }
        let runs_in = from.runs_in.as_ref().map(|thread| self.thread_of(index, thread));
        let context = self.context_of(index, n);
        let handed = Handed {
            context,
            calls: from.calls,
            receivers,
            data,
            runs_in,
            is_start: from.is_start,
            done,
            instances: BTreeMap::new(),
        };
        self.handed.push(handed);
        let handed = self.handed.len() - 1;
        self.hook(receivers, Hook::CalledBack(handed));
    }

    fn context_of(&mut self, index: usize, n: usize) -> Context {
        let summary = self.instances[index].summary.clone();
        let from = &summary.hand_overs[n];
        let outer = self.instances[index].context.clone();
        let mut locks: Vec<(Var, bool, bool)> = Vec::new();
        // Of what a library calls within what it calls, no locks are kept: there would be no end of them.
        for lock in from.locks.iter().filter(|_| !outer.is_callback) {
            locks.push((self.lock_of(index, lock), lock.monitor, lock.shared));
        }
        let mut started: BTreeSet<ThreadId> = from.started.iter().map(|thread| self.thread_of(index, thread)).collect();
        let is_own = from.thread.is_none();
        if is_own && !outer.is_callback {
            locks.extend(outer.locks);
        }
        if is_own && outer.thread.is_none() {
            started.extend(outer.started);
        }
        let thread = from.thread.as_ref().map(|thread| self.thread_of(index, thread)).or(outer.thread.clone());
        Context {
            labels: self.labels_of(index, &from.labels),
            multiplicity: outer.multiplicity.times(from.multiplicity),
            position: outer.position.filter(|_| thread.is_none()),
            thread,
            locks,
            started,
            call: None,
            is_callback: outer.is_callback,
        }
    }

    /// A variable for what a lock of a summary may be.
    pub fn lock_of(&mut self, index: usize, lock: &Lock) -> Var {
        let var = self.var();
        for node in &lock.nodes {
            let from = self.of_node(index, *node);
            self.copy(from, var, None);
        }
        var
    }

    /// A string of labels at an instance.
    pub fn labels_of(&mut self, index: usize, labels: &Labels) -> Labels {
        let outer = &self.instances[index].context.labels;
        let (labels, is_cut) = limited(outer.iter().chain(labels.iter()).copied(), self.limit);
        self.is_limited |= is_cut;
        labels
    }

    /// A thread of a summary at an instance.
    pub fn thread_of(&mut self, index: usize, thread: &ThreadId) -> ThreadId {
        // Threads that threads start are told apart by their own start: they may start each other in any order.
        if self.instances[index].context.is_callback {
            self.is_limited |= thread.len() > 1;
            return limited(thread.iter().copied(), 1).0;
        }
        self.labels_of(index, thread)
    }

    /// The variable that stands for a node of a summary.
    pub fn of_node(&mut self, index: usize, node: NodeId) -> Var {
        if let Some(var) = self.instances[index].vars.get(&node) {
            return *var;
        }
        let var = match self.nodes.get(node).clone() {
            Node::Global => self.constant(node),
            Node::Object(labels, site, ty) => {
                let labels = if is_contextual(&site) { self.labels_of(index, &labels) } else { labels };
                let here = self.nodes.intern(Node::Object(labels, site, ty));
                self.makers.entry(here).or_default().insert(Maker::Instance(index, node));
                self.constant(here)
            }
            _ => self.var(),
        };
        self.instances[index].vars.insert(node, var);
        match self.nodes.get(node).clone() {
            Node::Required(base, cell) => {
                let base = self.of_node(index, base);
                self.hook(base, Hook::Load(cell, var, None));
            }
            Node::Beyond(_) => {
                let summary = self.instances[index].summary.clone();
                for (base, cell) in summary.beyond.get(&node).into_iter().flatten() {
                    let base = self.of_node(index, *base);
                    self.hook(base, Hook::Load(*cell, var, None));
                }
            }
            _ => {}
        }
        var
    }
}

/// Numbers of copies come after those of calls.
const COPIES: u32 = 1 << 24;
