//! Class files by hand, for what javac does not write.

use std::collections::BTreeMap;

/// A part of the code of a method.
pub enum Item {
    /// Instructions that go to the next one, or nowhere.
    Bytes(&'static [u8]),
    /// A jump's opcode and where it goes.
    Jump(u8, &'static str),
    /// The place that jumps and handlers name.
    Label(&'static str),
}

/// From, up to, target, and the class of what is caught.
pub type Handler = (&'static str, &'static str, &'static str, Option<&'static str>);

/// `goto_w` and `jsr_w`.
const LONG_JUMPS: [u8; 2] = [200, 201];

/// The constants and methods of a class file.
#[derive(Default)]
pub struct Assembler {
    pool: Vec<u8>,
    n_constants: u16,
    methods: Vec<u8>,
    n_methods: u16,
    /// Attributes of the class.
    pub attributes: Vec<Vec<u8>>,
}

impl Assembler {
    pub fn utf8(&mut self, text: &str) -> u16 {
        let length = u16::try_from(text.len()).expect("a short text").to_be_bytes();
        self.constant(&[&[1], &length[..], text.as_bytes()].concat())
    }

    pub fn class(&mut self, name: &str) -> u16 {
        let name = self.utf8(name);
        self.constant(&[&[7][..], &name.to_be_bytes()].concat())
    }

    fn constant(&mut self, bytes: &[u8]) -> u16 {
        self.pool.extend(bytes);
        self.n_constants += 1;
        self.n_constants
    }

    /// A method without code.
    pub fn abstract_method(&mut self, access: u16, name: &str, descriptor: &str) {
        let head = [access, self.utf8(name), self.utf8(descriptor), 0];
        self.methods.extend(head.iter().flat_map(|number| number.to_be_bytes()));
        self.n_methods += 1;
    }

    /// A method of a class, or of an interface.
    pub fn method_ref(&mut self, of_interface: bool, class: &str, name: &str, descriptor: &str) -> u16 {
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        let named = self.constant(&[&[12][..], &name.to_be_bytes(), &descriptor.to_be_bytes()].concat());
        let class = self.class(class);
        self.constant(&[&[10 + u8::from(of_interface)][..], &class.to_be_bytes(), &named.to_be_bytes()].concat())
    }

    /// A public static method.
    pub fn method(&mut self, name: &str, descriptor: &str, items: &[Item], handlers: &[Handler]) {
        let (code, labels) = assemble(items);
        let mut table = Vec::new();
        for (start, end, target, caught) in handlers {
            let caught = caught.map_or(0, |class| self.class(class));
            table.push([labels[start], labels[end], labels[target], caught]);
        }
        self.coded(9, (name, descriptor), &code, &table);
    }

    /// A method with room for eight values on the stack and 64 variables.
    pub fn coded(&mut self, access: u16, named: (&str, &str), code: &[u8], handlers: &[[u16; 4]]) {
        let mut attribute = [&[0, 8, 0, 64], &(code.len() as u32).to_be_bytes()[..], code].concat();
        attribute.extend((handlers.len() as u16).to_be_bytes());
        attribute.extend(handlers.iter().flatten().flat_map(|number| number.to_be_bytes()));
        attribute.extend([0, 0]);
        let head = [access, self.utf8(named.0), self.utf8(named.1), 1, self.utf8("Code")];
        self.methods.extend(head.iter().flat_map(|number| number.to_be_bytes()));
        self.methods.extend((attribute.len() as u32).to_be_bytes());
        self.methods.extend(attribute);
        self.n_methods += 1;
    }

    /// The class file.
    pub fn finish(mut self, version: u16, access: u16, name: &str, above: &str, interfaces: &[String]) -> Vec<u8> {
        let mut head = vec![access, self.class(name), self.class(above), interfaces.len() as u16];
        head.extend(interfaces.iter().map(|interface| self.class(interface)));
        head.extend([0, self.n_methods]);
        let mut bytes = 0xCAFE_BABE_u32.to_be_bytes().to_vec();
        bytes.extend([0, version, self.n_constants + 1].iter().flat_map(|number| number.to_be_bytes()));
        bytes.extend(&self.pool);
        bytes.extend(head.iter().flat_map(|number| number.to_be_bytes()));
        bytes.extend(&self.methods);
        bytes.extend((self.attributes.len() as u16).to_be_bytes());
        bytes.extend(self.attributes.concat());
        bytes
    }
}

/// The code, and where its labels are.
fn assemble(items: &[Item]) -> (Vec<u8>, BTreeMap<&'static str, u16>) {
    let mut labels = BTreeMap::new();
    let mut at = 0;
    for item in items {
        match item {
            Item::Bytes(bytes) => at += bytes.len(),
            Item::Jump(opcode, _) => at += if LONG_JUMPS.contains(opcode) { 5 } else { 3 },
            Item::Label(label) => drop(labels.insert(*label, at as u16)),
        }
    }
    let mut code = Vec::new();
    for item in items {
        match item {
            Item::Bytes(bytes) => code.extend(*bytes),
            Item::Jump(opcode, label) => {
                let distance = i32::from(labels[label]) - code.len() as i32;
                let distance = distance.to_be_bytes();
                code.push(*opcode);
                code.extend(if LONG_JUMPS.contains(opcode) { &distance[..] } else { &distance[2..] });
            }
            Item::Label(_) => {}
        }
    }
    (code, labels)
}
