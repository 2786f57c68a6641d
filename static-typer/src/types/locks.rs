//! What calls of the library do to locks, from the synchronization models of [`facts::models`].

use facts::layout::lock_mode as mode;
use facts::models::{Effect, Models};

use crate::ir::{Block, Body, Condition, Op, Value};
use crate::program::{MethodId, Program};

use super::path::Half;

/// What a call does to the lock it is called on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LockEffect {
    /// Holds it when it returns.
    Acquires(Mode),
    /// Holds it when it returns true.
    AcquiresIf(Mode),
    /// Holds it no longer.
    Releases,
}

/// How a lock is held.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mode {
    /// By one thread.
    Exclusive,
    /// By readers.
    Shared,
    /// The receiver may be either half of a read-write lock: as [`Mode::Shared`], unless its path says more.
    Unknown,
}

const LOCK: &str = "java/util/concurrent/locks/Lock";
const READ_WRITE: [&str; 2] =
    ["java/util/concurrent/locks/ReadWriteLock", "java/util/concurrent/locks/ReentrantReadWriteLock"];

/// What a call of a method does to its receiver.
#[must_use]
pub fn effect(program: &Program, method: MethodId) -> Option<LockEffect> {
    let class = program.class_name(program.method(method).class);
    let name = program.names().text(program.method(method).name);
    if class == LOCK {
        return match &*name {
            "lock" | "lockInterruptibly" => Some(LockEffect::Acquires(Mode::Unknown)),
            "tryLock" => Some(LockEffect::AcquiresIf(Mode::Unknown)),
            "unlock" => Some(LockEffect::Releases),
            _ => None,
        };
    }
    let model = Models::built_in().methods(&class).find(|model| model.method == name && !model.effect.is_of_order())?;
    match model.effect {
        Effect::Acquires(mode) => Some(LockEffect::Acquires(mode_of(mode))),
        Effect::AcquiresIf(mode) => Some(LockEffect::AcquiresIf(mode_of(mode))),
        // Which lock a stamp stands for is not followed: such a lock is never held, and may be released any time.
        Effect::Releases(_) | Effect::Converts(_) => Some(LockEffect::Releases),
        _ => None,
    }
}

fn mode_of(bits: i32) -> Mode {
    if bits & mode::SHARED != 0 { Mode::Shared } else { Mode::Exclusive }
}

/// The call before a branch whose result is true where the branch goes to `to`: a `tryLock` there holds the lock, if nothing
/// released it meanwhile.
///
/// A result that is branched on in another block says nothing, however it came there.
#[must_use]
pub fn tried(body: &Body, block: Block, to: Block, may_release: impl Fn(Value) -> bool) -> Option<Value> {
    let last = body.values(block).next_back()?;
    let Op::Branch(condition, tried, None, then, otherwise) = body.op(last) else { return None };
    let taken = match condition {
        Condition::NotEqual => then,
        Condition::Equal => otherwise,
        _ => return None,
    };
    let in_block = body.block(block).instructions.contains(&tried.0);
    let is_stale = || body.values(block).skip_while(|value| value != tried).skip(1).any(may_release);
    (*taken == to && then != otherwise && in_block && !is_stale()).then_some(*tried)
}

/// Which half of its receiver a method returns.
#[must_use]
pub fn half(program: &Program, method: MethodId) -> Option<Half> {
    let class = program.class_name(program.method(method).class);
    match &*program.names().text(program.method(method).name) {
        "readLock" if READ_WRITE.contains(&&*class) => Some(Half::Read),
        "writeLock" if READ_WRITE.contains(&&*class) => Some(Half::Write),
        _ => None,
    }
}
