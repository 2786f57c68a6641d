//! Instructions that may synchronize with other threads, as far as the class file tells.

use crate::class::{Class, flag};
use crate::code::Code;
use crate::opcode::*;
use crate::pool::Pool;

/// Whether the instruction is a lock operation, a call, or an access to a volatile field of this class. Of other classes'
/// fields the flags are not known here; they count as not volatile.
pub(crate) fn at(code: &Code<'_>, class: &Class<'_>, index: usize) -> bool {
    match code.instructions[index].opcode {
        MONITORENTER | MONITOREXIT | INVOKEDYNAMIC => true,
        INVOKEVIRTUAL..=INVOKEINTERFACE => !is_arithmetic(&class.pool, code.operand(index)),
        GETSTATIC..=PUTFIELD => is_volatile(class, code.operand(index)),
        _ => false,
    }
}

fn is_arithmetic(pool: &Pool<'_>, method: u16) -> bool {
    matches!(pool.owner(method), Ok(b"java/lang/Math" | b"java/lang/StrictMath"))
}

fn is_volatile(class: &Class<'_>, field: u16) -> bool {
    let Ok(field) = class.pool.member(field) else { return true };
    class.field(field.name, field.descriptor).is_some_and(|field| field.access & flag::VOLATILE != 0)
}
