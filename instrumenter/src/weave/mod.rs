//! Weaves one class: walks over the instructions of each method and inserts the calls of hooks.

mod array;
mod contents;
mod fences;
mod field;
pub(crate) mod library;
mod method;
mod monitor;
mod operands;
mod proofs;
mod reflective;
mod stamps;

use std::borrow::Cow;
use std::hash::BuildHasher;
use std::mem;

use classfile::instruction::walk;
use classfile::opcode::*;
use classfile::{Class, Malformed, Member, flag, text};
use facts::access::ArrayGranularity;
use facts::focus::Elided;
use facts::hook::{Events, Hook};
use rustc_hash::FxBuildHasher;

use crate::elide::barrier::Volatiles;
use crate::elide::motion::Motion;
use crate::elide::redundant::{self, Cover};
use crate::elide::updates;
use crate::failure::Failure;
use crate::plan::{NewAction, NewField, NewSite, Plan, Reason, SiteSink, WeaveError};
use crate::rewrite::additions::Additions;
use crate::rewrite::code::{Code, Instruction};
use crate::rewrite::edits::Edits;
use crate::rewrite::emit::Emitter;
use crate::rewrite::layout::Layout;
use crate::rewrite::splice::Splice;
use crate::rewrite::tables::Lines;
use crate::rewrite::writer::push2;
use crate::select::receiver::ReceiverFrames;
use crate::select::transactions::{self, Transactions};
use crate::select::values::{Accessed, Receiver, Value};
use crate::select::{Selection, Verdict};
use crate::weave::fences::Fenced;

use library::Effects;
use proofs::Proofs;

/// HotSpot compiles no method of more bytes than this (`HugeMethodLimit`).
const HUGE: usize = 8000;

/// What is common to the methods of a class.
pub(crate) struct ClassWeaver<'a> {
    class: &'a Class<'a>,
    plan: &'a Plan<'a>,
    /// For methods that this plan makes too large.
    smaller: &'a [Plan<'a>],
    selection: Selection<'a>,
    transactions: Option<Transactions<'a>>,
    sink: &'a mut dyn SiteSink,
    name: Cow<'a, str>,
    file: Option<Cow<'a, str>>,
    pub additions: Additions,
    pub splice: Splice,
    pub n_sites: u32,
    pub unwoven: Vec<(String, Reason)>,
    pub huge: Vec<String>,
}

