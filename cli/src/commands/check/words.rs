//! Words for what the types say: of fields, of errors, and where.

use facts::name::dotted;
use facts::site::Place;
use static_typer::ir::{Op, Value};
use static_typer::program::MethodId;
use static_typer::types::{self, FieldType, Guard, Owner, Root, Rule, Subject, TypeError};

use super::report::{Access, ArrayCounts, Error, Field, FieldCounts};
use super::usual_guard;
use crate::analysis::Analysis;

impl Analysis {
    /// A field with its type, or with the accesses that stand in the way of one.
    pub(super) fn field(&self, field: &FieldType) -> Field {
        let name = dotted(&self.program.field_name(field.field));
        let usual = usual_guard(field);
        let guard = usual.map(|guard| self.guard(guard));
        let has_type = field.owner.is_some();
        let holds = |access: &&types::Access| usual.is_some_and(|guard| access.guards.contains(guard));
        let (with, without): (Vec<_>, Vec<_>) = field.accesses.iter().filter(|_| !has_type).partition(holds);
        Field {
            name,
            what: self.what(field, guard.as_deref()),
            guard: guard.filter(|_| !has_type),
            unguarded: without.iter().map(|access| self.access(access)).collect(),
            guarded: with.len(),
            accesses: field.accesses.len(),
            example: with.first().map(|access| self.place(access.method, access.value)),
            observed: None,
            baseline: None,
            suppressed_by: Vec::new(),
        }
    }

    fn what(&self, field: &FieldType, guard: Option<&str>) -> String {
        match (&field.owner, guard) {
            (Some(_), _) if !self.reaches_field(field) => format!("not reached by any entry: {}", self.entries.words),
            (Some(owner), _) => self.owner(owner),
            (None, _) if field.is_unknown => "race-unsafe, as some code that names it cannot be analysed".to_owned(),
            (None, Some(guard)) => format!("not always guarded by `{guard}`"),
            (None, None) if field.is_reflected => "race-unsafe, as reflection or a handle accesses it".to_owned(),
            (None, None) => "race-unsafe, as its accesses have no lock in common".to_owned(),
        }
    }

    /// Where the objects of a field get more than one owner, so that no owner's lock can guard it; nothing where that is not the
    /// question.
    pub(super) fn leak(&self, field: &FieldType) -> Option<Place> {
        let leak = self.types.leaks.get(&self.program.field(field.field).class).filter(|_| field.owner.is_none());
        leak.map(|(method, value)| self.place(*method, *value))
    }

    fn access(&self, access: &types::Access) -> Access {
        Access {
            kind: if access.write { "write" } else { "read" },
            place: self.place(access.method, access.value),
            locks: access.guards.iter().map(|guard| self.guard(guard)).collect(),
        }
    }

