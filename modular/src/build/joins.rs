//! What a method does after it has waited for a thread to end.
//!
//! `thread.join()` ends when the thread has, if that was started: here, if the same run of the same code has started the very object on
//! every way to the join. All that the thread has done comes before what is done after that. Whether there is one such thread only is
//! known in the end: if there may be another, that one may go on.

use std::collections::BTreeSet;
use std::rc::Rc;

use static_typer::ir::Value;
use static_typer::points_to::{CallSite, Code, CodeId};
use static_typer::program::Program;

use super::Build;
use crate::library;
use crate::node::Label;
use crate::summary::ThreadId;

/// Where code waits for which thread.
pub(super) type Joins = Rc<[(Value, ThreadId)]>;

impl<'p> Build<'_, '_, 'p> {
    /// The threads that have ended before an instruction of a component's code, as its run has waited for them.
    pub(super) fn ended_before(&mut self, code: CodeId, at: Value) -> BTreeSet<ThreadId> {
        // Of regions the order is not kept, and what calls itself may have started others.
        if self.is_root || self.solver.is_recursive {
            return BTreeSet::new();
        }
        let joins = self.joins_of(code);
        let (program, data) = (self.solver.program(), self.solver.graph.code(code).clone());
        let mut ended = BTreeSet::new();
        for (join, thread) in joins.iter() {
            if self.sequence.must_precede(program, (code, &data), *join, at) {
                ended.insert(thread.clone());
            }
        }
        ended
    }

    fn joins_of(&mut self, code: CodeId) -> Joins {
        if let Some(known) = self.joins.get(&code) {
            return known.clone();
        }
        let (program, data) = (self.solver.program(), self.solver.graph.code(code).clone());
        let mut found = Vec::new();
        for join in data.calls.iter().filter(|site| is_join(program, site)) {
            for (number, start) in (0..).zip(&data.calls) {
                let is_it = is_start(program, start) && are_same(&data, start, join);
                if is_it && self.sequence.must_precede(program, (code, &data), start.at, join.at) {
                    found.push((join.at, [Label { code, number }].into()));
                }
            }
        }
        let joins: Joins = found.into();
        self.joins.insert(code, joins.clone());
        joins
    }
}

/// Whether a call waits until a thread has ended, however long that takes.
fn is_join(program: &Program, site: &CallSite) -> bool {
    let method = program.method(site.method);
    program.class_name(method.class) == "java/lang/Thread"
        && program.names().text(method.name) == "join"
        && program.signature(site.method).parameters.is_empty()
}

/// Whether a call starts the thread that it is made on, if that is no method of the program's own.
fn is_start(program: &Program, site: &CallSite) -> bool {
    library::effect(program, site.method).is_start
}

/// Whether two calls in one run are made on one object.
fn are_same(data: &Code, first: &CallSite, second: &CallSite) -> bool {
    let receiver = |site: &CallSite| site.arguments.first().copied().flatten();
    receiver(first).zip(receiver(second)).is_some_and(|(first, second)| data.path(first) == data.path(second))
}
