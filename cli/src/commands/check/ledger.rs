//! The ledger of a focus: what `jrace run --focus` checks of each field and method, and why.

mod locks;

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use facts::focus::Guard;
use facts::name::dotted;
use static_typer::focus::{Presumed, Searched, Untyped};
use static_typer::ir::{Body, Op, Value};
use static_typer::program::{FieldId, MethodId};
use static_typer::races::{RaceFree, Reason, Variable};
use static_typer::types::FieldType;

use super::text::position;
use crate::analysis::{Analysis, searches};
use crate::args::Focus;
use crate::report::words::printable;

/// What types, and a search or what is presumed, say together.
pub struct Ledger<'a> {
    analysis: &'a Analysis,
    focus: Focus,
    /// What a search finds, if the focus has one.
    searched: Option<Result<Searched, String>>,
    typed: RaceFree,
    presumed: Presumed,
    untyped: Untyped,
    /// At how many places each field's object is taken as a lock, and at how many of them it is idle; found when first asked for.
    taken: OnceCell<HashMap<FieldId, (usize, usize)>>,
}

impl<'a> Ledger<'a> {
    /// Searches, if the focus the classes are analysed for does.
    pub fn of(analysis: &'a Analysis) -> Self {
        Self {
            analysis,
            focus: analysis.focus,
            searched: searches(analysis.focus).then(|| analysis.search(true)),
            typed: analysis.typed(),
            presumed: analysis.presumed(),
            untyped: analysis.untyped(),
            taken: OnceCell::new(),
        }
    }

