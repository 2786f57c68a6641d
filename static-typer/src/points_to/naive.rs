//! The points-to analysis by its rules alone, over and over until nothing changes: what `solver` is tested against.
//!
//! It shares the code that is extracted and which method a call selects, and nothing of how objects flow.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::ir::Value;
use crate::points_to::core::code::{CallSite, Code, Contexts, Dispatch, Global, Local, Slot, Use};
use crate::points_to::core::id::{CodeId, ObjectId};
use crate::points_to::core::object::{Context, Objects};
use crate::points_to::core::set::ObjectSet;
use crate::points_to::core::site::Site;
use crate::points_to::environment::opened;
use crate::points_to::frontend::codes::Codes;
use crate::points_to::frontend::handles::Handles;
use crate::points_to::frontend::resolve::Resolution;
use crate::points_to::library::copies;
use crate::program::{ClassId, MethodId, Program, Type};

use super::casts::{casts, may_fail};
use super::{PointsTo, Sensitivity};

/// Code by what does not depend on the order in which it was found.
type CodeName = (Option<MethodId>, Option<Value>, Option<String>);
/// An object by its sites.
type ObjectName = Vec<String>;

/// What both solvers must agree on.
#[derive(PartialEq, Eq, Debug)]
pub struct Result {
    /// What each variable of each instance refers to, if anything.
    pub locals: BTreeMap<(CodeName, ObjectName, u32), BTreeSet<ObjectName>>,
    /// Which instance calls which.
    pub calls: BTreeSet<(CodeName, ObjectName, u32, CodeName, ObjectName)>,
    /// Which casts may fail.
    pub failing: BTreeSet<(MethodId, Value)>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Variable {
    Local(CodeId, Context, Local),
    Slot(ObjectId, Slot),
    Global(Global),
}

struct Naive<'a> {
    resolution: &'a Resolution<'a>,
    sensitivity: &'a Sensitivity,
    codes: Codes<'a>,
    objects: Objects,
    instances: BTreeSet<(CodeId, Context)>,
    refers: BTreeMap<Variable, ObjectSet>,
    calls: BTreeSet<(CodeId, Context, u32, CodeId, Context)>,
    initialized: BTreeSet<ClassId>,
    changed: bool,
}

/// Solves by the rules alone.
#[must_use]
pub fn solve(resolution: &Resolution<'_>, sensitivity: &Sensitivity, environment: Code) -> Result {
    let handles = Handles::of(resolution);
    let mut naive = Naive {
        resolution,
        sensitivity,
        codes: Codes::new(resolution, &handles, sensitivity),
        objects: Objects::default(),
        instances: BTreeSet::new(),
        refers: BTreeMap::new(),
        calls: BTreeSet::new(),
        initialized: BTreeSet::new(),
        changed: true,
    };
    naive.begin();
    let root = naive.codes.add(environment);
    naive.instances.insert((root, None));
    while std::mem::take(&mut naive.changed) {
        for (code, context) in naive.instances.clone() {
            naive.apply(code, context);
        }
    }
    naive.result()
}

