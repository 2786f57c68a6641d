//! Families of classes whose objects may be owned: a class below `Object` with all that extend it, whose objects are kept in
//! fields of other classes, and never go where a value of another type may be one of them.
//!
//! Then every reference to such an object is a value, a parameter, a field or an array element of a type of the family, in code
//! that is analysed: nothing else can tell who owns it (`owned`). What goes to a static field, to a container, to an interface or
//! a superclass, to a lambda, or to code that is not analysed, has *leaked*, and the whole family with it.

use rustc_hash::FxHashMap;

use crate::ir::{Body, Op, Value};
use crate::program::{Base, ClassId, MemberRef, MethodId, Name, Program, Reflected, Type};

use super::annotations;
use super::bodies::Bodies;
use super::calls::CallGraph;
use super::obstacle::{At, Cause, given_to};
use super::summary::Summaries;

/// A number of a family.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Family(u32);

/// Where an object of a family gets out of hand, and how.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Leak {
    /// The instruction.
    pub at: At,
    /// How.
    pub cause: Cause,
}

/// The families of a program.
#[derive(Default, Debug)]
pub struct Families {
    of: FxHashMap<Name, Family>,
    leaks: Vec<Option<Leak>>,
}

/// What the search for leaks goes by.
#[derive(Clone, Copy)]
pub struct Code<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its calls.
    pub calls: &'a CallGraph,
    /// Its methods in short.
    pub summaries: &'a Summaries,
}

impl Families {
    /// The families whose objects are kept by others, without those that leak by declarations.
    #[must_use]
    pub fn of(program: &Program, calls: &CallGraph, bodies: &Bodies) -> Self {
        let mut families = Self::default();
        if bodies.failures().is_empty() {
            families.find(program);
            families.judge_declarations(program, calls.reflected());
        }
        families
    }

    /// The family of a type, or of an array's elements, unless it leaks.
    #[must_use]
    pub fn get(&self, ty: Type) -> Option<Family> {
        self.all(ty).filter(|family| self.leaks[family.0 as usize].is_none())
    }

    /// Where the objects of a class leak; nothing if they do not, or are kept by no other class.
    #[must_use]
    pub fn leak(&self, class: Name) -> Option<Leak> {
        self.leaks[self.of.get(&class)?.0 as usize]
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.leaks.iter().all(Option::is_some)
    }

    /// Notes a leak; the first place is kept.
    pub fn leaks(&mut self, family: Family, leak: Leak) {
        let known = &mut self.leaks[family.0 as usize];
        if known.is_none_or(|known| leak < known) {
            *known = Some(leak);
        }
    }

    fn all(&self, ty: Type) -> Option<Family> {
        match ty.base {
            Base::Class(name) => self.of.get(&name).copied(),
            _ => None,
        }
    }

    fn find(&mut self, program: &Program) {
        let kept = |class: ClassId| program.fields_of(class).map(|field| program.field(field));
        let fields = program.application().flat_map(kept).filter(|field| !field.is_static());
        let mut roots = FxHashMap::default();
        for field in fields {
            let Base::Class(name) = field.ty.base else { continue };
            let Some(root) = program.find(name).and_then(|class| root(program, class)) else { continue };
            if !program.is_subclass(field.class, root) {
                let next = Family(roots.len() as u32);
                roots.entry(root).or_insert(next);
            }
        }
        self.leaks = vec![None; roots.len()];
        for class in program.application().filter(|class| !program.class(*class).is_interface()) {
            let family = root(program, class).and_then(|root| roots.get(&root));
            self.of.extend(family.map(|family| (program.class(class).name, *family)));
        }
    }

    /// Static fields belong to nobody; a copy of an object that keeps others keeps the same ones.
    fn judge_declarations(&mut self, program: &Program, reflected: &Reflected) {
        for class in program.application() {
            let data = program.class(class);
            let known = [
                (is_copied(program, class), Cause::Cloned),
                (annotations::invites_reflection(program, &data.annotations), Cause::Reflection),
                (reflected.classes.contains(&class), Cause::Reflection),
            ];
            if let Some(family) = self.of.get(&data.name).copied() {
                let causes = known.into_iter().filter(|(is_known, _)| *is_known);
                causes.for_each(|(_, cause)| self.leaks(family, Leak { at: None, cause }));
            }
            for (id, field) in program.fields_of(class).map(|field| (field, program.field(field))) {
                let is_copied = || {
                    let below = program.application().filter(|below| program.is_subclass(*below, class));
                    below.into_iter().any(|below| is_copied(program, below))
                };
                let Some(family) = self.get(field.ty) else { continue };
                let cause = match () {
                    () if field.is_static() => Cause::Static,
                    () if reflected.fields.contains(&id) => Cause::Reflected,
                    () if is_copied() => Cause::Cloned,
                    () => continue,
                };
                self.leaks(family, Leak { at: None, cause });
            }
        }
    }

