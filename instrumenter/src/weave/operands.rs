//! Copies of operands, whatever lies above them on the stack.
//!
//! The instructions of the stack reach what lies below two slots, or below three of which the lowest is a value of its own. What lies
//! above anything deeper is set aside in local variables that the code does not have, and put back at once.

use classfile::descriptor::FieldType;
use classfile::opcode::*;

use super::MethodWeaver;
use crate::failure::Failure;
use crate::plan::Reason;
use crate::rewrite::writer::push2;
use crate::select::descriptor;

/// Operands that are set aside: how each is loaded, and from where.
pub(super) struct Aside(Vec<(u8, u16)>);

impl<'a> MethodWeaver<'_, 'a> {
    /// Emits a copy of what lies so many slots deep: up to two.
    pub(super) fn bring_up(&mut self, depth: usize) {
        match depth {
            0 => self.emit(&[DUP]),
            1 => self.emit(&[DUP2, POP]),
            _ => self.emit(&[DUP2_X1, POP2, DUP_X2]),
        }
        self.edits.needs_stack(2);
    }

    /// Emits a copy of an argument of a call, or of the object on which the method is called; so many slots of arguments lie above it.
    pub(super) fn bring_up_argument(&mut self, index: usize, depth: usize) -> Result<(), Failure> {
        if depth < 3 {
            self.bring_up(depth);
            return Ok(());
        }
        self.edits.needs_stack(2);
        let above = self.above(index, depth)?;
        if depth == 3 && above[0].slots() == 1 {
            self.emit(&[DUP2_X2, POP2, DUP2_X2, POP]);
            return Ok(());
        }
        let aside = self.set_aside(&above)?;
        let copy = self.scratch(depth)?;
        self.emit(&[DUP]);
        self.local(ASTORE, copy);
        self.put_back(&aside);
        self.local(ALOAD, copy);
        self.clear(copy);
        Ok(())
    }

    /// The arguments of a call in the uppermost slots, so many of them, from below.
    pub(super) fn above(&self, index: usize, slots: usize) -> Result<Vec<FieldType<'a>>, Failure> {
        let (pool, operand) = (&self.class.class.pool, self.code.operand(index));
        let descriptor = match self.code.instructions[index].opcode {
            INVOKEDYNAMIC => pool.dynamic(operand)?.1,
            _ => pool.reference(operand)?.descriptor,
        };
        Ok(descriptor::above(descriptor, slots))
    }

    /// Emits stores of the uppermost operands, which have these types from below.
    pub(super) fn set_aside(&mut self, operands: &[FieldType<'_>]) -> Result<Aside, Failure> {
        let mut aside = Aside(Vec::with_capacity(operands.len()));
        let mut depth = 0;
        for operand in operands.iter().rev() {
            let (load, local) = (load(operand), self.scratch(depth)?);
            self.local(load - ILOAD + ISTORE, local);
            aside.0.push((load, local));
            depth += operand.slots();
        }
        Ok(aside)
    }

    /// Emits loads of what was set aside. An object is not kept alive by that.
    pub(super) fn put_back(&mut self, aside: &Aside) {
        for (load, local) in aside.0.iter().rev() {
            self.local(*load, *local);
            if *load == ALOAD {
                self.clear(*local);
            }
        }
    }

    /// The first slot behind so many that are in use.
    fn scratch(&mut self, in_use: usize) -> Result<u16, Failure> {
        const WIDEST: u16 = 2;
        let in_use = u16::try_from(in_use).map_err(|_| Reason::TooLarge)?;
        self.edits.scratch = self.edits.scratch.max(in_use + WIDEST);
        let first = self.code.max_locals.checked_add(self.edits.extra_locals).ok_or(Reason::TooLarge)?;
        Ok(first.checked_add(in_use).ok_or(Reason::TooLarge)?)
    }

    fn clear(&mut self, local: u16) {
        self.emit(&[ACONST_NULL]);
        self.local(ASTORE, local);
    }

    fn local(&mut self, opcode: u8, local: u16) {
        if let Ok(short) = u8::try_from(local) {
            self.emit(&[opcode, short]);
        } else {
            self.emit(&[WIDE, opcode]);
            push2(self.edits.out(), local);
        }
    }
}

/// The instruction that loads a value of the type.
fn load(ty: &FieldType<'_>) -> u8 {
    match ty.text.first() {
        Some(b'L' | b'[') => ALOAD,
        Some(b'J') => LLOAD,
        Some(b'F') => FLOAD,
        Some(b'D') => DLOAD,
        _ => ILOAD,
    }
}
