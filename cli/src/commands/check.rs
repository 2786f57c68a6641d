//! `jrace check` and `jrace explain`: race-free types and atomicities without a run.

mod atomicity;
mod observed;
mod runs;

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Result, ensure};
use facts::name::dotted;
use facts::pattern::Pattern;
use static_typer::ir::Value;
use static_typer::program::MethodId;
use static_typer::types::{
    Access, Claim, FieldType, Guard, Owner, Root, Rule, Subject, TypeError, claim, is_field_silenced,
};

use crate::analysis::Analysis;
use crate::args::{Check, Classes, Explain, Focus};
use crate::exit;
use crate::output::out;
use crate::report::words;
use crate::sidecar::Sidecar;
use atomicity::Methods;
use observed::Observations;
use runs::Runs;

/// Checks classes.
///
/// # Errors
/// The classes, those of the JDK, a type log or findings cannot be read; or the focus set cannot be written.
pub fn check(args: &Check) -> Result<u8> {
    let log = observed::read(&args.types)?;
    let runs = args.observed.as_deref().map(Runs::read).transpose()?;
    let focus = args.focus_set.as_ref().map_or(Focus::Field, |_| args.focus);
    let analysis = analysis(&args.classes, args.annotations.as_deref(), focus)?;
    if let Some(path) = &args.focus_set {
        analysis.write_focus_set(path)?;
    }
    let is_silenced = |field: &&FieldType| is_field_silenced(&analysis.program, field.field);
    let unsafe_fields: Vec<&FieldType> = analysis.types.unsafe_fields().filter(|field| !is_silenced(field)).collect();
    let observations = log.map(|log| Observations::of(&analysis, log));
    let breaks_type = |field: &FieldType| {
        analysis.is_annotated(field) || observations.as_ref().is_some_and(|seen| seen.is_broken(field.field))
    };
    let misses_lock = |field: &&FieldType| usual_guard(field).is_some() && !breaks_type(field);
    let missing: Vec<&FieldType> = unsafe_fields.iter().copied().filter(misses_lock).collect();
    for error in &analysis.types.errors {
        out(&analysis.show_error(error));
    }
    let wrong_uses = observations.as_ref().map(Observations::errors).unwrap_or_default();
    wrong_uses.iter().for_each(|wrong| out(wrong));
    let methods = Methods::of(&analysis);
    let not_atomic = methods.wrong(runs.as_ref());
    not_atomic.iter().for_each(|wrong| out(wrong));
    for field in if args.all { &unsafe_fields } else { &missing } {
        out(&analysis.show(field));
    }
    if args.all {
        out(&methods.list());
    }
    let n_errors = analysis.types.errors.len() + wrong_uses.len() + not_atomic.len();
    observations.iter().for_each(|seen| out(&seen.summary()));
    out(&analysis.summary(n_errors, missing.len(), &methods.summary()));
    Ok(exit::of_report(!missing.is_empty() || n_errors > 0, args.exitcode))
}

/// Explains fields and methods.
///
/// # Errors
/// The classes cannot be read, or nothing has that name.
pub fn explain(args: &Explain) -> Result<u8> {
    let analysis = analysis(&args.classes, args.annotations.as_deref(), Focus::Field)?;
    let pattern = Pattern::whole(&args.field);
    let named = |field: &&FieldType| pattern.matches(&dotted(&analysis.program.field_name(field.field)));
    let fields: Vec<&FieldType> = analysis.types.fields.iter().filter(named).collect();
    let methods = Methods::of(&analysis).explain(&pattern);
    ensure!(
        !fields.is_empty() || !methods.is_empty(),
        "no field or method is called `{}`: write `package.Class.field`, `*` for any part",
        args.field
    );
    for field in fields {
        out(&analysis.show(field));
    }
    methods.iter().for_each(|method| out(method));
    Ok(0)
}

fn analysis(classes: &Classes, annotations: Option<&Path>, focus: Focus) -> Result<Analysis> {
    let sidecar = annotations.map(Sidecar::read).transpose()?;
    let Classes { application, library, jdk } = classes;
    Analysis::of(application, library, jdk.as_deref(), focus, |program| {
        sidecar.iter().for_each(|sidecar| sidecar.apply(program));
    })
}

/// The lock that most accesses hold, if not all.
fn usual_guard(field: &FieldType) -> Option<&Guard> {
    let writes = field.accesses.iter().any(|access| access.write);
    let guards = field.accesses.iter().flat_map(|access| &access.guards);
    let count = |guard: &Guard| field.accesses.iter().filter(|access| access.guards.contains(guard)).count();
    let best = guards.max_by_key(|guard| (count(guard), std::cmp::Reverse(*guard)))?;
    (writes && 2 * count(best) > field.accesses.len()).then_some(best)
}

