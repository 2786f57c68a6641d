//! Follows code from where it begins: what it calls, by the classes of which it makes objects.

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use static_typer::ir::Value;
use static_typer::points_to::{Code, CodeId, Codes, Dispatch, Handles, Resolution, Sensitivity, Site};
use static_typer::program::{ClassId, MethodId, Type, flag};

use super::{CallGraph, Set, is_abstract};
use crate::environment::ENVIRONMENT;

/// The code that is reached by now, and what is known of objects.
pub struct Builder<'a, 'p> {
    /// What is known by now.
    pub graph: CallGraph<'p>,
    codes: Codes<'a>,
    classes: Set<ClassId>,
    /// Types that clients implement or extend.
    given: Set<ClassId>,
    lambdas: IndexMap<CodeId, ClassId, FxBuildHasher>,
    called: Set<MethodId>,
    initialized: Set<ClassId>,
    next: usize,
}

impl<'a, 'p> Builder<'a, 'p> {
    pub fn of(resolution: &'a Resolution<'p>, handles: &'a Handles<'a>) -> Self {
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

    pub fn begin(&mut self, main: MethodId) {
        self.initialize(self.graph.program.method(main).class);
        let code = self.reach(main);
        self.graph.mains.extend(code);
    }

    pub fn begin_environment(&mut self, code: &Code) {
        self.graph.codes.insert(ENVIRONMENT, Arc::new(code.clone()));
        self.follow_code(code);
    }

    /// Makes an object of a class, if there can be one.
    pub fn make_any(&mut self, class: ClassId) {
        let data = self.graph.program.class(class);
        if data.access & (flag::ABSTRACT | flag::INTERFACE) == 0 {
            let ty = Type::class(data.name);
            self.make(Site::Merged(ty), ty);
        }
    }

    pub fn follow(&mut self) {
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

    pub fn reach(&mut self, method: MethodId) -> Option<CodeId> {
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

    pub fn initialize(&mut self, class: ClassId) {
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
