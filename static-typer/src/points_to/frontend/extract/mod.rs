//! From a body to the code that the points-to analysis works on.

mod accesses;
mod arrays;
mod by_handle;
mod by_method_handle;
mod calls;
mod dynamic;
mod locks;
mod narrowed;

use rustc_hash::FxHashMap;

use crate::ir::{Block, Body, Call, Op, Value};
use crate::points_to::core::code::{Code, Global, Local, Lock};
use crate::points_to::core::id::CodeId;
use crate::points_to::core::site::Site;
use crate::points_to::reflection::api::Apis;
use crate::program::{ClassId, Constant, Handle, MethodId, Name, Type};
use crate::types::Path;

use self::narrowed::narrowed;
use super::handles::Handles;
use super::held::{Held, HeldLocks};
use super::resolve::Resolution;

/// `LambdaMetafactory.FLAG_SERIALIZABLE`.
const FLAG_SERIALIZABLE: i32 = 1;

/// A lambda or method reference that code makes, and the code that its method stands for.
#[derive(Clone, PartialEq, Debug)]
pub struct Lambda {
    /// Its number.
    pub code: CodeId,
    /// The method that makes it.
    pub method: MethodId,
    /// The instruction that makes it.
    pub at: Value,
    /// What it runs.
    pub handle: Handle,
    /// How many references and numbers it captures.
    pub captured: u16,
    /// The method that it implements, without what is captured: types of its parameters, and of its result.
    pub parameters: Box<[Type]>,
}

/// Extracts code.
pub struct Extractor<'a> {
    /// What the instructions name.
    pub resolution: &'a Resolution<'a>,
    /// The fields that handles stand for.
    pub handles: &'a Handles<'a>,
    /// The reflective methods of the JDK.
    pub apis: Apis,
    /// The number of the next lambda's code.
    pub next: CodeId,
    /// The lambdas that were found.
    pub lambdas: Vec<Lambda>,
}

struct Extraction<'a, 'e> {
    from: &'e mut Extractor<'a>,
    body: &'e Body,
    code: Code,
    /// Values that are used.
    used: Vec<bool>,
    /// Whether one run may come to a block again.
    repeats: Vec<bool>,
    /// The lock of a synchronized method.
    entry: Option<Lock>,
    /// Values that are final expressions, where locks are named.
    names: FxHashMap<Path, Value>,
    /// Variables of those that the code does not have itself.
    unnamed: FxHashMap<Path, Option<Local>>,
}

impl<'a> Extractor<'a> {
    /// The code of a method.
    pub fn code(&mut self, body: &Body) -> Code {
        let mut extraction = Extraction::new(self, body);
        extraction.declare();
        extraction.name_variables();
        let resolution = extraction.from.resolution;
        let held = HeldLocks::of(&resolution.locking, resolution.locks_by, resolution.program, body);
        extraction.names = held.names();
        held.for_each(|value, held| extraction.visit(value, held));
        let mut code = extraction.code;
        code.finish();
        code
    }
}

impl<'a, 'e> Extraction<'a, 'e> {
    fn new(from: &'e mut Extractor<'a>, body: &'e Body) -> Self {
        let mut used = vec![false; body.instructions.len()];
        for instruction in &body.instructions {
            instruction.op.for_each_operand(|operand| used[operand.index()] = true);
        }
        let code = Code::of(body.method);
        let (names, unnamed) = (FxHashMap::default(), FxHashMap::default());
        Self { from, body, code, used, repeats: repeating(body), entry: None, names, unnamed }
    }

