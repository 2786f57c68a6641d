//! Calls that read or write what an object of the library holds, or go over an array: the hook comes before the call, with a copy of
//! the object, whatever lies above it on the stack. The call itself stays, so a null receiver fails as it would have.

use classfile::opcode::*;
use classfile::{Malformed, text};
use facts::access::AccessKind;
use facts::hook::Hook;
use facts::models::contents::{self, Call, Elements, Extent, Finds, Place};
use facts::models::inherited::Callee;

use super::{MethodWeaver, Value};
use crate::failure::Failure;
use crate::plan::{NewAction, NewArray, NewContents, NewField, WeaveError};
use crate::select::descriptor;

impl MethodWeaver<'_, '_> {
    /// Emits the accesses of a call; the object lies so many slots deep.
    pub(super) fn contents(&mut self, index: usize, call: Call, depth: usize, callee: Callee) -> Result<(), Failure> {
        if call.copies {
            self.argument(index, 0)?;
        }
        let is_object = self.is_call(index, call.is_static) && !self.is_fresh(index);
        let Some(kind) = call.object.filter(|_| is_object) else { return Ok(()) };
        let is_own = self.code.instructions[index].opcode == INVOKESPECIAL;
        let place = if is_own || callee.is_inherited { Place::Each } else { call.comes_to };
        if place == Place::Index {
            self.bring_up_with_index(depth);
        } else {
            self.bring_up_argument(index, depth)?;
        }
        let object = self.accessed.by(index);
        self.with_origin(object, |weaver, origin| {
            let contents = NewContents { kind, finds: call.finds, callee, origin };
            weaver.site(index, NewAction::Contents(contents)).map(drop)
        })??;
        Ok(self.hook(match (kind, is_own, callee.is_inherited) {
            (AccessKind::Read, ..) if place == Place::Index => Hook::ReadAt,
            (AccessKind::Write, ..) if place == Place::Index => Hook::WriteAt,
            (AccessKind::Read, ..) if matches!(place, Place::Next | Place::None) => Hook::ReadShape,
            (AccessKind::Read, true, _) if call.looks_up => Hook::LookUpOwnContents,
            (AccessKind::Read, true, _) => Hook::ReadOwnContents,
            (AccessKind::Write, true, _) => Hook::WriteOwnContents,
            (AccessKind::Read, false, true) if call.looks_up => Hook::LookUpInherited,
            (AccessKind::Read, false, true) => Hook::ReadInherited,
            (AccessKind::Write, false, true) => Hook::WriteInherited,
            (AccessKind::Read, false, false) if call.looks_up => Hook::LookUpContents,
            (AccessKind::Read, false, false) => Hook::ReadContents,
            (AccessKind::Write, false, false) => Hook::WriteContents,
        })?)
    }

    /// Emits copies of a list and of the index above it, above which there is a value at most.
    fn bring_up_with_index(&mut self, depth: usize) {
        self.edits.needs_stack(3);
        self.emit(if depth == 1 { &[DUP2] } else { &[DUP_X2, POP, DUP2_X1] });
    }

    /// Emits the accesses of a concatenation of strings to what its arguments hold.
    pub(super) fn concatenate(&mut self, index: usize) -> Result<(), Failure> {
        let (name, descriptor) = self.class.class.pool.dynamic(self.code.operand(index))?;
        if !name.starts_with(b"makeConcat") {
            return Ok(());
        }
        for (class, depth) in descriptor::objects(descriptor) {
            if contents::is_shown(&text(class)) {
                self.argument(index, depth)?;
            }
        }
        Ok(())
    }

    /// Emits the access to what an argument holds, which lies so many slots deep.
    fn argument(&mut self, index: usize, depth: usize) -> Result<(), Failure> {
        self.bring_up_argument(index, depth)?;
        let argument = if depth == 0 { self.accessed.argument_of(index) } else { Value::Unknown };
        self.with_origin(argument, |weaver, origin| {
            let (kind, callee) = (AccessKind::Read, Callee::default());
            let contents = NewContents { kind, finds: Finds::Elements, callee, origin };
            weaver.site(index, NewAction::Contents(contents)).map(drop)
        })??;
        Ok(self.hook(Hook::ReadContents)?)
    }

