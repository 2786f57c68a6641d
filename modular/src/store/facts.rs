//! What a program says of what is named: two programs that say the same of it are the same to a method that names nothing else.
//!
//! Of a class that is its shape: what it is below, the methods that can be overridden, and what models say of any. So a change of a
//! body, of a field or of a private method is none of the class, and a change of its superclass is one of all that is below it.

use std::hash::Hasher as _;

use siphasher::sip128::{Hasher128 as _, SipHasher13};
use static_typer::program::{ClassId, FieldId, MethodId, Name, Type, flag};
use static_typer::types::alias_sets;

use super::bytes::Table;
use super::names::Names;

/// A hash of 128 bits, the same in every run.
pub fn hash(bytes: &[u8]) -> u128 {
    let mut hasher = SipHasher13::new();
    hasher.write(bytes);
    hasher.finish128().into()
}

impl Names<'_, '_> {
    /// All that the program says of what a table names.
    pub fn facts(&self, table: &Table) -> u128 {
        let mut found = Vec::new();
        for class in &table.classes {
            found.extend(self.of_name(*class).to_le_bytes());
        }
        table.fields.iter().for_each(|field| self.of_field(*field, &mut found));
        table.methods.iter().for_each(|method| self.of_method(*method, &mut found));
        table.made.iter().for_each(|class| self.of_made(*class, &mut found));
        hash(&found)
    }

    /// The shape of a class, if it is there.
    fn of_name(&self, name: Name) -> u128 {
        self.graph.program.find(name).map_or(0, |class| self.shape(class))
    }

    /// What libraries call of objects of a class.
    fn of_made(&self, name: Name, found: &mut Vec<u8>) {
        for (method, _) in self.graph.overridden(Type::class(name)) {
            found.extend(self.graph.program.method_name(*method).into_bytes());
            found.push(0);
        }
        found.push(0);
    }

    fn of_type(&self, ty: Type, found: &mut Vec<u8>) {
        let class = Type { dimensions: 0, ..ty }.as_class();
        found.extend(class.map_or(1, |name| self.of_name(name)).to_le_bytes());
    }

    fn of_field(&self, field: FieldId, found: &mut Vec<u8>) {
        let data = self.graph.program.field(field);
        found.extend(data.access.to_le_bytes());
        self.of_type(data.ty, found);
    }

    fn of_method(&self, method: MethodId, found: &mut Vec<u8>) {
        let program = self.graph.program;
        found.extend(program.method(method).access.to_le_bytes());
        let signature = program.signature(method);
        signature.parameters.iter().for_each(|ty| self.of_type(*ty, found));
        self.of_type(signature.result, found);
        if let Some(sets) = alias_sets(program, method) {
            found.extend(sets.bytes());
            found.push(0);
        }
    }

    /// What a class is to others.
    fn shape(&self, class: ClassId) -> u128 {
        if let Some(known) = self.shapes.borrow().get(&class) {
            return *known;
        }
        let (program, data) = (self.graph.program, self.graph.program.class(class));
        let names = program.names();
        let mut found = names.bytes(data.name).to_vec();
        found.extend([0, u8::from(data.is_application), u8::from(data.is_incomplete)]);
        found.extend(data.access.to_le_bytes());
        for above in program.supers(class) {
            found.extend(self.shape(above).to_le_bytes());
        }
        found.push(u8::from(data.super_class.is_some()));
        for method in program.methods_of(class) {
            let told = program.told(method);
            if !told.is_empty() {
                found.extend(program.method_name(method).into_bytes());
                found.extend(format!(" {told:?}").into_bytes());
            }
            let method = program.method(method);
            if method.access & (flag::STATIC | flag::PRIVATE) == 0 && !method.is_constructor() {
                found.extend(names.bytes(method.name));
                found.push(0);
                found.extend(names.bytes(names.signature(method.descriptor).text));
                found.extend(method.access.to_le_bytes());
            }
        }
        let shape = hash(&found);
        self.shapes.borrow_mut().insert(class, shape);
        shape
    }
}
