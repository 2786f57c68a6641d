//! How many objects each node is.

use static_typer::points_to::Site;

use super::Build;
use crate::multiplicity::Multiplicity;
use crate::node::{Node, NodeId, is_single};
use crate::solver::Maker;

impl<'p> Build<'_, '_, 'p> {
    /// How many objects each internal node is; what comes from several places is many.
    pub(super) fn objects(&mut self) {
        for (node, makers) in &self.solver.makers {
            let Node::Object(_, site, _) = self.solver.nodes.get(*node) else { continue };
            let mut found = from_places(site, makers.len());
            for maker in makers.iter().filter(|_| !is_single(site)) {
                found = found.times(self.made_by(maker));
            }
            self.multiplicities.insert(*node, found);
        }
        self.started_objects();
    }

    /// How many objects something makes.
    fn made_by(&self, maker: &Maker) -> Multiplicity {
        match maker {
            Maker::Here(_, _, again) if *again || self.solver.is_recursive => Multiplicity::Many,
            Maker::Here(..) => Multiplicity::Unknown,
            Maker::Instance(index, inner) => {
                let instance = &self.solver.instances[*index];
                let threads = &self.summary.threads;
                let thread = instance.context.thread.as_ref().and_then(|thread| threads.get(thread));
                let of_thread = thread.map_or(Multiplicity::Unknown, |thread| thread.multiplicity);
                let inner = instance.summary.multiplicities.get(inner).copied().unwrap_or(Multiplicity::Many);
                // A thread that is many at the root is so only there.
                inner.times(instance.context.multiplicity).times(of_thread)
            }
        }
    }

    /// Threads are as many as the objects that they are.
    fn started_objects(&mut self) {
        for index in 0..self.solver.handed.len() {
            let handed = &self.solver.handed[index];
            let Some(thread) = handed.runs_in.clone().filter(|_| handed.is_start) else { continue };
            let is_many =
                |node: &NodeId| self.multiplicities.get(node).is_some_and(|multiplicity| multiplicity.is_many());
            let is_many = self.solver.points(handed.receivers).iter().any(is_many);
            if is_many && let Some(data) = self.summary.threads.get_mut(&thread) {
                data.multiplicity = Multiplicity::Many;
            }
        }
        self.descend();
        self.made_by_threads();
    }

    /// What threads make that are many is many.
    fn made_by_threads(&mut self) {
        let is_by_many = |maker: &Maker| match maker {
            Maker::Instance(index, _) => {
                let thread = self.solver.instances[*index].context.thread.as_ref();
                thread.and_then(|thread| self.summary.threads.get(thread)).is_some_and(|t| t.multiplicity.is_many())
            }
            Maker::Here(..) => false,
        };
        for (node, _) in self.solver.makers.iter().filter(|(_, makers)| makers.iter().any(is_by_many)) {
            let is_one = matches!(self.solver.nodes.get(*node), Node::Object(_, site, _) if is_single(site));
            if !is_one {
                self.multiplicities.insert(*node, Multiplicity::Many);
            }
        }
    }
}

/// How many objects are made at so many places, as far as these say.
fn from_places(site: &Site, n_makers: usize) -> Multiplicity {
    match site {
        _ if is_single(site) => Multiplicity::One,
        Site::New(..) | Site::Lambda(..) | Site::Reflected(..) | Site::Returned(_) | Site::Copy(..) => {
            if n_makers > 1 {
                Multiplicity::Many
            } else {
                Multiplicity::Unknown
            }
        }
        _ => Multiplicity::Many,
    }
}
