//! Array accesses in loops that call nothing and synchronize nothing.
//!
//! Such a loop often goes over a few arrays for a long time. A local variable holds the array that was checked last, one for
//! each kind of access and each expression that yields an array, and only another array is checked. Whatever may synchronize
//! empties the variables first, so an access goes unchecked only if the same thread has checked the same array for the same
//! kind of access, and since then there was no lock, no call and no volatile field of this class: what other threads did
//! meanwhile is then as if they had done it afterwards.

use crate::barrier;
use crate::class::Class;
use crate::code::Code;
use crate::expressions;
use crate::opcode::*;

/// Local variables that a method may get. More sites than this in one loop are rare.
const MOST: usize = 16;

/// The sites of one method that have such a variable.
#[derive(Default)]
pub(crate) struct Repeats {
    /// By instruction, in order: which variable.
    sites: Vec<(u32, u8)>,
    n_locals: u8,
    barriers: Vec<bool>,
    first_local: u8,
}

impl Repeats {
    /// Chooses among the instructions that `wanted` says have an array check.
    pub fn of(code: &Code<'_>, class: &Class<'_>, wanted: impl Fn(usize) -> bool) -> Self {
        let Some(first_local) = first_local(code) else { return Self::default() };
        let loops: Vec<_> = code
            .jumps
            .iter()
            .filter(|jump| jump.to <= jump.from)
            .map(|jump| jump.to as usize..jump.from as usize)
            .filter(|range| code.instructions[range.clone()].iter().any(|each| is_access(each.opcode)))
            .collect();
        if loops.is_empty() {
            return Self::default();
        }
        let barriers: Vec<bool> = (0..code.len()).map(|index| barrier::at(code, class, index)).collect();
        let quiet: Vec<_> = loops.into_iter().filter(|range| !barriers[range.clone()].contains(&true)).collect();
        let chosen = (0..code.len())
            .filter(|index| is_access(code.instructions[*index].opcode))
            .filter(|index| quiet.iter().any(|range| range.contains(index)) && wanted(*index));
        let mut repeats = Self { sites: Vec::new(), n_locals: 0, barriers, first_local };
        let mut expressions: Vec<(bool, &[u8])> = Vec::new();
        for index in chosen {
            repeats.choose(code, index, &mut expressions);
        }
        repeats
    }

    fn choose<'a>(&mut self, code: &Code<'a>, index: usize, expressions: &mut Vec<(bool, &'a [u8])>) {
        let expression = (
            is_array_load(code.instructions[index].opcode),
            expressions::bytes(code, expressions::of_array(code, index)),
        );
        let known = expressions.iter().position(|each| *each == expression).filter(|_| !expression.1.is_empty());
        let Some(local) = known.or((expressions.len() < MOST).then_some(expressions.len())) else { return };
        if known.is_none() {
            expressions.push(expression);
        }
        self.n_locals = expressions.len() as u8;
        self.sites.push((index as u32, self.first_local + local as u8));
    }

    /// The local variable of a site.
    pub fn local(&self, index: usize) -> Option<u8> {
        let found = self.sites.binary_search_by_key(&(index as u32), |(site, _)| *site).ok()?;
        Some(self.sites[found].1)
    }

    /// Every variable, if the instruction may synchronize.
    pub fn emptied_before(&self, index: usize) -> std::ops::Range<u8> {
        if self.barriers.get(index) == Some(&true) { self.all() } else { 0..0 }
    }

    /// Every variable.
    pub fn all(&self) -> std::ops::Range<u8> {
        self.first_local..self.first_local + self.n_locals
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
