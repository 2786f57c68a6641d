//! Whether an instruction's operands and its result are of types that fit it.
//!
//! The JVM checks by itself what is stored into an array of references, and takes any reference for an interface (JVMS
//! 4.10.1.2); about missing classes nothing is known.

use super::super::typing::of_constant;
use super::super::{Arithmetic, Block, Body, Call, Condition, Op, Value};
use crate::program::{Base, Descriptor, Member, MemberRef, Name, Program, Type};

pub(super) struct Types<'a> {
    pub program: &'a Program,
    pub body: &'a Body,
}

impl Types<'_> {
    /// Whether the types of an instruction in a block fit.
    pub fn fit(&self, block: Block, value: Value) -> bool {
        let result = self.body.instruction(value).ty;
        match self.body.op(value) {
            Op::Parameter(n) => self.parameter(*n) == Some(result),
            Op::Caught => self.caught(block, result),
            Op::Phi(values) => result != Type::VOID && values.iter().all(|value| self.flows(self.of(*value), result)),
            Op::Null => result == Type::NULL,
            Op::Constant(constant) => of_constant(self.program, constant) == Some(result),
            Op::Arithmetic(operation, a, b) => arithmetic(*operation, self.of(*a), self.of(*b), result),
            Op::Negate(a) => is_number(result) && self.of(*a) == result,
            Op::Convert(a, to) => converts(self.of(*a), *to) && to.on_stack() == result,
            Op::New | Op::NewArray(_) | Op::NewArrays(_) | Op::Length(_) => self.allocation(value, result),
            Op::LoadElement(array, index) => self.loads(self.of(*array), result) && self.is_int(*index),
            Op::GetField(..) | Op::GetStatic(_) => self.reads(value, result),
            Op::Cast(a) => self.is_reference(*a) && result.is_reference(),
            Op::InstanceOf(a, of) => self.is_reference(*a) && of.is_reference() && result == Type::INT,
            Op::Invoke(call, member, arguments) => self.calls(*call, *member, arguments, result),
            Op::InvokeDynamic(_, _, descriptor, arguments) => self.takes(*descriptor, arguments, result),
            _ => result == Type::VOID && self.acts(value),
        }
    }

    /// The same for instructions without a result.
    fn acts(&self, value: Value) -> bool {
        match self.body.op(value) {
            Op::StoreElement(array, index, value) => {
                self.is_int(*index) && self.stores(self.of(*array), self.of(*value))
            }
            Op::PutField(object, field, value) => self.is_of(*object, *field) && self.writes(*field, *value),
            Op::PutStatic(field, value) => self.writes(*field, *value),
            Op::Enter(value) | Op::Exit(value) => self.is_reference(*value),
            Op::Throw(value) => self.flows(self.of(*value), Type::class(Name::THROWABLE)),
            Op::Branch(condition, a, b, ..) => compares(*condition, self.of(*a), b.map(|b| self.of(b))),
            Op::Switch(value, ..) => self.is_int(*value),
            Op::Return(None) => self.program.signature(self.body.method).result == Type::VOID,
            Op::Return(Some(value)) => self.flows(self.of(*value), self.program.signature(self.body.method).result),
            _ => true,
        }
    }

    fn of(&self, value: Value) -> Type {
        self.body.instruction(value).ty
    }

    fn is_int(&self, value: Value) -> bool {
        self.of(value) == Type::INT
    }

    fn is_reference(&self, value: Value) -> bool {
        self.of(value).is_reference()
    }

    fn parameter(&self, n: u16) -> Option<Type> {
        let method = self.program.method(self.body.method);
        let receiver = (!method.is_static()).then(|| Type::class(self.program.class(method.class).name));
        let parameters = self.program.signature(self.body.method).parameters.iter().copied();
        receiver.into_iter().chain(parameters).nth(n.into()).map(Type::on_stack)
    }

    /// What a handler catches is one type, whichever block it comes from.
    fn caught(&self, block: Block, result: Type) -> bool {
        let handlers = self.body.block(block).predecessors.iter().flat_map(|before| &self.body.block(*before).handlers);
        let mut caught = handlers.filter(|(_, handler)| *handler == block).map(|(catch, _)| *catch);
        caught.all(|catch| catch.unwrap_or(Type::class(Name::THROWABLE)) == result)
    }

    fn allocation(&self, value: Value, result: Type) -> bool {
        match self.body.op(value) {
            Op::New => result.as_class().is_some(),
            Op::NewArray(length) => self.is_int(*length) && result.dimensions > 0,
            Op::NewArrays(lengths) => {
                let dimensions = 1..=usize::from(result.dimensions);
                dimensions.contains(&lengths.len()) && lengths.iter().all(|length| self.is_int(*length))
            }
            Op::Length(array) => is_array(self.of(*array)) && result == Type::INT,
            _ => false,
        }
    }

    /// What is read from `null` may be anything.
    fn loads(&self, array: Type, result: Type) -> bool {
        match array.element() {
            Some(Type::NULL) => result != Type::VOID,
            element => element.is_some_and(|element| element.on_stack() == result.on_stack()),
        }
    }

    fn stores(&self, array: Type, value: Type) -> bool {
        match array.element() {
            Some(Type::NULL) => value != Type::VOID,
            Some(element) if element.is_reference() => value.is_reference(),
            element => element.is_some_and(|element| element.on_stack() == value),
        }
    }

    fn reads(&self, value: Value, result: Type) -> bool {
        let (Op::GetField(_, field) | Op::GetStatic(field)) = self.body.op(value) else { return false };
        let of_object = match self.body.op(value) {
            Op::GetField(object, _) => self.is_of(*object, *field),
            _ => true,
        };
        of_object && result != Type::VOID && self.field(*field).map(Type::on_stack) == Some(result)
    }

    fn writes(&self, field: MemberRef, value: Value) -> bool {
        self.field(field).is_some_and(|ty| self.flows(self.of(value), ty))
    }

    fn field(&self, field: MemberRef) -> Option<Type> {
        let Member { descriptor, is_field, .. } = self.program.member(field);
        is_field.then(|| self.program.names().signature(*descriptor).result)
    }

    /// Whether an object may have that member.
    fn is_of(&self, object: Value, member: MemberRef) -> bool {
        self.is_reference(object) && self.flows(self.of(object), self.program.member(member).owner)
    }

    fn calls(&self, call: Call, member: MemberRef, arguments: &[Value], result: Type) -> bool {
        let Member { descriptor, is_field, .. } = self.program.member(member);
        let arguments = match (call, arguments.split_first()) {
            (Call::Static, _) => Some(arguments),
            (_, Some((receiver, rest))) => self.is_of(*receiver, member).then_some(rest),
            (_, None) => None,
        };
        !is_field && arguments.is_some_and(|arguments| self.takes(*descriptor, arguments, result))
    }

    fn takes(&self, descriptor: Descriptor, arguments: &[Value], result: Type) -> bool {
        let signature = self.program.names().signature(descriptor);
        let types = arguments.iter().map(|argument| self.of(*argument));
        result == signature.result.on_stack()
            && arguments.len() == signature.parameters.len()
            && types.zip(&signature.parameters).all(|(ty, parameter)| self.flows(ty, *parameter))
    }

    /// Whether values of one type may be where another is expected.
    fn flows(&self, ty: Type, to: Type) -> bool {
        if !ty.is_reference() || !to.is_reference() {
            return ty != Type::VOID && ty.on_stack() == to.on_stack();
        }
        self.is_open(to) || self.is_open(ty) || self.program.is_subtype(ty, to)
    }

    fn is_open(&self, ty: Type) -> bool {
        let Base::Class(name) = ty.base else { return false };
        let class = self.program.find(name).map(|class| self.program.class(class));
        // What is above a missing class and another one is taken for `Object`.
        let stands_for_missing = name == Name::OBJECT && self.program.missing().next().is_some();
        stands_for_missing || class.is_none_or(|class| class.is_interface() || class.is_incomplete)
    }
}

