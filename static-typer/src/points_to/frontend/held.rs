//! Which locks a method holds at each of its instructions, of those that it takes itself.
//!
//! A forward analysis of must-facts on one body. Locks of other methods are the business of whoever follows calls.

use crate::ir::{Block, Body, Op, Value};
use crate::program::{FieldId, MethodId};
use crate::types::Half;
use crate::types::locks::{self, LockEffect, Mode};
use crate::types::state::common;

use super::resolve::Resolution;

/// A lock as the method's code names it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Held {
    /// An instruction that computes it.
    pub lock: Value,
    /// Whether it is the object's monitor.
    pub monitor: bool,
    /// Whether other readers may hold it too.
    pub shared: bool,
}

/// The locks held before each instruction.
pub struct HeldLocks<'a> {
    body: &'a Body,
    resolution: &'a Resolution<'a>,
    /// Each lock once for each time that it is held; sorted.
    at_start: Vec<Option<Vec<Held>>>,
}

impl<'a> HeldLocks<'a> {
    /// Finds them.
    pub fn of(resolution: &'a Resolution<'a>, body: &'a Body) -> Self {
        let mut held = Self { body, resolution, at_start: vec![None; body.blocks.len()] };
        held.at_start[0] = Some(Vec::new());
        if !body.all_values().any(|value| held.changes(value)) {
            held.at_start.fill(Some(Vec::new()));
            return held;
        }
        let mut open = std::collections::BTreeSet::from([Block(0)]);
        while let Some(block) = open.pop_first() {
            open.extend(held.leave(block));
        }
        held
    }

    /// Calls `visit` with every instruction and the locks held before it; those of unreachable code are none.
    pub fn for_each(&self, mut visit: impl FnMut(Value, &[Held])) {
        for block in self.body.blocks() {
            let mut held = self.at_start[block.index()].clone().unwrap_or_default();
            for value in self.body.values(block) {
                visit(value, &held);
                self.step(value, &mut held);
            }
        }
    }

    fn changes(&self, value: Value) -> bool {
        matches!(self.body.op(value), Op::Enter(_)) || self.effect(value).is_some()
    }

    /// Carries what is held to the blocks that follow; returns those where that changes something.
    fn leave(&mut self, block: Block) -> Vec<Block> {
        let mut held = self.at_start[block.index()].clone().unwrap_or_default();
        let mut thrown = held.clone();
        for value in self.body.values(block) {
            self.step(value, &mut held);
            thrown = common(&thrown, &held);
        }
        let handlers = self.body.block(block).handlers.clone();
        let mut changed = Vec::new();
        for (_, handler) in handlers {
            changed.extend(self.flow(handler, thrown.clone()));
        }
        for to in self.body.successors(block) {
            let mut held = held.clone();
            self.try_lock(block, to, &mut held);
            changed.extend(self.flow(to, held));
        }
        changed
    }

    fn flow(&mut self, to: Block, held: Vec<Held>) -> Option<Block> {
        match &mut self.at_start[to.index()] {
            Some(known) => {
                let before = known.len();
                *known = common(known, &held);
                (known.len() < before).then_some(to)
            }
            unknown => {
                *unknown = Some(held);
                Some(to)
            }
        }
    }

    fn step(&self, value: Value, held: &mut Vec<Held>) {
        // In the next round of a loop the same instruction computes another value.
        held.retain(|lock| lock.lock != value);
        match self.body.op(value) {
            Op::Enter(lock) => acquire(held, Held { lock: self.origin(*lock), monitor: true, shared: false }),
            Op::Exit(lock) => self.release(Held { lock: self.origin(*lock), monitor: true, shared: false }, held),
            Op::Invoke(..) => match self.effect(value) {
                Some((LockEffect::Acquires(mode), lock)) => acquire(held, self.locked(lock, mode)),
                Some((LockEffect::Releases, lock)) => self.release(self.locked(lock, Mode::Unknown), held),
                _ => {}
            },
            _ => {}
        }
    }

