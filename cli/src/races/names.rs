//! What classes, fields, methods and places are called in the document, by either search.

use std::cell::RefCell;
use std::collections::HashMap;

use facts::name::dotted;
use static_typer::ir::{Body, Value};
use static_typer::points_to::Site;
use static_typer::program::{Base, FieldId, MethodId, Program, Type};

use super::report::{Frame, Kind, VariableRaces};

/// Names of a program.
pub struct Names<'a> {
    program: &'a Program,
    bodies: RefCell<HashMap<MethodId, Option<Body>>>,
}

impl<'a> Names<'a> {
    /// Those of a program.
    pub fn of(program: &'a Program) -> Self {
        Self { program, bodies: RefCell::default() }
    }

    /// `java.lang.String`.
    pub fn ty(&self, ty: Type) -> String {
        // A copy of an array that may be of several types.
        if ty == Type::NULL { "?[]".to_owned() } else { dotted(&self.program.names().show(ty)) }
    }

    /// `bank.Account.balance`.
    pub fn field(&self, field: FieldId) -> String {
        dotted(&self.program.field_name(field))
    }

    /// `bank.Account.balance (int)`.
    pub fn variable(&self, field: FieldId) -> String {
        format!("{} ({})", self.field(field), self.ty(self.program.field(field).ty))
    }

    /// A field of which no race is known yet.
    pub fn field_races(&self, field: FieldId, variable: String) -> VariableRaces {
        let kind = if self.program.field(field).is_static() { Kind::StaticField } else { Kind::Field };
        VariableRaces::none(variable, kind, self.field(field))
    }

    /// `bank.Account.deposit`.
    pub fn method(&self, method: MethodId) -> String {
        let data = self.program.method(method);
        format!("{}.{}", dotted(&self.program.class_name(data.class)), self.program.names().text(data.name))
    }

    /// Where an instruction stands.
    pub fn place(&self, method: MethodId, at: Value) -> Frame {
        let mut bodies = self.bodies.borrow_mut();
        let body = bodies.entry(method).or_insert_with(|| Body::of(self.program, method)?.ok());
        let line = body.as_ref().filter(|body| at.index() < body.instructions.len()).and_then(|body| body.line(at));
        let class = self.program.class(self.program.method(method).class);
        let names = self.program.names();
        Frame {
            method: self.method(method),
            file: class.source_file.map(|file| names.text(file).into_owned()),
            line,
            library: !class.is_application,
            locks: Vec::new(),
            class: names.text(class.name).into_owned(),
        }
    }

    /// Where an object is made, if one instruction does it.
    pub fn maker(&self, site: Site) -> Option<Frame> {
        match site {
            Site::New(method, at, _)
            | Site::Copy(method, at, _)
            | Site::Lambda(method, at, _)
            | Site::Reflected(method, at, _) => Some(self.place(method, at)),
            _ => None,
        }
    }

    /// An object of a type that is made at a site, in words.
    pub fn made(&self, site: Site, ty: &str) -> String {
        let at = || self.maker(site).as_ref().map(Frame::position).unwrap_or_default();
        match site {
            Site::New(..) | Site::Reflected(..) => format!("{ty} made at {}", at()),
            Site::Copy(..) => format!("{ty} that is a copy of one made at {}", at()),
            Site::Lambda(..) => format!("lambda made at {}", at()),
            Site::Class(Type { dimensions: 0, base: Base::Class(name) }) => {
                format!("{}.class", dotted(&self.program.names().text(name)))
            }
            _ => format!("some {ty}"),
        }
    }
}