fn is_array(ty: Type) -> bool {
    ty.dimensions > 0 || ty == Type::NULL
}

fn is_number(ty: Type) -> bool {
    matches!(ty, Type::INT | Type::LONG | Type::FLOAT | Type::DOUBLE)
}

fn arithmetic(operation: Arithmetic, a: Type, b: Type, result: Type) -> bool {
    let whole = |ty: Type| matches!(ty, Type::INT | Type::LONG);
    match operation {
        Arithmetic::ShiftLeft | Arithmetic::ShiftRight | Arithmetic::UnsignedShiftRight => {
            whole(a) && b == Type::INT && result == a
        }
        Arithmetic::And | Arithmetic::Or | Arithmetic::Xor => whole(a) && b == a && result == a,
        Arithmetic::Compare => a == Type::LONG && b == a && result == Type::INT,
        Arithmetic::CompareLess | Arithmetic::CompareGreater => {
            matches!(a, Type::FLOAT | Type::DOUBLE) && b == a && result == Type::INT
        }
        _ => is_number(a) && b == a && result == a,
    }
}

/// An `int` can become narrow; everything else becomes another number.
fn converts(from: Type, to: Type) -> bool {
    if is_number(to) { is_number(from) && from != to } else { from == Type::INT && to.on_stack() == Type::INT }
}

fn compares(condition: Condition, a: Type, b: Option<Type>) -> bool {
    let equality = matches!(condition, Condition::Equal | Condition::NotEqual);
    let as_ints = a == Type::INT && b.is_none_or(|b| b == Type::INT);
    as_ints || equality && a.is_reference() && b.is_none_or(Type::is_reference)
}
