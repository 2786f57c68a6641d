//! Array accesses in loops that call nothing and synchronize nothing.
//!
//! Such a loop often goes over a few arrays for a long time. A local variable holds the array that was accessed last, one for
//! each kind of access, each expression that yields an array, and each loop. Only another array needs a check.
//!
//! In a loop that is sure to end, the check comes when the loop is left, or another array comes: code that only remembers an
//! array leaves the compiler free to do with the loop whatever it does without checks. The variable is null outside.
//!
//! In other loops, which may wait for another thread, the first access is checked at once. Whatever may synchronize empties
//! these variables.
//!
//! So an access may be checked later than it happens, or not be checked because the same thread has checked the same array for
//! the same kind of access, but in between there is no lock, no call and no volatile field of this class: what other threads
//! did meanwhile is then as if they had done it before, or afterwards.

use std::ops::Range;

use classfile::Class;
use classfile::opcode::*;

use crate::elide::barrier::{self, Volatiles};
use crate::elide::expressions;
use crate::elide::loops::{self, Loop};
use crate::elide::reach::Reach;
use crate::rewrite::code::Code;

/// Local variables that a method may get. More sites than this in its loops are rare.
const MOST: usize = 16;

/// The sites of one method that have such a variable.
#[derive(Default)]
pub(crate) struct Motion {
    /// By instruction, in order: which of the variables.
    sites: Vec<(u32, u8)>,
    variables: Vec<Variable>,
    barriers: Vec<bool>,
    first_local: u8,
    /// Where which of the variables has to be checked, in order.
    exits: Vec<(u32, u8)>,
    /// The loops in which variables wait for their check.
    waiting: Vec<Range<usize>>,
}

/// A local variable.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Variable {
    pub local: u8,
    /// The first of its sites.
    pub site: usize,
    /// Whether the array is checked when the loop is left.
    pub waits: bool,
    /// Which elements were accessed then.
    pub reach: Reach,
}

impl Variable {
    /// What is known of it where an exception leaves the loop.
    pub fn of_unfinished(self) -> Self {
        Self { reach: self.reach.of_unfinished(), ..self }
    }
}

impl Motion {
    /// Chooses among the instructions that `wanted` says have an array check. Checks can only wait if exceptions `can_wait`
    /// in a handler for all that leaves the method.
    pub fn of(
        code: &Code<'_>,
        class: &Class<'_>,
        can_wait: bool,
        volatiles: Volatiles,
        wanted: impl Fn(usize) -> bool,
    ) -> Self {
        let Some(first_local) = first_local(code) else { return Self::default() };
        let is_site = |index: usize| is_access(code.instructions[index].opcode) && wanted(index);
        if !code
            .jumps
            .iter()
            .any(|jump| jump.to <= jump.from && (jump.to..jump.from).any(|index| is_site(index as usize)))
        {
            return Self::default();
        }
        let barriers: Vec<bool> = (0..code.len()).map(|index| barrier::at(code, class, volatiles, index)).collect();
        let loops = loops::of(code, &barriers, is_site);
        let mut chosen = Chosen {
            code,
            loops: &loops,
            can_wait,
            keys: Vec::new(),
            motion: Self { barriers, first_local, ..Self::default() },
        };
        for index in (0..code.len()).filter(|index| is_site(*index)) {
            chosen.add(index);
        }
        chosen.finish()
    }

    /// The local variable of a site.
    pub fn variable(&self, index: usize) -> Option<Variable> {
        let found = self.sites.binary_search_by_key(&(index as u32), |(site, _)| *site).ok()?;
        Some(self.variables[usize::from(self.sites[found].1)])
    }

