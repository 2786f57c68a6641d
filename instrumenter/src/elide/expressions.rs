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

/// The instruction that pushes the index of an array access, if it is one alone.
pub(crate) fn index_of(code: &Code<'_>, access: usize) -> Option<usize> {
    let mut end = if is_array_load(code.instructions[access].opcode) { access } else { before_value(code, access)? };
    while code.instructions[end.checked_sub(1)?].opcode == DUP2 {
        end -= 1;
    }
    let index = end - 1;
    matches!(code.instructions[index].opcode, ICONST_M1..=SIPUSH | ILOAD | ILOAD_0..=ILOAD_3).then_some(index)
}

/// The number that an instruction pushes.
pub(crate) fn number(instruction: &[u8]) -> Option<i32> {
    match *instruction {
        [constant @ ICONST_M1..=ICONST_5] => Some(i32::from(constant) - i32::from(ICONST_0)),
        [BIPUSH, number] => Some(i32::from(number as i8)),
        [SIPUSH, high, low] => Some(i32::from(i16::from_be_bytes([high, low]))),
        _ => None,
    }
}

/// Where the value begins, in straight-line code without fields, that an array store writes; behind the index, or a copy of it.
fn before_value(code: &Code<'_>, store: usize) -> Option<usize> {
    let is_branch =
        |index: usize| code.jumps.iter().any(|jump| jump.from as usize == index || jump.to as usize == index);
    // So many slots of the value does the code before an instruction push.
    let mut slots = effect(code.instructions[store].opcode).0.checked_sub(2)?;
    let mut at = store;
    while slots > 0 {
        at = at.checked_sub(1)?;
        let opcode = code.instructions[at].opcode;
        if opcode == DUP2 && slots == 2 {
            return Some(at);
        }
        let (pops, pushes) = effect(opcode);
        let is_simple = !is_branch(at) && (pops, pushes) != (0, 0) && !(DUP..=SWAP).contains(&opcode);
        slots = slots.checked_sub(pushes).filter(|_| is_simple)? + pops;
    }
    Some(at)
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

/// The instructions that push a reference before this instruction.
pub(crate) fn reference_before(code: &Code<'_>, end: usize) -> Option<Range<usize>> {
    Some(before_reference(code, end)?..end)
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
