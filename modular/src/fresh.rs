//! Constructors that show their object to nobody before it is made: their accesses to it cannot race, as far as the object is
//! published properly.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use static_typer::points_to::{CodeId, Dispatch, Local, Use};

use crate::call_graph::CallGraph;

/// Which constructors keep their object to themselves.
#[derive(Default, Debug)]
pub struct Fresh(FxHashMap<CodeId, bool>);

impl Fresh {
    /// Whether code is such a constructor.
    pub fn has(&mut self, graph: &CallGraph<'_>, code: CodeId) -> bool {
        if let Some(known) = self.0.get(&code) {
            return *known;
        }
        // A superclass that is above itself is none.
        self.0.insert(code, false);
        let is_fresh = self.keeps(graph, code);
        self.0.insert(code, is_fresh);
        is_fresh
    }

    fn keeps(&mut self, graph: &CallGraph<'_>, code: CodeId) -> bool {
        let data = graph.code(code).clone();
        let is_constructor =
            data.lambda.is_none() && data.method.is_some_and(|method| graph.program.method(method).is_constructor());
        let Some(this) = data.parameters.first().copied().flatten().filter(|_| is_constructor) else { return false };
        let is_copied = data.copies.iter().any(|(_, from, _)| *from == this)
            || data.global_stores.iter().any(|(_, from)| *from == this);
        let bases: BTreeSet<Local> = data.used_locals().collect();
        let uses = bases.into_iter().flat_map(|base| data.uses(base));
        let mut is_stored = false;
        for (base, used) in uses {
            is_stored |= matches!(used, Use::Store(_, from) if *from == this)
                || *base == this && matches!(used, Use::Clone(_) | Use::Open(_));
        }
        !is_copied
            && !is_stored
            && data.calls.iter().all(|site| {
                let passed = site.arguments.iter().filter(|argument| **argument == Some(this)).count();
                let is_receiver = site.arguments.first() == Some(&Some(this));
                let is_construction =
                    site.dispatch == Dispatch::Special && graph.program.method(site.method).is_constructor();
                match (passed, is_receiver && is_construction) {
                    (0, _) => true,
                    (1, true) => graph.of_method(site.method).is_none_or(|above| self.has(graph, above)),
                    _ => false,
                }
            })
    }
}
