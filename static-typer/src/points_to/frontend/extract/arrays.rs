//! Objects and arrays that code makes.

use crate::ir::{Op, Value};
use crate::points_to::core::code::{Global, Local, Slot};
use crate::points_to::core::site::Site;
use crate::program::{Constant, MethodId, Type};

use super::Extraction;

/// What tells of which class an array is.
enum Example {
    /// The class itself.
    Class(Type),
    /// An array of the class.
    Array(Value),
}

impl Extraction<'_, '_> {
    pub(super) fn allocate(&mut self, value: Value, ty: Type) {
        let to = self.code.local_of(value);
        let site = if self.is_merged(ty) { Site::Merged(ty) } else { Site::New(self.body.method, value, 0) };
        self.code.allocations.push((to, site, ty));
        self.hand_over(to, ty);
        self.code.initializes.extend(ty.as_class().and_then(|name| self.program().find(name)));
        if self.repeats(value) {
            self.code.repeated.push(value);
        }
    }

    /// Test frameworks may get what is of a type of theirs.
    pub(super) fn hand_over(&mut self, made: Local, ty: Type) {
        if self.from.resolution.framework.knows(self.program(), ty) {
            self.code.global_stores.push((Global::Pool, made));
        }
    }

    /// What an empty array is assigned to is filled later with another one.
    pub(super) fn allocate_array(&mut self, value: Value, ty: Type, length: Value) {
        if matches!(self.body.op(length), Op::Constant(Constant::Int(0))) {
            let to = self.code.local_of(value);
            self.code.allocations.push((to, Site::Empty(ty), ty));
        } else {
            self.allocate(value, ty);
        }
    }

    pub(super) fn allocate_arrays(&mut self, value: Value, ty: Type, dimensions: usize) {
        let mut outer = self.code.local_of(value);
        self.code.allocations.push((outer, Site::New(self.body.method, value, 0), ty));
        self.code.repeated.push(value);
        let mut ty = ty;
        for depth in 1..dimensions.min(usize::from(u8::MAX)) {
            let Some(element) = ty.element() else { return };
            let inner = self.code.local();
            self.code.allocations.push((inner, Site::New(self.body.method, value, depth as u8), element));
            self.code.store(outer, Slot::Element, inner);
            (outer, ty) = (inner, element);
        }
    }

    /// Texts and exceptions are many, and nobody asks which.
    fn is_merged(&self, ty: Type) -> bool {
        let Some(class) = ty.as_class().and_then(|name| self.program().find(name)) else { return false };
        let name = self.program().class_name(class);
        matches!(&*name, "java/lang/String" | "java/lang/StringBuilder" | "java/lang/StringBuffer")
            || self
                .program()
                .superclasses(class)
                .any(|above| &*self.program().class_name(above) == "java/lang/Throwable")
    }

    /// Makes an array whose class an argument gives, `Array.newInstance(C.class, n)` or `Arrays.copyOf(elements, n, C[].class)`,
    /// or of the class of another array; says whether this does. Else all that are made so would be one array of any class.
    pub(super) fn array_like(&mut self, at: Value, method: MethodId, arguments: &[Value]) -> bool {
        let (program, data) = (self.program(), self.program().method(method));
        let class = match (&*program.class_name(data.class), &*program.names().text(data.name), arguments) {
            ("java/lang/reflect/Array", "newInstance", [of, length])
                if !self.body.instruction(*length).ty.is_reference() =>
            {
                self.element_class(*of)
            }
            ("java/util/Arrays", "copyOf" | "copyOfRange", [_, _, of] | [_, _, _, of]) => self.array_class(*of),
            _ => None,
        };
        let to = match class {
            None => return false,
            Some(Example::Class(ty)) => {
                let to = self.code.local_of(at);
                self.code.allocations.push((to, Site::Reflected(self.body.method, at, ty), ty));
                to
            }
            Some(Example::Array(of)) => {
                let Some(of) = self.local(of) else { return false };
                let to = self.code.local_of(at);
                self.code.resize(to, of, self.body.method, at);
                to
            }
        };
        if let Some(from) = arguments.first().filter(|_| arguments.len() > 2).and_then(|from| self.local(*from)) {
            let element = self.code.local();
            self.code.load(element, from, Slot::Element);
            self.code.store(to, Slot::Element, element);
        }
        true
    }

    /// Of what array a value is the class.
    fn array_class(&self, class: Value) -> Option<Example> {
        match self.body.op(class) {
            Op::Cast(from) => self.array_class(*from),
            Op::Constant(Constant::Class(ty)) if ty.dimensions > 0 => Some(Example::Class(*ty)),
            Op::Invoke(_, member, of) if self.is_get_class(self.from.resolution.method(*member)?) => {
                let of = *of.first()?;
                (self.body.instruction(of).ty.dimensions > 0).then_some(Example::Array(of))
            }
            _ => None,
        }
    }

    /// Of what array a value is the class of the elements.
    fn element_class(&self, class: Value) -> Option<Example> {
        let program = self.program();
        match self.body.op(class) {
            Op::Cast(from) => self.element_class(*from),
            Op::Constant(Constant::Class(ty)) => Some(Example::Class(ty.array())),
            Op::Invoke(_, member, of) => {
                let method = program.method(self.from.resolution.method(*member)?);
                let is_asked = program.class_name(method.class) == "java/lang/Class"
                    && matches!(&*program.names().text(method.name), "getComponentType" | "componentType");
                if is_asked { self.array_class(*of.first()?) } else { None }
            }
            _ => None,
        }
    }
}
