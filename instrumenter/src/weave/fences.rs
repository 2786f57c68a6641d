//! Plain and opaque accesses that fences order, as queues and ring buffers use them.
//!
//! `VarHandle.releaseFence(); this.value = v;` tells who reads the value all that was done before, and `v = this.value;
//! VarHandle.acquireFence();` is how to read it. So a write that comes first after a fence that releases is one that releases,
//! and a read from which a fence that acquires comes next, on some way, is one that acquires. They are no checked accesses then,
//! as little as volatile ones are; the object with the field stands for the edge, as for variable handles.
//!
//! Between the two lies nothing but computation: no other call, lock or store, and before a fence that acquires no other read of
//! an object. Code that puts more between a fence and its access is not recognized, nor are static fields and elements of arrays.

use classfile::opcode::*;
use facts::models::handles::Fence;

use crate::rewrite::code::{Code, Instruction};
use crate::select::{Selection, Verdict};

/// How many instructions may lie between a read and its fence.
const FAR: usize = 32;

/// What the fences of a method make of its accesses.
#[derive(Default)]
pub(crate) struct Fenced {
    /// Instructions that write and release, in order.
    releasing: Vec<usize>,
    /// Instructions that read and acquire, in order.
    acquiring: Vec<usize>,
}

impl Fenced {
    /// Of a method that has a fence.
    pub fn of(code: &Code<'_>, selection: &mut Selection<'_>) -> Self {
        let mut steps: Vec<Step> = (0..code.len()).map(|index| Step::of(code, selection, index)).collect();
        steps.push(Step::Other);
        let is_target = targets(code);
        let all = |is_wanted: &dyn Fn(usize) -> bool| (0..code.len()).filter(|index| is_wanted(*index)).collect();
        Self {
            releasing: all(&|index| steps[index] == Step::Write && follows_release(&steps, &is_target, index)),
            acquiring: all(&|index| steps[index] == Step::Read && precedes_acquire(code, &steps, index)),
        }
    }

    /// Whether the instruction is a write that releases.
    pub fn releases(&self, index: usize) -> bool {
        self.releasing.binary_search(&index).is_ok()
    }

    /// Whether the instruction is a read that acquires.
    pub fn acquires(&self, index: usize) -> bool {
        self.acquiring.binary_search(&index).is_ok()
    }

    /// Whether it is one of both.
    pub fn has(&self, index: usize) -> bool {
        self.releases(index) || self.acquires(index)
    }
}

/// An instruction as fences see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// Computes, jumps, says that the thread spins, or loads a static field: the `Unsafe` that has the fence.
    Quiet,
    Fence(Fence),
    /// Reads a field of an object, or a variable by an opaque access.
    Read,
    /// Writes one.
    Write,
    /// Reads an element of an array.
    Load,
    /// Whatever may synchronize or write something.
    Other,
}

impl Step {
    fn of(code: &Code<'_>, selection: &mut Selection<'_>, index: usize) -> Self {
        let Instruction { opcode, .. } = code.instructions[index];
        match opcode {
            GETFIELD => Self::Read,
            PUTFIELD => Self::Write,
            _ if is_array_load(opcode) => Self::Load,
            INVOKEVIRTUAL..=INVOKEDYNAMIC => match selection.at(opcode, code.operand(index)) {
                Verdict::Fence(fence) => Self::Fence(fence),
                Verdict::Opaque { mode, .. } if mode.acquires => Self::Read,
                Verdict::Opaque { .. } => Self::Write,
                _ if selection.spins(code.operand(index)) => Self::Quiet,
                _ => Self::Other,
            },
            PUTSTATIC | MONITORENTER | MONITOREXIT | ATHROW => Self::Other,
            _ if is_array_store(opcode) || is_return(opcode) => Self::Other,
            _ => Self::Quiet,
        }
    }
}

/// For each instruction, whether control comes to it from elsewhere than the one before.
fn targets(code: &Code<'_>) -> Vec<bool> {
    let mut is_target = vec![false; code.len() + 1];
    code.jumps.iter().for_each(|jump| is_target[jump.to as usize] = true);
    code.handlers.iter().for_each(|handler| is_target[handler.target as usize] = true);
    is_target
}

/// Whether a fence that releases comes right before a write, on every way to it.
fn follows_release(steps: &[Step], is_target: &[bool], write: usize) -> bool {
    for index in (0..write).rev() {
        if is_target[index + 1] {
            return false;
        }
        match steps[index] {
            Step::Fence(fence) if fence.releases => return true,
            Step::Write | Step::Other => return false,
            Step::Fence(_) | Step::Quiet | Step::Read | Step::Load => {}
        }
    }
    false
}

/// Whether a fence that acquires comes right after a read, on some way.
fn precedes_acquire(code: &Code<'_>, steps: &[Step], read: usize) -> bool {
    let mut known = vec![read, read + 1];
    let mut next = 1;
    while let Some(&index) = known.get(next).filter(|_| next < FAR) {
        next += 1;
        match steps[index] {
            Step::Fence(fence) if fence.acquires => return true,
            Step::Quiet | Step::Fence(_) => {}
            Step::Read | Step::Write | Step::Load | Step::Other => continue,
        }
        let jumps = code.jumps.iter().filter(|jump| jump.from as usize == index).map(|jump| jump.to as usize);
        let falls = (!ends_flow(code.instructions[index].opcode)).then_some(index + 1);
        for successor in jumps.chain(falls) {
            if !known.contains(&successor) {
                known.push(successor);
            }
        }
    }
    false
}
