//! Array accesses: the hook comes before the access, with copies of the array and the index.

use classfile::opcode::*;
use facts::access::AccessKind;
use facts::hook::Hook;

use super::{MethodWeaver, Value};
use crate::elide::motion::Variable;
use crate::elide::reach::Reach;
use crate::failure::Failure;
use crate::plan::{NewAction, NewArray, WeaveError};

/// Element types in the order in which the opcodes have them.
const ELEMENTS: [char; 8] = ['I', 'J', 'F', 'D', 'L', 'B', 'C', 'S'];

impl MethodWeaver<'_, '_> {
    pub(super) fn array(&mut self, index: usize, opcode: u8) -> Result<(), Failure> {
        if self.is_needless(index) {
            return Ok(());
        }
        match opcode {
            LASTORE | DASTORE => self.emit(&[DUP2_X2, POP2, DUP2_X2]),
            _ if is_array_load(opcode) => self.emit(&[DUP2]),
            _ => self.emit(&[DUP_X2, POP, DUP2_X1]),
        }
        self.edits.needs_stack(4);
        if let Some(leader) = self.leader(index).and_then(|leader| self.motion.variable(leader)) {
            self.emit(&[ALOAD, leader.local]);
            self.array_site(index)?;
            return self.hook(Hook::ReadArrayBeside).map_err(Into::into);
        }
        let variable = self.motion.variable(index);
        let (read, write) = match variable {
            Some(Variable { local, waits, .. }) => {
                self.emit(&[ALOAD, local]);
                if waits {
                    (Hook::ReadArrayLater, Hook::WriteArrayLater)
                } else {
                    (Hook::ReadArrayAgain, Hook::WriteArrayAgain)
                }
            }
            None if self.is_final_array(index) && self.has_receiver(index)? => {
                self.emit(&[ALOAD_0]);
                (Hook::ReadFinalArray, Hook::WriteFinalArray)
            }
            None => (Hook::ReadArray, Hook::WriteArray),
        };
        match variable {
            Some(variable) if variable.site == index => self.waiting_site(variable)?,
            _ => self.array_site(index).map(drop)?,
        }
        self.hook(if is_array_load(opcode) { read } else { write })?;
        if let Some(Variable { local, .. }) = variable {
            self.emit(&[ASTORE, local]);
        }
        Ok(())
    }

    fn is_final_array(&self, index: usize) -> bool {
        matches!(self.accessed.by(index), Value::OwnField(field) if self.class.selection.is_final_array(field))
    }

    /// Emits what the loops need whose variables are checked or emptied before the instruction.
    pub(super) fn leave_loops(&mut self, index: usize) -> Result<(), Failure> {
        if self.motion.all().is_empty() {
            return Ok(());
        }
        let is_handler = self.code.handlers.iter().any(|handler| handler.target as usize == index);
        let checked = self.motion.checked_before(index);
        // What an exception leaves has not come to its end.
        let checked: Vec<Variable> =
            checked.map(|variable| if is_handler { variable.of_unfinished() } else { variable }).collect();
        self.check_waiting(checked)?;
        let emptied: Vec<u8> = self.motion.emptied_before(index).collect();
        emptied.into_iter().for_each(|local| self.empty(local));
        Ok(())
    }

    /// Emits the checks that wait, of these variables.
    pub(super) fn check_waiting(&mut self, variables: Vec<Variable>) -> Result<(), Failure> {
        for variable in variables.into_iter().filter(|variable| variable.waits) {
            self.edits.needs_stack(3);
            self.emit(&[ALOAD, variable.local]);
            if let Reach::At(element) | Reach::Until(element) = variable.reach {
                self.constant(element)?;
            }
            self.waiting_site(variable)?;
            let is_load = is_array_load(self.code.instructions[variable.site].opcode);
            self.hook(match (is_load, variable.reach) {
                (true, Reach::Some) => Hook::ReadArrayBefore,
                (false, Reach::Some) => Hook::WriteArrayBefore,
                (true, Reach::At(_)) => Hook::ReadArray,
                (false, Reach::At(_)) => Hook::WriteArray,
                (true, Reach::Until(_)) => Hook::ReadArrayUntil,
                (false, Reach::Until(_)) => Hook::WriteArrayUntil,
            })?;
            self.empty(variable.local);
        }
        Ok(())
    }

    /// Emits that every variable is empty.
    pub(super) fn empty_all(&mut self) {
        let locals: Vec<u8> = self.motion.all().iter().map(|variable| variable.local).collect();
        locals.into_iter().for_each(|local| self.empty(local));
    }

    fn empty(&mut self, local: u8) {
        self.emit(&[ACONST_NULL, ASTORE, local]);
        self.edits.needs_stack(1);
    }

    /// Emits the number of the variable's first site, which its other checks have too.
    fn waiting_site(&mut self, variable: Variable) -> Result<(), WeaveError> {
        if let Some((_, site)) = self.waiting.iter().find(|(local, _)| *local == variable.local) {
            return self.constant(*site);
        }
        let site = self.array_site(variable.site)?;
        self.waiting.push((variable.local, site));
        Ok(())
    }

    /// Makes the site of an access, and emits and returns its number.
    fn array_site(&mut self, index: usize) -> Result<i32, WeaveError> {
        let opcode = self.code.instructions[index].opcode;
        let is_load = is_array_load(opcode);
        let kind = if is_load { AccessKind::Read } else { AccessKind::Write };
        let element = ELEMENTS[usize::from(opcode - if is_load { IALOAD } else { IASTORE }) % 8];
        let origin = match self.accessed.by(index) {
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