    /// The lock of that name, of two modes the exclusive one unless the other half is meant; a lock of another name may be the same object.
    fn release(&self, lock: Held, held: &mut Vec<Held>) {
        let is_meant = |other: &Held| other.monitor == lock.monitor && self.is_same(other.lock, lock.lock);
        let place = held.iter().rposition(|other| is_meant(other) && other.shared == lock.shared);
        match place.or_else(|| held.iter().rposition(is_meant)) {
            Some(place) => {
                held.remove(place);
            }
            None => held.retain(|other| other.monitor != lock.monitor),
        }
    }

    /// A `tryLock` whose result decides the branch holds the lock on one side.
    fn try_lock(&self, block: Block, to: Block, held: &mut Vec<Held>) {
        // Which calls release locks is not known yet.
        let may_release = |value| matches!(self.body.op(value), Op::Invoke(..));
        let tried = locks::tried(self.body, block, to, may_release).and_then(|tried| self.effect(tried));
        if let Some((LockEffect::AcquiresIf(mode), lock)) = tried {
            acquire(held, self.locked(lock, mode));
        }
    }

    fn effect(&self, value: Value) -> Option<(LockEffect, Value)> {
        let Op::Invoke(_, member, arguments) = self.body.op(value) else { return None };
        let method = self.resolution.method(*member)?;
        let program = self.resolution.program;
        let gives_back = || locks::may_release(program, method).then_some(LockEffect::Releases);
        let effect = locks::effect(program, method).or_else(|| self.stamped(method)).or_else(gives_back)?;
        Some((effect, *arguments.first()?))
    }

    /// A stamped lock is held until it is released, whichever stamp that names.
    fn stamped(&self, method: MethodId) -> Option<LockEffect> {
        let program = self.resolution.program;
        let data = program.method(method);
        if &*program.class_name(data.class) != "java/util/concurrent/locks/StampedLock" {
            return None;
        }
        match &*program.names().text(data.name) {
            "writeLock" | "writeLockInterruptibly" => Some(LockEffect::Acquires(Mode::Exclusive)),
            "readLock" | "readLockInterruptibly" => Some(LockEffect::Acquires(Mode::Shared)),
            _ => None,
        }
    }

    fn locked(&self, lock: Value, mode: Mode) -> Held {
        let (lock, half) = self.whole(lock);
        Held { lock, monitor: false, shared: half == Half::Read || half == Half::Whole && mode == Mode::Shared }
    }

    /// The read-write lock of a half of it.
    fn whole(&self, lock: Value) -> (Value, Half) {
        let lock = self.origin(lock);
        let half = |method: MethodId| locks::half(self.resolution.program, method);
        if let Op::Invoke(_, member, arguments) = self.body.op(lock)
            && let Some(half) = self.resolution.method(*member).and_then(half)
            && let Some(whole) = arguments.first()
        {
            return (self.origin(*whole), half);
        }
        (lock, Half::Whole)
    }

    /// Where a reference comes from, through casts.
    fn origin(&self, mut value: Value) -> Value {
        while let Op::Cast(from) = self.body.op(value) {
            value = *from;
        }
        value
    }

    /// Whether two instructions compute the same reference: as final fields of the same object do.
    fn is_same(&self, a: Value, b: Value) -> bool {
        let (a, b) = (self.origin(a), self.origin(b));
        let is_final = |member| {
            let field: Option<FieldId> = self.resolution.field(member);
            field.is_some_and(|field| self.resolution.program.field(field).is_final())
        };
        a == b
            || match (self.body.op(a), self.body.op(b)) {
                (Op::GetField(x, f), Op::GetField(y, g)) => f == g && is_final(*f) && self.is_same(*x, *y),
                (Op::GetStatic(f), Op::GetStatic(g)) => f == g && is_final(*f),
                (Op::Constant(x), Op::Constant(y)) => x == y,
                _ => false,
            }
    }
}

fn acquire(held: &mut Vec<Held>, lock: Held) {
    let place = held.partition_point(|other| *other <= lock);
    held.insert(place, lock);
}
