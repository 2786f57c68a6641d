//! What `jrace check` and `jrace explain` say of methods: which are atomic, and what breaks those that are said to be.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use facts::name::dotted;
use facts::pattern::Pattern;
use static_typer::atomicity::{Atomicity, AtomicityTypes, Breach, Event, is_claimed_atomic};
use static_typer::ir::{Op, Value};
use static_typer::program::{MemberRef, MethodId, flag};
use static_typer::types::{Held, Root};

use super::explained::{ExplainedMethod, Lines};
use super::report::{self, Broken, Error, Method, MethodCounts};
use super::rules;
use crate::analysis::Analysis;
use crate::evidence::Runs;
use crate::report::advice::advice;
use crate::report::json::ScenarioEntry;
use crate::report::merge::{HazardKey, MergedHazard};
use crate::report::words;

/// The methods of an analysed application.
pub struct Methods<'a> {
    analysis: &'a Analysis,
    types: AtomicityTypes,
}

impl<'a> Methods<'a> {
    /// Infers their atomicities.
    pub fn of(analysis: &'a Analysis) -> Self {
        Self { analysis, types: AtomicityTypes::infer(&analysis.program, &analysis.bodies, &analysis.types) }
    }

    /// Those that the program has written, in order; initializers and what the compiler has added are not shown.
    fn shown(&self) -> impl Iterator<Item = MethodId> {
        let program = &self.analysis.program;
        let is_shown = |method: &MethodId| {
            let data = program.method(*method);
            data.access & flag::SYNTHETIC == 0 && !program.names().text(data.name).starts_with('<')
        };
        self.types.methods().iter().copied().filter(is_shown)
    }