    /// The local variables to be emptied before an instruction, because it may synchronize.
    pub fn emptied_before(&self, index: usize) -> impl Iterator<Item = u8> + use<'_> {
        let is_barrier = self.barriers.get(index) == Some(&true);
        self.variables.iter().filter(move |variable| is_barrier && !variable.waits).map(|variable| variable.local)
    }

    /// The variables to be checked before an instruction, because a loop has been left.
    pub fn checked_before(&self, index: usize) -> impl Iterator<Item = Variable> + use<'_> {
        let first = self.exits.partition_point(|(exit, _)| (*exit as usize) < index);
        let here = self.exits[first..].iter().take_while(move |(exit, _)| *exit as usize == index);
        here.map(|(_, variable)| self.variables[usize::from(*variable)])
    }

    /// Every variable.
    pub fn all(&self) -> &[Variable] {
        &self.variables
    }

    /// The loops which an exception must not leave without checks.
    pub fn waiting(&self) -> &[Range<usize>] {
        &self.waiting
    }
}

/// What is chosen so far.
struct Chosen<'c, 'a> {
    code: &'c Code<'a>,
    loops: &'c [Loop],
    can_wait: bool,
    /// What has a variable of its own.
    keys: Vec<Key<'a>>,
    motion: Motion,
}

/// Whether it loads, the expression (empty if it is none that can be compared), and the loop whose exits check.
#[derive(PartialEq, Eq)]
struct Key<'a> {
    is_load: bool,
    expression: &'a [u8],
    waits_in: Option<usize>,
}

impl<'a> Chosen<'_, 'a> {
    fn add(&mut self, index: usize) {
        if !self.loops.iter().any(|each| each.range.contains(&index)) {
            return;
        }
        let expression = expressions::of_array(self.code, index);
        let key = Key {
            is_load: is_array_load(self.code.instructions[index].opcode),
            expression: expressions::bytes(self.code, expression.clone()),
            waits_in: self.waits_in(index, expression),
        };
        let known = self.keys.iter().position(|each| *each == key).filter(|_| !key.expression.is_empty());
        let Some(variable) = known.or((self.keys.len() < MOST).then_some(self.keys.len())) else { return };
        let around = self.loops.iter().find(|each| each.range.contains(&index));
        let reach = around.map_or(Reach::Some, |each| Reach::of(self.code, each, index));
        if let Some(known) = self.motion.variables.get_mut(variable) {
            known.reach = known.reach.and(reach);
        } else {
            let local = self.motion.first_local + variable as u8;
            self.motion.variables.push(Variable { local, site: index, waits: key.waits_in.is_some(), reach });
            self.keys.push(key);
        }
        self.motion.sites.push((index as u32, variable as u8));
    }

    /// The largest loop around the access that is sure to end and, but for the smallest, keeps the array the same.
    fn waits_in(&self, index: usize, expression: Option<Range<usize>>) -> Option<usize> {
        let around = self.loops.iter().enumerate().filter(|(_, each)| each.range.contains(&index));
        let ending = around.take_while(|(_, each)| self.can_wait && each.ends).enumerate();
        let keeps = |each: &Loop| expression.clone().is_some_and(|expression| each.keeps(self.code, expression));
        ending.take_while(|(depth, (_, each))| *depth == 0 || keeps(each)).last().map(|(_, (number, _))| number)
    }

    fn finish(mut self) -> Motion {
        for (variable, key) in self.keys.iter().enumerate() {
            let Some(waits_in) = key.waits_in.map(|number| &self.loops[number]) else { continue };
            self.motion.exits.extend(waits_in.exits(self.code).map(|exit| (exit as u32, variable as u8)));
            self.motion.waiting.push(waits_in.range.clone());
        }
        self.motion.exits.sort_unstable();
        self.motion.exits.dedup();
        self.motion.waiting.sort_by_key(|range| (range.start, range.end));
        self.motion.waiting.dedup();
        self.motion
    }
}

/// None if short instructions could not reach the variables, or a subroutine hides the flow.
fn first_local(code: &Code<'_>) -> Option<u8> {
    let has_subroutine = || code.instructions.iter().any(|each| matches!(each.opcode, JSR | JSR_W));
    u8::try_from(code.max_locals).ok().filter(|local| usize::from(*local) + MOST <= 255 && !has_subroutine())
}

fn is_access(opcode: u8) -> bool {
    is_array_load(opcode) || is_array_store(opcode)
}
