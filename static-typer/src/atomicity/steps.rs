//! What each instruction of a method is, as far as that does not depend on the methods that it calls.

use rustc_hash::FxHashSet;

use super::basic::Basic;
use super::conditional::{Atomicity, Known};
use super::library;
use super::own::Own;
use super::own_parts::OwnParts;
use crate::ir::{Block, Body, Op, Value};
use crate::program::{FieldId, MemberRef, MethodId, Name, Program, Type};
use crate::types::entries::Entries;
use crate::types::final_expressions::Paths;
use crate::types::locks::LockEffect;
use crate::types::state::{Context, Entry, Held, State, States};
use crate::types::{Half, Path, Root};

/// What the movers of instructions are found from.
#[derive(Clone, Copy)]
pub(super) struct Typed<'a> {
    pub context: Context<'a>,
    pub entries: &'a Entries,
    /// Fields whose accesses cannot race.
    pub race_free: &'a FxHashSet<FieldId>,
    /// Array accesses that cannot.
    pub arrays: &'a dyn Fn(MethodId, u16) -> bool,
    /// Where the code does not do what its annotations say.
    pub errors: &'a FxHashSet<(MethodId, Value)>,
    /// What classes of the JDK run of the application.
    pub own_parts: &'a OwnParts,
}

/// A method as a transfer function needs it.
#[derive(Debug)]
pub(super) struct Steps {
    pub blocks: Vec<BlockSteps>,
    /// The lock of a synchronized method.
    pub section: Option<Held>,
    /// Whether it takes a lock only if that is free, or soon is.
    pub tries: bool,
}

/// A block: its steps, and where it goes, by an exception too.
#[derive(Debug)]
pub(super) struct BlockSteps {
    pub steps: Vec<(Value, Step)>,
    pub next: Vec<Block>,
}

/// An instruction that others may notice, or that notices others.
#[derive(Debug)]
pub(super) enum Step {
    /// It is known what it is.
    Is(Atomicity<Held>),
    /// It runs methods of the application.
    Calls(Calls),
}

/// A call.
#[derive(Debug)]
pub(super) struct Calls {
    /// Each may be run.
    pub targets: Vec<MethodId>,
    /// The number of all calls with these targets.
    pub family: usize,
    /// What else may be run.
    pub besides: Basic,
    /// The locks that the method itself holds.
    held: Vec<Held>,
    arguments: Vec<Path>,
    follows_explicit: bool,
}

impl Calls {
    /// A call that holds no lock.
    #[cfg(test)]
    pub fn of(targets: &[MethodId]) -> Self {
        let (held, arguments) = (Vec::new(), Vec::new());
        Self { targets: targets.to_vec(), family: 0, besides: Basic::Const, held, arguments, follows_explicit: true }
    }

    /// What is known of a lock of a callee.
    pub fn known(&self, lock: &Held) -> Known<Held> {
        let Path { fields, half, .. } = &lock.path;
        let path = match lock.path.root {
            Root::Parameter(n) => self.arguments.get(usize::from(n)).and_then(|path| path.then(fields, *half)),
            Root::Value(_) | Root::Owner(_) => None,
            _ => Some(lock.path.clone()),
        };
        match path.map(|path| Held { path, ..lock.clone() }) {
            Some(lock) if self.held.contains(&lock) => Known::Held,
            Some(lock) if has_name(&lock, self.follows_explicit) => Known::Renamed(lock),
            _ => Known::Unknown,
        }
    }
}

/// Whether callers can say if they hold a lock. An explicit one may be released that a caller holds.
fn has_name(lock: &Held, follows_explicit: bool) -> bool {
    !matches!(lock.path.root, Root::Value(_) | Root::Owner(_)) && (lock.monitor || follows_explicit)
}

