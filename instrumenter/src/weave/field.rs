//! Field accesses: the hook comes before the access, with a copy of the receiver.

use facts::access::AccessKind;
use facts::hook::Hook;

use super::{Failure, MethodWeaver, Value};
use crate::opcode::*;
use crate::plan::NewAction;
use crate::select::Verdict;

impl MethodWeaver<'_, '_> {
    pub(super) fn field(&mut self, index: usize, opcode: u8) -> Result<(), Failure> {
        let reference = self.code.operand(index);
        let Verdict::Check { slots } = self.class.selection.member(reference) else { return Ok(()) };
        // Nobody else knows the object yet, and the verifier lets no hook see it (JVMS 4.10.1.9, putfield).
        if self.accessed.by(index) == Value::UninitializedThis {
            return Ok(());
        }
        let (kind, hook) = match opcode {
            GETFIELD => (AccessKind::Read, Hook::ReadField),
            PUTFIELD => (AccessKind::Write, Hook::WriteField),
            GETSTATIC => (AccessKind::Read, Hook::ReadStatic),
            _ => (AccessKind::Write, Hook::WriteStatic),
        };
        match (opcode, slots) {
            (GETFIELD, _) => self.emit(&[DUP]),
            (PUTFIELD, 2) => self.emit(&[DUP2_X1, POP2, DUP_X2]),
            (PUTFIELD, _) => self.emit(&[DUP2, POP]),
            _ => {}
        }
        self.edits.needs_stack(2);
        self.with_field(reference, |weaver, field| {
            let is_static = matches!(opcode, GETSTATIC | PUTSTATIC);
            let action = if is_static { NewAction::Static(kind, field) } else { NewAction::Field(kind, field) };
            weaver.site(index, action)
        })??;
        Ok(self.hook(hook)?)
    }
}
