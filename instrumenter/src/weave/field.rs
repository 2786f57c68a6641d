//! Field accesses. The hook of an instance field comes before the access, with a copy of the receiver. That of a static field
//! comes after it: by then the access itself has initialized the declaring class, and the agent can look it up without
//! running any of the program's code early.

use classfile::descriptor::slots;
use classfile::opcode::*;
use facts::access::AccessKind;
use facts::hook::Hook;

use super::{MethodWeaver, Value};
use crate::failure::Failure;
use crate::plan::NewAction;
use crate::select::{Declared, Verdict};

impl MethodWeaver<'_, '_> {
    pub(super) fn before_field(&mut self, index: usize, opcode: u8) -> Result<(), Failure> {
        let reference = self.code.operand(index);
        if self.fenced.has(index) {
            return self.before_fenced(index, reference);
        }
        if let (GETFIELD, Verdict::Observe { slots }) = (opcode, self.class.selection.member(reference)) {
            self.emit(&[DUP]);
            self.edits.needs_stack(1 + slots as u16);
            return Ok(());
        }
        let Verdict::Check { slots, declared } = self.class.selection.member(reference) else { return Ok(()) };
        // Nobody else knows the object yet, and the verifier lets no hook see it (JVMS 4.10.1.9, putfield).
        if self.accessed.by(index) == Value::UninitializedThis || self.leaves_field(index, declared) {
            return Ok(());
        }
        if opcode == GETFIELD && declared != Declared::Plain {
            self.emit(&[DUP]);
            self.edits.needs_stack(2 + slots as u16);
            return Ok(());
        }
        let conforms = self.proofs.conforms(self.code, index);
        let (kind, hook) = match (opcode, self.accessed.by(index)) {
            (GETFIELD, _) if conforms => (AccessKind::Read, Hook::ReadOwned),
            (GETFIELD, _) => (AccessKind::Read, Hook::ReadField),
            (_, Value::FreshThis) if declared == Declared::Plain => (AccessKind::Write, Hook::InitField),
            _ if conforms => (AccessKind::Write, Hook::WriteOwned),
            _ => (AccessKind::Write, Hook::WriteField),
        };
        match (opcode, slots) {
            (GETFIELD, _) => self.emit(&[DUP]),
            (_, 2) => self.emit(&[DUP2_X1, POP2, DUP_X2]),
            _ => self.emit(&[DUP2, POP]),
        }
        self.edits.needs_stack(2);
        self.with_field(reference, |weaver, field| weaver.site(index, NewAction::Field(kind, field)))??;
        Ok(self.hook(hook)?)
    }

    /// Of an access beside a fence, the edge is told; the object stands for it.
    fn before_fenced(&mut self, index: usize, reference: u16) -> Result<(), Failure> {
        if self.fenced.acquires(index) {
            self.bring_up(0);
            return Ok(self.hook(Hook::Meeting)?);
        }
        // The verifier lets no hook see the object, and nobody else knows it.
        if self.accessed.by(index) == Value::UninitializedThis {
            return Ok(());
        }
        let descriptor = self.class.class.pool.reference(reference)?.descriptor;
        self.bring_up(slots(descriptor));
        Ok(self.hook(Hook::PublishField)?)
    }

    /// A read that may be volatile: below its value is the object, which the hook takes.
    pub(super) fn after_field(&mut self, index: usize) -> Result<(), Failure> {
        if self.fenced.acquires(index) {
            return Ok(self.hook(Hook::Met)?);
        }
        let reference = self.code.operand(index);
        if let Verdict::Observe { slots } = self.class.selection.member(reference) {
            self.emit(if slots == 2 { &[DUP2_X1, POP2] } else { &[SWAP] });
            return Ok(self.hook(Hook::Observe)?);
        }
        let Verdict::Check { slots, declared } = self.class.selection.member(reference) else { return Ok(()) };
        if declared == Declared::Plain
            || self.accessed.by(index) == Value::UninitializedThis
            || self.leaves_field(index, declared)
        {
            return Ok(());
        }
        self.emit(if slots == 2 { &[DUP2_X1, POP2] } else { &[SWAP] });
        self.with_field(reference, |weaver, field| weaver.site(index, NewAction::Field(AccessKind::Read, field)))??;
        Ok(self.hook(Hook::ReadField)?)
    }

    /// Whether nothing is told of an access. Nothing is left out that may order threads, but what nobody else can know of.
    fn leaves_field(&self, index: usize, declared: Declared) -> bool {
        match declared {
            Declared::Volatile => false,
            Declared::Plain | Declared::Elsewhere => self.is_needless(index),
        }
    }

    /// What was done before a write that may be volatile is made known before it.
    pub(super) fn before_static(&mut self, index: usize) -> Result<(), Failure> {
        let reference = self.code.operand(index);
        let Verdict::Check { declared, .. } = self.class.selection.member(reference) else { return Ok(()) };
        if declared == Declared::Plain || self.leaves_field(index, declared) {
            return Ok(());
        }
        self.edits.needs_stack(1);
        self.with_field(reference, |weaver, field| weaver.site(index, NewAction::Static(AccessKind::Write, field)))??;
        Ok(self.hook(Hook::PublishStatic)?)
    }

    pub(super) fn after_static(&mut self, index: usize, opcode: u8) -> Result<(), Failure> {
        let reference = self.code.operand(index);
        let Verdict::Check { declared, .. } = self.class.selection.member(reference) else { return Ok(()) };
        if self.leaves_field(index, declared) || opcode == PUTSTATIC && declared == Declared::Volatile {
            return Ok(());
        }
        let (kind, hook) = match opcode {
            GETSTATIC => (AccessKind::Read, Hook::ReadStatic),
            _ => (AccessKind::Write, Hook::WriteStatic),
        };
        self.edits.needs_stack(1);
        self.with_field(reference, |weaver, field| weaver.site(index, NewAction::Static(kind, field)))??;
        Ok(self.hook(hook)?)
    }
}