    /// An error of an annotation.
    pub(super) fn error(&self, error: &TypeError) -> Error<'static> {
        let lock = &error.lock;
        let (rule, what) = match error.rule {
            Rule::UnguardedAccess => {
                ("unguarded-access", format!("is accessed without `{lock}`, which is said to guard it"))
            }
            Rule::UnheldCall => ("unheld-call", format!("is called without `{lock}`, which it says its callers hold")),
            Rule::NoLock => {
                ("no-lock", format!("is said to be guarded by `{lock}`, which is no field that stays the same"))
            }
            Rule::MutableClass => ("mutable-class", "changes, but its class is said to be immutable".to_owned()),
            Rule::UnsafeClass => ("unsafe-class", "may race, but its class is said to be thread-safe".to_owned()),
            Rule::SharedObject => (
                "shared-object",
                "is in objects that may reach other threads, but its class is said to be local".to_owned(),
            ),
            Rule::NoOwner => (
                "no-owner",
                format!("is said to have the lock `{lock}` of an owner, but its objects do not keep to one"),
            ),
            Rule::LockArgument => (
                "lock-argument",
                format!(
                    "gives the lock parameter of its class `{lock}`, which is no lock, or not the one of other fields"
                ),
            ),
        };
        let lock = Some(lock.clone()).filter(|lock| !lock.is_empty());
        let place = error.place.map(|(method, value)| self.place(method, value));
        Error { rule, name: self.subject(error.subject), what, place, lock, ..Error::default() }
    }

    fn subject(&self, subject: Subject) -> String {
        match subject {
            Subject::Field(field) => dotted(&self.program.field_name(field)),
            Subject::Class(class) => dotted(&self.program.class_name(class)),
            Subject::Method(method) => {
                let data = self.program.method(method);
                let class = dotted(&self.program.class_name(data.class));
                format!("{class}.{}", self.program.names().text(data.name))
            }
        }
    }

    /// Where an instruction stands.
    pub(super) fn place(&self, method: MethodId, value: Value) -> Place {
        let body = self.bodies.get(method);
        let full = self.program.method_name(method);
        let method = self.program.method(method);
        let class = self.program.class(method.class);
        let names = self.program.names();
        Place {
            class: names.text(class.name).into_owned(),
            method: names.text(method.name).into_owned(),
            descriptor: full.find('(').map_or("", |at| &full[at..]).to_owned(),
            offset: body.map_or(0, |body| body.instruction(value).at.into()),
            line: body.and_then(|body| body.line(value)).map(u32::from),
            file: class.source_file.map(|file| names.text(file).into_owned()),
        }
    }

    fn owner(&self, owner: &Owner) -> String {
        match owner {
            Owner::Final => "final".to_owned(),
            Owner::Volatile => "volatile".to_owned(),
            Owner::Unique => "unique: accessed only while no other thread can reach the object".to_owned(),
            Owner::ReadOnly => "read-only once other threads can reach it".to_owned(),
            Owner::MainThread => "accessed by the main thread only".to_owned(),
            Owner::ThisThread => "confined: its objects never reach another thread".to_owned(),
            Owner::Guarded(guard) => format!("guarded by `{}`", self.guard(guard)),
        }
    }

    /// A lock as the object sees it.
    pub(super) fn guard(&self, guard: &Guard) -> String {
        let names = self.program.names();
        let mut text = match guard.path.root {
            Root::Class(ty) => format!("{}.class", dotted(&names.show(ty))),
            Root::Static(field) => dotted(&self.program.field_name(field)),
            Root::Text(text) => format!("\"{}\"", names.text(text)),
            Root::Parameter(_) | Root::Value(_) => "this".to_owned(),
            Root::Owner(_) => "owner".to_owned(),
        };
        for field in &guard.path.fields {
            text.push('.');
            text += &names.text(self.program.field(*field).name);
        }
        text
    }

    fn reaches_field(&self, field: &FieldType) -> bool {
        self.reaches(self.program.field(field.field).class)
    }

    /// Names of the fields of classes that no entry reaches.
    pub(super) fn not_reached(&self) -> Vec<String> {
        let left = self.types.fields.iter().filter(|field| !self.reaches_field(field));
        left.map(|field| dotted(&self.program.field_name(field.field))).collect()
    }

    pub(super) fn field_counts(&self) -> FieldCounts {
        let reached: Vec<&FieldType> = self.types.fields.iter().filter(|field| self.reaches_field(field)).collect();
        let owners = || reached.iter().filter_map(|field| field.owner.as_ref());
        let count = |wanted: fn(&Owner) -> bool| owners().filter(|owner| wanted(owner)).count();
        let all = self.types.fields.len();
        FieldCounts {
            all,
            race_free: owners().count(),
            r#final: count(|owner| *owner == Owner::Final),
            volatile: count(|owner| *owner == Owner::Volatile),
            unique: count(|owner| *owner == Owner::Unique),
            read_only: count(|owner| *owner == Owner::ReadOnly),
            guarded: count(|owner| matches!(owner, Owner::Guarded(_))),
            confined: count(|owner| matches!(owner, Owner::ThisThread | Owner::MainThread)),
            not_reached: all - reached.len(),
        }
    }

    pub(super) fn array_counts(&self) -> ArrayCounts {
        let reached = |method: MethodId| self.reaches(self.program.method(method).class);
        let of_arrays = self.bodies.iter().filter(|body| !reached(body.method));
        let not_reached = of_arrays.map(|body| body.all_values().filter(|at| is_array(body.op(*at))).count()).sum();
        let race_free = self.types.arrays.iter().filter(|(method, _)| reached(**method));
        ArrayCounts { all: self.types.n_arrays, race_free: race_free.map(|(_, at)| at.len()).sum(), not_reached }
    }
}

fn is_array(op: &Op) -> bool {
    matches!(op, Op::LoadElement(..) | Op::StoreElement(..))
}
