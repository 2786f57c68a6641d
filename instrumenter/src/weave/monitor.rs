//! Monitors: `monitorenter`, `monitorexit`, and `Object`'s `wait` and `notify`.
//!
//! A lock is reported as taken just before it is taken: a hook that has no stack left throws, and then neither the lock nor
//! the hook's entry is there to be given up. A trace needs the real order of owners, so for it the hook comes after, within
//! the exception range whose handler unlocks (see `emit`). A lock is reported as released before it is released.
//!
//! The exception is the handler itself, which javac lets cover its own `monitorexit`: C1 compiles no method in which a call
//! there is its own handler's ("exception handler covers itself"). So in a handler the release is reported after it, outside
//! the range.

use classfile::opcode::*;
use facts::access::AccessKind;
use facts::hook::{Events, Hook};

use super::MethodWeaver;
use crate::failure::Failure;
use crate::plan::{NewAction, WeaveError};
use crate::select::{Coordinates, ReflectiveAccess, Verdict};

impl MethodWeaver<'_, '_> {
    pub(super) fn before_enter(&mut self, index: usize) -> Result<(), Failure> {
        self.emit(&[DUP]);
        self.edits.needs_stack(2);
        if self.keeps_order() { Ok(()) } else { self.enter(index) }
    }

    pub(super) fn after_enter(&mut self, index: usize) -> Result<(), Failure> {
        if self.keeps_order() { self.enter(index) } else { Ok(()) }
    }

    fn keeps_order(&self) -> bool {
        self.class.plan.events.meets(Events::ORDER | Events::EDGES)
    }

    fn enter(&mut self, index: usize) -> Result<(), Failure> {
        self.copy_for(self.waits.at_monitor());
        self.edits.needs_stack(4);
        self.site(index, NewAction::Enter)?;
        self.hook(if self.has_transactions { Hook::EnterAtomic } else { Hook::Enter })?;
        self.tell(self.waits.at_monitor())
    }

    /// A copy of what is on the stack for each hook.
    fn copy_for(&mut self, hooks: impl Iterator<Item = Hook>) {
        hooks.for_each(|_| self.emit(&[DUP]));
    }

    fn tell(&mut self, mut hooks: impl Iterator<Item = Hook>) -> Result<(), Failure> {
        Ok(hooks.try_for_each(|hook| self.hook(hook))?)
    }

    pub(super) fn before_exit(&mut self, index: usize) -> Result<(), Failure> {
        self.emit(&[DUP]);
        self.edits.needs_stack(1);
        if !self.in_own_handler(index) {
            self.hook(Hook::Exit)?;
        }
        Ok(())
    }

    pub(super) fn after_exit(&mut self, index: usize) -> Result<(), Failure> {
        if self.in_own_handler(index) {
            self.hook(Hook::Exit)?;
        }
        Ok(())
    }

    /// Whether the instruction lies in a handler that covers itself.
    fn in_own_handler(&self, index: usize) -> bool {
        self.code
            .handlers
            .iter()
            .any(|handler| handler.covers_itself() && (handler.target..handler.end).contains(&(index as u32)))
    }

    /// Says whether the hook takes the call's place.
    pub(super) fn call(&mut self, index: usize) -> Result<bool, Failure> {
        let reference = self.code.operand(index);
        match self.class.selection.member(reference) {
            Verdict::Replace(hook) => {
                self.find_class(reference);
                self.hook(hook)?;
                Ok(true)
            }
            Verdict::Announce(hook) => {
                self.emit(&[DUP]);
                self.edits.needs_stack(1);
                self.hook(hook)?;
                Ok(false)
            }
            Verdict::Contents { call, depth, callee } => {
                self.contents(index, call, depth, callee)?;
                Ok(false)
            }
            Verdict::Elements { of, depth, is_static } => {
                self.elements(index, of, depth, is_static)?;
                Ok(false)
            }
            Verdict::Copy => self.copy(index),
            Verdict::Inner(inner) => {
                self.inner(index, inner, false)?;
                Ok(false)
            }
            Verdict::Opaque { .. } if !self.fenced.has(index) => Ok(false),
            Verdict::Handle { mode, depth } | Verdict::Opaque { mode, depth } => {
                for (hook, wanted) in [(Hook::PublishField, mode.releases), (Hook::Meeting, mode.acquires)] {
                    if wanted {
                        self.bring_up_argument(index, depth)?;
                        self.hook(hook)?;
                    }
                }
                Ok(false)
            }
            Verdict::Reflective(access) => {
                self.reflective(index, access)?;
                Ok(false)
            }
            Verdict::Lock => {
                self.copy_for(self.waits.at_lock());
                self.edits.needs_stack(2);
                Ok(false)
            }
            Verdict::Leave
            | Verdict::Fence(_)
            | Verdict::Clone
            | Verdict::Await
            | Verdict::Signal
            | Verdict::Hope
            | Verdict::Validate
            | Verdict::Check { .. }
            | Verdict::Observe { .. } => Ok(false),
        }
    }

    /// Emits what comes after a call.
    pub(super) fn after_call(&mut self, index: usize) -> Result<(), Failure> {
        let reference = self.code.operand(index);
        match self.class.selection.member(reference) {
            Verdict::Inner(inner) => self.inner(index, inner, true),
            Verdict::Handle { mode, .. } if mode.acquires => Ok(self.hook(Hook::Met)?),
            Verdict::Opaque { mode, .. } if mode.acquires && self.fenced.has(index) => Ok(self.hook(Hook::Met)?),
            Verdict::Reflective(ReflectiveAccess {
                kind: AccessKind::Read,
                of: Coordinates::Object | Coordinates::Static,
                ..
            }) => Ok(self.hook(Hook::HasReadReflected)?),
            Verdict::Lock => self.tell(self.waits.at_lock()),
            Verdict::Hope => {
                self.tell_of_hopes(Hook::Hoping)?;
                // Nobody asks about it.
                if self.waits.validates { Ok(()) } else { Ok(self.tell_of_hopes(Hook::HopesEnd)?) }
            }
            Verdict::Clone | Verdict::Contents { .. } if self.class.selection.clones(reference) => self.cloned(index),
            _ => Ok(()),
        }
    }

    /// Emits what is told of optimistic reads that the method ends, if there are any.
    pub(super) fn tell_of_hopes(&mut self, hook: Hook) -> Result<(), WeaveError> {
        let Some(method) = self.hopes else { return Ok(()) };
        self.edits.needs_stack(1);
        self.constant(method)?;
        self.hook(hook)
    }

    /// What is kept of an object lies in its fields, and a clone has copies of all.
    fn cloned(&mut self, index: usize) -> Result<(), Failure> {
        self.emit(&[DUP]);
        self.edits.needs_stack(1);
        let is_super = self.code.instructions[index].opcode == INVOKESPECIAL;
        Ok(self.hook(if is_super { Hook::ClonedOwn } else { Hook::Cloned })?)
    }

    /// Emits what fails as the replaced call would if the class that it names is missing. The verifier is no longer asked
    /// whether the receiver is of that class.
    fn find_class(&mut self, reference: u16) {
        if let Some(class) = self.class.selection.class_to_find(reference) {
            self.edits.needs_stack(1);
            self.load_constant(class);
            self.emit(&[POP]);
        }
    }
}
