//! Final fields with an `AtomicBoolean` that is never set back once it is true: of all that want to set it, one wins.
//!
//! That is so if the object is made for the field, and code does nothing else with what the field has than to look at it and to set it.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Body, Op, Value};
use crate::program::{Constant, FieldId, Program, flag};

use super::bodies::Bodies;
use super::calls::CallGraph;
use super::origin::origin;

const CLASS: &str = "java/util/concurrent/atomic/AtomicBoolean";
/// Methods that set nothing.
const LOOKS: [&str; 6] = ["get", "getPlain", "getAcquire", "getOpaque", "toString", "hashCode"];
/// Methods that set it to their last argument.
const SETS: [&str; 13] = [
    "set",
    "lazySet",
    "setPlain",
    "setRelease",
    "setOpaque",
    "getAndSet",
    "compareAndSet",
    "weakCompareAndSet",
    "weakCompareAndSetPlain",
    "weakCompareAndSetVolatile",
    "compareAndExchange",
    "compareAndExchangeAcquire",
    "compareAndExchangeRelease",
];

/// Finds those fields.
#[must_use]
pub fn once_fields(program: &Program, calls: &CallGraph, bodies: &Bodies) -> FxHashSet<FieldId> {
    let is_candidate = |field: FieldId| {
        let data = program.field(field);
        let is_flag = data.ty.as_class().is_some_and(|class| program.names().text(class) == CLASS);
        let is_hidden = data.access & (flag::PUBLIC | flag::PROTECTED) == 0;
        is_flag && is_hidden && calls.keeps_value(program, field) && !calls.reflected().fields.contains(&field)
    };
    let mut fields: FxHashMap<FieldId, bool> = FxHashMap::default();
    for body in bodies.iter() {
        for value in body.all_values() {
            let (Op::GetField(_, member)
            | Op::PutField(_, member, _)
            | Op::GetStatic(member)
            | Op::PutStatic(member, _)) = body.op(value)
            else {
                continue;
            };
            let Some(field) = calls.field(*member).filter(|field| is_candidate(*field)) else { continue };
            let is_right = match body.op(value) {
                Op::PutField(_, _, stored) | Op::PutStatic(_, stored) => {
                    is_made_for(program, calls, body, *stored, value)
                }
                _ => is_used_once(program, calls, body, value, None),
            };
            *fields.entry(field).or_insert(true) &= is_right;
        }
    }
    fields.into_iter().filter(|(_, is_once)| *is_once).map(|(field, _)| field).collect()
}

/// Whether a new object goes to a field and nowhere else.
fn is_made_for(program: &Program, calls: &CallGraph, body: &Body, stored: Value, at: Value) -> bool {
    let made = origin(body, stored);
    let ty = body.instruction(made).ty.as_class();
    let is_flag = ty.is_some_and(|class| program.names().text(class) == CLASS);
    is_flag && matches!(body.op(made), Op::New) && is_used_once(program, calls, body, made, Some(at))
}

/// Whether nothing is done with an object than what sets it at most, but for one instruction.
fn is_used_once(program: &Program, calls: &CallGraph, body: &Body, of: Value, but: Option<Value>) -> bool {
    body.all_values().filter(|user| Some(*user) != but).all(|user| {
        let mut uses = 0;
        body.op(user).for_each_operand(|operand| uses += usize::from(origin(body, operand) == of));
        uses == 0 || matches!(body.op(user), Op::Cast(_)) || uses == 1 && is_harmless(program, calls, body, user, of)
    })
}

fn is_harmless(program: &Program, calls: &CallGraph, body: &Body, call: Value, of: Value) -> bool {
    let Op::Invoke(_, member, arguments) = body.op(call) else { return false };
    let Some(named) = calls.named(*member).map(|named| program.method(named)) else { return false };
    let name = program.names().text(named.name);
    let is_on = arguments.first().is_some_and(|receiver| origin(body, *receiver) == of);
    let is_true = || arguments.last().is_some_and(|set| *body.op(*set) == Op::Constant(Constant::Int(1)));
    is_on && (named.is_constructor() || LOOKS.contains(&&*name) || SETS.contains(&&*name) && is_true())
}

/// The flag that a call sets if it was not, and what the call returns then.
#[must_use]
pub fn wins(program: &Program, calls: &CallGraph, body: &Body, call: Value) -> Option<(Value, bool)> {
    let Op::Invoke(_, member, arguments) = body.op(call) else { return None };
    let named = program.method(calls.named(*member)?);
    let is = |value: &Value, wanted: i32| *body.op(*value) == Op::Constant(Constant::Int(wanted));
    let name = program.names().text(named.name);
    match (&*program.class_name(named.class) == CLASS, &*name, &arguments[..]) {
        (true, "compareAndSet" | "weakCompareAndSetVolatile", [of, before, after]) if is(before, 0) && is(after, 1) => {
            Some((*of, true))
        }
        (true, "getAndSet", [of, after]) if is(after, 1) => Some((*of, false)),
        _ => None,
    }
}
