//! The solver: what every variable refers to, and what every call runs, found together (paper 000, section 2.2.2).

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::points_to::core::code::{CallSite, Code, Contexts, Dispatch, Global, Local, Slot, Use};
use crate::points_to::core::graph::{Graph, Node};
use crate::points_to::core::id::{CodeId, ObjectId};
use crate::points_to::core::object::{Context, MaskId, Objects};
use crate::points_to::core::site::Site;
use crate::points_to::environment::opened;
use crate::points_to::frontend::codes::Codes;
use crate::points_to::frontend::handles::Handles;
use crate::points_to::frontend::resolve::Resolution;
use crate::points_to::library::copies;
use crate::program::{ClassId, Program, Type};

use super::{CallEdge, InstanceId, PointsTo, STREAMS, Sensitivity};

/// The state of the analysis.
pub struct Solver<'a> {
    resolution: &'a Resolution<'a>,
    sensitivity: &'a Sensitivity,
    codes: Codes<'a>,
    objects: Objects,
    graph: Graph,
    instances: IndexSet<(CodeId, Context), FxBuildHasher>,
    first_node: Vec<Node>,
    /// The instance that each node is a variable of, if it is one.
    instance_of: Vec<InstanceId>,
    slots: IndexMap<(ObjectId, Slot), Node, FxBuildHasher>,
    globals: IndexMap<Global, Node, FxBuildHasher>,
    calls: FxHashSet<(InstanceId, u32, InstanceId)>,
    edges: Vec<Vec<CallEdge>>,
    initialized: FxHashSet<ClassId>,
    /// Instances whose code has not been looked at.
    open: Vec<InstanceId>,
}

/// The code that everything begins with comes first.
const ENVIRONMENT: InstanceId = InstanceId(0);
/// After so many new nodes and edges the memory is looked at again.
const GROWTH_PER_LOOK: usize = 1 << 16;

const NO_INSTANCE: InstanceId = InstanceId(u32::MAX);

impl<'a> Solver<'a> {
    /// A solver that knows nothing yet.
    pub fn new(resolution: &'a Resolution<'a>, handles: &'a Handles<'a>, sensitivity: &'a Sensitivity) -> Self {
        Self {
            resolution,
            sensitivity,
            codes: Codes::new(resolution, handles, sensitivity),
            objects: Objects::default(),
            graph: Graph::default(),
            instances: IndexSet::default(),
            first_node: Vec::new(),
            instance_of: Vec::new(),
            slots: IndexMap::default(),
            globals: IndexMap::default(),
            calls: FxHashSet::default(),
            edges: Vec::new(),
            initialized: FxHashSet::default(),
            open: Vec::new(),
        }
    }