impl<'a> ClassWeaver<'a> {
    /// With a plan, and others for methods that it makes too large.
    pub fn new(
        class: &'a Class<'a>,
        plan: &'a Plan<'a>,
        smaller: &'a [Plan<'a>],
        sink: &'a mut dyn SiteSink,
    ) -> Result<Self, WeaveError> {
        let name = text(class.pool.class_name(class.this_class)?);
        let has_transactions = plan.events.contains(Events::TRANSACTIONS);
        Ok(Self {
            class,
            plan,
            smaller,
            selection: Selection::new(class, plan),
            transactions: has_transactions.then(|| Transactions::new(class, plan, &name)),
            sink,
            name,
            file: class.source_file.map(|file| class.pool.text(file)).transpose()?,
            additions: Additions::new(&class.pool),
            splice: Splice::default(),
            n_sites: 0,
            unwoven: Vec::new(),
            huge: Vec::new(),
        })
    }

    /// Weaves every method that can be woven.
    pub fn methods(&mut self) -> Result<(), WeaveError> {
        let class = self.class;
        for method in &class.methods {
            let mut woven = self.method(method);
            for plan in self.smaller {
                if let Err(Failure::Method(Reason::TooLarge | Reason::FarBranch)) = woven {
                    woven = self.method_by(method, plan);
                }
            }
            match woven {
                Ok(()) => {}
                Err(Failure::Method(reason)) => self.unwoven.push((full_name(method), reason)),
                Err(Failure::Class(error)) => return Err(error),
            }
        }
        Ok(())
    }

    /// Weaves a method by a smaller plan, so that what it orders is told. That it is not checked in full is told as well.
    fn method_by(&mut self, method: &Member<'_>, plan: &'a Plan<'a>) -> Result<(), Failure> {
        let selection = mem::replace(&mut self.selection, Selection::new(self.class, plan));
        let plan = mem::replace(&mut self.plan, plan);
        let transactions = self.transactions.take();
        let woven = self.method(method);
        (self.selection, self.plan, self.transactions) = (selection, plan, transactions);
        woven.and(Err(Failure::Method(Reason::TooLargeToCheck)))
    }

    fn method(&mut self, method: &Member<'_>) -> Result<(), Failure> {
        let Some(span) = method.code.clone() else { return Ok(()) };
        let contents = &self.class.bytes[span.clone()];
        let effects = Effects::of(method, self.plan.models);
        let array = classfile::Code::instructions(contents)?;
        let proofs = Proofs::of(self.plan, method);
        let is_transaction = self.is_transaction(method, array, proofs)?;
        let is_wrapped =
            is_transaction || proofs.is_guarded() || method::wraps(self.class, method, self.plan.events, proofs);
        let (mut interesting, mut has_objects, mut has_fences, mut waits) = (false, false, false, Waits::default());
        for instruction in walk(array) {
            let instruction = instruction?;
            let (opcode, operand) = (instruction.opcode(), instruction.u2(1));
            if self.selection.concerns(opcode, operand) {
                interesting = true;
                has_objects |= is_array_load(opcode) || is_array_store(opcode) || is_call(opcode);
                let verdict = self.selection.at(opcode, operand);
                waits.note(verdict);
                has_fences |= matches!(verdict, Verdict::Fence(_));
            }
        }
        if !self.plan.events.contains(Events::EDGES) {
            waits = Waits { hopes: waits.hopes, validates: waits.validates, ..Waits::default() };
        }
        if !interesting && !is_wrapped && effects.is_empty() {
            return Ok(());
        }
        let code = Code::read(contents)?;
        let edits =
            self.edits(method, &code, &effects, Traits { has_objects, has_fences, is_transaction, proofs, waits })?;
        if edits.is_empty() {
            return Ok(());
        }
        let layout = Layout::of(&code, &edits)?;
        let (additions, class) = (&mut self.additions, self.class);
        let emitter = Emitter { class, method, code: &code, edits: &edits, layout: &layout };
        self.splice.replace(span, |out| emitter.emit(additions, out))?;
        if code.bytes.len() <= HUGE && layout.length() as usize + edits.catch_all().len() > HUGE {
            self.huge.push(full_name(method));
        }
        Ok(())
    }

    /// Whether the method's executions are transactions that can matter.
    fn is_transaction(&mut self, method: &Member<'_>, array: &[u8], proofs: Proofs<'_>) -> Result<bool, Failure> {
        let has_method = self.transactions.as_ref().is_some_and(|transactions| transactions.has_method(method));
        let is_asked = has_method && !proofs.elides(Elided::Transaction);
        Ok(is_asked && transactions::matters(array, &mut self.selection)?)
    }

    fn edits(
        &mut self,
        method: &Member<'_>,
        code: &Code<'_>,
        effects: &Effects,
        traits: Traits<'_>,
    ) -> Result<Edits, Failure> {
        let is_constructor = method.name == b"<init>";
        let accessed = if traits.has_objects || is_constructor && has_fields(code) {
            let receiver = if is_constructor { Receiver::Uninitialized } else { receiver(method, code) };
            Accessed::of(code, &self.class.pool, receiver)?
        } else {
            Accessed::unknown()
        };
        let name = text(method.name);
        let descriptor = text(method.descriptor);
        let has_transactions = self.transactions.as_ref().is_some_and(|transactions| transactions.has_blocks(method));
        let Waits { hopes, validates, .. } = traits.waits;
        let ends_hopes = hopes && (validates || !stamps::may_pass_on(self.class, code));
        let hopes = ends_hopes.then(|| number(&self.name, method));
        let fenced = if traits.has_fences { Fenced::of(code, &mut self.selection) } else { Fenced::default() };
        let mut weaver = MethodWeaver {
            name,
            descriptor,
            lines: None,
            edits: Edits::default(),
            class: self,
            method,
            code,
            accessed,
            redundant: Vec::new(),
            beside: Vec::new(),
            fenced,
            proofs: traits.proofs,
            is_transaction: traits.is_transaction,
            waits: traits.waits,
            hopes,
            has_transactions,
            motion: Motion::default(),
            waiting: Vec::new(),
            receivers: None,
        };
        weaver.find_needless();
        weaver.run(effects)?;
        Ok(weaver.edits)
    }
}

