//! Objects of the JDK that a method makes and uses alone: string builders, lists. They are mutable and have no lock, but nobody
//! else can have them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::library;
use crate::ir::{Body, Op, Value};
use crate::program::Program;
use crate::types::calls::CallGraph;

/// The values that are such an object.
#[derive(Default, Debug)]
pub(super) struct Own(FxHashSet<Value>);

impl Own {
    /// Those of a body: objects that it makes and only calls harmless methods on, which may return the object itself.
    pub fn of(program: &Program, calls: &CallGraph, body: &Body) -> Self {
        let mut object: FxHashMap<Value, Value> = FxHashMap::default();
        let mut escaped: FxHashSet<Value> = FxHashSet::default();
        for value in body.all_values() {
            let instruction = body.instruction(value);
            let is_harmless = match &instruction.op {
                Op::New if library::may_be_own(program, instruction.ty) => {
                    object.insert(value, value);
                    continue;
                }
                Op::Invoke(_, member, arguments) => calls
                    .named(*member)
                    .is_some_and(|method| library::is_harmless_on_own(program, method, body, arguments)),
                _ => false,
            };
            let mut place = 0;
            instruction.op.for_each_operand(|operand| {
                let known = object.get(&operand).copied();
                match known {
                    Some(own) if place > 0 || !is_harmless => drop(escaped.insert(own)),
                    Some(own) if body.instruction(own).ty == instruction.ty => drop(object.insert(value, own)),
                    _ => {}
                }
                place += 1;
            });
        }
        Self(object.into_iter().filter(|(_, own)| !escaped.contains(own)).map(|(value, _)| value).collect())
    }

    pub fn contains(&self, value: Value) -> bool {
        self.0.contains(&value)
    }
}
