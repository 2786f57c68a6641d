//! Which locks the agent is told of: not of idle ones, under which nothing that is checked can run.

use std::collections::HashMap;
use std::fmt::Write as _;

use static_typer::focus::Searched;
use static_typer::ir::{Body, Op, Value};
use static_typer::program::{FieldId, MethodId, flag};
use static_typer::races::sections;

use super::{Ledger, position};

impl Ledger<'_> {
    /// The locks that a method takes, in lines; none without a search, which leaves out none.
    pub(super) fn locks_of(&self, method: MethodId, body: &Body) -> String {
        let Some(Ok(searched)) = &self.searched else { return String::new() };
        let mut text = String::new();
        if self.analysis.program.method(method).access & flag::SYNCHRONIZED != 0 {
            let inside: Vec<Value> = body.all_values().collect();
            let is_idle = searched.methods.idle.methods.contains(&method);
            let _ = writeln!(text, "  its own lock is {}", self.verdict(searched, body, is_idle, &inside));
        }
        for (taken, _, inside) in taken(body) {
            let is_idle = is_idle(searched, body, taken);
            let place = position(&self.analysis.place(method, taken));
            let _ = writeln!(text, "  the lock taken at {place} is {}", self.verdict(searched, body, is_idle, &inside));
        }
        text
    }

    fn verdict(&self, searched: &Searched, body: &Body, is_idle: bool, inside: &[Value]) -> String {
        if is_idle {
            return "idle, so the agent is not told of it: nothing that is checked can run under it".to_owned();
        }
        let is_called = searched.race_free.called.as_ref().is_none_or(|called| called.contains(&body.method));
        if !is_called {
            return "not idle: no call of the method is found".to_owned();
        }
        let is_checked =
            |at: &&Value| self.accessed(body, **at).is_some_and(|field| self.is_checked(body, **at, field));
        match inside.iter().find(is_checked) {
            Some(at) => {
                format!("not idle: what is checked at {} is under it", position(&self.analysis.place(body.method, *at)))
            }
            None => "not idle: calls under it may lead to what is checked, or to what is not known".to_owned(),
        }
    }

    /// Where the object in a field is taken as a lock, in a line; none where that is nowhere, or without a search.
    pub(super) fn locks_in(&self, field: FieldId) -> String {
        let Some(Ok(searched)) = &self.searched else { return String::new() };
        match self.taken.get_or_init(|| self.taken_by_field(searched)).get(&field) {
            None => String::new(),
            Some((n, n_idle)) => format!(
                "  taken as a lock at {n} places, of which the agent is not told at {n_idle}, where it is idle\n"
            ),
        }
    }

    fn taken_by_field(&self, searched: &Searched) -> HashMap<FieldId, (usize, usize)> {
        let mut by_field = HashMap::new();
        for body in self.analysis.bodies.iter() {
            for (taken, lock, _) in taken(body) {
                if let Some(Some(field)) = self.accessed(body, lock) {
                    let (n, n_idle) = by_field.entry(field).or_insert((0, 0));
                    *n += 1;
                    *n_idle += usize::from(is_idle(searched, body, taken));
                }
            }
        }
        by_field
    }
}

/// Where a method takes monitors: the instruction, the lock, and what runs under it.
fn taken(body: &Body) -> Vec<(Value, Value, Vec<Value>)> {
    let sections = sections(body).unwrap_or_default();
    let entries = sections.into_iter().flat_map(|section| {
        let inside = section.inside;
        section.ends.into_iter().map(move |end| (end, inside.clone()))
    });
    let taken = entries.filter_map(|(at, inside)| match body.op(at) {
        Op::Enter(lock) => Some((at, *lock, inside)),
        _ => None,
    });
    taken.collect()
}

fn is_idle(searched: &Searched, body: &Body, taken: Value) -> bool {
    let offset = body.instruction(taken).at;
    searched.methods.idle.monitors.get(&body.method).is_some_and(|idle| idle.contains(&offset))
}
