//! Finds what calls do to locks: what methods give back for their callers, then what they take, and so on, as the one depends on the
//! other. Each round is right by itself; later ones know more.

use rayon::prelude::*;

use crate::ir::Body;
use crate::program::{FieldId, Program};

use super::bodies::Bodies;
use super::calls::CallGraph;
use super::exclusive::exclusive_locks;
use super::extended::{foreign, keep_locking};
use super::final_expressions::{Getters, Paths};
use super::holding::{By, Code, Holding};
use super::lock_calls::LockCalls;
use super::once::once_fields;
use super::releases::{self, Others, Releases};
use super::takings::Takings;

/// Helpers of helpers are followed this far.
const HELPER_ROUNDS: usize = 4;
/// How often what is taken makes it known that something is not given back, and the other way round.
const ROUNDS: usize = 2;

impl LockCalls {
    /// Looks at every body.
    #[must_use]
    pub fn of(program: &Program, calls: &CallGraph, bodies: &Bodies, others: Others) -> Self {
        let mut locks = Self {
            getters: Getters::of(program, calls, bodies),
            extended: keep_locking(program, calls, bodies),
            foreign: foreign(program, calls, bodies),
            exclusive: exclusive_locks(program, calls, bodies),
            once: once_fields(program, calls, bodies),
            ..Self::default()
        };
        locks.releases = locks.releases(program, calls, bodies, others);
        for _ in 0..ROUNDS {
            let known = locks.takings.clone();
            for _ in 0..HELPER_ROUNDS {
                let takings = locks.takings(program, calls, bodies);
                if std::mem::replace(&mut locks.takings, takings) == locks.takings {
                    break;
                }
            }
            if locks.takings == known {
                break;
            }
            locks.releases = locks.releases(program, calls, bodies, others);
        }
        locks
    }

    fn releases(&self, program: &Program, calls: &CallGraph, bodies: &Bodies, others: Others) -> Releases {
        let code = releases::Code { program, calls, getters: &self.getters, takings: &self.takings, others };
        Releases::of(code, bodies)
    }

    fn takings(&self, program: &Program, calls: &CallGraph, bodies: &Bodies) -> Takings {
        let code = Code { program, calls, locks: self, by: By::Types };
        let is_final = |field: FieldId| calls.keeps_value(program, field);
        let taking = |body: &Body| {
            let paths = Paths::of(program, calls, &self.getters, &is_final, body);
            (body.method, Holding::of(code, body, &paths).taking())
        };
        let bodies = bodies.all().par_iter().filter(|body| code.takes_locks(body));
        bodies.map(taking).collect::<Vec<_>>().into_iter().collect()
    }
}
