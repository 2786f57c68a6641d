//! What calls may run, by the classes that are made (rapid type analysis, paper 003, section 2.1), and in which order methods are
//! analysed: what is called before what calls it, and what calls each other together.
//!
//! What the library calls back is not known from calls: a method that makes an object is taken to lead to all that the object's
//! class overrides of the library, so that these summaries are there when the object is handed over.

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};
use static_typer::ir::Value;
use static_typer::points_to::{Code, CodeId, Codes, Dispatch, Handles, Resolution, Sensitivity, Site};
use static_typer::program::{ClassId, MethodId, Program, Type, flag};

use crate::environment::{Begin, ENVIRONMENT};
use crate::summary::Place;

type Set<T> = IndexSet<T, FxBuildHasher>;

/// What a call runs on an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// Code of the application.
    Code(CodeId),
    /// Code of a library, which is not there, and the method, if it is known.
    Library(Option<MethodId>),
    /// Nothing: it cannot be called on such an object.
    Nothing,
}

/// The code that is reached, and what it calls.
#[derive(Debug)]
pub struct CallGraph<'p> {
    /// The program.
    pub program: &'p Program,
    /// Where it begins.
    pub mains: Vec<CodeId>,
    /// The initializers of the classes that are used, with their classes.
    pub initializers: Vec<(ClassId, CodeId)>,
    codes: FxHashMap<CodeId, Arc<Code>>,
    reached: Set<CodeId>,
    of_method: FxHashMap<MethodId, CodeId>,
    runs: FxHashMap<MethodId, Set<CodeId>>,
    callbacks: FxHashMap<Type, Vec<(MethodId, CodeId)>>,
    /// What clients implement.
    clients: FxHashMap<MethodId, CodeId>,
}

struct Builder<'a, 'p> {
    graph: CallGraph<'p>,
    codes: Codes<'a>,
    classes: Set<ClassId>,
    /// Types that clients implement or extend.
    given: Set<ClassId>,
    lambdas: IndexMap<CodeId, ClassId, FxBuildHasher>,
    called: Set<MethodId>,
    initialized: Set<ClassId>,
    next: usize,
}

impl<'p> CallGraph<'p> {
    /// Follows a program from where it begins.
    #[must_use]
    pub fn of(resolution: &Resolution<'p>, begin: &Begin) -> Self {
        let handles = Handles::of(resolution);
        let mut builder = Builder::of(resolution, &handles);
        match begin {
            Begin::Mains(mains) => mains.iter().for_each(|main| builder.begin(*main)),
            Begin::Environment(code) => builder.begin_environment(code),
        }
        builder.follow();
        builder.graph.in_order()
    }

    /// Follows a part of a program from all of its methods, as whoever uses it may call any, on any object of the program's classes.
    #[must_use]
    pub fn of_part(resolution: &Resolution<'p>, is_part: impl Fn(ClassId) -> bool) -> Self {
        let handles = Handles::of(resolution);
        let mut builder = Builder::of(resolution, &handles);
        let program = resolution.program;
        for class in program.application() {
            builder.make_any(class);
            if is_part(class) {
                builder.initialize(class);
                for method in program.methods_of(class) {
                    builder.reach(method);
                }
            }
        }
        for main in program.main_methods() {
            if is_part(program.method(main).class) {
                builder.begin(main);
            }
        }
        builder.follow();
        builder.graph.in_order()
    }

    /// With code numbered by names: of two methods the same one comes first in every program that has both, so that what is found
    /// does not depend on what else there is.
    fn in_order(mut self) -> Self {
        let program = self.program;
        let name = |code: &CodeId| {
            let data = &self.codes[code];
            let method = data.method.map(|method| {
                let (of, names) = (program.method(method), program.names());
                let descriptor = names.bytes(program.signature(method).text);
                (names.bytes(program.class(of.class).name), names.bytes(of.name), descriptor)
            });
            (method, data.lambda)
        };
        let mut order: Vec<CodeId> = self.reached.iter().copied().collect();
        order.sort_by_cached_key(name);
        let new: FxHashMap<CodeId, CodeId> = order.iter().copied().zip((0..).map(CodeId)).collect();
        let code = |old: CodeId| new.get(&old).copied().unwrap_or(old);
        self.codes =
            std::mem::take(&mut self.codes).into_iter().map(|(id, data)| (code(id), renumbered(data, code))).collect();
        self.reached = order.into_iter().map(code).collect();
        self.mains.iter_mut().for_each(|main| *main = code(*main));
        self.initializers.iter_mut().for_each(|(_, initializer)| *initializer = code(*initializer));
        self.initializers.sort_by_key(|(_, initializer)| *initializer);
        self.of_method.values_mut().chain(self.clients.values_mut()).for_each(|id| *id = code(*id));
        self.callbacks.values_mut().flatten().for_each(|(_, id)| *id = code(*id));
        self.runs.values_mut().for_each(|runs| {
            *runs = std::mem::take(runs).into_iter().map(code).collect();
            runs.sort_unstable();
        });
        self
    }

