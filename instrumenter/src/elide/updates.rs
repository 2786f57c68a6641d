//! Reads of a location that is written at once: `count++`, `sum[i] += x`.
//!
//! The check of the write finds a race whenever a check of the read would have: the locks that count for a write count for a
//! read too. Between the two, nothing branches and nothing throws, so that the write is certain to come. What other threads do
//! in between is as if they had done it before.

use classfile::opcode::*;
use classfile::{Class, Constant, descriptor};

use crate::elide::barrier::{self, Volatiles};
use crate::rewrite::code::Code;

/// For each instruction, whether it is a read whose write `checked` says has a check; empty if none is.
pub(crate) fn of(
    code: &Code<'_>,
    class: &Class<'_>,
    has_receiver: bool,
    volatiles: Volatiles,
    mut checked: impl FnMut(usize) -> bool,
) -> Vec<bool> {
    let mut found = Vec::new();
    let mut targets = None;
    for load in (0..code.len()).filter(|index| is_read(code.instructions[*index].opcode)) {
        let targets = targets.get_or_insert_with(|| targets_of(code));
        let update = Update { code, class, has_receiver, volatiles, targets };
        if update.begins(load) && update.write_after(load).is_some_and(&mut checked) {
            found.resize(code.len(), false);
            found[load] = true;
        }
    }
    found
}

/// What may begin an update; a store of a reference may throw (JVMS 6.5, aastore).
fn is_read(opcode: u8) -> bool {
    matches!(opcode, GETSTATIC | GETFIELD) || is_array_load(opcode) && opcode != AALOAD
}

fn targets_of(code: &Code<'_>) -> Vec<bool> {
    let mut targets = vec![false; code.len()];
    code.jumps.iter().for_each(|jump| targets[jump.to as usize] = true);
    code.handlers.iter().for_each(|handler| targets[handler.target as usize] = true);
    targets
}

/// How the value that was read becomes the one that is written.
struct Update<'c, 'a> {
    code: &'c Code<'a>,
    class: &'c Class<'a>,
    /// Whether local variable 0 is `this`.
    has_receiver: bool,
    volatiles: Volatiles,
    targets: &'c [bool],
}

impl Update<'_, '_> {
    /// Whether the read leaves the object, or the array and index, on the stack for the write.
    fn begins(&self, load: usize) -> bool {
        let before = |n: usize| load.checked_sub(n).map(|index| self.opcode(index));
        match self.opcode(load) {
            GETSTATIC => true,
            GETFIELD => before(1) == Some(DUP) || before(2) == Some(ALOAD_0) && self.reads_own_field(load),
            _ => before(1) == Some(DUP2),
        }
    }

    /// The write of what this instruction reads.
    fn write_after(&self, load: usize) -> Option<usize> {
        let slots = self.slots(load)?;
        // What lies above the object, or above the array and the index.
        let mut height = slots;
        for index in load + 1..self.code.len() {
            if self.targets[index] {
                return None;
            }
            if height == slots && self.writes(load, index) {
                return Some(index);
            }
            let (pops, pushes) = self.effect(load, index, height == slots)?;
            height = height.checked_sub(pops)? + pushes;
        }
        None
    }

    fn slots(&self, load: usize) -> Option<usize> {
        match self.opcode(load) {
            GETFIELD | GETSTATIC => self.field_slots(load),
            opcode => Some(effect(opcode).1.into()),
        }
    }

    fn field_slots(&self, index: usize) -> Option<usize> {
        Some(descriptor::slots(self.class.pool.reference(self.code.operand(index)).ok()?.descriptor))
    }

    fn writes(&self, load: usize, index: usize) -> bool {
        let is_same_field = || self.code.operand(load) == self.code.operand(index);
        match (self.opcode(load), self.opcode(index)) {
            (GETFIELD, PUTFIELD) | (GETSTATIC, PUTSTATIC) => is_same_field(),
            (load @ IALOAD..=SALOAD, store @ IASTORE..=SASTORE) => load - IALOAD == store - IASTORE,
            _ => false,
        }
    }

    /// Slots taken and left by an instruction that cannot throw; `is_whole` if there is nothing but the new value.
    fn effect(&self, load: usize, index: usize, is_whole: bool) -> Option<(usize, usize)> {
        let opcode = self.opcode(index);
        let simple = || Some((usize::from(effect(opcode).0), usize::from(effect(opcode).1)));
        match opcode {
            ICONST_M1..=SIPUSH | ILOAD..=DLOAD | ILOAD_0..ALOAD_0 | IINC => simple(),
            LDC | LDC_W | LDC2_W => self.is_number(index).then(simple)?,
            ALOAD_0 if self.has_receiver => Some((0, 1)),
            GETFIELD if self.reads_own_field(index) && !barrier::at(self.code, self.class, self.volatiles, index) => {
                Some((1, self.field_slots(index)?))
            }
            IDIV | LDIV | IREM | LREM => None,
            IADD..=LXOR | I2L..=DCMPG => simple(),
            _ if is_whole && opcode == self.copy_below(load) => Some((0, 0)),
            _ => None,
        }
    }

    /// The instruction that keeps the value for an expression like `count++`.
    fn copy_below(&self, load: usize) -> u8 {
        match (self.opcode(load), self.slots(load)) {
            (GETSTATIC, Some(1)) => DUP,
            (GETSTATIC, _) => DUP2,
            (GETFIELD, Some(1)) => DUP_X1,
            (GETFIELD, _) => DUP2_X1,
            (_, Some(1)) => DUP_X2,
            _ => DUP2_X2,
        }
    }

    /// Whether it is a `getfield` of `this`, which is there.
    fn reads_own_field(&self, index: usize) -> bool {
        let is_own = || self.opcode(index - 1) == ALOAD_0 && !self.targets[index] && !self.targets[index - 1];
        self.has_receiver && index > 0 && is_own()
    }

    fn is_number(&self, index: usize) -> bool {
        let opcode = self.opcode(index);
        let constant = if opcode == LDC { self.code.instruction(index)[1].into() } else { self.code.operand(index) };
        matches!(
            self.class.pool.get(constant),
            Some(Constant::Integer(_) | Constant::Float(_) | Constant::Long(_) | Constant::Double(_))
        )
    }

    fn opcode(&self, index: usize) -> u8 {
        self.code.instructions[index].opcode
    }
}
