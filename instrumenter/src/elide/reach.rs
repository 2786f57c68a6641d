//! Which elements of an array a loop has accessed when it is left. Known are those of an index that is a number, and all of them in loops that go over a
//! whole array: `for (int i = 0; i < array.length; i++)`, with a number in the place of the length, and `for (int element : array)`, as
//! compilers make them.

use std::ops::Range;

use classfile::local::{assigned, loaded};
use classfile::opcode::*;

use crate::elide::expressions;
use crate::elide::loops::Loop;
use crate::rewrite::code::Code;

/// In place of the number of elements: the length.
const LENGTH: i32 = i32::MAX;

/// To which elements a loop comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reach {
    /// To some.
    Some,
    /// To the one of this number.
    At(i32),
    /// To each up to this one, if the loop is left where it ends.
    Until(i32),
}

impl Reach {
    /// That of an access in a loop, the smallest around it.
    pub fn of(code: &Code<'_>, each: &Loop, access: usize) -> Self {
        let index = expressions::index_of(code, access);
        let number = index.and_then(|index| expressions::number(code.instruction(index))).filter(|number| *number >= 0);
        let until = || if each.ends { until(code, each, access) } else { None };
        number.map(Self::At).or_else(|| until().map(Self::Until)).unwrap_or(Self::Some)
    }

    /// What is known if there is another access.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Until(one), Self::Until(other)) => Self::Until(one.min(other)),
            _ if self == other => self,
            _ => Self::Some,
        }
    }

    /// What is known where an exception leaves the loop.
    pub fn of_unfinished(self) -> Self {
        if let Self::Until(_) = self { Self::Some } else { self }
    }
}

/// Up to which element an access comes to each from the first on.
fn until(code: &Code<'_>, each: &Loop, access: usize) -> Option<i32> {
    let (start, back) = (each.range.start, each.range.end - 1);
    let counter = loaded(code.instruction(start))?;
    let index = expressions::index_of(code, access)?;
    let array = expressions::reference_before(code, index)?;
    let goes_over_all = loaded(code.instruction(index)) == Some(counter)
        && begins_at_zero(code, start, counter)
        && counts_by_one(code, &each.range, counter)
        && is_left_at_its_test(code, each)
        && runs_each_time(code, start..back, access)
        && each.keeps(code, array.clone())
        && keeps_fields(code, each, array.clone());
    if goes_over_all { bound(code, each, expressions::bytes(code, Some(array))) } else { None }
}

fn begins_at_zero(code: &Code<'_>, start: usize, counter: u16) -> bool {
    let is_entered_above = || code.jumps.iter().all(|jump| jump.to as usize != start || jump.from as usize > start);
    start >= 2
        && assigned(code.instruction(start - 1)) == Some(counter)
        && code.instructions[start - 2].opcode == ICONST_0
        && is_entered_above()
}

fn counts_by_one(code: &Code<'_>, range: &Range<usize>, counter: u16) -> bool {
    let mut counts = range.clone().filter(|index| assigned(code.instruction(*index)) == Some(counter));
    let is_by_one = |index: usize| matches!(code.instruction(index), [IINC, _, 1]);
    counts.next().is_some_and(is_by_one) && counts.next().is_none()
}

/// Whether one jump alone leads out, the first, which compares the counter.
fn is_left_at_its_test(code: &Code<'_>, each: &Loop) -> bool {
    let is_in = |index: u32| each.range.contains(&(index as usize));
    let mut out = code.jumps.iter().filter(|jump| is_in(jump.from) && !is_in(jump.to));
    let is_test = out.next().is_some_and(|jump| Some(jump.from as usize) == test(code, each));
    let is_covered = code.handlers.iter().any(|handler| {
        (handler.start as usize) < each.range.end && each.range.start < handler.end as usize && is_in(handler.target)
    });
    let returns = each.range.clone().any(|index| is_return(code.instructions[index].opcode));
    is_test && out.next().is_none() && !is_covered && !returns
}

/// The instruction that compares the counter with what it ends at.
fn test(code: &Code<'_>, each: &Loop) -> Option<usize> {
    let jumps = code.jumps.partition_point(|jump| (jump.from as usize) < each.range.start);
    let first = code.jumps.get(jumps)?.from as usize;
    (code.instructions[first].opcode == IF_ICMPGE).then_some(first)
}

/// Whether nothing between the beginning and the end of a round passes an instruction by.
fn runs_each_time(code: &Code<'_>, round: Range<usize>, access: usize) -> bool {
    let passes = |from: usize, to: usize| round.contains(&from) && from < access && to > access && to <= round.end;
    !code.jumps.iter().any(|jump| passes(jump.from as usize, jump.to as usize))
}

/// Whether the loop writes to no field, and no array of arrays, that these instructions load.
fn keeps_fields(code: &Code<'_>, each: &Loop, array: Range<usize>) -> bool {
    let opcode = |index: usize| code.instructions[index].opcode;
    let writes = |load: usize| {
        each.range.clone().any(|index| match opcode(load) {
            GETFIELD => opcode(index) == PUTFIELD && code.operand(index) == code.operand(load),
            GETSTATIC => opcode(index) == PUTSTATIC && code.operand(index) == code.operand(load),
            AALOAD => opcode(index) == AASTORE,
            _ => false,
        })
    };
    !array.into_iter().any(writes)
}

/// What the counter is compared with: the length of the array, a variable that has it, or a number.
fn bound(code: &Code<'_>, each: &Loop, array: &[u8]) -> Option<i32> {
    let (start, test) = (each.range.start, test(code, each)?);
    let length_from = |end: usize| {
        let of = expressions::reference_before(code, end).filter(|_| code.instructions[end].opcode == ARRAYLENGTH)?;
        (expressions::bytes(code, Some(of.clone())) == array).then_some(of.start)
    };
    // What is compared is the counter itself, and nothing that is made of it.
    if length_from(test - 1) == Some(start + 1) {
        return Some(LENGTH);
    }
    let bound = code.instruction(start + 1);
    if start + 2 != test {
        return None;
    }
    expressions::number(bound).or_else(|| {
        let length = loaded(bound)?;
        let is_kept = !each.range.clone().any(|index| assigned(code.instruction(index)) == Some(length));
        let is_set = start >= 4 && assigned(code.instruction(start - 3)) == Some(length);
        (is_kept && is_set && length_from(start - 4).is_some()).then_some(LENGTH)
    })
}
