//! Reads that an earlier read of the same location covers.
//!
//! In straight-line code, a second read of the same field of the same object, or of the same element of the same array, finds the location as
//! the first one left it, or what another thread did in between is as if it had done it afterwards: there was no lock, call
//! or volatile field of this class between the two. The same object means the same expression, of which nothing was assigned
//! meanwhile.
//!
//! Another element of an array is another location, as elements may have states of their own. In a trace it is not, nor as long as the array has
//! one state ([`Cover::Elements`]).
//!
//! To the atomicity of transactions, two reads say more than one, as another thread's write may come between them; and a read
//! after a write of the thread's own says something else than one before it. So in a trace, two reads of a location cover the
//! later ones up to the next write of a field of that name, or of an array (`checkers::stream::redundant` covers more).

use std::ops::Range;

use classfile::Class;
use classfile::local::{assigned, loaded};
use classfile::opcode::*;

use crate::elide::barrier::{self, Volatiles};
use crate::elide::expressions;
use crate::rewrite::code::Code;

/// Which reads cover others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cover {
    /// For races: one does.
    Any,
    /// For races on arrays that have one state: one does, of any element.
    Elements,
    /// For transactions: two without a write.
    Two,
}

/// A location that was read: the object or array expression, and for a field the bytes of its `getfield`.
#[derive(Clone)]
struct Read<'a> {
    expression: Range<usize>,
    bytes: &'a [u8],
    field: &'a [u8],
    /// The read itself.
    at: usize,
    /// Whether it was read twice.
    again: bool,
}

impl Read<'_> {
    fn is_of_same(&self, other: &Self) -> bool {
        self.bytes == other.bytes && self.field == other.field
    }
}

fn is_read(opcode: u8) -> bool {
    opcode == GETFIELD || is_array_load(opcode)
}

/// For each instruction, whether it is redundant by one that `checked` says has a check; empty if none is.
pub(crate) fn of(
    code: &Code<'_>,
    class: &Class<'_>,
    cover: Cover,
    volatiles: Volatiles,
    checked: impl FnMut(usize) -> bool,
) -> Vec<bool> {
    leaders(code, class, cover, volatiles, checked).into_iter().map(|leader| leader.is_some()).collect()
}

/// For each instruction, the read by which it is redundant, if it is.
pub(crate) fn leaders(
    code: &Code<'_>,
    class: &Class<'_>,
    cover: Cover,
    volatiles: Volatiles,
    mut checked: impl FnMut(usize) -> bool,
) -> Vec<Option<usize>> {
    if code.instructions.iter().filter(|each| is_read(each.opcode)).nth(1).is_none() {
        return Vec::new();
    }
    let mut entries = Entries::of(code);
    let mut reads: Vec<Read<'_>> = Vec::new();
    let mut step = |index| {
        if let Some(entry) = entries.enter(index) {
            reads = entry;
        }
        if !reads.is_empty() && barrier::at(code, class, volatiles, index) {
            reads.clear();
        }
        let read = read_at(code, index, cover).filter(|_| checked(index));
        let leader = read.and_then(|read| take(&mut reads, read, cover));
        if !reads.is_empty() {
            if cover == Cover::Two {
                forget_written(code, class, index, &mut reads);
            }
            forget(code, index, &mut reads);
            entries.leave(index, &reads);
        }
        leader
    };
    (0..code.len()).map(&mut step).collect()
}

/// Takes note of a read; gives the one by which it is redundant, if it is.
fn take<'a>(reads: &mut Vec<Read<'a>>, read: Read<'a>, cover: Cover) -> Option<usize> {
    let Some(known) = reads.iter_mut().find(|known| known.is_of_same(&read)) else {
        reads.push(read);
        return None;
    };
    (cover != Cover::Two || std::mem::replace(&mut known.again, true)).then_some(known.at)
}

