//! Writing and reading what an analysis knows, without the numbers of one run: classes, members and code stand in a table of names,
//! and everything else says where in it.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use static_typer::points_to::CodeId;
use static_typer::program::{FieldId, MethodId, Name, Type};

use super::names::Names;
use crate::environment::ENVIRONMENT;

type Set<T> = IndexSet<T, FxBuildHasher>;

/// What is written by names, in the order in which it came.
#[derive(Default, Debug)]
pub struct Table {
    /// Classes, and other texts.
    pub classes: Set<Name>,
    /// Fields.
    pub fields: Set<FieldId>,
    /// Methods.
    pub methods: Set<MethodId>,
    /// Code.
    pub codes: Set<CodeId>,
    /// Classes of which objects are made.
    pub made: Set<Name>,
}

/// Writes.
pub struct Writer<'a, 'p> {
    pub(super) names: &'a Names<'a, 'p>,
    bytes: Vec<u8>,
    table: Table,
    /// Nodes that were written once, by their bytes.
    sets: FxHashMap<Vec<u8>, u32>,
    /// Whether something has no name.
    is_lost: bool,
}

/// What was written: the names, and what says where in them.
pub struct Written {
    /// The table and the rest.
    pub bytes: Vec<u8>,
    /// What is named.
    pub table: Table,
}

impl<'a, 'p> Writer<'a, 'p> {
    /// Nothing yet.
    pub fn new(names: &'a Names<'a, 'p>) -> Self {
        Self { names, bytes: Vec::new(), table: Table::default(), sets: FxHashMap::default(), is_lost: false }
    }

    /// Everything; none if something has no name.
    pub fn finish(mut self) -> Option<Written> {
        let payload = std::mem::take(&mut self.bytes);
        self.write_table();
        self.bytes.extend(payload);
        (!self.is_lost).then_some(Written { bytes: self.bytes, table: self.table })
    }

    fn write_table(&mut self) {
        let (program, names) = (self.names.graph.program, self.names.graph.program.names());
        let Table { classes, fields, methods, codes, made } = &self.table;
        for n in [classes.len(), fields.len(), methods.len(), codes.len(), made.len()] {
            self.number(n as u64);
        }
        for n in 0..self.table.classes.len() {
            self.text(names.bytes(self.table.classes[n]));
        }
        for n in 0..self.table.fields.len() {
            let field = program.field(self.table.fields[n]);
            self.class_index(program.class(field.class).name);
            self.text(names.bytes(field.name));
            self.text(names.descriptor(field.ty).as_bytes());
        }
        for n in 0..self.table.methods.len() {
            let method = self.table.methods[n];
            let data = program.method(method);
            self.class_index(program.class(data.class).name);
            self.text(names.bytes(data.name));
            self.text(names.bytes(program.signature(method).text));
        }
        for n in 0..self.table.codes.len() {
            // The environment is no method's.
            if self.table.codes[n] == ENVIRONMENT {
                self.number(0);
                continue;
            }
            let Some((method, lambda)) = self.names.name_of(self.table.codes[n]) else {
                self.is_lost = true;
                return;
            };
            let index = self.table.methods.get_index_of(&method);
            self.number(index.map_or(0, |index| index as u64) + 1);
            self.number(lambda.map_or(0, |n| u64::from(n) + 1));
        }
        for n in 0..self.table.made.len() {
            self.class_index(self.table.made[n]);
        }
    }

    fn class_index(&mut self, class: Name) {
        let index = self.table.classes.get_index_of(&class);
        self.number(index.map_or(0, |index| index as u64));
    }

    fn text(&mut self, text: &[u8]) {
        self.number(text.len() as u64);
        self.bytes.extend(text);
    }

