//! Where everything stands in the woven code: edits, switch padding, and branches that became too long.
//!
//! A `goto` or `jsr` that no longer reaches its target becomes its wide form. A conditional branch has no wide form: it
//! goes to a `goto_w` placed after an unconditional transfer nearby (a *step*), where no code falls through and where the
//! verifier takes the target's own frame. So no types have to be inferred.

use std::collections::BTreeMap;
use std::ops::Range;

use classfile::opcode::{self, GOTO, JSR, LOOKUPSWITCH, TABLESWITCH};

use crate::plan::Reason;
use crate::rewrite::code::{Code, Jump};
use crate::rewrite::edits::Edits;

/// Length of `goto_w`.
pub(crate) const STEP_LENGTH: u32 = 5;

pub(crate) struct Layout {
    /// Where a jump to each instruction arrives, and the end of the original code.
    pub labels: Vec<u32>,
    /// Where each instruction itself stands.
    pub starts: Vec<u32>,
    /// By instruction.
    far: BTreeMap<u32, Far>,
    /// In code order.
    pub steps: Vec<Step>,
}

/// What becomes of a branch that is too long.
#[derive(Clone, Copy)]
enum Far {
    /// It takes the wide form.
    Wide,
    /// It goes to the step behind `host` that leads to `target`.
    Step { host: u32, target: u32 },
}

/// A `goto_w` to `target`, behind the instruction `host`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Step {
    pub host: u32,
    pub target: u32,
    pub at: u32,
}

impl Layout {
    /// Places everything.
    pub fn of(code: &Code<'_>, edits: &Edits) -> Result<Self, Reason> {
        let n = code.len() + 1;
        let mut layout = Self { labels: vec![0; n], starts: vec![0; n], far: BTreeMap::new(), steps: Vec::new() };
        // Each round lengthens at least one more branch; real code settles in two or three.
        for _ in 0..64 {
            layout.place(code, edits);
            if layout.length() as usize + edits.catch_all().len() > 65535 {
                return Err(Reason::TooLarge);
            }
            if !layout.lengthen_branches(code)? {
                return Ok(layout);
            }
        }
        Err(Reason::FarBranch)
    }

    /// Length of the woven code without the catch-all handler behind it.
    pub fn length(&self) -> u32 {
        self.labels.last().copied().unwrap_or(0)
    }

    /// The instructions behind which steps stand, in order.
    pub fn hosts(&self) -> Vec<u32> {
        self.steps.iter().map(|step| step.host).collect()
    }

    /// Whether a `goto` or `jsr` takes its wide form.
    pub fn is_widened(&self, index: usize) -> bool {
        matches!(self.far.get(&(index as u32)), Some(Far::Wide))
    }

    /// Where the branch `from` goes to reach `to`.
    pub fn destination(&self, from: usize, to: u32) -> u32 {
        match self.far.get(&(from as u32)) {
            Some(Far::Step { host, target }) => self.step_at(*host, *target),
            _ => self.labels[to as usize],
        }
    }

    /// A position in the original code as a position in the woven code, for tables that may point anywhere.
    pub fn near(&self, code: &Code<'_>, offset: u32) -> Option<u32> {
        let (index, distance) = code.around(offset)?;
        if distance == 0 {
            return Some(self.labels[index as usize]);
        }
        Some((self.starts[index as usize] + distance).min(self.labels[index as usize + 1]))
    }

    fn step_at(&self, host: u32, target: u32) -> u32 {
        let step = self.steps.iter().find(|step| (step.host, step.target) == (host, target));
        step.map_or(self.labels[target as usize], |step| step.at)
    }

    fn place(&mut self, code: &Code<'_>, edits: &Edits) {
        let mut list = edits.list().iter().peekable();
        let mut next_step = 0;
        let (mut at, mut placed) = (edits.prologue().len() as u32, 0);
        for index in points(code, edits, &self.hosts()) {
            at = self.run(code, placed..index, at);
            placed = index + 1;
            self.labels[index] = at;
            let edit = list.next_if(|edit| edit.index as usize == index);
            at += edit.map_or(0, |edit| edits.before(edit).len() as u32);
            self.starts[index] = at;
            if !edit.is_some_and(|edit| edit.dropped) {
                at += length_at(code, index, at) + if self.is_widened(index) { 2 } else { 0 };
            }
            at += edit.map_or(0, |edit| edits.after(edit).len() as u32);
            while let Some(step) = self.steps.get_mut(next_step).filter(|step| step.host as usize == index) {
                step.at = at;
                at += STEP_LENGTH;
                next_step += 1;
            }
        }
        at = self.run(code, placed..code.len(), at);
        self.labels[code.len()] = at;
        self.starts[code.len()] = at;
    }

