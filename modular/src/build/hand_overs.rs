//! What is handed to libraries and waits for callers to say what it is.

use std::collections::BTreeSet;

use super::Build;
use crate::multiplicity::Multiplicity;
use crate::node::NodeId;
use crate::summary::HandOver;

/// More hand-overs than that are told apart by the threads only, and not by locks and what was started before.
const MAX_HAND_OVERS: usize = 16;

impl<'p> Build<'_, '_, 'p> {
    pub(super) fn hand_overs(&mut self) {
        for index in 0..self.solver.handed.len() {
            let handed = &self.solver.handed[index];
            let receivers: BTreeSet<NodeId> = self.solver.points(handed.receivers).iter().copied().collect();
            let waits = |node: &NodeId| self.solver.nodes.is_external(*node);
            if receivers.iter().any(waits) {
                let new = self.hand_over(index, receivers);
                self.wait(new);
            }
        }
    }

    fn hand_over(&mut self, index: usize, receivers: BTreeSet<NodeId>) -> HandOver {
        let handed = &self.solver.handed[index];
        let (context, calls, is_start) = (handed.context.clone(), handed.calls, handed.is_start);
        let data = self.solver.points(handed.data).iter().copied().collect();
        let (runs_in, done) = (handed.runs_in.clone(), handed.done.clone());
        HandOver {
            labels: context.labels.clone(),
            calls,
            receivers,
            data,
            runs_in,
            is_start,
            thread: context.thread.clone(),
            locks: self.locks(&context.locks),
            started: self.before(&context),
            multiplicity: context.multiplicity,
            done,
        }
    }

    /// What waits for the same in the same way waits together.
    fn wait(&mut self, new: HandOver) {
        let is_full = self.summary.hand_overs.len() >= MAX_HAND_OVERS;
        let is_alike = |known: &&mut HandOver| {
            (known.calls, &known.runs_in, known.is_start, &known.thread)
                == (new.calls, &new.runs_in, new.is_start, &new.thread)
                && (is_full || known.locks == new.locks && known.started == new.started)
        };
        match self.summary.hand_overs.iter_mut().find(is_alike) {
            Some(known) => {
                known.receivers.extend(new.receivers);
                known.data.extend(new.data);
                // What only one of them has called, the other has not.
                known.done.retain(|node| new.done.contains(node));
                known.multiplicity = Multiplicity::Many;
                known.locks.retain(|lock| new.locks.contains(lock));
                known.started.extend(new.started);
            }
            None => self.summary.hand_overs.push(new),
        }
    }
}
