//! Calls that access a field by what stands for it, or an element of an array that is an argument: the hook comes before the call, with
//! copies of what lies below the value that is written. What was read may be volatile, so another one comes after a read.

use classfile::opcode::*;
use facts::access::AccessKind;
use facts::hook::Hook;

use super::MethodWeaver;
use crate::failure::Failure;
use crate::plan::{NewAction, NewArray};
use crate::select::{Coordinates, ReflectiveAccess};

/// In place of the type of elements, which the call does not tell.
const ANY_ELEMENT: char = 'L';

impl MethodWeaver<'_, '_> {
    pub(super) fn reflective(&mut self, index: usize, access: ReflectiveAccess) -> Result<(), Failure> {
        let is_pair = access.of != Coordinates::Static;
        let (up, down): (&[u8], &[u8]) = match (is_pair, access.value) {
            (true, 0) => (&[DUP2], &[]),
            (true, 1) => (&[DUP_X2, POP, DUP2], &[DUP2_X1, POP2]),
            (true, _) => (&[DUP2_X2, POP2, DUP2], &[DUP2_X2, POP2]),
            (false, 0) => (&[DUP, ACONST_NULL], &[]),
            (false, 1) => (&[DUP2, POP, ACONST_NULL], &[]),
            (false, _) => (&[DUP2_X1, POP2, DUP, ACONST_NULL], &[DUP_X2, POP]),
        };
        self.edits.needs_stack(4);
        self.emit(up);
        let (action, hook) = match (access.of, access.kind) {
            (Coordinates::Element, kind) => {
                let array = NewArray { element: ANY_ELEMENT, origin: None };
                let hook = if kind == AccessKind::Read { Hook::ReadElement } else { Hook::WriteElement };
                (NewAction::Array(kind, array), hook)
            }
            (_, AccessKind::Read) => (NewAction::Reflected, Hook::ReadingReflected),
            (_, AccessKind::Write) => (NewAction::Reflected, Hook::WritingReflected),
        };
        self.site(index, action)?;
        self.hook(hook)?;
        self.emit(down);
        Ok(())
    }
}