    /// Emits the access of a call to the elements of an array: its object, or the first argument of a static method or a constructor.
    pub(super) fn elements(
        &mut self,
        index: usize,
        of: Elements,
        depth: usize,
        is_static: bool,
    ) -> Result<(), Failure> {
        let is_made_of = is_static && self.code.instructions[index].opcode == INVOKESPECIAL;
        let array = match is_made_of {
            false => self.accessed.by(index),
            true if depth == 0 => self.accessed.argument_of(index),
            true => Value::Unknown,
        };
        if !is_made_of && !self.is_call(index, is_static) || matches!(array, Value::Fresh(_)) {
            return Ok(());
        }
        if of.extent == Extent::Range {
            self.tell_range(index, depth - 2)?;
        }
        self.bring_up_argument(index, depth)?;
        self.elements_site(array, index, of.kind)?;
        Ok(self.hook(match (of.kind, of.extent) {
            (AccessKind::Read, Extent::Whole) => Hook::ReadElements,
            (AccessKind::Read, Extent::Range | Extent::Some) => Hook::ReadPart,
            (AccessKind::Write, Extent::Whole) => Hook::WriteElements,
            (AccessKind::Write, Extent::Range | Extent::Some) => Hook::WritePart,
        })?)
    }

    /// Emits the call with the two indexes that lie so many slots deep.
    fn tell_range(&mut self, index: usize, depth: usize) -> Result<(), Failure> {
        self.edits.needs_stack(2);
        let above = self.above(index, depth)?;
        let aside = self.set_aside(&above)?;
        self.emit(&[DUP2]);
        self.hook(Hook::Range)?;
        self.put_back(&aside);
        Ok(())
    }

    /// Emits what takes the place of `System.arraycopy`; says that it does.
    pub(super) fn copy(&mut self, index: usize) -> Result<bool, Failure> {
        if !self.is_call(index, true) {
            return Ok(false);
        }
        self.edits.needs_stack(2);
        self.elements_site(self.accessed.by(index), index, AccessKind::Read)?;
        self.elements_site(self.accessed.argument_of(index), index, AccessKind::Write)?;
        self.hook(Hook::CopyElements)?;
        Ok(true)
    }

    /// Whether the instruction calls a static method if that is one; the JVM refuses what is not so when it runs.
    fn is_call(&self, index: usize, is_static: bool) -> bool {
        (self.code.instructions[index].opcode == INVOKESTATIC) == is_static
    }

    /// Whether nobody else knows the object yet.
    fn is_fresh(&self, index: usize) -> bool {
        matches!(self.accessed.by(index), Value::Fresh(_))
    }

    /// Makes the site of an access to an array, and emits its number: 0 if nobody else knows the array, which needs no check.
    fn elements_site(&mut self, array: Value, index: usize, kind: AccessKind) -> Result<(), Failure> {
        if let Value::Fresh(_) = array {
            return Ok(self.constant(0)?);
        }
        Ok(self.with_origin(array, |weaver, origin| {
            let array = NewArray { element: ANY_ELEMENT, origin };
            weaver.site(index, NewAction::Array(kind, array)).map(drop)
        })??)
    }

    /// Hands over the field from which an object was loaded, if that is known.
    fn with_origin<T>(
        &mut self,
        object: Value,
        use_origin: impl FnOnce(&mut Self, Option<(NewField<'_>, u8)>) -> Result<T, WeaveError>,
    ) -> Result<Result<T, WeaveError>, Malformed> {
        let (reference, loads) = match object {
            Value::OwnField(reference) => (reference, 0),
            Value::Field(reference, loads) => (reference, loads),
            _ => return Ok(use_origin(self, None)),
        };
        self.with_field(reference, |weaver, field| use_origin(weaver, Some((field, loads))))
    }
}

/// In place of the type of elements, where the instruction does not tell it.
const ANY_ELEMENT: char = 'L';