    /// Places instructions that stay as they are from `at` on; returns where they end.
    fn run(&mut self, code: &Code<'_>, range: Range<usize>, at: u32) -> u32 {
        let moved = at.wrapping_sub(code.instructions[range.start].at);
        for index in range.clone() {
            let at = code.instructions[index].at.wrapping_add(moved);
            (self.labels[index], self.starts[index]) = (at, at);
        }
        code.instructions[range.end].at.wrapping_add(moved)
    }

    /// Says whether anything changed.
    fn lengthen_branches(&mut self, code: &Code<'_>) -> Result<bool, Reason> {
        if self.length() <= i16::MAX as u32 {
            return Ok(false);
        }
        let mut changed = false;
        let too_long: Vec<&Jump> = code.jumps.iter().filter(|jump| !self.reaches(code, jump)).collect();
        for jump in too_long {
            let from = jump.from as usize;
            let wide = matches!(code.instructions[from].opcode, GOTO | JSR);
            let far = if wide { Far::Wide } else { self.new_step(code, from, jump.to)? };
            if self.far.insert(jump.from, far).is_some() {
                return Err(Reason::FarBranch);
            }
            changed = true;
        }
        if changed {
            self.steps = self.far.values().filter_map(Far::step).collect();
            self.steps.sort_unstable();
            self.steps.dedup();
        }
        Ok(changed)
    }

    fn reaches(&self, code: &Code<'_>, jump: &Jump) -> bool {
        let from = jump.from as usize;
        let distance = i64::from(self.destination(from, jump.to)) - i64::from(self.starts[from]);
        let short = opcode::is_short_branch(code.instructions[from].opcode) && !self.is_widened(from);
        !short || i16::try_from(distance).is_ok()
    }

    /// A step behind the unconditional transfer that is nearest to the branch.
    fn new_step(&self, code: &Code<'_>, from: usize, target: u32) -> Result<Far, Reason> {
        let is_host = |index: &usize| opcode::ends_flow(code.instructions[*index].opcode);
        let behind = (0..from).rev().find(is_host);
        let ahead = (from..code.len()).find(is_host);
        let distance = |host: &usize| self.labels[*host + 1].abs_diff(self.starts[from]);
        let host = behind.into_iter().chain(ahead).min_by_key(distance).ok_or(Reason::FarBranch)?;
        Ok(Far::Step { host: host as u32, target })
    }
}

/// The instructions at which something happens, in order: edits, jumps, and the hosts of steps. What lies between is copied.
pub(crate) fn points(code: &Code<'_>, edits: &Edits, hosts: &[u32]) -> impl Iterator<Item = usize> {
    let mut edits = edits.list().iter().map(|edit| edit.index).peekable();
    let mut jumps = code.jumps.iter().map(|jump| jump.from).peekable();
    let mut hosts = hosts.iter().copied().peekable();
    std::iter::from_fn(move || {
        let next = [edits.peek(), jumps.peek(), hosts.peek()].into_iter().flatten().min().copied()?;
        edits.next_if_eq(&next);
        while jumps.next_if_eq(&next).is_some() {}
        while hosts.next_if_eq(&next).is_some() {}
        Some(next as usize)
    })
}

impl Far {
    fn step(&self) -> Option<Step> {
        match *self {
            Self::Wide => None,
            Self::Step { host, target } => Some(Step { host, target, at: 0 }),
        }
    }
}

/// Length of an original instruction when it stands at `at`: the padding of a switch depends on that.
fn length_at(code: &Code<'_>, index: usize, at: u32) -> u32 {
    let instruction = code.instructions[index];
    let length = code.instruction(index).len() as u32;
    if matches!(instruction.opcode, TABLESWITCH | LOOKUPSWITCH) {
        return length - padding(instruction.at) + padding(at);
    }
    length
}

/// Bytes between the opcode of a switch at `at` and its operands.
pub(crate) fn padding(at: u32) -> u32 {
    3 - at % 4
}