impl Analysis {
    fn show(&self, field: &FieldType) -> String {
        let name = dotted(&self.program.field_name(field.field));
        let mut text = match &field.owner {
            Some(owner) => return format!("{name}: {}\n", self.owner(owner)),
            None if field.is_unknown => format!("{name}: race-unsafe, as some code that names it cannot be analysed\n"),
            None => match usual_guard(field) {
                Some(guard) => format!("{name}: not always guarded by `{}`\n", self.guard(guard)),
                None => format!("{name}: race-unsafe, as its accesses have no lock in common\n"),
            },
        };
        let usual = usual_guard(field);
        let (with, without): (Vec<&Access>, Vec<&Access>) =
            field.accesses.iter().partition(|access| usual.is_some_and(|guard| access.guards.contains(guard)));
        for access in without {
            let _ = writeln!(text, "  {}", self.access(access));
        }
        if let Some(first) = with.first() {
            let _ = writeln!(
                text,
                "  guarded at {} of {} accesses: {}",
                with.len(),
                field.accesses.len(),
                self.place(first)
            );
        }
        text
    }

    /// Whether an annotation says how a field is used: then it is what the code is held to.
    fn is_annotated(&self, field: &FieldType) -> bool {
        let errors = &self.types.errors;
        let class = self.program.field(field.field).class;
        errors.iter().any(|error| error.subject == Subject::Field(field.field))
            || claim(&self.program, class) == Some(Claim::NotThreadSafe)
    }

    fn show_error(&self, error: &TypeError) -> String {
        let (name, lock) = (self.subject(error.subject), &error.lock);
        let what = match error.rule {
            Rule::UnguardedAccess => {
                format!("[unguarded-access] {name} is accessed without `{lock}`, which is said to guard it")
            }
            Rule::UnheldCall => {
                format!("[unheld-call] {name} is called without `{lock}`, which it says its callers hold")
            }
            Rule::NoLock => {
                format!("[no-lock] {name} is said to be guarded by `{lock}`, which is no field that stays the same")
            }
            Rule::MutableClass => format!("[mutable-class] {name} changes, but its class is said to be immutable"),
            Rule::UnsafeClass => format!("[unsafe-class] {name} may race, but its class is said to be thread-safe"),
            Rule::SharedObject => {
                format!(
                    "[shared-object] {name} is in objects that may reach other threads, but its class is said to be local"
                )
            }
        };
        let place = error.place.map(|(method, value)| format!("{}: ", self.position(method, value)));
        place.unwrap_or_default() + &what + "\n"
    }

    fn subject(&self, subject: Subject) -> String {
        match subject {
            Subject::Field(field) => dotted(&self.program.field_name(field)),
            Subject::Method(method) => {
                let data = self.program.method(method);
                let class = dotted(&self.program.class_name(data.class));
                format!("{class}.{}", self.program.names().text(data.name))
            }
        }
    }

    fn access(&self, access: &Access) -> String {
        let kind = if access.write { "write" } else { "read " };
        let guards: Vec<String> = access.guards.iter().map(|guard| format!("`{}`", self.guard(guard))).collect();
        let holding = if guards.is_empty() { "no lock".to_owned() } else { guards.join(", ") };
        format!("{kind} at {} with {holding}", self.place(access))
    }

    fn place(&self, access: &Access) -> String {
        self.position(access.method, access.value)
    }

    /// `bank.Account.deposit (Account.java:12)`.
    fn position(&self, method: MethodId, value: Value) -> String {
        let body = self.bodies.get(method);
        let method = self.program.method(method);
        let class = self.program.class(method.class);
        let names = self.program.names();
        let file = class.source_file.map_or_else(|| "?".into(), |file| names.text(file));
        let line = body.and_then(|body| body.line(value));
        let line = line.map_or_else(String::new, |line| format!(":{line}"));
        format!("{}.{} ({file}{line})", dotted(&names.text(class.name)), names.text(method.name))
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

    fn guard(&self, guard: &Guard) -> String {
        let names = self.program.names();
        let mut text = match guard.path.root {
            Root::Class(ty) => format!("{}.class", dotted(&names.show(ty))),
            Root::Static(field) => dotted(&self.program.field_name(field)),
            Root::Text(text) => format!("\"{}\"", names.text(text)),
            Root::Parameter(_) | Root::Value(_) => "this".to_owned(),
        };
        for field in &guard.path.fields {
            let _ = write!(text, ".{}", names.text(self.program.field(*field).name));
        }
        text
    }

    fn summary(&self, n_errors: usize, missing: usize, methods: &str) -> String {
        let count = |wanted: fn(&Owner) -> bool| {
            self.types.fields.iter().filter_map(|field| field.owner.as_ref()).filter(|owner| wanted(owner)).count()
        };
        let total = self.types.fields.len();
        let safe = total - self.types.unsafe_fields().count();
        let arrays: usize = self.types.arrays.values().map(Vec::len).sum();
        format!(
            "SUMMARY: jrace check: {}; {} not always guarded; {safe} of {total} fields race-free ({} final, {} volatile, \
             {} unique, {} read-only, {} guarded, {} confined); {arrays} of {} array accesses race-free; {methods}\n",
            words::count(n_errors as u64, "type error"),
            words::count(missing as u64, "field"),
            count(|owner| *owner == Owner::Final),
            count(|owner| *owner == Owner::Volatile),
            count(|owner| *owner == Owner::Unique),
            count(|owner| *owner == Owner::ReadOnly),
            count(|owner| matches!(owner, Owner::Guarded(_))),
            count(|owner| matches!(owner, Owner::ThisThread | Owner::MainThread)),
            self.types.n_arrays,
        )
    }
}
