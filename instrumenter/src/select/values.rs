//! What each instruction finds on the stack, as far as weaving cares: whether a receiver is an object whose superclass
//! constructor has not run, where an array came from, and whether an array, or the object under construction, is known to
//! this method only.
//!
//! A forward analysis over slots. The lattice is flat with `Unknown` on top and "not reached" at the bottom, so that a slot
//! changes at most twice and the passes over the code end; code that no pass reaches counts as unknown. The stack is kept
//! as a known top above an unknown rest, which makes its depth immaterial, so that neither frames nor types are needed.
//!
//! It never calls an array or object fresh that another thread may see: a reference that is stored to a field or an array, passed
//! (save to methods of the library that keep none), returned or thrown makes every value of its allocation site unknown, on every path from there. It never misses an
//! uninitialized `this` in code that verifies, as such a value cannot be merged with any other (JVMS 4.10.1.4).

use std::borrow::Cow;

use classfile::opcode::*;
use classfile::pool::{Pool, tag::DYNAMIC};
use classfile::{descriptor, text};
use facts::models::contents::{self, Keeping};

use crate::plan::Reason;
use crate::rewrite::code::{Code, Instruction};

/// What a slot holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    Unknown,
    /// `this` in a constructor, before the call of another constructor.
    UninitializedThis,
    /// `this` in a constructor that has called `Object`'s, and not yet known outside the constructor.
    FreshThis,
    /// An array or an object of the library allocated at this instruction, and not yet known outside the method.
    Fresh(u32),
    /// `this`, outside constructors, in a method that never assigns to its local variable.
    This,
    /// Loaded from the field with this reference of `this`.
    OwnField(u16),
    /// Loaded from the field with this reference, and then through so many array loads.
    Field(u16, u8),
    /// JaCoCo's coverage probes.
    Probes,
}

/// The stack's known top, and the locals; what is missing is unknown.
#[derive(Clone, Default, PartialEq, Eq)]
struct State {
    stack: Vec<Value>,
    locals: Vec<Value>,
}

/// How much may be remembered: labels times slots. More is found in no real method.
const MAX_REMEMBERED: usize = 1 << 22;

/// Passes over the code; each beyond the second is owed to loops in loops.
const MAX_PASSES: usize = 12;

/// What local variable 0 holds when the method begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Receiver {
    /// The object of a constructor.
    Uninitialized,
    /// `this`, and the method never assigns to the variable.
    Kept,
    /// Anything else.
    None,
}

/// For each instruction, what it accesses: the object of a field instruction, the array of an array instruction, what a call is made
/// on (the first argument if the method is static).
#[derive(Default)]
pub(crate) struct Accessed {
    values: Vec<Value>,
    /// The arrays that `System.arraycopy` writes, and last arguments that come from fields, by instruction.
    arguments: Vec<(u32, Value)>,
}

impl Accessed {
    pub fn by(&self, index: usize) -> Value {
        self.values.get(index).copied().unwrap_or(Value::Unknown)
    }

    /// The array that a call of `System.arraycopy` writes; the last argument of another call, if it comes from a field.
    pub fn argument_of(&self, index: usize) -> Value {
        let at = self.arguments.binary_search_by_key(&(index as u32), |(index, _)| *index);
        at.map_or(Value::Unknown, |at| self.arguments[at].1)
    }

    /// Nothing known.
    pub fn unknown() -> Self {
        Self::default()
    }

    /// Analyses a method.
    ///
    /// # Errors
    /// Only for constructors: the method is malformed, too large to analyse, or has a subroutine before `super()`.
    pub fn of(code: &Code<'_>, pool: &Pool<'_>, receiver: Receiver) -> Result<Self, Reason> {
        match Simulation::new(code, pool, receiver).and_then(Simulation::run) {
            Err(reason) if receiver == Receiver::Uninitialized => Err(reason),
            Err(_) => Ok(Self::unknown()),
            Ok(accessed) => Ok(accessed),
        }
    }
}

