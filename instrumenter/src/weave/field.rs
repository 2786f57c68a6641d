//! Field accesses. The hook of an instance field comes before the access, with a copy of the receiver. That of a static field
//! comes after it: by then the access itself has initialized the declaring class, and the agent can look it up without
//! running any of the program's code early.

use facts::access::AccessKind;
use facts::hook::Hook;

use super::{MethodWeaver, Value};
use crate::failure::Failure;
use crate::opcode::*;
use crate::plan::NewAction;
use crate::select::Verdict;

impl MethodWeaver<'_, '_> {
    pub(super) fn before_field(&mut self, index: usize, opcode: u8) -> Result<(), Failure> {
        let reference = self.code.operand(index);
        let Verdict::Check { slots } = self.class.selection.member(reference) else { return Ok(()) };
        // Nobody else knows the object yet, and the verifier lets no hook see it (JVMS 4.10.1.9, putfield).
        if self.accessed.by(index) == Value::UninitializedThis || self.is_needless(index) {
            return Ok(());
        }
        let conforms = self.proofs.conforms(self.code, index);
        let (kind, hook) = match (opcode, self.accessed.by(index)) {
            (GETFIELD, _) if conforms => (AccessKind::Read, Hook::ReadOwned),
            (GETFIELD, _) => (AccessKind::Read, Hook::ReadField),
            (_, Value::FreshThis) => (AccessKind::Write, Hook::InitField),
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

    pub(super) fn after_static(&mut self, index: usize, opcode: u8) -> Result<(), Failure> {
        let reference = self.code.operand(index);
        let Verdict::Check { .. } = self.class.selection.member(reference) else { return Ok(()) };
        if self.is_needless(index) {
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