impl Steps {
    pub fn of(typed: Typed<'_>, body: &Body, paths: &Paths) -> Self {
        let context = typed.context;
        // Which locks callers hold is what the atomicity depends on; which objects are new is proved for all calls.
        let entry = Entry { fresh: typed.entries.get(body.method).fresh, ..Entry::default() };
        let states = States::of(context, body, paths, &entry);
        let mut blocks: Vec<BlockSteps> =
            body.blocks().map(|block| BlockSteps { steps: Vec::new(), next: next(body, block) }).collect();
        let own = &Own::of(context.program, context.calls, body);
        let mut instructions = Instructions { typed, body, paths, states: &states, own, follows_explicit: true };
        let mut releases_more = false;
        states.for_each(|value, state| releases_more |= instructions.releases_more(value, state));
        instructions.follows_explicit = !releases_more;
        let of_block: Vec<Block> = body.blocks().flat_map(|block| body.values(block).map(move |_| block)).collect();
        states.for_each(|value, state| {
            if let Some(step) = instructions.step(value, state) {
                blocks[of_block[value.index()].index()].steps.push((value, step));
            }
        });
        let tries = body
            .all_values()
            .any(|value| matches!(instructions.lock_effect(value), Some((LockEffect::AcquiresIf(_), _))));
        Self { blocks, section: section(context.program, body.method), tries }
    }
}

fn next(body: &Body, block: Block) -> Vec<Block> {
    let handlers = body.block(block).handlers.iter().map(|(_, handler)| *handler);
    body.successors(block).into_iter().chain(handlers).collect()
}

fn section(program: &Program, method: MethodId) -> Option<Held> {
    let data = program.method(method);
    let class = Type::class(program.class(data.class).name);
    let root = if data.is_static() { Root::Class(class) } else { Root::Parameter(0) };
    data.is_synchronized().then(|| Held { path: Path::of(root), monitor: true, shared: false })
}

/// Taking a lock and giving it back, for those who may hold it already.
pub(super) fn unless_held(lock: &Held, basic: Basic) -> Atomicity<Held> {
    Atomicity::when(lock, &Atomicity::CONST, &Atomicity::Basic(basic))
}

struct Instructions<'a> {
    typed: Typed<'a>,
    body: &'a Body,
    paths: &'a Paths,
    states: &'a States<'a>,
    own: &'a Own,
    /// Whether no explicit lock is released that a caller may hold.
    follows_explicit: bool,
}

