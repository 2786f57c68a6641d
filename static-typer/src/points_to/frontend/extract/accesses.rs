//! Accesses to fields, elements and contents.

use crate::ir::{Op, Value};
use crate::points_to::core::code::{Access, ArrayOf, Element, Global, Index, Slot};
use crate::points_to::frontend::held::Held;
use crate::points_to::library::elements;
use crate::program::{Constant, MemberRef, Name};

use super::Extraction;

impl Extraction<'_, '_> {
    pub(super) fn access(&mut self, at: Value, base: Option<Value>, slot: Slot, write: bool, held: Held<'_>) {
        if self.code.is_checked {
            let held = self.locks(held);
            let array = base.filter(|_| slot == Slot::Element).map(|array| self.body.instruction(array).ty);
            // What `null` refers to is never accessed.
            let base = match base.map(|base| self.local(base)) {
                Some(None) => return,
                Some(base) => base,
                None => None,
            };
            self.code.accesses.push(Access { at, slot, base, array, write, held });
        }
    }

    pub(super) fn element(&mut self, value: Value, array: Value, stored: Option<Value>, held: Held<'_>) {
        self.access(value, Some(array), Slot::Element, stored.is_some(), held);
        let Some(base) = self.local(array) else { return };
        match stored {
            None => {
                if let Some(to) = self.result(value) {
                    self.code.load_element(to, base, self.body.instruction(value).ty);
                    if let Some(element) = self.place(value) {
                        self.code.is_element(to, base, element);
                    }
                }
            }
            Some(stored) => {
                if let Some(from) = self.local(stored) {
                    self.code.store(base, Slot::Element, from);
                }
            }
        }
    }

    /// Which element an instruction loads, in code whose accesses may race. Constructors and class initializers may still change it.
    fn place(&self, load: Value) -> Option<Element> {
        let method = self.program().method(self.body.method);
        let is_making = method.is_constructor() || method.name == Name::CLINIT;
        let Op::LoadElement(array, index) = *self.body.op(load) else { return None };
        if is_making || !self.code.is_checked {
            return None;
        }
        let array = match self.body.op(array) {
            Op::GetField(of, member) => ArrayOf::Field(*of, self.from.resolution.field(*member)?),
            Op::GetStatic(member) => ArrayOf::Static(self.from.resolution.field(*member)?),
            _ => ArrayOf::Value(array),
        };
        let index = match self.body.op(index) {
            Op::Constant(Constant::Int(index)) => Index::Constant(*index),
            _ => Index::Value(index),
        };
        Some(Element { array, index })
    }

    /// The accesses of a call to elements of its arguments.
    pub(super) fn elements_of_arguments(&mut self, at: Value, member: MemberRef, arguments: &[Value], held: Held<'_>) {
        if self.code.is_checked {
            for (n, write) in elements::accesses(self.program(), member) {
                self.access(at, arguments.get(n).copied(), Slot::Element, write, held);
            }
        }
    }

    pub(super) fn field(
        &mut self,
        at: Value,
        base: Option<Value>,
        member: MemberRef,
        stored: Option<Value>,
        held: Held<'_>,
    ) {
        let Some(field) = self.from.resolution.field(member) else { return };
        self.access(at, base, Slot::Field(field), stored.is_some(), held);
        let Some(base) = base else {
            self.code.initializes.push(self.program().field(field).class);
            match stored {
                None => self.load_global(at, Global::Static(field), None),
                Some(stored) => {
                    let from = self.local(stored);
                    self.code.global_stores.extend(from.map(|from| (Global::Static(field), from)));
                }
            }
            return;
        };
        let Some(base) = self.local(base) else { return };
        match stored {
            None => {
                if let Some(to) = self.result(at) {
                    self.code.load(to, base, Slot::Field(field));
                    if self.from.resolution.keeps_value(field) {
                        self.code.is_part(to, base, field);
                    }
                }
            }
            Some(stored) => {
                if let Some(from) = self.local(stored) {
                    self.code.store(base, Slot::Field(field), from);
                }
            }
        }
    }
}
