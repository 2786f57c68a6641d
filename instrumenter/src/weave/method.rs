//! Whole methods: transactions, synchronized methods and class initializers report their beginning, and their end on every
//! exit. A transaction begins before its lock is taken and ends after it is given up.
//!
//! The exit by an exception is a handler over the whole body, or over the loops whose checks wait if it is only for these. Its
//! frame has no locals but added ones, which suits every state of the body.

use std::ops::Range;

use classfile::opcode::{ALOAD_0, ATHROW, MONITORENTER};
use classfile::{Class, Member, flag};
use facts::focus::Elided;
use facts::hook::{Events, Hook};

use super::MethodWeaver;
use super::library::Effects;
use super::proofs::Proofs;
use crate::failure::Failure;
use crate::plan::{NewAction, WeaveError};

/// What a method's ends report.
#[derive(Clone, Copy)]
pub(super) struct Wrap {
    /// Number of the transaction's site.
    transaction: Option<i32>,
    body: Body,
    is_request: bool,
}

#[derive(Clone, Copy)]
enum Body {
    Plain,
    Synchronized,
    /// With the number of its site.
    ClassInit(i32),
}

/// Whether the ends of the method are reported, even if it is no transaction.
pub(super) fn wraps(class: &Class<'_>, method: &Member<'_>, events: Events, proofs: Proofs<'_>) -> bool {
    is_synchronized(method, events, proofs)
        || is_class_init(class, method, events)
        || finalization(class, method, events).is_some()
}

/// What has to do with finalizers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Finalization {
    Constructor,
    Finalizer,
}

/// A constructor's end comes before the finalizer (JLS 17.4.5). Of a class that inherits its finalizer, the superclass tells.
fn finalization(class: &Class<'_>, method: &Member<'_>, events: Events) -> Option<Finalization> {
    let is_asked = events.contains(Events::EDGES) && class.methods.iter().any(is_finalizer);
    match method.name {
        b"<init>" if is_asked => Some(Finalization::Constructor),
        _ if is_asked && is_finalizer(method) => Some(Finalization::Finalizer),
        _ => None,
    }
}

fn is_finalizer(method: &Member<'_>) -> bool {
    method.name == b"finalize"
        && method.descriptor == b"()V"
        && method.access & flag::STATIC == 0
        && method.code.is_some()
}

fn is_synchronized(method: &Member<'_>, events: Events, proofs: Proofs<'_>) -> bool {
    let is_meant = method.access & flag::SYNCHRONIZED != 0 && method.name != b"<init>";
    is_meant && events.contains(Events::SYNCHRONIZED) && !proofs.elides(Elided::Lock)
}

/// Since version 51 a class initializer has to be static (JVMS 2.9.2).
fn is_class_init(class: &Class<'_>, method: &Member<'_>, events: Events) -> bool {
    let is_initializer = method.name == b"<clinit>" && method.descriptor == b"()V";
    let counts = class.version < 51 || method.access & flag::STATIC != 0;
    events.contains(Events::CLASS_INIT) && is_initializer && counts
}

impl MethodWeaver<'_, '_> {
    /// Emits what runs when the method is entered.
    pub(super) fn begin_method(&mut self, effects: &Effects) -> Result<Wrap, Failure> {
        let mark = self.edits.mark();
        let events = self.class.plan.events;
        self.begin_finalization()?;
        if self.proofs.is_guarded() {
            self.begin(NewAction::Enter, Hook::Unreached)?;
        }
        let transaction =
            if self.is_transaction { Some(self.begin(NewAction::Transaction, Hook::Begin)?) } else { None };
        let body = if is_synchronized(self.method, events, self.proofs) {
            self.enter_method()?;
            Body::Synchronized
        } else if is_class_init(self.class.class, self.method, events) {
            Body::ClassInit(self.begin(NewAction::ClassInit, Hook::ClassInitBegin)?)
        } else {
            self.enter_with_lock()?;
            Body::Plain
        };
        self.entry_effects(effects)?;
        self.empty_all();
        self.edits.prologue_since(mark);
        Ok(Wrap { transaction, body, is_request: effects.run_request() })
    }

    fn begin_finalization(&mut self) -> Result<(), WeaveError> {
        match finalization(self.class.class, self.method, self.class.plan.events) {
            Some(Finalization::Constructor) => self.hook(Hook::Constructing),
            Some(Finalization::Finalizer) => {
                self.edits.needs_stack(1);
                self.emit(&[ALOAD_0]);
                self.hook(Hook::Observe)
            }
            None => Ok(()),
        }
    }