    /// Calls `leak` with the families of which an instruction lets an object go, and how.
    pub fn for_each_leak(&self, code: Code<'_>, body: &Body, value: Value, leak: &mut dyn FnMut(Family, Cause)) {
        let program = code.program;
        let ty = |value: Value| body.instruction(value).ty;
        let mut moves = |from: Type, to: Type, cause: Cause| {
            if from != Type::NULL && self.get(from) != self.get(to) {
                [from, to].into_iter().filter_map(|ty| self.get(ty)).for_each(|family| leak(family, cause));
            }
        };
        let nowhere = Type::OBJECT;
        let result = ty(value);
        match body.op(value) {
            Op::Phi(merged) => merged.iter().for_each(|merged| moves(ty(*merged), result, Cause::Above)),
            Op::Cast(inner) => moves(ty(*inner), result, Cause::Below),
            Op::LoadElement(array, _) => moves(ty(*array), result, Cause::Above),
            Op::StoreElement(array, _, stored) if ty(*array) != Type::NULL => {
                moves(ty(*stored), ty(*array), Cause::Element);
            }
            Op::Return(Some(left)) => moves(ty(*left), program.signature(body.method).result, Cause::Above),
            Op::Throw(thrown) => moves(ty(*thrown), nowhere, Cause::Thrown),
            Op::GetField(_, member) => moves(result, self.kept_in(code, *member, result), Cause::Above),
            Op::PutField(_, member, stored) => {
                moves(ty(*stored), self.kept_in(code, *member, ty(*stored)), Cause::Above);
            }
            Op::PutStatic(_, stored) => moves(ty(*stored), nowhere, Cause::Static),
            Op::InvokeDynamic(_, _, _, captured) => {
                captured.iter().for_each(|captured| moves(ty(*captured), nowhere, Cause::Lambda));
                moves(result, nowhere, Cause::Lambda);
            }
            Op::Invoke(_, _, arguments) => self.of_call(code, body, value, arguments, &mut moves),
            Op::GetStatic(_) | Op::Constant(_) => moves(result, nowhere, Cause::Static),
            Op::Caught => moves(result, nowhere, Cause::Thrown),
            _ => {}
        }
    }

    /// The type of a field of the application, which is as good as any where there is none.
    fn kept_in(&self, code: Code<'_>, member: MemberRef, ty: Type) -> Type {
        if self.get(ty).is_none() {
            return ty;
        }
        let field = code.calls.field(member).map(|field| code.program.field(field));
        let field = field.filter(|field| code.program.class(field.class).is_application && !field.is_static());
        field.map_or(Type::OBJECT, |field| field.ty)
    }

    fn of_call(
        &self,
        code: Code<'_>,
        body: &Body,
        call: Value,
        arguments: &[Value],
        moves: &mut dyn FnMut(Type, Type, Cause),
    ) {
        let Code { program, calls, summaries } = code;
        let ty = |value: Value| body.instruction(value).ty;
        let targets = calls.targets(body.method, call);
        for target in &targets.methods {
            let is_member = !program.method(*target).is_static();
            for (n, (argument, parameter)) in arguments.iter().zip(parameters(program, *target)).enumerate() {
                // A receiver of another type is of the family only where an object went by that type before: there it leaked.
                if n > 0 || !is_member || self.get(ty(*argument)).is_some() {
                    moves(ty(*argument), parameter, Cause::Above);
                }
            }
        }
        if !targets.library {
            return;
        }
        let is_copy = copied_arrays(code, body, call).is_some();
        let cause = given_to(program, calls, body, call);
        for (n, argument) in arguments.iter().enumerate().filter(|(_, argument)| self.get(ty(**argument)).is_some()) {
            let is_array = ty(*argument).dimensions > 0;
            if !is_copy && (is_array || summaries.lets_escape_into_library(program, calls, body, call, n)) {
                moves(ty(*argument), Type::OBJECT, cause);
            }
        }
        if let Some((from, to)) = copied_arrays(code, body, call) {
            moves(ty(from), ty(to), Cause::Above);
            moves(ty(to), ty(from), Cause::Above);
        }
        moves(ty(call), Type::OBJECT, cause);
    }
}

/// The types of a method's parameters, the receiver first.
pub fn parameters(program: &Program, method: MethodId) -> impl Iterator<Item = Type> + '_ {
    let data = program.method(method);
    let receiver = (!data.is_static()).then(|| Type::class(program.class(data.class).name));
    receiver.into_iter().chain(program.signature(method).parameters.iter().copied())
}

/// The arrays between which `System.arraycopy` copies elements.
pub fn copied_arrays(code: Code<'_>, body: &Body, call: Value) -> Option<(Value, Value)> {
    let Op::Invoke(_, member, arguments) = body.op(call) else { return None };
    let named = code.program.method(code.calls.named(*member)?);
    let is_copy = code.program.names().text(named.name) == "arraycopy"
        && code.program.class_name(named.class) == "java/lang/System";
    Some((*arguments.first()?, *arguments.get(2)?)).filter(|_| is_copy)
}

/// The highest class of the application above a class, if `Object` is next and nothing is missing.
fn root(program: &Program, class: ClassId) -> Option<ClassId> {
    let data = program.class(class);
    if !data.is_application || data.is_incomplete || data.is_interface() {
        return None;
    }
    let above = data.super_class?;
    if program.class(above).name == Name::OBJECT { Some(class) } else { root(program, above) }
}

/// Whether `Object.clone` may copy objects of a class.
fn is_copied(program: &Program, class: ClassId) -> bool {
    let is_cloneable = |above: ClassId| program.class_name(above) == "java/lang/Cloneable";
    program.ancestors(class).any(|above| is_cloneable(above) || program.class(above).is_incomplete)
}
