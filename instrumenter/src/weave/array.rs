//! Array accesses: the hook comes before the access, with copies of the array and the index.

use facts::access::AccessKind;
use facts::hook::Hook;

use super::{Failure, MethodWeaver, Value};
use crate::opcode::*;
use crate::plan::{NewAction, NewArray, WeaveError};

/// Element types in the order in which the opcodes have them.
const ELEMENTS: [char; 8] = ['I', 'J', 'F', 'D', 'L', 'B', 'C', 'S'];

impl MethodWeaver<'_, '_> {
    pub(super) fn array(&mut self, index: usize, opcode: u8) -> Result<(), Failure> {
        let array = self.accessed.by(index);
        // An array that only this method knows has no race; coverage probes are racy by design.
        if matches!(array, Value::Fresh(_) | Value::Probes) {
            return Ok(());
        }
        let is_load = is_array_load(opcode);
        let element = ELEMENTS[usize::from(opcode - if is_load { IALOAD } else { IASTORE }) % 8];
        match opcode {
            LASTORE | DASTORE => self.emit(&[DUP2_X2, POP2, DUP2_X2]),
            _ if is_load => self.emit(&[DUP2]),
            _ => self.emit(&[DUP_X2, POP, DUP2_X1]),
        }
        self.edits.needs_stack(3);
        let (kind, hook) =
            if is_load { (AccessKind::Read, Hook::ReadArray) } else { (AccessKind::Write, Hook::WriteArray) };
        self.array_site(index, kind, element, array)?;
        Ok(self.hook(hook)?)
    }

    fn array_site(&mut self, index: usize, kind: AccessKind, element: char, array: Value) -> Result<i32, WeaveError> {
        if let Value::Field(reference, loads) = array {
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