    /// Code.
    #[must_use]
    pub fn code(&self, code: CodeId) -> &Arc<Code> {
        &self.codes[&code]
    }

    /// What calls the program, if it does not begin with `main`.
    #[must_use]
    pub fn environment(&self) -> Option<&Arc<Code>> {
        self.codes.get(&ENVIRONMENT)
    }

    /// Where an access stands: the method and the instruction.
    #[must_use]
    pub fn place(&self, place: Place) -> Option<(MethodId, Value)> {
        let data = self.find(place.code)?;
        Some((data.method?, data.accesses.get(place.number as usize)?.at))
    }

    /// Code, if it is there.
    #[must_use]
    pub fn find(&self, code: CodeId) -> Option<&Code> {
        self.codes.get(&code).map(|code| &**code)
    }

    /// All code that is reached.
    pub fn reached(&self) -> impl Iterator<Item = CodeId> + '_ {
        self.reached.iter().copied()
    }

    /// What a method is, if it is the application's and has code.
    #[must_use]
    pub fn of_method(&self, method: MethodId) -> Option<CodeId> {
        self.of_method.get(&method).copied()
    }

    /// The code of an initializer, which no call runs.
    #[must_use]
    pub fn initializer(&self, method: MethodId) -> Option<CodeId> {
        let is_it = |(class, code): &&(ClassId, CodeId)| {
            *class == self.program.method(method).class && self.codes[code].method == Some(method)
        };
        self.initializers.iter().find(is_it).map(|(_, code)| *code)
    }

    /// What a virtual call may run of the application, whatever the object.
    pub fn targets(&self, method: MethodId) -> impl Iterator<Item = CodeId> + '_ {
        self.runs.get(&method).into_iter().flatten().copied()
    }

    /// What a library may call on an object: overridden methods, with their code. A lambda has its code's.
    #[must_use]
    pub fn callbacks(&self, site: Site, ty: Type) -> Vec<(Option<MethodId>, CodeId)> {
        let own = self.overridden(ty).iter().map(|(method, code)| (Some(*method), *code));
        match site {
            Site::Lambda(_, _, bridge) if self.is_of_library(ty) => vec![(None, bridge)],
            Site::Lambda(..) => Vec::new(),
            _ => own.collect(),
        }
    }

    /// What a class of which there are objects overrides of libraries.
    #[must_use]
    pub fn overridden(&self, ty: Type) -> &[(MethodId, CodeId)] {
        self.callbacks.get(&ty).map_or(&[], Vec::as_slice)
    }

    /// Whether an interface, or one above it, is a library's.
    fn is_of_library(&self, ty: Type) -> bool {
        let Some(class) = ty.as_class().and_then(|name| self.program.find(name)) else { return true };
        let is_library = |above: ClassId| {
            let data = self.program.class(above);
            !data.is_application && data.is_interface()
        };
        self.program.class(class).is_incomplete || self.program.ancestors(class).any(is_library)
    }

    /// What a virtual call runs on an object of a class, made at a site.
    #[must_use]
    pub fn dispatch(&self, method: MethodId, site: Site, ty: Type) -> Target {
        let program = self.program;
        let Some(class) = ty.as_class().and_then(|name| program.find(name)).filter(|_| ty.dimensions == 0) else {
            return Target::Library(None);
        };
        if !program.is_subclass(class, program.method(method).class) && !program.class(class).is_incomplete {
            return Target::Nothing;
        }
        let Some(selected) = program.select(class, method) else { return Target::Nothing };
        match site {
            Site::Lambda(_, _, bridge) if self.is_of_lambda(selected) => Target::Code(bridge),
            Site::Given(_) if is_abstract(self.program, selected) => {
                self.clients.get(&selected).map_or(Target::Library(Some(selected)), |code| Target::Code(*code))
            }
            _ => self.of_method(selected).map_or(Target::Library(Some(selected)), Target::Code),
        }
    }

    fn is_of_lambda(&self, method: MethodId) -> bool {
        let data = self.program.method(method);
        let object = self.program.find(static_typer::program::Name::OBJECT);
        let of_object =
            object.is_some_and(|object| self.program.declared_method(object, data.name, data.descriptor).is_some());
        data.access & flag::ABSTRACT != 0 && !of_object
    }

    /// Components of methods that call each other, what is called first.
    #[must_use]
    pub fn components(&self) -> Vec<(Vec<CodeId>, bool)> {
        let edges: Vec<Vec<usize>> = self.reached().map(|code| self.callees(code)).collect();
        let components = crate::components::components(&edges);
        let is_recursive = |component: &Vec<usize>| component.len() > 1 || edges[component[0]].contains(&component[0]);
        let code = |index: &usize| self.reached[*index];
        components.iter().map(|component| (component.iter().map(code).collect(), is_recursive(component))).collect()
    }

    fn callees(&self, code: CodeId) -> Vec<usize> {
        let data = self.code(code);
        let called = data.calls.iter().flat_map(|site| match site.dispatch {
            Dispatch::Virtual => self.targets(site.method).collect::<Vec<_>>(),
            _ => self.of_method(site.method).into_iter().collect(),
        });
        let made = data.allocations.iter().flat_map(|(_, site, ty)| self.callbacks(*site, *ty));
        let all = called.chain(made.map(|(_, code)| code));
        all.filter_map(|callee| self.reached.get_index_of(&callee)).collect()
    }
}

