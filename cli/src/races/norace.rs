//! What no race is to be on (the qualifier `norace` of paper 003, section 3.2), where only that is asked about.
//!
//! A field that says so stands for what is in the arrays and containers that it refers to, too, as far as types tell: of arrays and
//! containers the report knows the type only, so another one of the type is asked about as well.

use std::collections::BTreeSet;

use anyhow::{Result, ensure};
use facts::name::dotted;
use static_typer::program::{ClassId, FieldId, Program, Type};
use static_typer::types::is_norace;

use super::annotations::Annotations;
use super::report::{Kind, Report, VariableRaces};
use crate::report::words::count;

/// What is asked about.
pub struct NoRace<'p> {
    program: &'p Program,
    fields: BTreeSet<String>,
    /// The types of these fields.
    types: BTreeSet<Type>,
    /// The classes of which they are.
    classes: BTreeSet<String>,
}

impl<'p> NoRace<'p> {
    /// What code and file say.
    ///
    /// # Errors
    /// They say nothing.
    pub fn of(program: &'p Program, annotations: &Annotations) -> Result<Self> {
        let mut found = Self { program, fields: BTreeSet::new(), types: BTreeSet::new(), classes: BTreeSet::new() };
        for class in program.application() {
            let name = dotted(&program.class_name(class));
            let is_whole = annotations.norace().any(|pattern| pattern.matches(&name));
            found.add_class(class, is_whole, annotations);
        }
        ensure!(
            !found.fields.is_empty(),
            "no field is @NoRace: annotate fields or classes, or write lines `package.Class @NoRace` in a file for --annotations"
        );
        Ok(found)
    }

    fn add_class(&mut self, class: ClassId, is_whole: bool, annotations: &Annotations) {
        let program = self.program;
        let is_named = |field: FieldId| {
            let name = dotted(&program.field_name(field));
            annotations.norace().any(|pattern| pattern.matches(&name))
        };
        let fields: Vec<FieldId> = program.fields_of(class).collect();
        let named = fields.iter().filter(|field| is_whole || is_norace(program, **field) || is_named(**field));
        for field in named {
            self.fields.insert(dotted(&program.field_name(*field)));
            self.types.insert(program.field(*field).ty);
        }
        if is_whole || program.fields_of(class).all(|field| is_norace(program, field)) && !fields.is_empty() {
            self.classes.insert(dotted(&program.class_name(class)));
        }
    }

    /// Leaves out the rest.
    pub fn apply(&self, report: &mut Report) {
        let before = report.variables.len();
        report.variables.retain(|variable| self.has(variable));
        let left = before - report.variables.len();
        if left > 0 {
            report
                .assumptions
                .push(format!("races on {}, as only what is @NoRace was asked about", count(left as u64, "variable")));
        }
    }

    fn has(&self, variable: &VariableRaces) -> bool {
        match variable.kind {
            Kind::Field | Kind::StaticField => self.fields.contains(&variable.name),
            Kind::Elements => self.has_elements(&variable.name),
            Kind::Contents => self.has_contents(&variable.name),
        }
    }

    /// Whether arrays of a type may be what a field refers to, or hold objects of a class. What is no array's type may be any.
    fn has_elements(&self, name: &str) -> bool {
        let Some(element) = name.strip_suffix("[]").filter(|element| *element != "?") else {
            return self.types.iter().any(|ty| ty.dimensions > 0 || *ty == Type::OBJECT);
        };
        let show = |ty: &Type| dotted(&self.program.names().show(*ty));
        let is_of_field = self.types.iter().any(|ty| *ty == Type::OBJECT || show(ty).starts_with(name));
        is_of_field || self.classes.contains(element)
    }

    /// Whether containers of a class may be what a field refers to.
    fn has_contents(&self, name: &str) -> bool {
        let Some(class) = self.program.class_named(&name.replace('.', "/")) else { return true };
        let of = Type::class(self.program.class(class).name);
        self.types.iter().any(|ty| self.program.is_subtype(of, *ty))
    }
}
