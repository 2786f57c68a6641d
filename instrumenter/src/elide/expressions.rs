//! Simple expressions in straight-line code: the instructions that push a reference, found backwards from its use.
//!
//! What is found are variables, fields of simple expressions, and elements of arrays at simple places. Anything else is not
//! found, which is always safe.

use std::ops::Range;

use classfile::opcode::*;

use crate::rewrite::code::Code;

/// Deeper expressions are not found.
const DEPTH: u8 = 4;

/// The instructions that push the array of an array load.
pub(crate) fn of_array(code: &Code<'_>, load: usize) -> Option<Range<usize>> {
    let end = before_index(code, load)?;
    Some(before_reference(code, end)?..end)
}

/// The instructions that push the array and the index of an array load, without a copy of both.
pub(crate) fn of_element(code: &Code<'_>, load: usize) -> Option<Range<usize>> {
    let copies = usize::from(code.instructions[load.checked_sub(1)?].opcode == DUP2);
    Some(of_array(code, load)?.start..load - copies)
}

/// The instructions that push the object of a `getfield`.
pub(crate) fn of_object(code: &Code<'_>, load: usize) -> Option<Range<usize>> {
    Some(before_reference(code, load)?..load)
}

/// The bytes of instructions; empty for none.
pub(crate) fn bytes<'a>(code: &Code<'a>, range: Option<Range<usize>>) -> &'a [u8] {
    let at = |index: usize| code.instructions[index].at as usize;
    range.map_or(&[], |range| &code.bytes[at(range.start)..at(range.end)])
}

/// Where the reference expression begins that ends before this instruction.
fn before_reference(code: &Code<'_>, end: usize) -> Option<usize> {
    let last = end.checked_sub(1)?;
    match code.instructions[last].opcode {
        ALOAD | ALOAD_0..=ALOAD_3 | GETSTATIC => Some(last),
        GETFIELD => before_reference(code, last),
        AALOAD => before_reference(code, before_index(code, last)?),
        _ => None,
    }
}

/// Where the index expression begins that ends before this instruction: variables, constants, and their sums, products and the
/// like. What a `dup2` has copied is looked for before it.
fn before_index(code: &Code<'_>, end: usize) -> Option<usize> {
    let last = end.checked_sub(1)?;
    match code.instructions[last].opcode {
        DUP2 => before_index(code, last),
        _ => before_integer(code, end, DEPTH),
    }
}

fn before_integer(code: &Code<'_>, end: usize, depth: u8) -> Option<usize> {
    let last = end.checked_sub(1)?;
    match code.instructions[last].opcode {
        ICONST_M1..=ICONST_5 | BIPUSH | SIPUSH | ILOAD | ILOAD_0..=ILOAD_3 => Some(last),
        IADD | ISUB | IMUL | ISHL | ISHR | IUSHR | IAND => {
            let right = before_integer(code, last, depth.checked_sub(1)?)?;
            before_integer(code, right, depth - 1)
        }
        _ => None,
    }
}