impl Instructions<'_> {
    fn releases_more(&self, value: Value, state: &State) -> bool {
        let Context { program, calls, summaries, .. } = self.typed.context;
        match self.lock_effect(value) {
            Some((LockEffect::Releases, lock)) => self.taken(lock, state).is_empty(),
            Some(_) => false,
            None => summaries.may_release(program, calls, self.body, value),
        }
    }

    fn step(&self, value: Value, state: &State) -> Option<Step> {
        if self.typed.errors.contains(&(self.body.method, value)) {
            return Some(Step::Is(Atomicity::Basic(Basic::Error)));
        }
        let is = match self.body.op(value) {
            Op::Enter(lock) => self.acquire(&self.monitor(*lock), state, Basic::Right),
            Op::Exit(lock) => self.release(&[self.monitor(*lock)], state),
            Op::GetField(object, member) => self.field(Some(*object), *member, state),
            Op::PutField(object, member, _) => self.field(Some(*object), *member, state),
            Op::GetStatic(member) | Op::PutStatic(member, _) => self.field(None, *member, state),
            Op::LoadElement(array, _) | Op::StoreElement(array, ..) => self.element(value, *array, state),
            Op::Invoke(_, member, arguments) => return self.call(value, *member, arguments, state),
            Op::InvokeDynamic(bootstrap, _, _, arguments) => {
                let program = self.typed.context.program;
                let bootstrap = program.bootstrap(program.method(self.body.method).class, *bootstrap);
                let handle = bootstrap.and_then(|bootstrap| bootstrap.handle);
                Atomicity::Basic(library::of_dynamic(program, handle, self.body, arguments))
            }
            _ => return None,
        };
        Some(is).filter(|is| *is != Atomicity::CONST).map(Step::Is)
    }

    fn monitor(&self, lock: Value) -> Held {
        Held { path: self.paths.get(lock).clone(), monitor: true, shared: false }
    }

    fn acquire(&self, lock: &Held, state: &State, basic: Basic) -> Atomicity<Held> {
        if state.held.contains(lock) {
            Atomicity::CONST
        } else if has_name(lock, self.follows_explicit) {
            unless_held(lock, basic)
        } else {
            Atomicity::Basic(basic)
        }
    }

    /// Gives back a lock, which is held as often as the list says.
    fn release(&self, held: &[Held], state: &State) -> Atomicity<Held> {
        let [lock, rest @ ..] = held else { return Atomicity::Basic(Basic::Left) };
        let times = state.held.iter().filter(|held| *held == lock).count();
        if rest.iter().any(|other| other != lock) {
            return Atomicity::Basic(Basic::Left);
        }
        match times {
            0 => Atomicity::Basic(Basic::Left),
            1 if has_name(lock, self.follows_explicit) => unless_held(lock, Basic::Left),
            1 => Atomicity::Basic(Basic::Left),
            _ => Atomicity::CONST,
        }
    }

    /// What a call does to the lock that it is called on.
    fn lock_effect(&self, value: Value) -> Option<(LockEffect, Value)> {
        let Context { program, calls, .. } = self.typed.context;
        let Op::Invoke(_, member, arguments) = self.body.op(value) else { return None };
        Some((library::effect(program, calls.named(*member)?)?, *arguments.first()?))
    }

    /// An explicit lock, as often as the method holds it.
    fn taken(&self, lock: Value, state: &State) -> Vec<Held> {
        let path = Path { half: Half::Whole, ..self.paths.get(lock).clone() };
        state.held.iter().filter(|held| !held.monitor && held.path == path).cloned().collect()
    }

    fn call(&self, value: Value, member: MemberRef, arguments: &[Value], state: &State) -> Option<Step> {
        let Context { program, calls, .. } = self.typed.context;
        let compound = Some(Step::Is(Atomicity::Basic(Basic::Compound)));
        // What is missing may do anything.
        let Some(named) = calls.named(member) else { return compound };
        let targets = calls.targets(self.body.method, value);
        if let Some((effect, lock)) = self.lock_effect(value) {
            // A lock of the program's own does more than its models say, unless those are the user's.
            if !targets.methods.is_empty() && program.told(named).is_empty() {
                return compound;
            }
            let basic = library::of_effect(effect);
            let is = match effect {
                LockEffect::Acquires(mode) | LockEffect::AcquiresIf(mode) => {
                    self.acquire(&self.states.held(lock, mode), state, basic)
                }
                LockEffect::Releases => self.release(&self.taken(lock, state), state),
            };
            return Some(Step::Is(is));
        }
        let is_own = || arguments.first().is_some_and(|first| self.own.contains(*first));
        let in_library = || match library::is_harmless_on_own(program, named, self.body, arguments) && is_own() {
            true => Basic::Mover,
            false => library::of_call(program, self.typed.own_parts, named, self.body, arguments),
        };
        let besides = if targets.library { in_library() } else { Basic::Const };
        if targets.methods.is_empty() {
            return Some(Step::Is(Atomicity::Basic(besides)));
        }
        Some(Step::Calls(Calls {
            targets: targets.methods.clone(),
            family: 0,
            besides,
            held: state.held.clone(),
            arguments: arguments.iter().map(|argument| self.paths.get(*argument).clone()).collect(),
            follows_explicit: self.follows_explicit,
        }))
    }

    fn field(&self, object: Option<Value>, member: MemberRef, state: &State) -> Atomicity<Held> {
        let Context { program, calls, .. } = self.typed.context;
        let Some(id) = calls.field(member) else { return Atomicity::Basic(Basic::Compound) };
        let (field, method) = (program.field(id), program.method(self.body.method));
        let initializes = object.is_none() && method.name == Name::CLINIT && method.class == field.class;
        let is_handed_over = self.typed.context.handed_over.has_field(program, id);
        let is_new = !is_handed_over && object.is_some_and(|object| state.is_fresh(self.body, object));
        Atomicity::Basic(if field.is_final() {
            Basic::Const
        } else if is_new || initializes || self.typed.race_free.contains(&id) {
            Basic::Mover
        } else {
            shared(field.ty, field.is_volatile())
        })
    }

    fn element(&self, value: Value, array: Value, state: &State) -> Atomicity<Held> {
        let is_safe = (self.typed.arrays)(self.body.method, self.body.instruction(value).at);
        let element = self.body.instruction(array).ty.element().unwrap_or(Type::OBJECT);
        let is_handed_over = self.typed.context.handed_over.has(self.body.instruction(array).ty);
        let is_mover = is_safe || !is_handed_over && state.is_fresh(self.body, array);
        Atomicity::Basic(if is_mover { Basic::Mover } else { shared(element, false) })
    }
}

/// An access that may race. One to half of a `long` may come between those to its halves (JLS 17.7).
fn shared(ty: Type, is_volatile: bool) -> Basic {
    if ty.is_wide() && !is_volatile { Basic::Compound } else { Basic::Atomic }
}