fn is_abstract(program: &Program, method: MethodId) -> bool {
    program.method(method).access & flag::ABSTRACT != 0
}

/// Code in which lambdas have new numbers.
fn renumbered(data: Arc<Code>, new: impl Fn(CodeId) -> CodeId) -> Arc<Code> {
    let mut data = Arc::unwrap_or_clone(data);
    for (_, site, _) in &mut data.allocations {
        if let Site::Lambda(_, _, bridge) = site {
            *bridge = new(*bridge);
        }
    }
    Arc::new(data)
}

impl<'a, 'p> Builder<'a, 'p> {
    fn of(resolution: &'a Resolution<'p>, handles: &'a Handles<'a>) -> Self {
        let graph = CallGraph {
            program: resolution.program,
            mains: Vec::new(),
            initializers: Vec::new(),
            codes: FxHashMap::default(),
            reached: Set::default(),
            of_method: FxHashMap::default(),
            runs: FxHashMap::default(),
            callbacks: FxHashMap::default(),
            clients: FxHashMap::default(),
        };
        Self {
            graph,
            codes: Codes::new(resolution, handles, &Sensitivity::None),
            classes: Set::default(),
            given: Set::default(),
            lambdas: IndexMap::default(),
            called: Set::default(),
            initialized: Set::default(),
            next: 0,
        }
    }

    fn begin(&mut self, main: MethodId) {
        self.initialize(self.graph.program.method(main).class);
        let code = self.reach(main);
        self.graph.mains.extend(code);
    }

    fn begin_environment(&mut self, code: &Code) {
        self.graph.codes.insert(ENVIRONMENT, Arc::new(code.clone()));
        self.follow_code(code);
    }

    /// Makes an object of a class, if there can be one.
    fn make_any(&mut self, class: ClassId) {
        let data = self.graph.program.class(class);
        if data.access & (flag::ABSTRACT | flag::INTERFACE) == 0 {
            let ty = Type::class(data.name);
            self.make(Site::Merged(ty), ty);
        }
    }

    fn follow(&mut self) {
        while let Some(code) = self.graph.reached.get_index(self.next).copied() {
            self.next += 1;
            let data = self.graph.codes[&code].clone();
            self.follow_code(&data);
        }
    }

    fn follow_code(&mut self, data: &Code) {
        for (_, site, ty) in &data.allocations {
            self.make(*site, *ty);
        }
        data.initializes.iter().for_each(|class| self.initialize(*class));
        for site in &data.calls {
            match site.dispatch {
                Dispatch::Virtual => self.call(site.method),
                _ => {
                    self.reach(site.method);
                }
            }
        }
    }

    fn reach(&mut self, method: MethodId) -> Option<CodeId> {
        let program = self.graph.program;
        if !program.class(program.method(method).class).is_application {
            return None;
        }
        let code = self.codes.of_method(method)?;
        self.graph.of_method.insert(method, code);
        self.add(code);
        Some(code)
    }

    fn add(&mut self, code: CodeId) {
        if self.graph.reached.insert(code) {
            let data = self.codes.get(code);
            self.graph.codes.insert(code, data);
        }
    }

