//! Operations on numbers, as JVMS 6.5 has them.

use std::cmp::Ordering;

use static_typer::ir::{Arithmetic, Condition};
use static_typer::program::Type;

use super::heap::{Datum, narrow};

/// The result, or `None` for a division by zero.
pub fn compute(operation: Arithmetic, a: Datum, b: Datum) -> Option<Datum> {
    Some(match (a, b) {
        (Datum::Long(a), Datum::Int(b)) => Datum::Long(shift(operation, a, b)),
        (Datum::Int(a), Datum::Int(b)) => Datum::Int(on_ints(operation, a, b)?),
        (Datum::Long(a), Datum::Long(b)) if operation == Arithmetic::Compare => Datum::Int(sign(a.cmp(&b))),
        (Datum::Long(a), Datum::Long(b)) => Datum::Long(on_longs(operation, a, b)?),
        (Datum::Float(a), Datum::Float(b)) => match compared(operation, a.partial_cmp(&b)) {
            Some(sign) => Datum::Int(sign),
            None => Datum::Float(on_floats(operation, a.into(), b.into()) as f32),
        },
        (Datum::Double(a), Datum::Double(b)) => match compared(operation, a.partial_cmp(&b)) {
            Some(sign) => Datum::Int(sign),
            None => Datum::Double(on_floats(operation, a, b)),
        },
        _ => panic!("{operation:?} of {a:?} and {b:?}"),
    })
}

fn on_ints(operation: Arithmetic, a: i32, b: i32) -> Option<i32> {
    Some(match operation {
        Arithmetic::Add => a.wrapping_add(b),
        Arithmetic::Subtract => a.wrapping_sub(b),
        Arithmetic::Multiply => a.wrapping_mul(b),
        Arithmetic::Divide if b == 0 => return None,
        Arithmetic::Divide => a.wrapping_div(b),
        Arithmetic::Remainder if b == 0 => return None,
        Arithmetic::Remainder => a.wrapping_rem(b),
        Arithmetic::ShiftLeft => a.wrapping_shl(b.cast_unsigned()),
        Arithmetic::ShiftRight => a.wrapping_shr(b.cast_unsigned()),
        Arithmetic::UnsignedShiftRight => a.cast_unsigned().wrapping_shr(b.cast_unsigned()).cast_signed(),
        Arithmetic::And => a & b,
        Arithmetic::Or => a | b,
        Arithmetic::Xor => a ^ b,
        _ => panic!("{operation:?} of ints"),
    })
}

fn on_longs(operation: Arithmetic, a: i64, b: i64) -> Option<i64> {
    Some(match operation {
        Arithmetic::Add => a.wrapping_add(b),
        Arithmetic::Subtract => a.wrapping_sub(b),
        Arithmetic::Multiply => a.wrapping_mul(b),
        Arithmetic::Divide if b == 0 => return None,
        Arithmetic::Divide => a.wrapping_div(b),
        Arithmetic::Remainder if b == 0 => return None,
        Arithmetic::Remainder => a.wrapping_rem(b),
        Arithmetic::And => a & b,
        Arithmetic::Or => a | b,
        Arithmetic::Xor => a ^ b,
        _ => panic!("{operation:?} of longs"),
    })
}

fn shift(operation: Arithmetic, a: i64, by: i32) -> i64 {
    match operation {
        Arithmetic::ShiftLeft => a.wrapping_shl(by.cast_unsigned()),
        Arithmetic::ShiftRight => a.wrapping_shr(by.cast_unsigned()),
        Arithmetic::UnsignedShiftRight => a.cast_unsigned().wrapping_shr(by.cast_unsigned()).cast_signed(),
        _ => panic!("{operation:?} of a long and an int"),
    }
}

/// For `float` too: these operations on values of `double` that are rounded once give what `float` gives.
fn on_floats(operation: Arithmetic, a: f64, b: f64) -> f64 {
    match operation {
        Arithmetic::Add => a + b,
        Arithmetic::Subtract => a - b,
        Arithmetic::Multiply => a * b,
        Arithmetic::Divide => a / b,
        Arithmetic::Remainder => a % b,
        _ => panic!("{operation:?} of floats"),
    }
}

fn compared(operation: Arithmetic, order: Option<Ordering>) -> Option<i32> {
    match operation {
        Arithmetic::CompareLess => Some(order.map_or(-1, sign)),
        Arithmetic::CompareGreater => Some(order.map_or(1, sign)),
        _ => None,
    }
}

fn sign(order: Ordering) -> i32 {
    order as i32
}

pub fn negate(a: Datum) -> Datum {
    match a {
        Datum::Int(a) => Datum::Int(a.wrapping_neg()),
        Datum::Long(a) => Datum::Long(a.wrapping_neg()),
        Datum::Float(a) => Datum::Float(-a),
        Datum::Double(a) => Datum::Double(-a),
        Datum::Reference(_) => panic!("the negative of a reference"),
    }
}

/// Conversions of Rust to integers saturate, as those of Java do.
pub fn convert(a: Datum, to: Type) -> Datum {
    match (to, a) {
        (Type::LONG, Datum::Int(a)) => Datum::Long(a.into()),
        (Type::LONG, Datum::Float(a)) => Datum::Long(a as i64),
        (Type::LONG, Datum::Double(a)) => Datum::Long(a as i64),
        (Type::FLOAT, Datum::Int(a)) => Datum::Float(a as f32),
        (Type::FLOAT, Datum::Long(a)) => Datum::Float(a as f32),
        (Type::FLOAT, Datum::Double(a)) => Datum::Float(a as f32),
        (Type::DOUBLE, Datum::Int(a)) => Datum::Double(a.into()),
        (Type::DOUBLE, Datum::Long(a)) => Datum::Double(a as f64),
        (Type::DOUBLE, Datum::Float(a)) => Datum::Double(a.into()),
        (Type::INT, Datum::Long(a)) => Datum::Int(a as i32),
        (Type::INT, Datum::Float(a)) => Datum::Int(a as i32),
        (Type::INT, Datum::Double(a)) => Datum::Int(a as i32),
        (narrow_type, Datum::Int(a)) if narrow_type != Type::INT => Datum::Int(narrow(a, narrow_type.base)),
        _ => panic!("{a:?} cannot be converted"),
    }
}

/// Whether a comparison holds; without a second operand it is one with zero or `null`.
pub fn holds(condition: Condition, a: Datum, b: Option<Datum>) -> bool {
    let order = match (a, b) {
        (Datum::Int(a), None) => a.cmp(&0),
        (Datum::Int(a), Some(Datum::Int(b))) => a.cmp(&b),
        // Of references only equality is asked.
        (Datum::Reference(a), None) => a.cmp(&None),
        (Datum::Reference(a), Some(Datum::Reference(b))) => a.cmp(&b),
        _ => panic!("{a:?} cannot be compared with {b:?}"),
    };
    match condition {
        Condition::Equal => order.is_eq(),
        Condition::NotEqual => order.is_ne(),
        Condition::Less => order.is_lt(),
        Condition::GreaterOrEqual => order.is_ge(),
        Condition::Greater => order.is_gt(),
        Condition::LessOrEqual => order.is_le(),
    }
}