impl Naive<'_> {
    fn begin(&mut self) {
        for (field, class) in super::STREAMS {
            if let Some(field) = self.resolution.program.field_named("java/lang/System", field) {
                self.give(Global::Static(field), class);
            }
        }
        self.give(Global::Threads, "java/lang/Thread");
    }

    fn give(&mut self, global: Global, class: &str) {
        if let Some(class) = self.resolution.program.class_named(class) {
            let ty = Type::class(self.resolution.program.class(class).name);
            let object = self.objects.intern(self.resolution.program, Site::Given(ty), ty, None, 0);
            self.add(Variable::Global(global), &ObjectSet::of(object));
        }
    }

    fn get(&self, variable: Variable) -> ObjectSet {
        self.refers.get(&variable).cloned().unwrap_or_default()
    }

    fn add(&mut self, variable: Variable, objects: &ObjectSet) {
        self.changed |= self.refers.entry(variable).or_default().insert_all(objects);
    }

    fn add_of_type(&mut self, variable: Variable, objects: &ObjectSet, ty: Option<Type>) {
        let program = self.resolution.program;
        let is_of = |object: &ObjectId| ty.is_none_or(|ty| program.is_subtype(self.objects.ty(*object), ty));
        let objects: ObjectSet = objects.iter().filter(is_of).collect();
        self.add(variable, &objects);
    }

    fn apply(&mut self, id: CodeId, context: Context) {
        let code = self.codes.get(id);
        let local = |local: &Local| Variable::Local(id, context, *local);
        for (to, site, ty) in &code.allocations {
            let object = self.allocate(&code, *site, *ty, context);
            self.add(local(to), &ObjectSet::of(object));
        }
        for (to, from, ty) in &code.copies {
            let objects = self.get(local(from));
            self.add_of_type(local(to), &objects, *ty);
        }
        for (to, global, ty) in &code.global_loads {
            let objects = self.get(Variable::Global(*global));
            self.add_of_type(local(to), &objects, *ty);
        }
        for (global, from) in &code.global_stores {
            let objects = self.get(local(from));
            self.add(Variable::Global(*global), &objects);
        }
        for class in &code.initializes {
            self.initialize(*class);
        }
        for (number, site) in code.calls.iter().enumerate() {
            if site.dispatch == Dispatch::Static
                && let Some(callee) = self.codes.of_method(site.method)
            {
                self.run((id, context), number as u32, site, callee, None);
            }
        }
        for base in code.used_locals() {
            for (_, used) in code.uses(base) {
                self.use_objects((id, context), &code, base, *used);
            }
        }
    }

    fn allocate(&mut self, code: &Code, site: Site, ty: Type, context: Context) -> ObjectId {
        let context = context.filter(|_| site.has_makers());
        let depth = self.sensitivity.depth(code.contexts);
        self.objects.intern(self.resolution.program, site, ty, context, depth)
    }

    fn initialize(&mut self, class: ClassId) {
        let above: Vec<ClassId> = self.resolution.program.initialized_with(class).collect();
        for class in above {
            if self.initialized.insert(class)
                && let Some(code) = self.codes.initializer(class)
            {
                self.changed |= self.instances.insert((code, None));
            }
        }
    }

    fn use_objects(&mut self, at: (CodeId, Context), code: &Arc<Code>, base: Local, used: Use) {
        let local = |local| Variable::Local(at.0, at.1, local);
        for object in self.get(local(base)).iter() {
            let ty = self.objects.ty(object);
            match used {
                Use::Load(slot, to, of) => {
                    let objects = self.get(Variable::Slot(object, slot));
                    self.add_of_type(local(to), &objects, of.filter(|_| ty == Type::NULL));
                }
                Use::Store(slot, from) => {
                    let objects = self.get(local(from));
                    self.store(object, slot, &objects);
                }
                Use::Clone(to) => {
                    let copy = self.objects.copy(self.resolution.program, object);
                    self.fill(copy, object);
                    self.add(local(to), &ObjectSet::of(copy));
                }
                Use::Open(to) => {
                    let from = self.objects.get(object).site;
                    for slot in opened::slots(self.resolution, &self.codes, ty, from) {
                        let objects = self.get(Variable::Slot(object, slot));
                        self.add(local(to), &objects);
                    }
                }
                Use::Resize(to, method, made_at) => {
                    let (program, depth) = (self.resolution.program, self.sensitivity.depth(code.contexts));
                    let made = self.objects.resized(program, object, (method, made_at), at.1, depth);
                    self.fill(made, object);
                    self.add(local(to), &ObjectSet::of(made));
                }
                Use::ClassOf(to, method) => {
                    let class = self.objects.class_of(self.resolution.program, object, method);
                    self.add(local(to), &ObjectSet::of(class));
                }
                Use::Call(number) => {
                    let site = &code.calls[number as usize];
                    let from = self.objects.get(object).site;
                    if let Some(callee) = self.codes.on(site, ty, from) {
                        self.run(at, number, site, callee, Some(object));
                    }
                }
            }
        }
    }

    fn fill(&mut self, copy: ObjectId, object: ObjectId) {
        let program = self.resolution.program;
        for slot in copies::slots(program, self.objects.ty(object)) {
            let objects = self.get(Variable::Slot(object, slot));
            self.add(Variable::Slot(copy, slot), &objects);
        }
    }

    fn store(&mut self, object: ObjectId, slot: Slot, objects: &ObjectSet) {
        let ty = self.objects.ty(object);
        if matches!(self.objects.get(object).site, Site::Empty(_)) {
            return;
        }
        let is_typed_element = slot == Slot::Element && ty != Type::NULL;
        let element = ty.element().filter(|element| is_typed_element && element.is_reference());
        if is_typed_element && element.is_none() {
            return;
        }
        self.add_of_type(Variable::Slot(object, slot), objects, element);
    }

    fn run(&mut self, caller: (CodeId, Context), number: u32, site: &CallSite, id: CodeId, on: Context) {
        let code = self.codes.get(id);
        let is_of_framework = self.resolution.framework.is_of_them(self.resolution.program, &code);
        if is_of_framework && self.codes.get(caller.0).method.is_none() {
            return;
        }
        let context = match (code.contexts, on.or(caller.1)) {
            (Contexts::All | Contexts::Threads, Some(object)) if self.objects.is_context(object) => Some(object),
            (Contexts::OfApplication, Some(object)) if self.objects.is_of_application(object) => Some(object),
            _ => None,
        };
        self.changed |= self.instances.insert((id, context));
        self.changed |= self.calls.insert((caller.0, caller.1, number, id, context));
        let pairs = site.arguments.iter().zip(&code.parameters).enumerate();
        for (place, (argument, parameter)) in pairs {
            let (Some(argument), Some(parameter)) = (argument, parameter) else { continue };
            let objects = match on {
                Some(object) if place == 0 => ObjectSet::of(object),
                _ => self.get(Variable::Local(caller.0, caller.1, *argument)),
            };
            self.add(Variable::Local(id, context, *parameter), &objects);
        }
        if let (Some(from), Some(to)) = (code.result, site.result) {
            let objects = self.get(Variable::Local(id, context, from));
            self.add(Variable::Local(caller.0, caller.1, to), &objects);
        }
    }

    fn result(self) -> Result {
        let names = |objects: &ObjectSet| objects.iter().map(|object| name(&self.objects, Some(object))).collect();
        let named = |code: CodeId| code_name(&self.codes.get(code));
        let mut locals = BTreeMap::new();
        for (variable, objects) in &self.refers {
            if let Variable::Local(code, context, local) = variable
                && !objects.is_empty()
            {
                locals.insert((named(*code), name(&self.objects, *context), local.0), names(objects));
            }
        }
        let call = |(caller, from, call, callee, to): &(CodeId, Context, u32, CodeId, Context)| {
            (named(*caller), name(&self.objects, *from), *call, named(*callee), name(&self.objects, *to))
        };
        Result { locals, calls: self.calls.iter().map(call).collect(), failing: self.failing() }
    }

    fn failing(&self) -> BTreeSet<(MethodId, Value)> {
        let mut failing = BTreeSet::new();
        for (id, context) in &self.instances {
            let code = self.codes.get(*id);
            let refers = |from: Option<Local>| from.map(|from| self.get(Variable::Local(*id, *context, from)));
            let fails =
                |from, to| may_fail(self.resolution.program, &self.objects, &refers(from).unwrap_or_default(), to);
            let casts = code.casts.iter().filter(|(_, from, to)| fails(*from, *to));
            failing.extend(casts.filter_map(|(at, ..)| Some((code.method?, *at))));
        }
        failing
    }
}