/// What is known of a method before its code is read.
#[derive(Clone, Copy)]
struct Traits<'a> {
    /// Whether it accesses arrays or contents.
    has_objects: bool,
    /// Whether it calls a fence.
    has_fences: bool,
    is_transaction: bool,
    proofs: Proofs<'a>,
    waits: Waits,
}

/// For what a method may wait, and whom it may wake up, under a lock that it takes.
#[derive(Clone, Copy, Default)]
struct Waits {
    for_notification: bool,
    for_signal: bool,
    notifies: bool,
    signals: bool,
    hopes: bool,
    validates: bool,
}

impl Waits {
    fn note(&mut self, verdict: Verdict) {
        self.hopes |= verdict == Verdict::Hope;
        self.validates |= verdict == Verdict::Validate;
        self.for_notification |= matches!(verdict, Verdict::Replace(_));
        self.for_signal |= verdict == Verdict::Await;
        self.notifies |= matches!(verdict, Verdict::Announce(_));
        self.signals |= verdict == Verdict::Signal;
    }

    /// What is told when the method has taken a monitor.
    fn at_monitor(self) -> impl Iterator<Item = Hook> {
        hooks(self.for_notification, self.notifies)
    }

    /// The same for a lock that has conditions.
    fn at_lock(self) -> impl Iterator<Item = Hook> {
        hooks(self.for_signal, self.signals)
    }
}

/// A number of a method that hardly another one has.
fn number(class: &str, method: &Member<'_>) -> i32 {
    let hash = FxBuildHasher.hash_one((class, method.name, method.descriptor));
    (hash >> u32::BITS) as i32
}

fn hooks(waits: bool, tells: bool) -> impl Iterator<Item = Hook> {
    [(Hook::MayWait, waits), (Hook::MayTell, tells)]
        .into_iter()
        .filter_map(|(hook, is_wanted)| is_wanted.then_some(hook))
}

/// Outside constructors.
fn receiver(method: &Member<'_>, code: &Code<'_>) -> Receiver {
    let is_kept = method.access & flag::STATIC == 0 && !code.overwrites_receiver();
    if is_kept { Receiver::Kept } else { Receiver::None }
}

fn is_call(opcode: u8) -> bool {
    matches!(opcode, INVOKEVIRTUAL..=INVOKEINTERFACE)
}

fn has_fields(code: &Code<'_>) -> bool {
    code.instructions.iter().any(|each| matches!(each.opcode, GETFIELD | PUTFIELD))
}

/// Name and descriptor.
fn full_name(method: &Member<'_>) -> String {
    text(method.name).into_owned() + &text(method.descriptor)
}

/// What weaving one method needs.
struct MethodWeaver<'m, 'a> {
    class: &'m mut ClassWeaver<'a>,
    method: &'m Member<'m>,
    code: &'m Code<'m>,
    accessed: Accessed,
    redundant: Vec<bool>,
    /// For each read of another element than was just read of the array, that read.
    beside: Vec<Option<usize>>,
    fenced: Fenced,
    proofs: Proofs<'m>,
    motion: Motion,
    /// The sites of which checks wait: by local variable.
    waiting: Vec<(u8, i32)>,
    /// Read when the first hook asks for the receiver.
    receivers: Option<ReceiverFrames>,
    is_transaction: bool,
    waits: Waits,
    /// The number by which it ends its optimistic reads, if it has any and no other method asks about them.
    hopes: Option<i32>,
    /// Whether its synchronized blocks are transactions.
    has_transactions: bool,
    edits: Edits,
    name: Cow<'m, str>,
    descriptor: Cow<'m, str>,
    /// Read when the first site is made.
    lines: Option<Lines>,
}

