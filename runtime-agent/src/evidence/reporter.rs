//! From accesses to findings.

use facts::access::AccessKind;
use std::sync::Arc;

use checkers::eraser::word::State;
use facts::finding::{Access, Conflict, Evidence as Level, Finding, Record, Rule, Variable};
use facts::index::ThreadId;

use super::seen::Seen;
use crate::jvmti::{Env, Vm};
use crate::locks::Locks;
use crate::mode::Mode;
use crate::sink::Sink;
use crate::sites::Sites;
use crate::suite::Suite;
use crate::threads::Threads;

/// Describes accesses, and writes findings.
pub struct Reporter {
    /// What the user asked for.
    pub mode: Arc<Mode>,
    /// The JVM.
    pub vm: Arc<Vm>,
    /// Where accesses are.
    pub sites: Arc<Sites>,
    /// Who makes them.
    pub threads: Arc<Threads>,
    /// Under which locks.
    pub locks: Arc<Locks>,
    /// For which tests.
    pub suite: Arc<Suite>,
    /// Where findings go.
    pub sink: Arc<Sink>,
}

impl Reporter {
    /// An access as a finding has it.
    pub fn access(&self, env: Env, seen: &Seen) -> Access {
        let mut stack = seen.frames.places(&self.vm);
        match (stack.first_mut(), self.sites.place(seen.site)) {
            (Some(top), Some(place)) if top.class == place.class && top.method == place.method => *top = place,
            (None, Some(place)) => stack.push(place),
            _ => {}
        }
        Access {
            kind: Some(if self.sites.writes_contents(seen.site) { AccessKind::Write } else { seen.kind }),
            stack,
            thread: self.threads.describe(env, seen.thread),
            locks: Some(self.locks.held(seen.read_set, seen.write_set)),
            test: self.suite.name(seen.test),
            writes_too: seen.kind == AccessKind::Read && self.sites.is_written_later(seen.site),
        }
    }

    /// What the state before tells of the previous access when the history has nothing.
    pub fn unknown(&self, env: Env, before: u32) -> Access {
        let thread = match State::of(before) {
            State::Exclusive(owner) => owner,
            _ => ThreadId(0),
        };
        let thread = self.threads.describe(env, thread);
        Access { kind: None, stack: Vec::new(), thread, locks: None, test: None, writes_too: false }
    }

    /// Writes a race.
    pub fn race(&self, variable: &Variable, conflict: Conflict) {
        let fails = self.mode.options.fails_on(conflict.grade);
        self.write(&Record::Finding(Finding {
            rule: Rule::Race,
            evidence: Level::Lockset,
            variable: variable.clone(),
            conflicts: vec![conflict],
        }));
        if self.mode.options.report_bugs && self.mode.options.halt_on_error && fails {
            // SAFETY: ends the process without running anything of the JVM, which is what the option asks for.
            unsafe { libc::_exit(self.mode.options.exitcode.into()) }
        }
    }

    /// Writes a record, unless the user wants none.
    pub fn write(&self, record: &Record) {
        if self.mode.options.report_bugs {
            self.sink.write(record);
        }
    }
}