/// Forgets the reads of what the instruction may write.
fn forget_written(code: &Code<'_>, class: &Class<'_>, index: usize, reads: &mut Vec<Read<'_>>) {
    let name = |at: usize| class.pool.reference(code.operand(at)).ok().map(|field| field.name);
    match code.instructions[index].opcode {
        // The `getfield` comes after the expression.
        PUTFIELD => reads.retain(|read| read.field.is_empty() || name(read.expression.end) != name(index)),
        opcode if is_array_store(opcode) => reads.retain(|read| !read.field.is_empty()),
        _ => {}
    }
}

/// What is known where control arrives from elsewhere: nothing, unless it comes from a single place before.
struct Entries<'c, 'a> {
    code: &'c Code<'a>,
    /// For each instruction, how often it is jumped to; handlers count as many.
    arrivals: Vec<u8>,
    /// What was known at the only jump to an instruction.
    known: Vec<(u32, Vec<Read<'a>>)>,
    next_jump: usize,
}

impl<'c, 'a> Entries<'c, 'a> {
    fn of(code: &'c Code<'a>) -> Self {
        let mut arrivals = vec![0_u8; code.len()];
        for jump in &code.jumps {
            arrivals[jump.to as usize] = arrivals[jump.to as usize].saturating_add(1);
        }
        code.handlers.iter().for_each(|handler| arrivals[handler.target as usize] = u8::MAX);
        Self { code, arrivals, known: Vec::new(), next_jump: 0 }
    }

    /// What is known at an instruction that is jumped to.
    fn enter(&mut self, index: usize) -> Option<Vec<Read<'a>>> {
        if self.arrivals[index] == 0 {
            return None;
        }
        let found = self.known.iter().position(|(target, _)| *target as usize == index);
        Some(found.map_or_else(Vec::new, |found| self.known.swap_remove(found).1))
    }

    /// Takes note of what is known behind an instruction, if it is a jump forward to where nothing else leads.
    fn leave(&mut self, index: usize, reads: &[Read<'a>]) {
        let jumps = &self.code.jumps;
        self.next_jump += jumps[self.next_jump..].iter().take_while(|jump| (jump.from as usize) < index).count();
        for jump in jumps[self.next_jump..].iter().take_while(|jump| jump.from as usize == index) {
            let to = jump.to as usize;
            let falls_through = to == 0 || !ends_flow(self.code.instructions[to - 1].opcode);
            if to > index && self.arrivals[to] == 1 && !falls_through {
                self.known.push((jump.to, reads.to_vec()));
            }
        }
    }
}

fn read_at<'a>(code: &Code<'a>, index: usize, cover: Cover) -> Option<Read<'a>> {
    let opcode = code.instructions[index].opcode;
    let (expression, field) = match opcode {
        GETFIELD => (expressions::of_object(code, index)?, code.instruction(index)),
        _ if is_array_load(opcode) && cover == Cover::Any => (expressions::of_element(code, index)?, &[][..]),
        _ if is_array_load(opcode) => (expressions::of_array(code, index)?, &[][..]),
        _ => return None,
    };
    Some(Read { bytes: expressions::bytes(code, Some(expression.clone())), expression, field, at: index, again: false })
}

/// Forgets the reads whose expression may have another value after the instruction.
fn forget(code: &Code<'_>, index: usize, reads: &mut Vec<Read<'_>>) {
    let uses = |read: &Read<'_>, wanted: &dyn Fn(usize) -> bool| read.expression.clone().any(wanted);
    let opcode = |index: usize| code.instructions[index].opcode;
    match opcode(index) {
        PUTFIELD | PUTSTATIC => reads.retain(|read| !uses(read, &|at| matches!(opcode(at), GETFIELD | GETSTATIC))),
        AASTORE => reads.retain(|read| !uses(read, &|at| opcode(at) == AALOAD)),
        WIDE => reads.clear(),
        _ => {
            if let Some(local) = assigned(code.instruction(index)) {
                reads.retain(|read| !uses(read, &|at| loaded(code.instruction(at)) == Some(local)));
            }
        }
    }
}