impl MethodWeaver<'_, '_> {
    fn run(&mut self, effects: &Effects) -> Result<(), Failure> {
        let wrap = self.begin_method(effects)?;
        for index in 0..self.code.len() {
            let Instruction { opcode, .. } = self.code.instructions[index];
            let is_exit = is_return(opcode);
            let concerns = self.fenced.has(index) || self.class.selection.concerns(opcode, self.code.operand(index));
            let before = self.edits.mark();
            self.leave_loops(index)?;
            if !is_exit && !concerns && self.edits.is_at(&before) {
                continue;
            }
            let dropped = if is_exit || !concerns { false } else { self.before(index, opcode)? };
            if is_exit {
                self.before_return(index, wrap, effects)?;
            }
            let after = self.edits.mark();
            match opcode {
                _ if !concerns => {}
                MONITORENTER | MONITOREXIT if self.proofs.is_idle(self.code, index) => {}
                MONITORENTER => self.after_enter(index)?,
                MONITOREXIT => self.after_exit(index)?,
                GETFIELD => self.after_field(index)?,
                GETSTATIC | PUTSTATIC => self.after_static(index, opcode)?,
                INVOKEVIRTUAL..=INVOKEINTERFACE => self.after_call(index)?,
                _ => {}
            }
            self.edits.around(index, before, after, dropped);
        }
        self.end_method(wrap)
    }

    /// Finds the checks that may be left out. A trace has every access, or all that can matter to transactions.
    fn find_needless(&mut self) {
        let in_trace = self.class.plan.events.contains(Events::ORDER);
        if in_trace && !self.class.plan.leaves_out_redundant {
            return;
        }
        let (code, class, accessed, proofs) = (self.code, self.class.class, &self.accessed, self.proofs);
        let fenced = &self.fenced;
        let selection = &mut self.class.selection;
        let mut has_check = |index: usize| {
            let is_field = matches!(code.instructions[index].opcode, GETSTATIC..=PUTFIELD);
            (!is_field || selection.member(code.operand(index)).is_plain_check())
                && !fenced.has(index)
                && !proofs.covers(code, index)
                && !matches!(accessed.by(index), Value::Fresh(_) | Value::Probes | Value::UninitializedThis)
        };
        let volatiles = Volatiles::of(self.class.plan.events);
        let cover = if in_trace { Cover::Two } else { Cover::Any };
        // In a trace, arrays are compared without their indexes.
        let by_element = in_trace && self.class.plan.arrays == ArrayGranularity::Element;
        let may_cover = |index: usize| !(by_element && is_array_load(code.instructions[index].opcode));
        self.redundant = redundant::of(code, class, cover, volatiles, |index| may_cover(index) && has_check(index));
        if in_trace {
            return;
        }
        let has_receiver = receiver(self.method, code) == Receiver::Kept;
        let updates = updates::of(code, class, has_receiver, volatiles, &mut has_check);
        if self.redundant.is_empty() {
            self.redundant = updates;
        } else {
            self.redundant.iter_mut().zip(updates).for_each(|(redundant, update)| *redundant |= update);
        }
        let redundant = &self.redundant;
        let leads = |at: usize| {
            is_array_load(code.instructions[at].opcode) && has_check(at) && redundant.get(at) != Some(&true)
        };
        self.beside = redundant::leaders(code, class, Cover::Elements, volatiles, leads);
        let wanted = |index: usize| !self.is_needless(index) && self.leader(index).is_none();
        // The frame of a handler cannot have an object that is not initialized yet.
        let can_wait = self.method.name != b"<init>";
        self.motion = Motion::of(self.code, self.class.class, can_wait, volatiles, wanted);
        self.edits.extra_locals = self.motion.all().len() as u16;
    }

    /// The read of another element of the same array that comes just before, and has a check.
    fn leader(&self, index: usize) -> Option<usize> {
        self.beside.get(index).copied().flatten()
    }