struct Simulation<'a> {
    code: &'a Code<'a>,
    pool: &'a Pool<'a>,
    /// The state in which each jump target and handler is entered, by instruction; none while unreached.
    entries: Vec<Option<Box<State>>>,
    is_target: Vec<bool>,
    state: State,
    /// Whether the code at hand is reached.
    reached: bool,
    /// Whether the locals changed since the handlers in force were told.
    locals_changed: bool,
    /// Whether an entry at or before the instruction at hand changed.
    again: bool,
    accessed: Accessed,
}

impl<'a> Simulation<'a> {
    fn new(code: &'a Code<'a>, pool: &'a Pool<'a>, receiver: Receiver) -> Result<Self, Reason> {
        let mut is_target = vec![false; code.len()];
        let targets = code.jumps.iter().map(|jump| jump.to).chain(code.handlers.iter().map(|handler| handler.target));
        let mut n_targets = 0;
        for target in targets {
            n_targets += usize::from(!std::mem::replace(&mut is_target[target as usize], true));
        }
        let slots = usize::from(code.max_locals) + usize::from(code.max_stack);
        if n_targets * slots > MAX_REMEMBERED || code.handlers.len() * code.len() > MAX_REMEMBERED {
            return Err(Reason::Intricate);
        }
        let receiver = match receiver {
            Receiver::Uninitialized => Some(Value::UninitializedThis),
            Receiver::Kept => Some(Value::This),
            Receiver::None => None,
        };
        Ok(Self {
            code,
            pool,
            entries: vec![None; code.len()],
            is_target,
            state: State { stack: Vec::new(), locals: receiver.into_iter().collect() },
            reached: true,
            locals_changed: true,
            again: false,
            accessed: Accessed { values: vec![Value::Unknown; code.len()], arguments: Vec::new() },
        })
    }

    fn run(mut self) -> Result<Accessed, Reason> {
        let initial = self.state.clone();
        for _ in 0..MAX_PASSES {
            self.again = false;
            self.state.clone_from(&initial);
            self.reached = true;
            self.accessed.arguments.clear();
            self.pass()?;
            if !self.again {
                return Ok(self.accessed);
            }
        }
        Err(Reason::Intricate)
    }

    fn pass(&mut self) -> Result<(), Reason> {
        let mut jump = 0;
        for index in 0..self.code.len() {
            let from = jump;
            while self.code.jumps.get(jump).is_some_and(|jump| jump.from as usize == index) {
                jump += 1;
            }
            if self.is_target[index] {
                self.arrive(index);
            }
            if !self.reached {
                continue;
            }
            self.enter_handlers(index);
            let Instruction { opcode, .. } = self.code.instructions[index];
            self.step(index, opcode)?;
            for taken in from..jump {
                let target = self.code.jumps[taken].to as usize;
                let changed = merge_into(&mut self.entries[target], &self.state.stack, &self.state.locals);
                self.again |= changed && target <= index;
            }
            if matches!(opcode, JSR | JSR_W) {
                self.subroutine()?;
            } else if ends_flow(opcode) {
                self.reached = false;
            }
        }
        Ok(())
    }

    /// Code falls through or has been jumped to.
    fn arrive(&mut self, index: usize) {
        if self.reached {
            merge_into(&mut self.entries[index], &self.state.stack, &self.state.locals);
        }
        if let Some(entry) = &self.entries[index] {
            self.state.clone_from(entry);
            self.reached = true;
            self.locals_changed = true;
        }
    }

    /// A handler sees the locals before every instruction of its range; and after the last one too, since what an
    /// instruction lets escape may have escaped when it throws.
    fn enter_handlers(&mut self, index: usize) {
        for handler in &self.code.handlers {
            let (start, end, target) = (handler.start as usize, handler.end as usize, handler.target as usize);
            if (start..=end).contains(&index) && (self.locals_changed || index == start) {
                let changed = merge_into(&mut self.entries[target], &[Value::Unknown], &self.state.locals);
                self.again |= changed && target <= index;
            }
        }
        self.locals_changed = false;
    }

    /// Nothing is known when a subroutine comes back.
    fn subroutine(&mut self) -> Result<(), Reason> {
        if self.state.locals.iter().chain(&self.state.stack).any(|value| *value == Value::UninitializedThis) {
            return Err(Reason::Intricate);
        }
        self.state = State::default();
        self.locals_changed = true;
        Ok(())
    }

