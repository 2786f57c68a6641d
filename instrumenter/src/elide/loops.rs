//! Loops that call nothing and synchronize nothing.

use std::ops::Range;

use classfile::local::{assigned, loaded};
use classfile::opcode::*;

use crate::rewrite::code::Code;

/// A jump back and all that lies between it and its target. Code that is placed elsewhere counts as outside.
pub(crate) struct Loop {
    pub range: Range<usize>,
    /// Whether it is sure to end, as all the loops in it are.
    pub ends: bool,
}

/// More loops than this in one method are left alone: no compiler makes them.
const MOST: usize = 512;

/// The loops without a barrier that have an instruction for which `wanted` holds; the smaller ones first.
pub(crate) fn of(code: &Code<'_>, barriers: &[bool], wanted: impl Fn(usize) -> bool) -> Vec<Loop> {
    let (barriers, wanted) = (Counts::of(barriers.iter().copied()), Counts::of((0..code.len()).map(wanted)));
    let back = code.jumps.iter().filter(|jump| jump.to <= jump.from);
    let mut ranges: Vec<_> = back.map(|jump| jump.to as usize..jump.from as usize + 1).collect();
    ranges.retain(|range| wanted.within(range) > 0 && barriers.within(range) == 0);
    if ranges.len() > MOST {
        return Vec::new();
    }
    ranges.sort_by_key(|range| (range.len(), range.start));
    let mut loops: Vec<Loop> = Vec::new();
    for range in ranges {
        let ends = is_counted(code, &range) && loops.iter().all(|inner| inner.ends || !overlaps(&inner.range, &range));
        loops.push(Loop { range, ends });
    }
    loops
}

/// How many of the instructions before each have some property.
struct Counts(Vec<u32>);

impl Counts {
    fn of(each: impl Iterator<Item = bool>) -> Self {
        let mut count = 0;
        let sums = each.map(|has| {
            count += u32::from(has);
            count
        });
        Self(std::iter::once(0).chain(sums).collect())
    }

    fn within(&self, range: &Range<usize>) -> u32 {
        self.0[range.end] - self.0[range.start]
    }
}

impl Loop {
    /// For a loop that ends, the instructions that run first once it is left, and the returns in it. An exception that leaves
    /// the method passes none of them.
    pub fn exits<'a>(&'a self, code: &'a Code<'_>) -> impl Iterator<Item = usize> + 'a {
        let range = &self.range;
        let is_in = |index: u32| range.contains(&(index as usize));
        let jumps =
            code.jumps.iter().filter(move |jump| is_in(jump.from) && !is_in(jump.to)).map(|jump| jump.to as usize);
        let handlers =
            code.handlers.iter().filter(|handler| overlaps(&(handler.start as usize..handler.end as usize), range));
        let returns = range.clone().filter(|index| is_return(code.instructions[*index].opcode));
        jumps.chain(handlers.map(|handler| handler.target as usize)).chain(returns)
    }

    /// Whether the loop assigns to no variable that these instructions load.
    pub fn keeps(&self, code: &Code<'_>, expression: Range<usize>) -> bool {
        let assigned = |local| self.range.clone().any(|index| assigned(code.instruction(index)) == Some(local));
        !expression.filter_map(|index| loaded(code.instruction(index))).any(assigned)
    }
}

fn overlaps(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// Whether it is a `for` loop as compilers make it: a variable is tested first and counted last, on every way round, and
/// assigned nowhere else. It cannot be waiting for another thread then.
fn is_counted(code: &Code<'_>, range: &Range<usize>) -> bool {
    let back = range.end - 1;
    let Some(variable) = loaded(code.instruction(range.start)).filter(|_| code.instructions[back].opcode == GOTO)
    else {
        return false;
    };
    let is_count = |index: usize| code.instructions[index].opcode == IINC;
    let counts = (range.start..back).rev().take_while(|index| is_count(*index)).count();
    let (body, counting) = (range.start..back - counts, back - counts..back);
    let assigns = |index: usize| assigned(code.instruction(index)) == Some(variable);
    counting.clone().any(assigns) && !body.clone().any(assigns) && tests_first(code, range)
}

/// Whether the first jump is a condition on which the loop ends.
fn tests_first(code: &Code<'_>, range: &Range<usize>) -> bool {
    let first = code.jumps.partition_point(|jump| (jump.from as usize) < range.start);
    code.jumps.get(first).is_some_and(|jump| {
        let opcode = code.instructions[jump.from as usize].opcode;
        (IFEQ..=IF_ICMPLE).contains(&opcode) && !range.contains(&(jump.to as usize))
    })
}
