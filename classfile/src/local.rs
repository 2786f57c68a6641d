//! The local variables that instructions name.

use crate::opcode::{
    ALOAD, ALOAD_3, ASTORE, ASTORE_3, DLOAD, DSTORE, IINC, ILOAD, ILOAD_0, ISTORE, ISTORE_0, LLOAD, LSTORE, RET, WIDE,
};

/// How many local variables there have to be for an instruction.
#[must_use]
pub fn used(instruction: &[u8]) -> u32 {
    let Some((opcode, local)) = named(instruction) else { return 0 };
    u32::from(local) + 1 + u32::from(matches!(opcode, LLOAD | DLOAD | LSTORE | DSTORE))
}

/// The local variable that the instruction loads.
#[must_use]
pub fn loaded(instruction: &[u8]) -> Option<u16> {
    named(instruction).filter(|(opcode, _)| (ILOAD..=ALOAD).contains(opcode)).map(|(_, local)| local)
}

/// The local variable that the instruction assigns to.
#[must_use]
pub fn assigned(instruction: &[u8]) -> Option<u16> {
    named(instruction).filter(|(opcode, _)| matches!(*opcode, ISTORE..=ASTORE | IINC)).map(|(_, local)| local)
}

/// The local variable that the instruction names, with the opcode of the form that has it as an operand.
fn named(instruction: &[u8]) -> Option<(u8, u16)> {
    let short = |opcode: u8, base: u8, form: u8| (form + (opcode - base) / 4, u16::from(opcode - base) % 4);
    match *instruction {
        [opcode @ (ILOAD..=ALOAD | ISTORE..=ASTORE | RET | IINC), local, ..] => Some((opcode, local.into())),
        [opcode @ ILOAD_0..=ALOAD_3] => Some(short(opcode, ILOAD_0, ILOAD)),
        [opcode @ ISTORE_0..=ASTORE_3] => Some(short(opcode, ISTORE_0, ISTORE)),
        [WIDE, opcode, high, low, ..] => Some((opcode, u16::from_be_bytes([high, low]))),
        _ => None,
    }
}