    fn initialize(&mut self, class: ClassId) {
        let program = self.graph.program;
        for class in program.initialized_with(class).filter(|class| program.class(*class).is_application) {
            if self.initialized.insert(class)
                && let Some(code) = self.codes.initializer(class)
            {
                self.add(code);
                self.graph.initializers.push((class, code));
            }
        }
    }

    fn make(&mut self, site: Site, ty: Type) {
        let Some(class) = ty.as_class().and_then(|name| self.graph.program.find(name)) else { return };
        let is_new = match site {
            Site::Lambda(_, _, bridge) => {
                self.add(bridge);
                self.lambdas.insert(bridge, class).is_none()
            }
            Site::Given(_) if self.is_open(class) => {
                let is_new = self.given.insert(class);
                if is_new {
                    self.overrides(class, ty);
                    self.implements(class, ty);
                }
                is_new
            }
            Site::New(..) | Site::Reflected(..) | Site::Merged(_) | Site::Given(_)
                if self.graph.program.class(class).is_application =>
            {
                let is_new = self.classes.insert(class);
                if is_new {
                    self.overrides(class, ty);
                }
                is_new
            }
            _ => false,
        };
        if is_new {
            self.called.clone().iter().for_each(|method| self.run(*method, site, ty));
        }
    }

    fn call(&mut self, method: MethodId) {
        if !self.called.insert(method) {
            return;
        }
        let program = self.graph.program;
        let ty = |class: ClassId| Type::class(program.class(class).name);
        for class in self.classes.clone() {
            self.run(method, Site::Merged(ty(class)), ty(class));
        }
        for class in self.given.clone() {
            self.run(method, Site::Given(ty(class)), ty(class));
        }
        for (bridge, class) in self.lambdas.clone() {
            self.run(method, Site::Lambda(method, Value(0), bridge), ty(class));
        }
    }

    fn run(&mut self, method: MethodId, site: Site, ty: Type) {
        let program = self.graph.program;
        let Some(class) = ty.as_class().and_then(|name| program.find(name)) else { return };
        if !program.is_subclass(class, program.method(method).class) && !program.class(class).is_incomplete {
            return;
        }
        let Some(selected) = program.select(class, method) else { return };
        let code = match site {
            Site::Lambda(_, _, bridge) if self.graph.is_of_lambda(selected) => Some(bridge),
            Site::Given(_) if is_abstract(program, selected) => Some(self.client(selected)),
            _ => self.reach(selected),
        };
        self.graph.runs.entry(method).or_default().extend(code);
    }

    /// What a client does where it implements a method.
    fn client(&mut self, method: MethodId) -> CodeId {
        let code = self.codes.of_client(method);
        self.graph.clients.insert(method, code);
        self.add(code);
        code
    }

    /// Whether there are objects of a class only if clients implement or extend it.
    fn is_open(&self, class: ClassId) -> bool {
        self.graph.program.class(class).access & (flag::ABSTRACT | flag::INTERFACE) != 0
    }

    /// What clients implement of libraries.
    fn implements(&mut self, class: ClassId, ty: Type) {
        let program = self.graph.program;
        let library = program.ancestors(class).filter(|above| !program.class(*above).is_application);
        let selected = library.flat_map(|above| program.methods_of(above)).filter_map(|of| program.select(class, of));
        let open: BTreeSet<MethodId> = selected.filter(|method| is_abstract(program, *method)).collect();
        let open: Vec<_> = open.into_iter().map(|method| (method, self.client(method))).collect();
        self.graph.callbacks.entry(ty).or_default().extend(open);
    }

    /// What a class overrides of libraries.
    fn overrides(&mut self, class: ClassId, ty: Type) {
        let program = self.graph.program;
        let mut found = Vec::new();
        let above: Vec<ClassId> = program.ancestors(class).collect();
        let (own, library): (Vec<ClassId>, Vec<ClassId>) =
            above.into_iter().partition(|above| program.class(*above).is_application);
        let is_incomplete = own.iter().any(|above| program.class(*above).is_incomplete);
        for method in own.iter().flat_map(|above| program.methods_of(*above)) {
            let data = program.method(method);
            let is_open = data.access & (flag::STATIC | flag::PRIVATE | flag::ABSTRACT) == 0 && !data.is_constructor();
            let is_overriding = is_incomplete
                || library.iter().any(|above| program.declared_method(*above, data.name, data.descriptor).is_some());
            if is_open && is_overriding && program.select(class, method) == Some(method) {
                found.extend(self.reach(method).map(|code| (method, code)));
            }
        }
        self.graph.callbacks.insert(ty, found);
    }
}