    /// Whether an access needs no check: a location that only this method knows has no race, coverage probes are racy by
    /// design, a redundant read has been checked or will be by a write, and what the focus covers needs none.
    fn is_needless(&self, index: usize) -> bool {
        matches!(self.accessed.by(index), Value::Fresh(_) | Value::Probes)
            || self.redundant.get(index) == Some(&true)
            || self.proofs.covers(self.code, index)
    }

    /// Emits what goes before the instruction; says whether that takes the instruction's place.
    fn before(&mut self, index: usize, opcode: u8) -> Result<bool, Failure> {
        match opcode {
            GETSTATIC => {}
            PUTSTATIC => self.before_static(index)?,
            GETFIELD | PUTFIELD => self.before_field(index, opcode)?,
            IALOAD..=SALOAD | IASTORE..=SASTORE => self.array(index, opcode)?,
            MONITORENTER | MONITOREXIT if self.proofs.is_idle(self.code, index) => {}
            MONITORENTER => self.before_enter(index)?,
            MONITOREXIT => self.before_exit(index)?,
            INVOKEDYNAMIC => self.concatenate(index)?,
            _ => return self.call(index),
        }
        Ok(false)
    }

    /// Whether the verifier lets an inserted instruction load the receiver here, in a method that never assigns to it.
    fn has_receiver(&mut self, index: usize) -> Result<bool, Malformed> {
        let receivers = match self.receivers.take() {
            Some(known) => known,
            None => ReceiverFrames::of(self.class.class, self.method, self.code)?,
        };
        Ok(self.receivers.insert(receivers).has_at(index))
    }

    /// Emits instructions without operands.
    fn emit(&mut self, opcodes: &[u8]) {
        self.edits.out().extend_from_slice(opcodes);
    }

    /// Emits the call of a hook.
    fn hook(&mut self, hook: Hook) -> Result<(), WeaveError> {
        let method = self.class.additions.hook(hook)?;
        self.emit(&[INVOKESTATIC]);
        push2(self.edits.out(), method);
        Ok(())
    }

    /// Makes a site, and emits and returns its number.
    fn site(&mut self, index: usize, action: NewAction<'_>) -> Result<i32, WeaveError> {
        let lines = self.lines.get_or_insert_with(|| Lines::of(self.code, &self.class.class.pool));
        let offset = self.code.instructions[index].at;
        let id = self.class.sink.add(NewSite {
            class: &self.class.name,
            method: &self.name,
            descriptor: &self.descriptor,
            offset,
            line: lines.line(offset),
            file: self.class.file.as_deref(),
            action,
        });
        self.class.n_sites += 1;
        self.constant(id.cast_signed())?;
        Ok(id.cast_signed())
    }

    /// Emits an `int`.
    fn constant(&mut self, value: i32) -> Result<(), WeaveError> {
        if let small @ 0..=5 = value {
            self.emit(&[ICONST_0 + small as u8]);
        } else if let Ok(byte) = i8::try_from(value) {
            self.emit(&[BIPUSH, byte.cast_unsigned()]);
        } else if let Ok(short) = i16::try_from(value) {
            self.emit(&[SIPUSH]);
            push2(self.edits.out(), short.cast_unsigned());
        } else {
            let constant = self.class.additions.integer(value, &self.class.class.pool)?;
            self.load_constant(constant);
        }
        Ok(())
    }

    fn load_constant(&mut self, constant: u16) {
        match u8::try_from(constant) {
            Ok(short) => self.emit(&[LDC, short]),
            Err(_) => {
                self.emit(&[LDC_W]);
                push2(self.edits.out(), constant);
            }
        }
    }

    /// The names in a field reference, handed to `use_field`.
    fn with_field<T>(
        &mut self,
        reference: u16,
        use_field: impl FnOnce(&mut Self, NewField<'_>) -> T,
    ) -> Result<T, Malformed> {
        let pool = &self.class.class.pool;
        let field = pool.reference(reference)?;
        let class = text(pool.class_name(field.class)?);
        let (name, descriptor) = (text(field.name), text(field.descriptor));
        Ok(use_field(self, NewField { class: &class, name: &name, descriptor: &descriptor }))
    }
}