    /// A constructor that does not keep its receiver tells nothing.
    fn end_finalization(&mut self, index: usize) -> Result<(), Failure> {
        let finalization = finalization(self.class.class, self.method, self.class.plan.events);
        let is_constructor = finalization == Some(Finalization::Constructor);
        if is_constructor && !self.code.overwrites_receiver() && self.has_receiver(index)? {
            self.edits.needs_stack(1);
            self.emit(&[ALOAD_0]);
            self.hook(Hook::Constructed)?;
        }
        Ok(())
    }

    /// A class file older than version 49 cannot load its class as a constant.
    fn enter_method(&mut self) -> Result<(), WeaveError> {
        self.edits.needs_stack(2);
        let is_static = self.method.access & flag::STATIC != 0;
        let hook = match (is_static, self.class.class.version) {
            (true, ..49) => Hook::EnterStatic,
            _ => {
                self.load_own_lock();
                Hook::EnterMethod
            }
        };
        self.site(0, NewAction::Enter)?;
        self.hook(hook)?;
        if hook == Hook::EnterMethod { self.tell_of_own_lock() } else { Ok(()) }
    }

    /// A method that waits or notifies and takes no lock has that of its caller: its receiver, most often.
    fn enter_with_lock(&mut self) -> Result<(), WeaveError> {
        let takes_lock = self.code.instructions.iter().any(|each| each.opcode == MONITORENTER);
        if takes_lock || self.method.access & flag::STATIC != 0 {
            return Ok(());
        }
        self.edits.needs_stack(1);
        self.tell_of_own_lock()
    }

    fn tell_of_own_lock(&mut self) -> Result<(), WeaveError> {
        for hook in self.waits.at_monitor() {
            self.load_own_lock();
            self.hook(hook)?;
        }
        Ok(())
    }

    /// Emits the receiver, or the class of a static method.
    fn load_own_lock(&mut self) {
        if self.method.access & flag::STATIC != 0 {
            self.load_constant(self.class.class.this_class);
        } else {
            self.emit(&[ALOAD_0]);
        }
    }

    /// Makes a site that both ends have in common.
    fn begin(&mut self, action: NewAction<'_>, hook: Hook) -> Result<i32, WeaveError> {
        self.edits.needs_stack(2);
        let id = self.site(0, action)?;
        self.hook(hook)?;
        Ok(id)
    }

    /// Emits what runs before a return.
    pub(super) fn before_return(&mut self, index: usize, wrap: Wrap, effects: &Effects) -> Result<(), Failure> {
        self.exit_effects(index, effects)?;
        self.end_finalization(index)?;
        Ok(self.exit_method(wrap)?)
    }

    fn exit_method(&mut self, wrap: Wrap) -> Result<(), WeaveError> {
        if wrap.is_request {
            self.hook(Hook::HasRun)?;
        }
        self.tell_of_hopes(Hook::HopesEnd)?;
        match wrap.body {
            Body::Plain => {}
            Body::Synchronized => self.hook(Hook::ExitMethod)?,
            Body::ClassInit(site) => self.end(site, Hook::ClassInitEnd)?,
        }
        wrap.transaction.map_or(Ok(()), |site| self.end(site, Hook::End))
    }

    fn end(&mut self, site: i32, hook: Hook) -> Result<(), WeaveError> {
        self.constant(site)?;
        self.hook(hook)
    }

    /// Emits what runs when an exception leaves the method.
    pub(super) fn end_method(&mut self, wrap: Wrap) -> Result<(), Failure> {
        let is_plain = matches!(wrap, Wrap { transaction: None, body: Body::Plain, is_request: false });
        let is_wrapped = !is_plain || self.hopes.is_some();
        let caught =
            if is_wrapped { std::iter::once(0..self.code.len()).collect() } else { outermost(self.motion.waiting()) };
        if caught.is_empty() {
            return Ok(());
        }
        let mark = self.edits.mark();
        self.check_waiting(self.motion.all().iter().map(|variable| variable.of_unfinished()).collect())?;
        self.exit_method(wrap)?;
        self.emit(&[ATHROW]);
        self.edits.catch_all_since(mark, caught);
        Ok(())
    }
}

/// Ranges in order of their beginnings, those that overlap as one.
fn outermost(ranges: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut outer: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match outer.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => outer.push(range.clone()),
        }
    }
    outer
}
