//! The types of phis and of elements of reference arrays: the least ones above what flows in (JVMS 4.10.2.2).

use super::{Body, Malformed, Op, Value};
use crate::program::{Constant, Name, Program, Type};

/// Below every type.
pub(super) const UNKNOWN: Type = Type::VOID;

pub(super) fn infer(program: &Program, body: &mut Body) -> Result<(), Malformed> {
    let open: Vec<Value> = body.all_values().filter(|value| is_open(body, *value)).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for value in &open {
            let ty = type_of(program, body, *value)?;
            changed |= std::mem::replace(&mut body.instructions[value.index()].ty, ty) != ty;
        }
    }
    // A phi of nothing but itself and elements of it would need code that cannot be reached.
    if open.iter().any(|value| body.instruction(*value).ty == UNKNOWN) {
        return Malformed::new("a variable without a type");
    }
    Ok(())
}

/// The type of a constant that an instruction can load.
pub(super) fn of_constant(program: &Program, constant: &Constant) -> Option<Type> {
    Some(match constant {
        Constant::Int(_) => Type::INT,
        Constant::Long(_) => Type::LONG,
        Constant::Float(_) => Type::FLOAT,
        Constant::Double(_) => Type::DOUBLE,
        Constant::String(_) => Type::class(Name::STRING),
        Constant::Class(_) => Type::class(Name::CLASS),
        Constant::Handle(_) => Type::class(Name::METHOD_HANDLE),
        Constant::MethodType(_) => Type::class(Name::METHOD_TYPE),
        Constant::Dynamic { descriptor, .. } => program.names().signature(*descriptor).result.on_stack(),
        Constant::Other | Constant::Member(_) => return None,
    })
}

fn is_open(body: &Body, value: Value) -> bool {
    body.instruction(value).ty == UNKNOWN && matches!(body.op(value), Op::Phi(_) | Op::LoadElement(..))
}

fn type_of(program: &Program, body: &Body, value: Value) -> Result<Type, Malformed> {
    match body.op(value) {
        Op::Phi(operands) => {
            let types = operands.iter().map(|operand| body.instruction(*operand).ty).filter(|ty| *ty != UNKNOWN);
            types.map(Ok).reduce(|a, b| join(program, a?, b?)).unwrap_or(Ok(UNKNOWN))
        }
        Op::LoadElement(array, _) => match body.instruction(*array).ty {
            UNKNOWN => Ok(UNKNOWN),
            array => array.element().map_or_else(|| Malformed::new("an element of what is no array"), Ok),
        },
        _ => Ok(UNKNOWN),
    }
}

fn join(program: &Program, a: Type, b: Type) -> Result<Type, Malformed> {
    match (a.is_reference(), b.is_reference()) {
        (true, true) => Ok(program.join(a, b)),
        _ if a == b => Ok(a),
        _ => Malformed::new("a variable of two types"),
    }
}
