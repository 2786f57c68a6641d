//! Fields whose locks one thread holds at a time, though their types do not say so.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::Op;
use crate::program::{FieldId, Name, Program};

use super::bodies::Bodies;
use super::calls::CallGraph;
use super::origin::origin;

/// Final fields that hold nothing but locks of the JDK which one thread holds at a time.
pub fn exclusive_locks(program: &Program, calls: &CallGraph, bodies: &Bodies) -> FxHashSet<FieldId> {
    const EXCLUSIVE: [&str; 2] =
        ["java/util/concurrent/locks/ReentrantLock", "java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock"];
    let above = program
        .classes()
        .filter(|class| !program.is_of_jdk(*class))
        .filter_map(|class| program.class(class).super_class);
    let extended: FxHashSet<Name> = above.map(|class| program.class(class).name).collect();
    let mut exclusive: FxHashMap<FieldId, bool> = FxHashMap::default();
    for body in bodies.iter() {
        for value in body.all_values() {
            let (Op::PutField(_, member, stored) | Op::PutStatic(member, stored)) = body.op(value) else { continue };
            let Some(field) = calls.field(*member).filter(|field| calls.keeps_value(program, *field)) else { continue };
            let is_new = matches!(body.op(origin(body, *stored)), Op::New);
            let class = body.instruction(origin(body, *stored)).ty.as_class();
            let class = class.filter(|class| is_new || !extended.contains(class));
            let is_exclusive = class.is_some_and(|class| EXCLUSIVE.contains(&&*program.names().text(class)));
            *exclusive.entry(field).or_insert(true) &= is_exclusive;
        }
    }
    exclusive.into_iter().filter(|(_, is_exclusive)| *is_exclusive).map(|(field, _)| field).collect()
}
