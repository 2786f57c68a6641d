//! Atomicity types: which methods are as if nothing of other threads came in between, proved over all bytecode (paper 004,
//! sections 3.2 and 5; `algorithms.md` 11).
//!
//! Each method gets the least atomicity that is consistent with its code and the methods it calls, depending on the locks that
//! its callers hold. An access that the race-free types prove safe moves in both directions, any other in none; taking a lock
//! moves right, giving it back left, and neither is anything if the lock is held already; a `wait` cuts. The theorem is
//! Lipton's: what matches `right* atomic? left*` can be moved together.
//!
//! **What it assumes**, besides what the types do: class initializers have run before; a `tryLock` may fail for any reason;
//! other threads use objects of the JDK only by the methods that the table of models lists. **What it does not prove**: atomic
//! methods whose locks have no final name, that go over shared arrays, or that share collections without locks of their own.

mod basic;
mod breach;
mod claims;
mod conditional;
mod families;
mod library;
mod own;
mod own_parts;
mod solver;
mod steps;
mod transfer;

use std::cell::RefCell;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

pub use basic::Basic;
pub use breach::{Breach, Event};
pub use claims::is_claimed_atomic;
pub use conditional::{Atomicity, When};

use crate::ir::{Body, Value};
use crate::program::{FieldId, MethodId, Program};
use crate::types::calls::CallGraph;
use crate::types::entries::Entries;
use crate::types::final_expressions::Paths;
use crate::types::owned::Owned;
use crate::types::state::Context;
use crate::types::summary::Summaries;
use crate::types::{Bodies, Held, Owner, Types};
use families::Families;
use own_parts::OwnParts;
use steps::{Step, Steps, Typed};

/// A method without a body that could be read may do anything.
const BODILESS: Atomicity<Held> = Atomicity::Basic(Basic::Compound);

/// The atomicity of every method.
#[derive(Debug)]
pub struct AtomicityTypes {
    /// Methods with a body, in order.
    methods: Vec<MethodId>,
    numbers: FxHashMap<MethodId, usize>,
    steps: Vec<Steps>,
    assignment: Vec<Atomicity<Held>>,
    entries: Entries,
}

impl AtomicityTypes {
    /// Infers them from the race-free types.
    #[must_use]
    pub fn infer(program: &Program, bodies: &Bodies, types: &Types) -> Self {
        let calls = CallGraph::in_world(program, bodies, program.main_methods().is_empty());
        let summaries = Summaries::of(program, &calls, bodies);
        // Atomicities depend on locks that callers can name, and the lock of an owner is none.
        let owned = Owned::default();
        let context =
            Context { program, calls: &calls, summaries: &summaries, owned: &owned, handed_over: &types.handed_over };
        let is_final = |field: FieldId| calls.keeps_value(program, field);
        let paths = |body: &Body| Paths::of(program, &calls, summaries.getters(), &is_final, body);
        let entries = Entries::of(context, bodies, &paths);
        let race_free = race_free(types);
        let errors: FxHashSet<(MethodId, Value)> = types.errors.iter().filter_map(|error| error.place).collect();
        let arrays = |method: MethodId, at: u16| {
            types.arrays.get(&method).is_some_and(|offsets| offsets.binary_search(&at).is_ok())
        };
        let own_parts = &OwnParts::of(program, bodies);
        let of_body = |body: &Body| {
            let (entries, race_free, arrays, errors) = (&entries, &race_free, &arrays, &errors);
            let typed = Typed { context, entries, race_free, arrays, errors, own_parts };
            Steps::of(typed, body, &paths(body))
        };
        let mut steps: Vec<Steps> = bodies.all().par_iter().map(of_body).collect();
        let methods: Vec<MethodId> = bodies.iter().map(|body| body.method).collect();
        let numbers: FxHashMap<MethodId, usize> =
            methods.iter().enumerate().map(|(number, method)| (*method, number)).collect();
        let families = RefCell::new(Families::of(&mut steps, &numbers));
        let assignment =
            solver::solve(methods.len(), &|number, new| families.borrow_mut().assign(number, new), &|number| {
                let families = families.borrow();
                steps[number].transfer(&|calls| calls.joined(families.joined(calls)))
            });
        Self { methods, numbers, steps, assignment, entries }
    }

    /// The methods with a body, in order.
    #[must_use]
    pub fn methods(&self) -> &[MethodId] {
        &self.methods
    }

    /// The atomicity of a method, which may depend on the locks that its caller holds.
    #[must_use]
    pub fn of(&self, method: MethodId) -> Atomicity<Held> {
        let known = self.numbers.get(&method).map(|number| self.assignment[*number].clone());
        known.unwrap_or(BODILESS)
    }

    /// What it comes to with the locks that every caller holds.
    #[must_use]
    pub fn simplified(&self, method: MethodId) -> Basic {
        let entry = self.entries.get(method);
        self.of(method).eval(&|lock| entry.held.contains(lock))
    }

    /// Whether every execution of a method is as if nothing came in between.
    #[must_use]
    pub fn is_atomic(&self, method: MethodId) -> bool {
        self.simplified(method).is_atomic()
    }

    /// The atomic methods that wait for each lock that they take, also in what they call. Of the others, what they do before an attempt to
    /// take a lock (`tryLock`) may come between what the owner of that lock does.
    pub fn waiting(&self) -> impl Iterator<Item = MethodId> + '_ {
        let mut trying: Vec<bool> = self.steps.iter().map(|steps| steps.tries).collect();
        let mut has_more = true;
        while std::mem::take(&mut has_more) {
            for (number, steps) in self.steps.iter().enumerate() {
                let calls = steps.blocks.iter().flat_map(|block| &block.steps).filter_map(|(_, step)| match step {
                    Step::Calls(calls) => Some(&calls.targets),
                    Step::Is(_) => None,
                });
                let of_target = |target: &MethodId| self.numbers.get(target).is_some_and(|number| trying[*number]);
                if !trying[number] && calls.flatten().any(of_target) {
                    trying[number] = true;
                    has_more = true;
                }
            }
        }
        let methods = self.methods.iter().copied().zip(trying);
        methods.filter(|(method, tries)| !tries && self.is_atomic(*method)).map(|(method, _)| method)
    }

    /// Why a method is not atomic; none if it is.
    #[must_use]
    pub fn breach(&self, method: MethodId) -> Option<Breach> {
        let steps = |method| self.numbers.get(&method).map(|number| &self.steps[*number]);
        breach::find(method, &self.entries.get(method).held, &|method| self.of(method), &steps)
    }
}

/// Fields of which no access races. Volatile fields do not race, but what other threads do to them shows.
fn race_free(types: &Types) -> FxHashSet<FieldId> {
    let owned = types.fields.iter().filter(|field| field.owner.as_ref().is_some_and(|owner| *owner != Owner::Volatile));
    owned.map(|field| field.field).collect()
}
