//! Array accesses: the hook comes before the access, with copies of the array and the index.

use std::ops::Range;

use facts::access::AccessKind;
use facts::hook::Hook;

use super::{Failure, MethodWeaver, Value};
use crate::opcode::*;
use crate::plan::{NewAction, NewArray, WeaveError};

/// Element types in the order in which the opcodes have them.
const ELEMENTS: [char; 8] = ['I', 'J', 'F', 'D', 'L', 'B', 'C', 'S'];

impl MethodWeaver<'_, '_> {
    pub(super) fn array(&mut self, index: usize, opcode: u8) -> Result<(), Failure> {
        if self.is_needless(index) {
            return Ok(());
        }
        let array = self.accessed.by(index);
        let is_load = is_array_load(opcode);
        let element = ELEMENTS[usize::from(opcode - if is_load { IALOAD } else { IASTORE }) % 8];
        match opcode {
            LASTORE | DASTORE => self.emit(&[DUP2_X2, POP2, DUP2_X2]),
            _ if is_load => self.emit(&[DUP2]),
            _ => self.emit(&[DUP_X2, POP, DUP2_X1]),
        }
        self.edits.needs_stack(3);
        let kind = if is_load { AccessKind::Read } else { AccessKind::Write };
        let again = self.repeats.local(index);
        let (read, write) = match again {
            Some(local) => {
                self.emit(&[ALOAD, local]);
                (Hook::ReadArrayAgain, Hook::WriteArrayAgain)
            }
            None if self.is_final_array(index) => {
                self.emit(&[ALOAD_0]);
                (Hook::ReadFinalArray, Hook::WriteFinalArray)
            }
            None => (Hook::ReadArray, Hook::WriteArray),
        };
        self.edits.needs_stack(4);
        self.array_site(index, kind, element, array)?;
        self.hook(if is_load { read } else { write })?;
        if let Some(local) = again {
            self.emit(&[ASTORE, local]);
        }
        Ok(())
    }

    fn is_final_array(&self, index: usize) -> bool {
        matches!(self.accessed.by(index), Value::OwnField(field) if self.class.selection.is_final_array(field))
    }

    /// Emits that the sites with these variables have to check again.
    pub(super) fn empty(&mut self, locals: Range<u8>) {
        for local in locals {
            self.emit(&[ACONST_NULL, ASTORE, local]);
            self.edits.needs_stack(1);
        }
    }

    fn array_site(&mut self, index: usize, kind: AccessKind, element: char, array: Value) -> Result<i32, WeaveError> {
        let origin = match array {
            Value::OwnField(reference) => Some((reference, 0)),
            Value::Field(reference, loads) => Some((reference, loads)),
            _ => None,
        };
        if let Some((reference, loads)) = origin {
            let site = self.with_field(reference, |weaver, field| {
                let origin = Some((field, loads));
                weaver.site(index, NewAction::Array(kind, NewArray { element, origin }))
            });
            if let Ok(result) = site {
                return result;
            }
        }
        self.site(index, NewAction::Array(kind, NewArray { element, origin: None }))
    }
}