    /// What is to be given to `jrace run`.
    fn flag(&self) -> &'static str {
        match self.focus {
            Focus::Field => "--focus=field",
            Focus::Method => "--focus=method",
            Focus::Combined => "--focus",
            Focus::Unshared => "--focus=unshared",
        }
    }

    /// Whether a field is checked, and where it is a lock, in lines.
    pub fn field(&self, field: &FieldType) -> String {
        self.accesses(field) + &self.locks_in(field.field)
    }

    fn accesses(&self, field: &FieldType) -> String {
        let searched = match &self.searched {
            _ if field.owner.is_some() => return format!("  not checked with {}: by its type\n", self.flag()),
            _ if field.is_reflected => {
                return format!("  checked with {}: reflection or a handle accesses it\n", self.flag());
            }
            None => return self.without_search(field),
            Some(Err(reason)) => {
                let reason = printable(reason);
                return format!("  checked with --focus: the search proves nothing, as {reason}\n");
            }
            Some(Ok(searched)) => searched,
        };
        let id = field.field;
        if searched.race_free.fields.contains(&id) {
            return format!("  not checked with --focus: {}\n", reasons(searched, id));
        }
        if searched.race_free.framework.has(self.analysis.program.field(id).class) {
            return "  checked with --focus: the search leaves out test frameworks\n".to_owned();
        }
        if searched.race_free.lost.contains(&id) {
            return "  checked with --focus: where it is accessed, the search has found no object\n".to_owned();
        }
        if !searched.races.racy.contains_key(&Variable::Field(id)) {
            return "  checked with --focus: class initializers use it that are not its own, in any thread\n"
                .to_owned();
        }
        self.race(searched, id)
    }

    /// Of a race-unsafe field.
    fn without_search(&self, field: &FieldType) -> String {
        if self.presumed.fields.contains(&field.field) {
            let n_held = field.accesses.iter().filter(|access| access.takes_monitor).count();
            return format!(
                "  checked with --focus=method: its object is presumed to own it; {n_held} of {} accesses, whose method takes the \
                 object's monitor, are not checked, the others are held to it\n",
                field.accesses.len()
            );
        }
        let why = if self.focus == Focus::Method { "it has no type, and no presumed owner" } else { "it has no type" };
        format!("  checked with {}: {why}\n", self.flag())
    }

    fn race(&self, searched: &Searched, field: FieldId) -> String {
        let race = searched.races.races.iter().find(|race| race.variable == Variable::Field(field));
        let mut text = "  checked with --focus: the search finds accesses that may race\n".to_owned();
        for side in race.iter().flat_map(|race| &race.sides) {
            let kind = if side.place.write { "write" } else { "read" };
            let place = self.analysis.place(side.place.method, side.place.at);
            let _ = writeln!(text, "  {kind:5} at {}", position(&place));
        }
        text
    }

    /// Which of a method's accesses are checked, and of which of its locks the agent is told, in lines.
    pub fn method(&self, method: MethodId) -> String {
        let Some(body) = self.analysis.bodies.get(method) else { return String::new() };
        let accesses: Vec<(Value, Option<FieldId>)> =
            body.all_values().filter_map(|at| Some((at, self.accessed(body, at)?))).collect();
        let checked: Vec<_> = accesses.iter().filter(|(at, field)| self.is_checked(body, *at, *field)).collect();
        let (some, all) = (checked.len(), accesses.len());
        let (flag, guard) = (self.flag(), self.guard(method));
        let mut text = format!("  checked with {flag}: {some} of its {all} accesses{guard}\n");
        for (at, field) in checked {
            let named = |field| printable(&dotted(&self.analysis.program.field_name(field)));
            let what = field.map_or("an array".to_owned(), named);
            let how = if self.conforms(body, *at) { ", for holding its object's monitor" } else { "" };
            let _ = writeln!(text, "  {what} at {}{how}", position(&self.analysis.place(method, *at)));
        }
        text.push_str(&self.locks_of(method, body));
        text
    }

    fn conforms(&self, body: &Body, at: Value) -> bool {
        let offset = body.instruction(at).at;
        self.presumed.conforming.get(&body.method).is_some_and(|offsets| offsets.contains(&offset))
    }

    /// What the focus counts on where a method begins; without a search, whether its accesses keep to types.
    fn guard(&self, method: MethodId) -> String {
        let searched = match &self.searched {
            Some(Ok(searched)) => searched,
            None if self.untyped.methods.contains(&method) => return "; it is untyped".to_owned(),
            None => return "; it is typed".to_owned(),
            Some(Err(_)) => return String::new(),
        };
        let facts = &searched.methods;
        let once = match facts.guard(&self.analysis.program, &searched.race_free, method) {
            None => return String::new(),
            Some(Guard::Unreached) => "it runs, as no call of it is found".to_owned(),
            Some(Guard::RunByOne) => "a second thread runs it".to_owned(),
            Some(Guard::Hiding) => match facts.hiding.get(&method) {
                Some(hidden) if *hidden != method => {
                    let hidden = printable(&dotted(&self.analysis.program.method_name(*hidden)));
                    format!("it runs, as {hidden} may hide what is called")
                }
                _ => "it runs, as a stream of objects may call it unseen".to_owned(),
            },
        };
        format!("; everything once {once}")
    }

    /// The field that an instruction accesses, none of an array; nothing if it does neither, or if it accesses what is no field
    /// of the application.
    fn accessed(&self, body: &Body, at: Value) -> Option<Option<FieldId>> {
        match body.op(at) {
            Op::LoadElement(..) | Op::StoreElement(..) => Some(None),
            Op::GetField(_, member) | Op::PutField(_, member, _) | Op::GetStatic(member) | Op::PutStatic(member, _) => {
                let program = &self.analysis.program;
                let field = program.resolve_field(program.member(*member))?;
                program.class(program.field(field).class).is_application.then_some(Some(field))
            }
            _ => None,
        }
    }

    fn is_checked(&self, body: &Body, at: Value, field: Option<FieldId>) -> bool {
        let offset = body.instruction(at).at;
        let leaves_out = |proof: &RaceFree| {
            field.is_some_and(|field| proof.fields.contains(&field))
                || proof.accesses.get(&body.method).is_some_and(|offsets| offsets.contains(&offset))
        };
        let is_held = self.presumed.held.get(&body.method).is_some_and(|offsets| offsets.contains(&offset));
        let is_searched = matches!(&self.searched, Some(Ok(searched)) if leaves_out(&searched.race_free));
        !is_held && !is_searched && !leaves_out(&self.typed)
    }
}

/// Why the search finds no race on a field.
fn reasons(searched: &Searched, field: FieldId) -> String {
    let none = BTreeSet::new();
    let reasons = searched.races.reasons.get(&Variable::Field(field)).unwrap_or(&none);
    let words: Vec<&str> = reasons.iter().map(|reason| words(*reason)).collect();
    match &words[..] {
        [] => "nothing writes it that is run once another thread may see it".to_owned(),
        words => format!("of any two accesses, {}", words.join("; or ")),
    }
}

fn words(reason: Reason) -> &'static str {
    match reason {
        Reason::OneThread => "one thread makes both",
        Reason::Initializer => "one is a class initializer's, to what is its own or before the other",
        Reason::BeforeStart => "one comes before the start of the other's thread",
        Reason::AfterEnd => "one comes after the end of the other's thread",
        Reason::OtherObjects => "they are to different objects",
        Reason::Unshared => "they are to an object that one thread only reaches",
        Reason::CommonLock => "both hold the same lock",
        Reason::Published => "a volatile flag is set after the writes, and seen set before the reads",
    }
}