    fn step(&mut self, index: usize, opcode: u8) -> Result<(), Reason> {
        match opcode {
            ALOAD | ALOAD_0..=ALOAD_3 | ASTORE | ASTORE_0..=ASTORE_3 => self.move_reference(index, opcode),
            ISTORE..=DSTORE | ISTORE_0..ASTORE_0 => self.store_number(index, opcode),
            WIDE => self.wide(index),
            AALOAD => {
                let array = self.access(index, 2);
                self.push(match array {
                    Value::OwnField(field) => Value::Field(field, 1),
                    Value::Field(field, loads) => Value::Field(field, loads.saturating_add(1)),
                    _ => Value::Unknown,
                });
            }
            _ if is_array_load(opcode) => {
                self.access(index, 2);
                self.push_unknown(effect(opcode).1.into());
            }
            _ if is_array_store(opcode) => self.array_store(index, opcode),
            DUP..=SWAP => self.shuffle(opcode),
            GETSTATIC..=PUTFIELD => self.field(index, opcode)?,
            INVOKEVIRTUAL..=INVOKEDYNAMIC => self.invoke(index, opcode)?,
            NEWARRAY | ANEWARRAY => {
                self.pop();
                self.push(Value::Fresh(index as u32));
            }
            MULTIANEWARRAY => {
                let dimensions = self.code.instruction(index)[3];
                self.drop(dimensions.into());
                self.push(Value::Fresh(index as u32));
            }
            NEW => {
                let is_of_library = self.class_name(index).is_some_and(|class| contents::is_called(&class));
                self.push(if is_of_library { Value::Fresh(index as u32) } else { Value::Unknown });
            }
            ARETURN | ATHROW => {
                let given = self.pop();
                self.escape(given);
            }
            CHECKCAST => {}
            LDC | LDC_W => self.constant(index, opcode),
            _ => {
                let (pops, pushes) = effect(opcode);
                self.drop(pops.into());
                self.push_unknown(pushes.into());
            }
        }
        Ok(())
    }

    fn pop(&mut self) -> Value {
        self.state.stack.pop().unwrap_or(Value::Unknown)
    }

    fn drop(&mut self, n: usize) {
        let kept = self.state.stack.len().saturating_sub(n);
        self.state.stack.truncate(kept);
    }

    fn push(&mut self, value: Value) {
        self.state.stack.push(value);
    }

    fn push_unknown(&mut self, n: usize) {
        self.state.stack.extend(std::iter::repeat_n(Value::Unknown, n));
    }

    /// Pops `n` slots, of which the lowest is what the instruction accesses.
    fn access(&mut self, index: usize, n: usize) -> Value {
        self.drop(n - 1);
        let value = self.pop();
        self.accessed.values[index] = value;
        value
    }

    fn array_store(&mut self, index: usize, opcode: u8) {
        if opcode == AASTORE {
            let stored = self.pop();
            self.escape(stored);
            self.access(index, 2);
        } else {
            self.access(index, effect(opcode).0.into());
        }
    }

    /// Others may know the array from now on.
    fn escape(&mut self, escaped: Value) {
        if matches!(escaped, Value::Fresh(_) | Value::FreshThis) {
            self.forget(escaped);
        }
    }

    fn forget(&mut self, value: Value) {
        self.replace(value, Value::Unknown);
    }

    fn replace(&mut self, old: Value, new: Value) {
        let State { stack, locals } = &mut self.state;
        for slot in stack.iter_mut().chain(locals).filter(|slot| **slot == old) {
            *slot = new;
        }
        self.locals_changed = true;
    }

    fn set_local(&mut self, local: usize, value: Value) {
        let locals = &mut self.state.locals;
        if local >= locals.len() {
            if value == Value::Unknown {
                return;
            }
            locals.resize(local + 1, Value::Unknown);
        }
        self.locals_changed |= locals[local] != value;
        locals[local] = value;
    }

    fn load(&mut self, local: usize) {
        self.push(self.state.locals.get(local).copied().unwrap_or(Value::Unknown));
    }