    fn program(&self) -> &'a crate::program::Program {
        self.from.resolution.program
    }

    fn declare(&mut self) {
        let program = self.program();
        let method = program.method(self.body.method);
        let class = program.class(method.class);
        self.code.is_checked = class.is_application;
        let receiver = (!method.is_static()).then_some(Type::class(class.name));
        let types = receiver.into_iter().chain(program.signature(self.body.method).parameters.iter().copied());
        let parameters: Vec<Type> = types.collect();
        for ty in parameters {
            let local = ty.is_reference().then(|| self.code.local());
            self.code.parameters.push(local);
        }
        if method.is_synchronized() {
            let local = self.code.parameters.first().copied().flatten().filter(|_| !method.is_static());
            let local = local.unwrap_or_else(|| self.class_constant(Type::class(class.name)));
            self.entry = Some(Lock { local, monitor: true, shared: false, is_flag: false });
        }
    }

    fn class_constant(&mut self, class: Type) -> Local {
        let local = self.code.local();
        self.code.allocations.push((local, Site::Class(class), Type::class(Name::CLASS)));
        local
    }

    /// Gives every reference a variable; what is the same for sure shares one.
    fn name_variables(&mut self) {
        for value in self.body.all_values() {
            if let Op::Parameter(n) = self.body.op(value)
                && let Some(Some(local)) = self.code.parameters.get(usize::from(*n))
            {
                self.code.set_local(value, *local);
            }
        }
        for value in self.body.all_values() {
            if let Some(from) = self.checked(value).and_then(|from| self.local(from)) {
                self.code.set_local(value, from);
            }
            let Op::Cast(from) = self.body.op(value) else { continue };
            let (from_type, to) = (self.body.instruction(*from).ty, self.body.instruction(value).ty);
            let is_known = to != Type::NULL && from_type != Type::NULL && self.program().is_subtype(from_type, to);
            if is_known || self.is_marked(*from, to) {
                let local = self.code.local_of(*from);
                self.code.set_local(value, local);
            }
        }
    }

    /// Whether an instruction makes a lambda that is of a type too beside its own, as `(Runnable & Serializable) () -> {}` is.
    fn is_marked(&self, mut lambda: Value, to: Type) -> bool {
        while let Op::Cast(from) = self.body.op(lambda) {
            lambda = *from;
        }
        let (program, class) = (self.program(), self.program().method(self.body.method).class);
        let Op::InvokeDynamic(bootstrap, ..) = self.body.op(lambda) else { return false };
        let Some(bootstrap) = program.bootstrap(class, *bootstrap) else { return false };
        // What follows the three arguments of every lambda (`LambdaMetafactory.altMetafactory`).
        let mut marks = bootstrap.arguments.iter().skip(3);
        let is_serializable = matches!(marks.next(), Some(Constant::Int(flags)) if flags & FLAG_SERIALIZABLE != 0)
            && to.as_class().is_some_and(|to| &*program.names().text(to) == "java/io/Serializable");
        is_serializable || marks.any(|mark| matches!(mark, Constant::Class(mark) if program.is_subtype(*mark, to)))
    }

    /// What a call only checks and returns: else all its callers would get what any of them gives.
    fn checked(&self, value: Value) -> Option<Value> {
        let Op::Invoke(Call::Static, member, arguments) = self.body.op(value) else { return None };
        let (names, member) = (self.program().names(), self.program().member(*member));
        let is_check =
            names.text(member.owner.as_class()?) == "java/util/Objects" && names.text(member.name) == "requireNonNull";
        arguments.first().copied().filter(|_| is_check)
    }

    /// The variable of a reference; none for what is no reference, `null` included.
    fn local(&mut self, value: Value) -> Option<Local> {
        let instruction = self.body.instruction(value);
        let refers = instruction.ty.is_reference() && instruction.ty != Type::NULL;
        (refers && instruction.op != Op::Null).then(|| self.code.local_of(value))
    }

    /// The variable of a result that something uses.
    fn result(&mut self, value: Value) -> Option<Local> {
        if self.used[value.index()] { self.local(value) } else { None }
    }

    fn visit(&mut self, value: Value, held: Held<'_>) {
        let (body, ty) = (self.body, self.body.instruction(value).ty);
        match body.op(value) {
            Op::Caught => self.load_global(value, Global::Thrown, Some(ty)),
            Op::Phi(operands) => self.phi(value, operands),
            Op::Constant(constant) => self.constant(value, *constant),
            Op::New => self.allocate(value, ty),
            Op::NewArray(length) => self.allocate_array(value, ty, *length),
            Op::NewArrays(lengths) => self.allocate_arrays(value, ty, lengths.len()),
            Op::LoadElement(array, _) => self.element(value, *array, None, held),
            Op::StoreElement(array, _, stored) => self.element(value, *array, Some(*stored), held),
            Op::GetField(base, member) => self.field(value, Some(*base), *member, None, held),
            Op::PutField(base, member, stored) => self.field(value, Some(*base), *member, Some(*stored), held),
            Op::GetStatic(member) => self.field(value, None, *member, None, held),
            Op::PutStatic(member, stored) => self.field(value, None, *member, Some(*stored), held),
            Op::Invoke(call, member, arguments) => self.invoke(value, *call, *member, arguments, held),
            Op::InvokeDynamic(bootstrap, _, descriptor, arguments) => {
                self.invoke_dynamic(value, *bootstrap, *descriptor, arguments, held);
            }
            Op::Cast(from) => self.cast(value, *from, ty),
            Op::Return(Some(returned)) => {
                if let Some(from) = self.local(*returned) {
                    let result = self.code.result_local();
                    let told = narrowed(self.body, self.body.block_of(value), *returned);
                    self.copy(result, from, None, &told);
                }
            }
            Op::Throw(thrown) => {
                if let Some(from) = self.local(*thrown) {
                    self.code.global_stores.push((Global::Thrown, from));
                }
            }
            _ => {}
        }
    }

    fn load_global(&mut self, value: Value, global: Global, ty: Option<Type>) {
        if let Some(to) = self.result(value) {
            self.code.global_loads.push((to, global, ty));
        }
    }

    fn phi(&mut self, value: Value, operands: &[Value]) {
        let Some(to) = self.result(value) else { return };
        for operand in operands {
            if let Some(from) = self.local(*operand)
                && from != to
            {
                self.code.copies.push((to, from, None));
            }
        }
    }

    fn cast(&mut self, value: Value, from: Value, ty: Type) {
        let (to, local) = (self.result(value), self.local(from));
        self.code.casts.push((value, local.filter(|_| !self.is_marked(from, ty)), ty));
        let Some((to, from_local)) = to.zip(local) else { return };
        if to != from_local {
            let told = narrowed(self.body, self.body.block_of(value), from);
            let tells_more = told.iter().all(|told| self.program().is_subtype(*told, ty));
            self.copy(to, from_local, Some(ty), if tells_more { &told } else { &[] });
        }
    }

    /// A copy of what is of a type, or of one that `instanceof` has told, if it has.
    fn copy(&mut self, to: Local, from: Local, ty: Option<Type>, told: &[Type]) {
        if told.is_empty() {
            self.code.copies.push((to, from, ty));
        }
        self.code.copies.extend(told.iter().map(|told| (to, from, Some(*told))));
    }

    fn constant(&mut self, value: Value, constant: Constant) {
        let Some(to) = self.result(value) else { return };
        let ty = self.body.instruction(value).ty;
        let site = match constant {
            Constant::Class(class) => Site::Class(class),
            Constant::String(text) if self.names_class(text) => Site::Text(text),
            _ => Site::Merged(ty),
        };
        self.code.allocations.push((to, site, ty));
    }

    /// The class that a text names, as `Class.forName` takes it.
    fn class_called(&self, text: Name) -> Option<ClassId> {
        let names = self.program().names();
        let internal: Vec<u8> = names.bytes(text).iter().map(|b| if *b == b'.' { b'/' } else { *b }).collect();
        self.program().find(names.get(&internal)?)
    }

    /// Whether a text is the name of a class. One without a package may be any word, unless the program has it.
    fn names_class(&self, text: Name) -> bool {
        let is_qualified = || self.program().names().bytes(text).iter().any(|b| matches!(b, b'.' | b'/'));
        let class = self.class_called(text);
        class.is_some_and(|class| is_qualified() || self.program().class(class).is_application)
    }

    fn repeats(&self, value: Value) -> bool {
        self.repeats.get(self.body.block_of(value).index()).copied().unwrap_or(true)
    }
}

/// Whether one run may come to each block again: its strongly connected component is a loop.
fn repeating(body: &Body) -> Vec<bool> {
    let next = |block: Block| body.following(block).into_iter().map(Block::index).collect::<Vec<usize>>();
    let edges: Vec<Vec<usize>> = body.blocks().map(next).collect();
    let mut repeats = vec![false; edges.len()];
    for component in crate::points_to::core::cycles::components(edges.len(), |block| edges[block].iter().copied()) {
        let is_loop = component.len() > 1 || edges[component[0]].contains(&component[0]);
        component.iter().for_each(|block| repeats[*block] = is_loop);
    }
    repeats
}