    fn program(&self) -> &'a Program {
        self.resolution.program
    }

    /// Solves from the environment's code, unless that takes more than about so many bytes; `progress` hears how many code
    /// instances there are.
    pub fn solve(mut self, environment: Code, memory: u64, progress: &dyn Fn(usize)) -> Option<PointsTo> {
        self.begin();
        let root = self.codes.add(environment);
        let root = self.instance(root, None);
        loop {
            while let Some(instance) = self.open.pop() {
                self.visit(instance);
            }
            let settled = self.graph.settle(&self.objects);
            if settled.is_empty() {
                break;
            }
            let mut next_look = 0;
            for (node, new) in settled {
                let size = self.graph.len() + self.graph.n_edges();
                if size >= next_look {
                    if self.bytes() as u64 > memory {
                        return None;
                    }
                    next_look = size + GROWTH_PER_LOOK;
                }
                let new: Vec<ObjectId> = self.graph.set(new).iter().collect();
                for member in self.graph.members(node) {
                    self.use_objects(member, &new);
                }
            }
            progress(self.instances.len());
        }
        Some(self.finish(root))
    }

    /// About how many bytes are taken.
    fn bytes(&self) -> usize {
        // Tables of hashes are a quarter empty on average, and keep a byte for each place; an index also keeps hash and place.
        let table = |entry: usize| (entry + 1) * 4 / 3;
        let index = |entry: usize| entry + size_of::<usize>() + table(size_of::<usize>());
        let instance = index(size_of::<(CodeId, Context)>()) + size_of::<Node>() + size_of::<Vec<CallEdge>>();
        let call = table(size_of::<(InstanceId, u32, InstanceId)>()) + size_of::<CallEdge>() * 3 / 2;
        self.graph.bytes()
            + self.objects.bytes()
            + self.codes.bytes()
            + self.instance_of.capacity() * size_of::<InstanceId>()
            + self.instances.capacity() * instance
            + self.slots.capacity() * index(size_of::<((ObjectId, Slot), Node)>())
            + self.calls.capacity() * call
    }

    /// What the JVM makes before `main`.
    fn begin(&mut self) {
        for (field, class) in STREAMS {
            if let Some(field) = self.resolution.program.field_named("java/lang/System", field) {
                self.give(Global::Static(field), class);
            }
        }
        self.give(Global::Threads, "java/lang/Thread");
    }

    fn give(&mut self, global: Global, class: &str) {
        if let Some(class) = self.resolution.program.class_named(class) {
            let ty = Type::class(self.program().class(class).name);
            let object = self.objects.intern(self.program(), Site::Given(ty), ty, None, 0);
            let node = self.global(global);
            self.graph.insert(node, object);
        }
    }

    fn global(&mut self, global: Global) -> Node {
        match self.globals.get(&global) {
            Some(node) => *node,
            None => {
                let node = self.add_node();
                self.globals.insert(global, node);
                node
            }
        }
    }

    fn slot(&mut self, object: ObjectId, slot: Slot) -> Node {
        match self.slots.get(&(object, slot)) {
            Some(node) => *node,
            None => {
                let node = self.add_node();
                self.slots.insert((object, slot), node);
                node
            }
        }
    }

    fn add_node(&mut self) -> Node {
        self.instance_of.push(NO_INSTANCE);
        self.graph.add_nodes(1)
    }

    fn local(&self, instance: InstanceId, local: Local) -> Node {
        Node(self.first_node[instance.index()].0 + local.0)
    }

    fn instance(&mut self, code: CodeId, context: Context) -> InstanceId {
        let (index, is_new) = self.instances.insert_full((code, context));
        let instance = InstanceId(index as u32);
        if is_new {
            let code = self.codes.get(code);
            let count = code.n_locals;
            let first = self.graph.add_nodes(count);
            code.used_locals().for_each(|local| self.graph.set_used(Node(first.0 + local.0)));
            self.first_node.push(first);
            self.instance_of.resize(self.instance_of.len() + count as usize, instance);
            self.edges.push(Vec::new());
            self.open.push(instance);
        }
        instance
    }

    /// What code does once it can be reached in a context.
    fn visit(&mut self, instance: InstanceId) {
        let (id, context) = self.instances[instance.index()];
        let code = self.codes.get(id);
        for (to, site, ty) in &code.allocations {
            let object = self.allocate(*site, *ty, context, code.contexts);
            self.graph.insert(self.local(instance, *to), object);
        }
        for (to, from, ty) in &code.copies {
            let filter = ty.and_then(|ty| self.mask(ty));
            self.connect(self.local(instance, *from), self.local(instance, *to), filter);
        }
        for (to, global, ty) in &code.global_loads {
            let filter = ty.and_then(|ty| self.mask(ty));
            let from = self.global(*global);
            self.connect(from, self.local(instance, *to), filter);
        }
        for (global, from) in &code.global_stores {
            let to = self.global(*global);
            self.connect(self.local(instance, *from), to, None);
        }
        for class in &code.initializes {
            self.initialize(*class);
        }
        for (number, site) in code.calls.iter().enumerate() {
            if site.dispatch == Dispatch::Static
                && let Some(code) = self.codes.of_method(site.method)
            {
                self.run(instance, number as u32, site, code, None);
            }
        }
    }

    fn allocate(&mut self, site: Site, ty: Type, maker: Context, contexts: Contexts) -> ObjectId {
        let context = if site.has_makers() { maker } else { None };
        self.objects.intern(self.program(), site, ty, context, self.sensitivity.depth(contexts))
    }

    fn mask(&mut self, ty: Type) -> Option<MaskId> {
        self.objects.mask(self.program(), ty)
    }

    fn connect(&mut self, from: Node, to: Node, filter: Option<MaskId>) {
        self.graph.connect(from, to, filter, &self.objects);
    }

    /// Class initializers run when their class is first used (JVMS 5.5); those of what is above before.
    fn initialize(&mut self, class: ClassId) {
        if self.initialized.contains(&class) {
            return;
        }
        let above: Vec<ClassId> = self.program().initialized_with(class).collect();
        for class in above {
            if self.initialized.insert(class)
                && let Some(code) = self.codes.initializer(class)
            {
                self.instance(code, None);
            }
        }
    }

    /// What happens with objects that are new to a variable.
    fn use_objects(&mut self, node: Node, new: &[ObjectId]) {
        let instance = self.instance_of[node.0 as usize];
        if instance == NO_INSTANCE {
            return;
        }
        let code = self.codes.get(self.instances[instance.index()].0);
        let local = Local(node.0 - self.first_node[instance.index()].0);
        for (_, used) in code.uses(local) {
            match used {
                Use::Load(slot, to, ty) => {
                    let to = self.local(instance, *to);
                    for object in new.iter().copied() {
                        let from = self.slot(object, *slot);
                        // An array whose type says as much holds nothing else.
                        let ty = ty.filter(|_| self.objects.ty(object) == Type::NULL);
                        let filter = ty.and_then(|ty| self.mask(ty));
                        self.connect(from, to, filter);
                    }
                }
                Use::Store(slot, from) => self.store(self.local(instance, *from), *slot, new),
                Use::Clone(to) => {
                    for object in new.iter().copied() {
                        let copy = self.objects.copy(self.program(), object);
                        self.fill(copy, object);
                        self.graph.insert(self.local(instance, *to), copy);
                    }
                }
                Use::Open(to) => {
                    for object in new.iter().copied() {
                        self.open(object, self.local(instance, *to));
                    }
                }
                Use::Resize(to, method, at) => {
                    let (context, depth) = (self.instances[instance.index()].1, self.sensitivity.depth(code.contexts));
                    for object in new.iter().copied() {
                        let made = self.objects.resized(self.program(), object, (*method, *at), context, depth);
                        self.fill(made, object);
                        self.graph.insert(self.local(instance, *to), made);
                    }
                }
                Use::ClassOf(to, method) => {
                    for object in new.iter().copied() {
                        let class = self.objects.class_of(self.program(), object, *method);
                        self.graph.insert(self.local(instance, *to), class);
                    }
                }
                Use::Call(number) => {
                    let site = &code.calls[*number as usize];
                    for object in new.iter().copied() {
                        self.call_on(instance, *number, site, object);
                    }
                }
            }
        }
    }

    /// What an object holds goes to a copy of it.
    fn fill(&mut self, copy: ObjectId, object: ObjectId) {
        if copy != object {
            for slot in copies::slots(self.program(), self.objects.ty(object)) {
                let (from, to) = (self.slot(object, slot), self.slot(copy, slot));
                self.connect(from, to, None);
            }
        }
    }

    fn open(&mut self, object: ObjectId, to: Node) {
        let (ty, site) = (self.objects.ty(object), self.objects.get(object).site);
        for slot in opened::slots(self.resolution, &self.codes, ty, site) {
            let from = self.slot(object, slot);
            self.connect(from, to, None);
        }
    }

    fn store(&mut self, from: Node, slot: Slot, bases: &[ObjectId]) {
        for object in bases.iter().copied() {
            let ty = self.objects.ty(object);
            if matches!(self.objects.get(object).site, Site::Empty(_)) {
                continue;
            }
            // The JVM checks what is stored in arrays.
            let filter = match slot {
                Slot::Element => match ty.element() {
                    _ if ty == Type::NULL => None,
                    Some(element) if element.is_reference() => self.mask(element),
                    _ => continue,
                },
                _ => None,
            };
            let to = self.slot(object, slot);
            self.connect(from, to, filter);
        }
    }

    /// A call on an object: the method is selected, and the object becomes its receiver.
    fn call_on(&mut self, instance: InstanceId, number: u32, site: &CallSite, object: ObjectId) {
        let (ty, from) = (self.objects.ty(object), self.objects.get(object).site);
        if let Some(code) = self.codes.on(site, ty, from) {
            self.run(instance, number, site, code, Some(object));
        }
    }

    fn run(&mut self, caller: InstanceId, number: u32, site: &CallSite, id: CodeId, on: Context) {
        let code = self.codes.get(id);
        if caller == ENVIRONMENT && self.resolution.framework.is_of_them(self.program(), &code) {
            return;
        }
        let context = on.or(self.instances[caller.index()].1).filter(|object| match code.contexts {
            Contexts::None => false,
            Contexts::OfApplication => self.objects.is_of_application(*object),
            Contexts::All | Contexts::Threads => self.objects.is_context(*object),
        });
        let callee = self.instance(id, context);
        if let (Some(object), Some(Some(this))) = (on, code.parameters.first()) {
            self.graph.insert(self.local(callee, *this), object);
        }
        if !self.calls.insert((caller, number, callee)) {
            return;
        }
        self.edges[caller.index()].push(CallEdge { call: number, callee });
        let receiver = usize::from(on.is_some());
        let pairs = site.arguments.iter().zip(&code.parameters).skip(receiver);
        for (argument, parameter) in pairs {
            if let (Some(argument), Some(parameter)) = (argument, parameter) {
                self.connect(self.local(caller, *argument), self.local(callee, *parameter), None);
            }
        }
        if let (Some(from), Some(to)) = (code.result, site.result) {
            self.connect(self.local(callee, from), self.local(caller, to), None);
        }
    }

    fn finish(mut self, root: InstanceId) -> PointsTo {
        self.edges.iter_mut().for_each(|edges| edges.sort_unstable());
        self.graph.end();
        let (codes, missing) = self.codes.into_parts();
        PointsTo {
            root,
            objects: self.objects,
            codes,
            instances: self.instances.into_iter().collect(),
            edges: self.edges,
            graph: self.graph,
            first_node: self.first_node,
            slots: self.slots,
            globals: self.globals,
            missing,
        }
    }
}
