//! Why a method is not atomic: the events that break it, on a shortest way through its blocks.
//!
//! An atomic way is right movers, at most one action that moves in neither direction, then left movers
//! (`algorithms.md` 11.5). What ends the first part is the *commit*; what comes after it and does not move left breaks it.

use std::collections::{BTreeSet, VecDeque};

use super::basic::Basic;
use super::conditional::Known;
use super::steps::{Step, Steps};
use super::transfer::Of;
use crate::ir::Value;
use crate::program::MethodId;
use crate::types::Held;

/// An event, as evidence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// The method that it is in.
    pub method: MethodId,
    /// The instruction.
    pub value: Value,
    /// How it moves.
    pub mover: Basic,
}

/// Why a method is not atomic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breach {
    /// The calls that lead from the method to the one with the events, the first one first.
    pub calls: Vec<(MethodId, Value)>,
    /// From where on everything had to move left; none if one event is enough.
    pub commit: Option<Event>,
    /// The first event after it that does not.
    pub event: Event,
}

/// Looks for what breaks a method that is entered with these locks. `steps` are those of each method with a body.
pub(super) fn find<'a>(
    method: MethodId,
    held: &[Held],
    of: Of<'_>,
    steps: &dyn Fn(MethodId) -> Option<&'a Steps>,
) -> Option<Breach> {
    let (mut calls, mut at, mut held) = (Vec::new(), method, held.to_vec());
    let mut seen = BTreeSet::from([method]);
    loop {
        let (commit, event, step) = in_method(at, steps(at)?, &held, of)?;
        // The methods that it calls say more.
        match inside(step, &held, of).filter(|(target, _)| steps(*target).is_some() && seen.insert(*target)) {
            Some((target, entered)) => {
                calls.push((at, event.value));
                (at, held) = (target, entered);
            }
            None => return Some(Breach { calls, commit, event }),
        }
    }
}

/// A target of the call that is not atomic by itself, with the locks that it is entered with.
fn inside(step: &Step, held: &[Held], of: Of<'_>) -> Option<(MethodId, Vec<Held>)> {
    let Step::Calls(calls) = step else { return None };
    let is_held = |lock: &Held| match calls.known(lock) {
        Known::Held => true,
        Known::Renamed(lock) => held.contains(&lock),
        Known::Unknown => false,
    };
    let broken = calls.targets.iter().find(|target| !of(**target).eval(&is_held).is_atomic())?;
    let entered = of(*broken).locks().into_iter().filter(|lock| is_held(lock)).collect();
    Some((*broken, entered))
}

/// The commit, the event and its step, if the method breaks at a step of its own.
fn in_method<'a>(
    method: MethodId,
    steps: &'a Steps,
    held: &[Held],
    of: Of<'_>,
) -> Option<(Option<Event>, Event, &'a Step)> {
    let mut open: VecDeque<(usize, Option<Event>)> = VecDeque::from([(0, None)]);
    let mut seen = BTreeSet::from([(0, false)]);
    while let Some((block, mut commit)) = open.pop_front() {
        let mut phases = vec![commit];
        for (value, step) in &steps.blocks[block].steps {
            let mover = step.atomicity(&|calls| calls.atomicity(of)).eval(&|lock| held.contains(lock));
            let event = Event { method, value: *value, mover };
            match (mover, commit) {
                (Basic::Compound | Basic::Error, _) => return Some((commit, event, step)),
                (Basic::Right | Basic::Atomic, Some(_)) => return Some((commit, event, step)),
                (Basic::Left | Basic::Atomic, None) => {
                    commit = Some(event);
                    phases.push(commit);
                }
                _ => {}
            }
        }
        for next in &steps.blocks[block].next {
            let new = phases.iter().filter(|phase| seen.insert((next.index(), phase.is_some())));
            open.extend(new.map(|phase| (next.index(), *phase)));
        }
    }
    None
}