/// What the other solver found, in the same form.
#[must_use]
pub fn of(program: &Program, points_to: &PointsTo) -> Result {
    let failing = casts(program, points_to).into_iter().filter_map(|(cast, fails)| fails.then_some(cast)).collect();
    let mut result = Result { locals: BTreeMap::new(), calls: BTreeSet::new(), failing };
    let names = |objects: &ObjectSet| objects.iter().map(|object| name(&points_to.objects, Some(object))).collect();
    for instance in points_to.instances() {
        let code = points_to.code(instance);
        let (named, context) = (code_name(code), name(&points_to.objects, points_to.context(instance)));
        for local in (0..code.n_locals).map(Local) {
            let objects = points_to.local(instance, local);
            if !objects.is_empty() {
                result.locals.insert((named.clone(), context.clone(), local.0), names(objects));
            }
        }
        for edge in points_to.calls(instance) {
            let callee = points_to.code(edge.callee);
            let to = name(&points_to.objects, points_to.context(edge.callee));
            result.calls.insert((named.clone(), context.clone(), edge.call, code_name(callee), to));
        }
    }
    result
}

fn code_name(code: &Code) -> CodeName {
    (code.method, code.lambda, code.mirrors.as_ref().map(site_name))
}

fn name(objects: &Objects, object: Context) -> ObjectName {
    let object = object.map(|object| objects.get(object));
    object.map_or_else(Vec::new, |object| std::iter::once(&object.site).chain(&object.makers).map(site_name).collect())
}

/// The number of a lambda's code depends on the order in which code is found.
fn site_name(site: &Site) -> String {
    match site {
        Site::Lambda(method, at, _) => format!("{method:?} {at:?}"),
        site => format!("{site:?}"),
    }
}
