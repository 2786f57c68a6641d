//! What is asked about (the qualifier `norace` of paper 003, section 3.2): only what no race is to be on, or all but where races do no
//! harm.
//!
//! What a field says is said of the arrays and containers that it refers to, too, as far as types tell. Of these the report knows the type
//! only. So they are asked about where one of the type may be what no race is to be on, and left out where none of the type may be
//! anything but where races do no harm.

use std::collections::BTreeSet;

use anyhow::{Result, ensure};
use facts::name::dotted;
use static_typer::program::{ClassId, FieldId, Program, Type};
use static_typer::types::{Header, Qualifier, headers};

use super::annotations::Annotations;
use super::report::{Kind, Report, VariableRaces};
use crate::args::Races;
use crate::report::words::count;

/// Leaves out what was not asked about.
///
/// # Errors
/// Nothing in code and file is what was asked about.
pub fn apply(args: &Races, program: &Program, annotations: &Annotations, report: &mut Report) -> Result<()> {
    let said = Said { program, annotations };
    if args.only_norace {
        let asked = said.variables(Qualifier::NoRace);
        ensure!(
            !asked.is_empty(),
            "no field is @NoRace: annotate fields or classes, or write lines `package.Class @NoRace` in a file for --annotations"
        );
        keep(report, "only what is @NoRace was asked about", |variable| asked.may_have(variable));
    }
    if args.except_mayrace {
        let harmless = said.variables(Qualifier::MayRace);
        ensure!(
            !harmless.is_empty(),
            "no field is @MayRace: annotate fields or classes, or write lines `package.Class @MayRace` in a file for --annotations"
        );
        keep(report, "what is @MayRace was not asked about", |variable| !harmless.has(variable));
    }
    Ok(())
}

fn keep(report: &mut Report, why: &str, is_asked: impl Fn(&VariableRaces) -> bool) {
    let before = report.variables.len();
    report.variables.retain(is_asked);
    let left = before - report.variables.len();
    if left > 0 {
        report.assumptions.push(format!("races on {}, as {why}", count(left as u64, "variable")));
    }
}

/// What code and file say.
struct Said<'a> {
    program: &'a Program,
    annotations: &'a Annotations,
}

impl<'a> Said<'a> {
    /// The file counts before the code.
    fn of_class(&self, class: ClassId) -> Option<Qualifier> {
        let name = dotted(&self.program.class_name(class));
        self.annotations.qualifier(&[&name]).or_else(|| Qualifier::of_class(self.program, class))
    }

    /// What a field says itself counts before what its class does.
    fn of_field(&self, field: FieldId) -> Option<Qualifier> {
        let class = self.program.field(field).class;
        let names = [dotted(&self.program.field_name(field)), dotted(&self.program.class_name(class))];
        let in_file = self.annotations.qualifier(&names.each_ref().map(|name| name.as_ref()));
        in_file
            .or_else(|| Qualifier::of_field(self.program, field))
            .or_else(|| Qualifier::of_class(self.program, class))
    }

    /// All that has a qualifier.
    fn variables(&self, qualifier: Qualifier) -> Variables<'a> {
        let program = self.program;
        let is_so = |class: &ClassId| self.of_class(*class) == Some(qualifier);
        let classes: BTreeSet<ClassId> = program.application().filter(is_so).collect();
        let none = || Held { program, types: BTreeSet::new() };
        let mut found = Variables { fields: BTreeSet::new(), classes, held: none(), others: none() };
        for header in program.application().flat_map(|class| headers(program, class)) {
            let is_whole = header.field.is_some_and(|field| self.of_field(field) == Some(qualifier));
            found.fields.extend(header.field.filter(|_| is_whole).map(|field| dotted(&program.field_name(field))));
            found.add_types(&header, is_whole, qualifier);
        }
        found
    }
}

/// The variables that have a qualifier.
struct Variables<'p> {
    fields: BTreeSet<String>,
    classes: BTreeSet<ClassId>,
    /// The arrays and containers that have it.
    held: Held<'p>,
    /// Those of fields that have it not.
    others: Held<'p>,
}

impl Variables<'_> {
    fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.classes.is_empty() && self.held.types.is_empty()
    }

    /// What the types of a header say: what holds such objects has the qualifier, too.
    fn add_types(&mut self, header: &Header, is_whole: bool, qualifier: Qualifier) {
        let mut has: Vec<bool> = header.mentions.iter().map(|_| is_whole).collect();
        for (n, mention) in header.mentions.iter().enumerate() {
            let is_meant = mention.is_norace && qualifier == Qualifier::NoRace;
            let class = mention.ty.and_then(|ty| self.held.program.find(ty.as_class()?));
            if is_meant {
                has[n] = true;
                self.add_objects(class);
            }
            let is_of_class = class.is_some_and(|class| self.classes.contains(&class));
            if let Some(within) = mention.within.filter(|_| is_meant || is_of_class) {
                has[within] = true;
            }
        }
        for (mention, has) in header.mentions.iter().zip(has) {
            let to = if has { &mut self.held } else { &mut self.others };
            // Methods only name what is held elsewhere.
            if has || header.field.is_some() {
                to.types.extend(mention.ty);
            }
        }
    }

    /// The fields of a class whose objects have it in some place: which objects, the report does not know.
    fn add_objects(&mut self, class: Option<ClassId>) {
        let program = self.held.program;
        let fields = class.filter(|class| program.class(*class).is_application).map(|class| program.fields_of(class));
        self.fields.extend(fields.into_iter().flatten().map(|field| dotted(&program.field_name(field))));
    }

    /// Whether a variable may be one of them.
    fn may_have(&self, variable: &VariableRaces) -> bool {
        match variable.kind {
            Kind::Field | Kind::StaticField => self.fields.contains(&variable.name),
            Kind::Elements => self.are_elements(&variable.name) || self.held.has_elements(&variable.name),
            Kind::Contents => self.held.has_contents(&variable.name),
        }
    }

    /// Whether a variable is one of them for sure, as far as types tell.
    fn has(&self, variable: &VariableRaces) -> bool {
        let is_other = match variable.kind {
            Kind::Field | Kind::StaticField => false,
            Kind::Elements => !self.are_elements(&variable.name) && self.others.has_elements(&variable.name),
            Kind::Contents => self.others.has_contents(&variable.name),
        };
        !is_other && self.may_have(variable)
    }

    /// Whether arrays of a type have objects of such a class in them.
    fn are_elements(&self, name: &str) -> bool {
        let element = name.strip_suffix("[]").and_then(|element| self.held.class(element));
        element.is_some_and(|element| self.classes.contains(&element))
    }
}

/// Types of what fields refer to.
struct Held<'p> {
    program: &'p Program,
    types: BTreeSet<Type>,
}

impl Held<'_> {
    fn class(&self, name: &str) -> Option<ClassId> {
        self.program.class_named(&name.replace('.', "/"))
    }

    /// Whether arrays of a type may be one of these. What is no array's type may be any.
    fn has_elements(&self, name: &str) -> bool {
        if name.strip_suffix("[]").is_none_or(|element| element == "?") {
            return self.types.iter().any(|ty| ty.dimensions > 0 || *ty == Type::OBJECT);
        }
        let show = |ty: &Type| dotted(&self.program.names().show(*ty));
        self.types.iter().any(|ty| *ty == Type::OBJECT || show(ty) == name)
    }

    /// Whether containers of a class may be one of these.
    fn has_contents(&self, name: &str) -> bool {
        let Some(class) = self.class(name) else { return true };
        let of = Type::class(self.program.class(class).name);
        self.types.iter().any(|ty| self.program.is_subtype(of, *ty))
    }
}