    fn move_reference(&mut self, index: usize, opcode: u8) {
        match opcode {
            ALOAD => self.load(self.code.instruction(index)[1].into()),
            ALOAD_0..=ALOAD_3 => self.load((opcode - ALOAD_0).into()),
            ASTORE => {
                let value = self.pop();
                self.set_local(self.code.instruction(index)[1].into(), value);
            }
            _ => {
                let value = self.pop();
                self.set_local((opcode - ASTORE_0).into(), value);
            }
        }
    }

    fn store_number(&mut self, index: usize, opcode: u8) {
        let slots = usize::from(effect(opcode).0);
        let local = if opcode < ISTORE_0 {
            usize::from(self.code.instruction(index)[1])
        } else {
            usize::from((opcode - ISTORE_0) % 4)
        };
        self.overwrite(local, slots);
    }

    fn overwrite(&mut self, local: usize, slots: usize) {
        self.drop(slots);
        for local in local..local + slots {
            self.set_local(local, Value::Unknown);
        }
    }

    fn wide(&mut self, index: usize) {
        let instruction = self.code.instruction(index);
        let local = usize::from(u16::from_be_bytes([instruction[2], instruction[3]]));
        match instruction[1] {
            ALOAD => self.load(local),
            ASTORE => {
                let value = self.pop();
                self.set_local(local, value);
            }
            opcode @ ISTORE..=DSTORE => self.overwrite(local, effect(opcode).0.into()),
            opcode => self.push_unknown(effect(opcode).1.into()),
        }
    }

    /// The `dup` family and `swap`, in terms of slots.
    fn shuffle(&mut self, opcode: u8) {
        let a = self.pop();
        let b = if opcode == DUP { Value::Unknown } else { self.pop() };
        let mut take = |wanted: bool| if wanted { self.pop() } else { Value::Unknown };
        let c = take(matches!(opcode, DUP_X2 | DUP2_X1 | DUP2_X2));
        let d = take(opcode == DUP2_X2);
        let result: &[Value] = match opcode {
            DUP => &[a, a],
            DUP_X1 => &[a, b, a],
            DUP_X2 => &[a, c, b, a],
            DUP2 => &[b, a, b, a],
            DUP2_X1 => &[b, a, c, b, a],
            DUP2_X2 => &[b, a, d, c, b, a],
            _ => &[a, b],
        };
        self.state.stack.extend_from_slice(result);
    }

    fn field(&mut self, index: usize, opcode: u8) -> Result<(), Reason> {
        let reference = self.code.operand(index);
        let field = self.pool.reference(reference)?;
        let slots = descriptor::slots(field.descriptor);
        if matches!(opcode, PUTSTATIC | PUTFIELD) {
            self.drop(slots - 1.min(slots));
            let stored = self.pop();
            self.escape(stored);
        }
        let object = if matches!(opcode, GETFIELD | PUTFIELD) { self.access(index, 1) } else { Value::Unknown };
        if matches!(opcode, GETFIELD | GETSTATIC) {
            match field.descriptor.first() {
                _ if field.name.starts_with(b"$jacoco") => self.push(Value::Probes),
                Some(b'[' | b'L') if object == Value::This => self.push(Value::OwnField(reference)),
                Some(b'[' | b'L') => self.push(Value::Field(reference, 0)),
                _ => self.push_unknown(slots),
            }
        }
        Ok(())
    }

    fn invoke(&mut self, index: usize, opcode: u8) -> Result<(), Reason> {
        let reference = self.code.operand(index);
        let (name, descriptor) = match opcode {
            INVOKEDYNAMIC => self.pool.dynamic(reference)?,
            _ => self.pool.reference(reference).map(|method| (method.name, method.descriptor))?,
        };
        let (arguments, result) = descriptor::method_slots(descriptor).ok_or(Reason::Malformed("a descriptor"))?;
        let has_receiver = !matches!(opcode, INVOKESTATIC | INVOKEDYNAMIC);
        let n_slots = arguments + usize::from(has_receiver);
        let object = self.below(n_slots);
        self.accessed.values[index] = object;
        let keeping = if opcode == INVOKEDYNAMIC { Keeping::None } else { self.keeping(n_slots, reference) };
        let last = self.below(usize::from(arguments > 0));
        if keeping == Keeping::Both {
            self.accessed.arguments.push((index as u32, self.below(n_slots - 2)));
        } else if matches!(last, Value::OwnField(_) | Value::Field(..)) {
            self.accessed.arguments.push((index as u32, last));
        }
        for slot in (0..n_slots).rev() {
            let passed = self.pop();
            if !(keeping.covers(slot) && matches!(passed, Value::Fresh(_))) {
                self.escape(passed);
            }
        }
        if opcode == INVOKESPECIAL && object == Value::UninitializedThis && name == b"<init>" {
            self.initialized(reference)?;
        }
        match (keeping, object) {
            _ if name.starts_with(b"$jacoco") => self.push(Value::Probes),
            (Keeping::Returned, _) => self.push(object),
            (Keeping::View, Value::OwnField(field)) => self.push(Value::Field(field, 0)),
            (Keeping::View, Value::Field(..)) => self.push(object),
            _ => self.push_unknown(result),
        }
        Ok(())
    }

