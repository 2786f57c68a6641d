//! The locks that code holds at each of its instructions, as variables; helpers that take locks for it or give them back are known from
//! types.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::ir::{Body, Op, Value};
use crate::program::{FieldId, Program, Reflected};
use crate::types::calls::CallGraph;
use crate::types::final_expressions::Paths;
use crate::types::holding::{By, Code, Holding};
use crate::types::lock_calls::LockCalls;
use crate::types::releases::Others;
use crate::types::takings::Hold;
use crate::types::{Bodies, Path};

/// What is known of locks in the application, found when it is first asked for.
#[derive(Default, Debug)]
pub struct Locking(OnceLock<(CallGraph, LockCalls)>);

/// What is held before an instruction.
#[derive(Clone, Copy, Default, Debug)]
pub struct Held<'a> {
    /// The locks, each as often as it is held.
    pub locks: &'a [Hold],
    /// Whether it is a call that gives back some of these for the method, and nothing else.
    pub gives_back_own: bool,
}

/// The locks of a body, and what they are called there.
pub struct HeldLocks<'a> {
    code: Code<'a>,
    body: &'a Body,
    paths: Option<Paths>,
}

impl Locking {
    /// What reflection and handles access of the application.
    pub fn reflected(&self, program: &Program) -> &Reflected {
        self.get(program).0.reflected()
    }

    /// Final fields with flags that are never set back.
    pub fn once_fields(&self, program: &Program) -> impl Iterator<Item = FieldId> + '_ {
        self.get(program).1.once_fields()
    }

    fn get(&self, program: &Program) -> &(CallGraph, LockCalls) {
        self.0.get_or_init(|| {
            let bodies = Bodies::of(program);
            let calls = CallGraph::of(program, &bodies);
            let locks = LockCalls::of(program, &calls, &bodies, Others::GiveBack);
            (calls, locks)
        })
    }
}

impl<'a> HeldLocks<'a> {
    /// Looks for locks in a body.
    pub fn of(locking: &'a Locking, by: By, program: &'a Program, body: &'a Body) -> Self {
        let (calls, locks) = locking.get(program);
        let code = Code { program, calls, locks, by };
        let is_final = |field: FieldId| calls.keeps_value(program, field);
        let paths = || Paths::of(program, calls, &locks.getters, &is_final, body);
        Self { code, body, paths: code.changes_locks(body).then(paths) }
    }

    /// Calls `visit` with every instruction and the locks held before it; those of unreachable code are none.
    pub fn for_each(&self, mut visit: impl FnMut(Value, Held<'_>)) {
        let Some(paths) = &self.paths else {
            return self.body.all_values().for_each(|value| visit(value, Held::default()));
        };
        let holding = Holding::of(self.code, self.body, paths);
        holding.for_each(|value, locks| {
            let gives_back_own = !locks.is_empty() && holding.gives_back_own(value, locks);
            visit(value, Held { locks, gives_back_own });
        });
    }

    /// A value for each path that has one: what is loaded by a field rather than what a call returns.
    pub fn names(&self) -> FxHashMap<Path, Value> {
        let mut names = FxHashMap::default();
        let Some(paths) = &self.paths else { return names };
        let (loaded, others): (Vec<Value>, Vec<Value>) =
            self.body.all_values().partition(|value| !matches!(self.body.op(*value), Op::Invoke(..) | Op::Phi(_)));
        for value in loaded.into_iter().chain(others) {
            names.entry(paths.get(value).clone()).or_insert(value);
        }
        names
    }
}