    /// Methods that are said to be atomic and are not, and those that runs have shown to be broken: each with the events that
    /// break it by its types, and those that did in runs.
    pub fn wrong<'r>(&self, runs: Option<&'r Runs>) -> Vec<Error<'r>> {
        self.shown().filter_map(|method| self.wrong_of(method, runs)).collect()
    }

    /// Their names, `bank/Account.pay(I)V`.
    pub fn names(&self) -> BTreeSet<String> {
        self.shown().map(|method| self.analysis.program.method_name(method)).collect()
    }

    fn wrong_of<'r>(&self, method: MethodId, runs: Option<&'r Runs>) -> Option<Error<'r>> {
        let breach = self.types.breach(method);
        let is_claimed = is_claimed_atomic(&self.analysis.program, method);
        let name = self.analysis.program.method_name(method);
        let runs: Vec<Broken<'r>> =
            runs.iter().flat_map(|runs| runs.of_method(&name)).map(|(key, hazard)| broken(key, hazard)).collect();
        let what = match (is_claimed, &breach, runs.is_empty()) {
            (true, Some(_), _) | (true, _, false) => "is said to be atomic",
            (false, _, false) => "can be broken, as runs have shown",
            _ => return None,
        };
        let place = breach.as_ref().map(|breach| self.analysis.place(breach.event.method, breach.event.value));
        let events = breach.as_ref().map(|breach| self.events(breach)).unwrap_or_default();
        let what = what.to_owned();
        Some(Error { rule: rules::NOT_ATOMIC, name: self.name(method), what, place, events, runs, ..Error::default() })
    }

    /// Every atomic method.
    pub fn list(&self) -> Vec<Method> {
        let atomic = self.shown().filter(|method| self.types.is_atomic(*method));
        atomic.map(|method| self.with_atomicity(method)).collect()
    }

    /// How many methods are atomic.
    pub fn counts(&self) -> MethodCounts {
        let atomic = self.shown().filter(|method| self.types.is_atomic(*method)).count();
        MethodCounts { all: self.shown().count(), atomic }
    }

    /// The methods that a pattern names.
    pub fn named(&self, pattern: &Pattern) -> impl Iterator<Item = MethodId> {
        self.shown().filter(|method| pattern.matches(&self.plain_name(*method)))
    }

    /// What is known of a method, and why.
    pub fn explained(&self, method: MethodId) -> ExplainedMethod {
        let whole = self.types.of(method);
        ExplainedMethod {
            method: self.with_atomicity(method),
            by_locks: matches!(whole, Atomicity::When(_)).then(|| self.show(method, &whole)),
            events: self.types.breach(method).map(|breach| self.events(&breach)).unwrap_or_default(),
            focus: Lines::default(),
        }
    }

    fn with_atomicity(&self, method: MethodId) -> Method {
        Method { name: self.name(method), atomicity: self.types.simplified(method).to_string() }
    }

    fn events(&self, breach: &Breach) -> Vec<report::Event> {
        let calls = breach.calls.iter().map(|(method, value)| self.event("by", *method, *value, None));
        let moved = |role, event: &Event| self.event(role, event.method, event.value, Some(event.mover.to_string()));
        let commit = breach.commit.map(|event| moved("first", &event));
        calls.chain(commit).chain([moved("then", &breach.event)]).collect()
    }

    fn event(&self, role: &'static str, method: MethodId, value: Value, mover: Option<String>) -> report::Event {
        let what = self.analysis.bodies.get(method).map_or_else(String::new, |body| self.what(body.op(value)));
        report::Event { role, what, place: self.analysis.place(method, value), mover }
    }

    fn what(&self, op: &Op) -> String {
        match op {
            Op::GetField(_, field) | Op::GetStatic(field) => format!("reads {}", self.member(*field)),
            Op::PutField(_, field, _) | Op::PutStatic(field, _) => format!("writes {}", self.member(*field)),
            Op::LoadElement(..) => "reads an element".to_owned(),
            Op::StoreElement(..) => "writes an element".to_owned(),
            Op::Enter(_) => "takes a monitor".to_owned(),
            Op::Exit(_) => "gives back a monitor".to_owned(),
            Op::Invoke(_, method, _) => format!("calls {}", self.member(*method)),
            _ => "makes an object by a dynamic call".to_owned(),
        }
    }

    fn member(&self, member: MemberRef) -> String {
        let names = self.analysis.program.names();
        let member = self.analysis.program.member(member);
        format!("{}.{}", dotted(&names.show(member.owner)), names.text(member.name))
    }

    fn plain_name(&self, method: MethodId) -> String {
        let program = &self.analysis.program;
        let data = program.method(method);
        format!("{}.{}", dotted(&program.class_name(data.class)), program.names().text(data.name))
    }

    /// `bank.Account.deposit(int)`
    fn name(&self, method: MethodId) -> String {
        let program = &self.analysis.program;
        let parameters = program.signature(method).parameters.iter();
        let parameters: Vec<String> = parameters.map(|ty| dotted(&program.names().show(*ty))).collect();
        format!("{}({})", self.plain_name(method), parameters.join(", "))
    }

    fn show(&self, method: MethodId, atomicity: &Atomicity<Held>) -> String {
        match atomicity {
            Atomicity::Basic(basic) => basic.to_string(),
            Atomicity::When(when) => {
                let branch = |branch: &Atomicity<Held>| match branch {
                    Atomicity::Basic(basic) => basic.to_string(),
                    Atomicity::When(_) => format!("({})", self.show(method, branch)),
                };
                format!("`{}` ? {} : {}", self.lock(method, &when.lock), branch(&when.held), branch(&when.free))
            }
        }
    }

    fn lock(&self, method: MethodId, lock: &Held) -> String {
        let program = &self.analysis.program;
        let mut text = match lock.path.root {
            Root::Parameter(0) if !program.method(method).is_static() => "this".to_owned(),
            Root::Parameter(n) => format!("parameter {}", n + u16::from(program.method(method).is_static())),
            Root::Class(ty) => format!("{}.class", dotted(&program.names().show(ty))),
            Root::Static(field) => dotted(&program.field_name(field)),
            Root::Text(text) => format!("\"{}\"", program.names().text(text)),
            Root::Value(_) | Root::Owner(_) => "?".to_owned(),
        };
        for field in &lock.path.fields {
            let _ = write!(text, ".{}", program.names().text(program.field(*field).name));
        }
        text
    }
}

fn broken<'a>(key: &'a HazardKey, hazard: &'a MergedHazard) -> Broken<'a> {
    let mut scenarios: Vec<ScenarioEntry<'_>> = hazard.scenarios.values().map(ScenarioEntry::of).collect();
    scenarios.sort_by_key(|entry| entry.scenario.steps.len());
    let hint = scenarios.first().map(|entry| advice(key, entry.scenario));
    Broken { key, name: words::subject_name(&key.subject), evidence: hazard.evidence, hint, scenarios }
}