    /// What lies so many slots deep, counted from 1.
    fn below(&self, depth: usize) -> Value {
        let at = self.state.stack.len().checked_sub(depth);
        at.filter(|_| depth > 0).map_or(Value::Unknown, |at| self.state.stack[at])
    }

    /// What a call does with what it is made on, looked up only where that can matter.
    fn keeping(&self, n_slots: usize, reference: u16) -> Keeping {
        let top = &self.state.stack[self.state.stack.len().saturating_sub(n_slots)..];
        let is_fresh = top.iter().any(|value| matches!(value, Value::Fresh(_)));
        if !is_fresh && !top.iter().any(|value| matches!(value, Value::OwnField(_) | Value::Field(..))) {
            return Keeping::None;
        }
        let Ok(method) = self.pool.reference(reference) else { return Keeping::None };
        let Ok(owner) = self.pool.class_name(method.class) else { return Keeping::None };
        let keeping = contents::keeping(&text(owner), &text(method.name), &text(method.descriptor));
        // A view of an object keeps it.
        if is_fresh && keeping == Keeping::View { Keeping::None } else { keeping }
    }

    fn class_name(&self, index: usize) -> Option<Cow<'a, str>> {
        self.pool.class_name(self.code.operand(index)).ok().map(text)
    }

    /// The constructor of `Object` shows the object to nobody; any other may.
    fn initialized(&mut self, constructor: u16) -> Result<(), Reason> {
        let class = self.pool.owner(constructor)?;
        let is_object = class == b"java/lang/Object";
        self.replace(Value::UninitializedThis, if is_object { Value::FreshThis } else { Value::Unknown });
        Ok(())
    }

    /// JaCoCo also keeps its probes in a dynamic constant.
    fn constant(&mut self, index: usize, opcode: u8) {
        let constant = if opcode == LDC { self.code.instruction(index)[1].into() } else { self.code.operand(index) };
        let is_dynamic = self.pool.tag(constant) == Some(DYNAMIC);
        let is_probes = is_dynamic && self.pool.dynamic(constant).is_ok_and(|(name, _)| name.starts_with(b"$jacoco"));
        self.push(if is_probes { Value::Probes } else { Value::Unknown });
    }
}

/// Says whether the entry changed.
fn merge_into(entry: &mut Option<Box<State>>, stack: &[Value], locals: &[Value]) -> bool {
    let Some(entry) = entry else {
        *entry = Some(Box::new(State { stack: stack.to_vec(), locals: locals.to_vec() }));
        return true;
    };
    let surplus = entry.stack.len().saturating_sub(stack.len());
    let mut changed = entry.stack.drain(..surplus).fold(false, |changed, value| changed | (value != Value::Unknown));
    let top = &stack[stack.len() - entry.stack.len()..];
    changed |= weaken(entry.stack.iter_mut().zip(top));
    let surplus = entry.locals.drain(locals.len().min(entry.locals.len())..);
    changed |= surplus.fold(false, |changed, value| changed | (value != Value::Unknown));
    changed | weaken(entry.locals.iter_mut().zip(locals))
}

/// Makes unknown what differs; says whether anything did.
fn weaken<'a>(pairs: impl Iterator<Item = (&'a mut Value, &'a Value)>) -> bool {
    let mut changed = false;
    for (old, new) in pairs {
        if old != new && *old != Value::Unknown {
            *old = Value::Unknown;
            changed = true;
        }
    }
    changed
}
