//! From a solved component to its summary.

mod compact;
mod entries;
mod events;
mod graph;
mod hand_overs;
mod joins;
mod locks;
mod objects;
mod separations;
mod threads;
mod visibility;

pub use locks::releases_more;

use std::collections::{BTreeMap, BTreeSet};

use static_typer::points_to::CodeId;

use joins::Joins;

use crate::fresh::Fresh;
use crate::multiplicity::Multiplicity;
use crate::node::NodeId;
use crate::sequence::Sequence;
use crate::solver::Solver;
use crate::summary::{Summary, ThreadId};

/// Builds the summary.
pub struct Build<'s, 'a, 'p> {
    solver: &'s mut Solver<'a, 'p>,
    fresh: &'s mut Fresh,
    sequence: Sequence,
    joins: BTreeMap<CodeId, Joins>,
    summary: Summary,
    /// The threads that each call may start, and the regions that it may come to.
    starts: BTreeMap<(CodeId, u32), BTreeSet<ThreadId>>,
    multiplicities: BTreeMap<NodeId, Multiplicity>,
    shared: BTreeSet<NodeId>,
    is_root: bool,
}

impl<'s, 'a, 'p> Build<'s, 'a, 'p> {
    /// The summary of what was solved. Of the root nothing is left out.
    pub fn summary(solver: &'s mut Solver<'a, 'p>, fresh: &'s mut Fresh) -> Summary {
        let is_root = solver.is_root;
        let mut build = Self {
            solver,
            fresh,
            sequence: Sequence::default(),
            joins: BTreeMap::new(),
            summary: Summary::default(),
            starts: BTreeMap::new(),
            multiplicities: BTreeMap::new(),
            shared: BTreeSet::new(),
            is_root,
        };
        build.threads();
        build.objects();
        build.releases();
        build.entries();
        // What comes before what is asked of code that runs in its caller's thread, which that of everything has not.
        if !build.is_root {
            build.calls();
        }
        build.shared();
        build.own_events();
        build.events_of_instances();
        build.hand_overs();
        build.separations();
        if !build.solver.own_threads.is_empty() {
            build.run_in_own_threads();
        }
        build.graph();
        build.summary.is_collapsed =
            build.solver.is_limited || build.solver.instances.iter().any(|instance| instance.summary.is_collapsed);
        build.nodes();
        build.summary
    }

    /// Nobody instantiates everything, whose nodes are those of the solver.
    fn nodes(&mut self) {
        match self.is_root {
            true => self.summary.nodes = std::mem::take(&mut self.solver.nodes),
            false => self.summary.take_nodes(&self.solver.nodes),
        }
    }
}
