//! What calls may run, by the classes that are made (rapid type analysis, paper 003, section 2.1), and in which order methods are
//! analysed: what is called before what calls it, and what calls each other together.
//!
//! What the library calls back is not known from calls: a method that makes an object is taken to lead to all that the object's
//! class overrides of the library, so that these summaries are there when the object is handed over.

mod builder;

use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use static_typer::ir::Value;
use static_typer::points_to::{Code, CodeId, Dispatch, Handles, Resolution, Site};
use static_typer::program::{ClassId, MethodId, Program, Type, flag};

use crate::environment::{Begin, ENVIRONMENT};
use crate::summary::Place;
use builder::Builder;

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
