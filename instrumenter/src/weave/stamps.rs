//! Who may ask about an optimistic read that a method begins.

use classfile::Class;
use classfile::descriptor::Parameters;
use classfile::opcode::*;

use crate::rewrite::code::Code;

/// Whether a method may pass on the stamp that it gets: it returns, keeps or gives away some number like it.
pub fn may_pass_on(class: &Class<'_>, code: &Code<'_>) -> bool {
    (0..code.len()).any(|index| {
        let operand = code.operand(index);
        let descriptor = || class.pool.reference(operand).ok().map(|member| member.descriptor);
        match code.instructions[index].opcode {
            LRETURN | LASTORE => true,
            INVOKEDYNAMIC => class.pool.dynamic(operand).map_or(true, |(_, descriptor)| takes_long(descriptor)),
            PUTFIELD | PUTSTATIC => descriptor().is_none_or(|field| field == b"J"),
            INVOKEVIRTUAL | INVOKESPECIAL | INVOKESTATIC | INVOKEINTERFACE => descriptor().is_none_or(takes_long),
            _ => false,
        }
    })
}

fn takes_long(descriptor: &[u8]) -> bool {
    Parameters::of(descriptor).any(|parameter| parameter.letter() == b'J' && parameter.slots() == 2)
}
