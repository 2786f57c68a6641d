//! Sections: what a method does between taking a monitor and giving it back, whichever way it goes.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Block, Body, Op, Value};

/// The sections of one monitor in a method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// The instructions that take it and give it back.
    pub ends: Vec<Value>,
    /// Every instruction that may run while this method holds it.
    pub inside: Vec<Value>,
}

/// The sections of a method, for each reference that it locks. None if it is not certain that each is given back as often as
/// it was taken on all ways, or if an instruction stands for several (in a subroutine): javac writes no such code, but the JVM
/// runs it (JVMS 2.11.10).
#[must_use]
pub fn sections(body: &Body) -> Option<Vec<Section>> {
    let mut ends: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
    for value in body.all_values() {
        if let Op::Enter(lock) | Op::Exit(lock) = body.op(value) {
            ends.entry(*lock).or_default().push(value);
        }
    }
    let mut offsets = BTreeSet::new();
    if !ends.values().flatten().all(|end| offsets.insert(body.instruction(*end).at)) {
        return None;
    }
    ends.into_iter().map(|(lock, ends)| Some(Section { ends, inside: Depths::of(body).follow(lock)? })).collect()
}

/// How often a method holds one monitor when each block begins.
struct Depths<'a> {
    body: &'a Body,
    at_start: Vec<Option<u32>>,
    open: Vec<Block>,
}

impl<'a> Depths<'a> {
    fn of(body: &'a Body) -> Self {
        let mut at_start = vec![None; body.blocks.len()];
        at_start[0] = Some(0);
        Self { body, at_start, open: vec![Block(0)] }
    }

    /// What runs while the monitor is held; none if that is not certain.
    fn follow(mut self, lock: Value) -> Option<Vec<Value>> {
        let mut inside = Vec::new();
        while let Some(block) = self.open.pop() {
            let mut depth = self.at_start[block.index()]?;
            let (handlers, catches_all) = self.handlers(block);
            for value in self.body.values(block) {
                if depth > 0 {
                    inside.push(value);
                }
                let op = self.body.op(value);
                // An instruction that throws has done nothing; one that only goes on throws nothing, and may come last in its range.
                if !matches!(op, Op::Phi(_) | Op::Caught | Op::Jump(_) | Op::Branch(..) | Op::Switch(..)) {
                    handlers.iter().try_for_each(|handler| self.arrive(*handler, depth))?;
                }
                match op {
                    Op::Enter(taken) if *taken == lock => depth += 1,
                    Op::Exit(given) if *given == lock => depth = depth.checked_sub(1)?,
                    Op::Return(_) if depth > 0 => return None,
                    Op::Throw(_) if depth > 0 && !catches_all => return None,
                    _ => {}
                }
            }
            self.body.successors(block).into_iter().try_for_each(|to| self.arrive(to, depth))?;
        }
        inside.sort_unstable();
        Some(inside)
    }

    /// Where exceptions of a block may go, and whether one handler takes all that get there.
    fn handlers(&self, block: Block) -> (Vec<Block>, bool) {
        let handlers = &self.body.block(block).handlers;
        let catch_all = handlers.iter().position(|(caught, _)| caught.is_none());
        let reached = catch_all.map_or(handlers.len(), |at| at + 1);
        (handlers[..reached].iter().map(|(_, handler)| *handler).collect(), catch_all.is_some())
    }

    fn arrive(&mut self, at: Block, depth: u32) -> Option<()> {
        match &mut self.at_start[at.index()] {
            Some(known) => (*known == depth).then_some(()),
            unknown => {
                *unknown = Some(depth);
                self.open.push(at);
                Some(())
            }
        }
    }
}
