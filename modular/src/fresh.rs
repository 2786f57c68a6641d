//! Constructors that show their object to nobody before it is made, or not before some call: their accesses to it until then cannot
//! race, as far as the object is published properly.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use static_typer::points_to::{CallSite, Code, CodeId, Dispatch, Local, Use};

use crate::call_graph::CallGraph;

/// Which calls of a constructor get its object, if nothing else does.
type Showing = Rc<[u32]>;

/// Which constructors keep their object to themselves, or do until some call.
#[derive(Default, Debug)]
pub struct Fresh(FxHashMap<CodeId, Option<Showing>>);

impl Fresh {
    /// Whether code is a constructor that keeps its object to itself.
    pub fn has(&mut self, graph: &CallGraph<'_>, code: CodeId) -> bool {
        self.showing(graph, code).is_some_and(|calls| calls.is_empty())
    }

    /// The calls by which a constructor shows its object to others, by their numbers: whatever does not come after one of them, nobody
    /// can be in the middle of. None if that cannot be said, or it is no constructor.
    pub fn showing(&mut self, graph: &CallGraph<'_>, code: CodeId) -> Option<Showing> {
        if let Some(known) = self.0.get(&code) {
            return known.clone();
        }
        // A superclass that is above itself is none.
        self.0.insert(code, None);
        let showing = self.calls(graph, code);
        self.0.insert(code, showing.clone());
        showing
    }

    fn calls(&mut self, graph: &CallGraph<'_>, code: CodeId) -> Option<Showing> {
        let data = graph.code(code).clone();
        let is_constructor =
            data.lambda.is_none() && data.method.is_some_and(|method| graph.program.method(method).is_constructor());
        let this = data.parameters.first().copied().flatten().filter(|_| is_constructor)?;
        if is_kept_elsewhere(&data, this) {
            return None;
        }
        let calls = (0..).zip(&data.calls).filter(|(_, site)| self.shows(graph, site, this));
        Some(calls.map(|(number, _)| number).collect())
    }

    /// Whether a call gets the object: the constructor of a class above may keep it to itself, too.
    fn shows(&mut self, graph: &CallGraph<'_>, site: &CallSite, this: Local) -> bool {
        let passed = site.arguments.iter().filter(|argument| **argument == Some(this)).count();
        let is_receiver = site.arguments.first() == Some(&Some(this));
        let is_construction = site.dispatch == Dispatch::Special && graph.program.method(site.method).is_constructor();
        match (passed, is_receiver && is_construction) {
            (0, _) => false,
            (1, true) => graph.of_method(site.method).is_some_and(|above| !self.has(graph, above)),
            _ => true,
        }
    }
}

/// Whether code puts a reference where others may find it, or to another variable.
fn is_kept_elsewhere(data: &Code, this: Local) -> bool {
    let bases: BTreeSet<Local> = data.used_locals().collect();
    let mut uses = bases.into_iter().flat_map(|base| data.uses(base));
    data.copies.iter().any(|(_, from, _)| *from == this)
        || data.global_stores.iter().any(|(_, from)| *from == this)
        || uses.any(|(base, used)| {
            matches!(used, Use::Store(_, from) if *from == this)
                || *base == this && matches!(used, Use::Clone(_) | Use::Open(_))
        })
}
