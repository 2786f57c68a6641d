//! What calls of the library do to locks, from the synchronization models of [`facts::models`].

use std::collections::HashSet;
use std::sync::LazyLock;

use facts::layout::lock_mode as mode;
use facts::models::called::{Called, Does, Pattern};
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
    /// By one thread for good: a flag that is never set back.
    Once,
    /// The receiver may be either half of a read-write lock: as [`Mode::Shared`], unless its path says more.
    Unknown,
}

/// What a call of a method does to its receiver.
#[must_use]
pub fn effect(program: &Program, method: MethodId) -> Option<LockEffect> {
    told(program, method).or_else(|| known(program, method))
}

/// Whether a call that names a method may release its receiver: by the user's models, that may be what overrides the method.
#[must_use]
pub fn may_release(program: &Program, method: MethodId) -> bool {
    let called = program.method(method);
    let may_run = |told: MethodId| {
        let data = program.method(told);
        (data.name, data.descriptor) == (called.name, called.descriptor)
            && (program.class(called.class).is_interface() || program.is_subclass(data.class, called.class))
    };
    let mut releasing = program.all_told().filter(|(_, effects)| effects.iter().any(is_release));
    effect(program, method) == Some(LockEffect::Releases) || releasing.any(|(told, _)| may_run(told))
}

const fn is_release(effect: &Effect) -> bool {
    matches!(effect, Effect::Releases(_) | Effect::Converts(_))
}

/// What the user's models say. What takes a lock does so for certain only if all that override it do.
fn told(program: &Program, method: MethodId) -> Option<LockEffect> {
    let effects = program.told(method);
    if effects.iter().any(is_release) {
        return Some(LockEffect::Releases);
    }
    let takes = effects.iter().find_map(|effect| match effect {
        // Whose lock a view stands for is known at run time.
        Effect::Acquires(bits) | Effect::AcquiresIf(bits) if bits & mode::VIEW != 0 => None,
        Effect::Acquires(bits) => Some(LockEffect::Acquires(mode_of(*bits))),
        Effect::AcquiresIf(bits) => Some(LockEffect::AcquiresIf(mode_of(*bits))),
        _ => None,
    })?;
    let data = program.method(method);
    let overriding = |class| program.declared_method(class, data.name, data.descriptor);
    let mut below = program.classes().filter(|class| *class != data.class && program.is_subclass(*class, data.class));
    below.all(|class| overriding(class).is_none_or(|other| program.told(other) == effects)).then_some(takes)
}

/// What the models that come with jrace say.
fn known(program: &Program, method: MethodId) -> Option<LockEffect> {
    let name = program.names().text(program.method(method).name);
    if !Locking::built_in().may_be(&name) {
        return None;
    }
    let class = program.class_name(program.method(method).class);
    let through_interface = Called::built_in().of_call(&class, &name, "", through_interface);
    if through_interface.is_some() {
        return through_interface;
    }
    let model = Models::built_in().methods(&class).find(|model| model.method == name && !model.effect.is_of_order())?;
    through_class(&model.effect)
}

/// What takes a stamped lock, for those who hold it until it is released, whichever stamp that names.
#[must_use]
pub fn stamped(program: &Program, method: MethodId) -> Option<LockEffect> {
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

/// Whether some lock of the library is given back by a method of this name.
pub fn gives_back(name: &str) -> bool {
    let releases = |does: &Does| *does == Does::Releases;
    let mut rows = Called::built_in().rows().iter().flat_map(|row| &row.methods);
    let mut models = Models::built_in().classes().flat_map(|(_, class)| &class.methods);
    rows.any(|(pattern, does)| releases(does) && pattern.fits(name, ""))
        || models.any(|model| model.method == name && through_class(&model.effect) == Some(LockEffect::Releases))
}

const fn through_interface(does: &Does) -> Option<LockEffect> {
    match does {
        Does::Acquires => Some(LockEffect::Acquires(Mode::Unknown)),
        Does::AcquiresIf => Some(LockEffect::AcquiresIf(Mode::Unknown)),
        Does::Releases => Some(LockEffect::Releases),
        _ => None,
    }
}

const fn through_class(effect: &Effect) -> Option<LockEffect> {
    match *effect {
        Effect::Acquires(mode) => Some(LockEffect::Acquires(mode_of(mode))),
        Effect::AcquiresIf(mode) => Some(LockEffect::AcquiresIf(mode_of(mode))),
        // Which lock a stamp stands for is not followed: such a lock is never held, and may be released any time.
        Effect::Releases(_) | Effect::Converts(_) => Some(LockEffect::Releases),
        _ => None,
    }
}

/// The names of the methods that any model of a lock has: every call is asked about, and hardly one is of these.
struct Locking {
    names: HashSet<&'static str>,
    beginnings: Vec<&'static Pattern>,
}

impl Locking {
    fn built_in() -> &'static Self {
        static BUILT_IN: LazyLock<Locking> = LazyLock::new(Locking::of_models);
        &BUILT_IN
    }

    fn of_models() -> Self {
        let rows = Called::built_in().rows().iter().flat_map(|row| &row.methods);
        let patterns = rows.filter(|(_, does)| through_interface(does).is_some()).map(|(pattern, _)| pattern);
        let (beginnings, named): (Vec<_>, Vec<_>) = patterns.partition(|pattern| pattern.is_beginning());
        let models = Models::built_in().classes().flat_map(|(_, class)| &class.methods);
        let models = models.filter(|model| through_class(&model.effect).is_some());
        let names = named.into_iter().map(Pattern::name).chain(models.map(|model| &*model.method));
        Self { names: names.collect(), beginnings }
    }

    fn may_be(&self, method: &str) -> bool {
        self.names.contains(method) || self.beginnings.iter().any(|pattern| pattern.fits(method, ""))
    }
}

const fn mode_of(bits: i32) -> Mode {
    if bits & mode::SHARED != 0 { Mode::Shared } else { Mode::Exclusive }
}

/// The call before a branch whose result is true where the branch goes to `to`: a `tryLock` there holds the lock, if nothing
/// released it meanwhile.
///
/// A result that is branched on in another block says nothing, however it came there.
#[must_use]
pub fn tried(body: &Body, block: Block, to: Block, may_release: impl Fn(Value) -> bool) -> Option<Value> {
    let (tried, is_true) = branched_on(body, block, to)?;
    let in_block = body.block(block).instructions.contains(&tried.0);
    let is_stale = || body.values(block).skip_while(|value| *value != tried).skip(1).any(may_release);
    (is_true && in_block && !is_stale()).then_some(tried)
}

/// What a block branches on, and whether that is true where the branch goes to `to`.
#[must_use]
pub fn branched_on(body: &Body, block: Block, to: Block) -> Option<(Value, bool)> {
    let last = body.values(block).next_back()?;
    let Op::Branch(condition, result, None, then, otherwise) = body.op(last) else { return None };
    let if_true = match condition {
        Condition::NotEqual => then,
        Condition::Equal => otherwise,
        _ => return None,
    };
    (then != otherwise).then_some((*result, *if_true == to))
}

/// Which half of its receiver a method returns.
#[must_use]
pub fn half(program: &Program, method: MethodId) -> Option<Half> {
    let class = program.class_name(program.method(method).class);
    Called::built_in().of_call(&class, &program.names().text(program.method(method).name), "", |does| match does {
        Does::Half { is_read: true } => Some(Half::Read),
        Does::Half { is_read: false } => Some(Half::Write),
        _ => None,
    })
}
