//! Instructions that may synchronize with other threads, as far as the class file tells.

use classfile::opcode::*;
use classfile::{Class, Pool, flag};
use facts::hook::Events;

use crate::rewrite::code::Code;

/// What counts as volatile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Volatiles {
    /// The fields that this class declares so. To lock sets a volatile access says nothing.
    Own,
    /// Those of other classes, too, as their flags are not known here.
    OwnAndForeign,
}

impl Volatiles {
    pub fn of(events: Events) -> Self {
        if events.contains(Events::EDGES) { Self::OwnAndForeign } else { Self::Own }
    }
}

/// Whether the instruction is a lock operation, a call, or an access to a volatile field.
pub(crate) fn at(code: &Code<'_>, class: &Class<'_>, volatiles: Volatiles, index: usize) -> bool {
    match code.instructions[index].opcode {
        MONITORENTER | MONITOREXIT | INVOKEDYNAMIC => true,
        INVOKEVIRTUAL..=INVOKEINTERFACE => !is_arithmetic(&class.pool, code.operand(index)),
        GETSTATIC..=PUTFIELD => is_volatile(class, volatiles, code.operand(index)),
        _ => false,
    }
}

fn is_arithmetic(pool: &Pool<'_>, method: u16) -> bool {
    matches!(pool.owner(method), Ok(b"java/lang/Math" | b"java/lang/StrictMath"))
}

fn is_volatile(class: &Class<'_>, volatiles: Volatiles, reference: u16) -> bool {
    let Ok(field) = class.pool.reference(reference) else { return true };
    let is_own = class.pool.owner(reference).ok() == class.pool.class_name(class.this_class).ok();
    match class.field(field.name, field.descriptor).filter(|_| is_own || volatiles == Volatiles::Own) {
        Some(field) => field.access & flag::VOLATILE != 0,
        None => volatiles == Volatiles::OwnAndForeign,
    }
}