    /// A number, in groups of seven bits.
    pub fn number(&mut self, mut number: u64) {
        while number > 0x7f {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// A class or another text.
    pub fn class(&mut self, class: Name) {
        let index = self.table.classes.insert_full(class).0;
        self.number(index as u64);
    }

    /// Notes that there are objects of a type: what libraries call of them is a part of what the program says.
    pub fn note_made(&mut self, ty: Type) {
        if let Some(name) = ty.as_class().filter(|_| ty.dimensions == 0) {
            self.table.classes.insert(name);
            self.table.made.insert(name);
        }
    }

    /// A field.
    pub fn field(&mut self, field: FieldId) {
        let program = self.names.graph.program;
        self.table.classes.insert(program.class(program.field(field).class).name);
        let index = self.table.fields.insert_full(field).0;
        self.number(index as u64);
    }

    /// A method.
    pub fn method(&mut self, method: MethodId) {
        let index = self.add_method(method);
        self.number(index);
    }

    fn add_method(&mut self, method: MethodId) -> u64 {
        let program = self.names.graph.program;
        self.table.classes.insert(program.class(program.method(method).class).name);
        self.table.methods.insert_full(method).0 as u64
    }

    /// Code.
    pub fn code(&mut self, code: CodeId) {
        match self.names.name_of(code) {
            Some((method, _)) => drop(self.add_method(method)),
            None => self.is_lost |= code != ENVIRONMENT,
        }
        let index = self.table.codes.insert_full(code).0;
        self.number(index as u64);
    }

    /// Something that has no name: nothing of it is kept.
    pub fn lose(&mut self) {
        self.is_lost = true;
    }

    /// Something that is often the same: written once.
    pub fn once(&mut self, write: impl FnOnce(&mut Self)) {
        let outer = std::mem::take(&mut self.bytes);
        write(self);
        let own = std::mem::replace(&mut self.bytes, outer);
        if let Some(known) = self.sets.get(&own) {
            return self.number(u64::from(*known) + 1);
        }
        self.number(0);
        self.bytes.extend(&own);
        self.sets.insert(own, self.sets.len() as u32);
    }
}

/// Reads what was written. Whatever it reads, it ends: none is what cannot be read or is not there any more.
pub struct Reader<'b> {
    bytes: &'b [u8],
    /// What is named.
    pub table: Table,
    /// How many nodes there are.
    pub(super) n_nodes: u32,
    /// What was written once.
    pub(super) sets: Vec<std::collections::BTreeSet<crate::node::NodeId>>,
    pub(super) sites: &'b super::names::Sites,
}

impl<'b> Reader<'b> {
    /// Reads the names.
    pub fn new(names: &'b Names<'_, '_>, bytes: &'b [u8]) -> Option<Self> {
        let mut reader =
            Self { bytes, table: Table::default(), n_nodes: u32::MAX, sets: Vec::new(), sites: &names.sites };
        reader.read_table(names)?;
        Some(reader)
    }

    fn read_table(&mut self, names: &Names<'_, '_>) -> Option<()> {
        let (program, texts) = (names.graph.program, names.graph.program.names());
        let mut numbers = [0; 5];
        for number in &mut numbers {
            *number = self.number()?;
        }
        let [n_classes, n_fields, n_methods, n_codes, n_made] = numbers;
        for _ in 0..n_classes {
            let class = texts.get(self.text()?)?;
            self.table.classes.insert_full(class);
        }
        for _ in 0..n_fields {
            let class = program.find(self.class()?)?;
            let (name, ty) = (texts.get(self.text()?)?, self.text()?);
            let field = program.fields_of(class).find(|field| {
                let data = program.field(*field);
                data.name == name && texts.descriptor(data.ty).as_bytes() == ty
            })?;
            self.table.fields.insert(field);
        }
        for _ in 0..n_methods {
            let class = program.find(self.class()?)?;
            let (name, descriptor) = (texts.get(self.text()?)?, texts.get_descriptor(self.text()?)?);
            self.table.methods.insert(program.declared_method(class, name, descriptor)?);
        }
        for _ in 0..n_codes {
            let code = self.named_code(names)?;
            self.table.codes.insert(code);
        }
        for _ in 0..n_made {
            let class = self.class()?;
            self.table.made.insert(class);
        }
        let is_whole = (self.table.classes.len(), self.table.codes.len()) == (n_classes as usize, n_codes as usize);
        is_whole.then_some(())
    }

    fn named_code(&mut self, names: &Names<'_, '_>) -> Option<CodeId> {
        let Some(method) = self.index()?.checked_sub(1) else {
            return names.graph.environment().map(|_| ENVIRONMENT);
        };
        let method = *self.table.methods.get_index(method)?;
        names.code_of(method, self.number()?.checked_sub(1))
    }

    fn text(&mut self) -> Option<&'b [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        Some(text)
    }

    /// A number.
    pub fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let (byte, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    /// How many there are of something that takes a byte each at least.
    pub fn length(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok().filter(|length| *length <= self.bytes.len())
    }

    fn index(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    /// A class or another text.
    pub fn class(&mut self) -> Option<Name> {
        let index = self.index()?;
        self.table.classes.get_index(index).copied()
    }

    /// A field.
    pub fn field(&mut self) -> Option<FieldId> {
        let index = self.index()?;
        self.table.fields.get_index(index).copied()
    }

    /// A method.
    pub fn method(&mut self) -> Option<MethodId> {
        let index = self.index()?;
        self.table.methods.get_index(index).copied()
    }

    /// Code.
    pub fn code(&mut self) -> Option<CodeId> {
        let index = self.index()?;
        self.table.codes.get_index(index).copied()
    }

    /// Whether everything was read.
    pub fn is_at_end(&self) -> bool {
        self.bytes.is_empty()
    }
}
