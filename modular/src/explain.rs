//! What is known of single methods: their summaries, or why they have none.

use std::collections::BTreeMap;
use std::rc::Rc;

use static_typer::points_to::{CodeId, Resolution};
use static_typer::program::MethodId;

use crate::call_graph::CallGraph;
use crate::environment::Begin;
use crate::limits::{Excess, Limits};
use crate::summary::Summary;
use crate::work::Work;

/// What is known of some methods of a program.
pub struct Explained<'p> {
    /// What calls run.
    pub graph: Rc<CallGraph<'p>>,
    /// The methods that something calls.
    pub methods: BTreeMap<MethodId, Explanation>,
}

/// What is known of a method.
pub struct Explanation {
    /// Its code.
    pub code: CodeId,
    /// The methods that call each other, which have one summary together; itself among them.
    pub component: Vec<CodeId>,
    /// The summary; none if it was collapsed.
    pub summary: Option<Rc<Summary>>,
    /// What was too much: once with calls told apart as usual, once with as few as can be.
    pub excess: Vec<Excess>,
}

/// Makes the summaries that lead to some methods, from where the program begins.
#[must_use]
pub fn explain<'p>(resolution: &Resolution<'p>, begin: &Begin, limits: Limits, methods: &[MethodId]) -> Explained<'p> {
    let graph = Rc::new(CallGraph::of(resolution, begin));
    let mut work = Work::new(&graph, limits, None);
    work.bottom_up();
    let components = graph.components();
    let explanation = |method: MethodId| {
        let code = graph.of_method(method).or_else(|| graph.initializer(method))?;
        let (component, _) = components.iter().find(|(component, _)| component.contains(&code))?;
        let summary = work.known.summary(code);
        let excess = work.excess.get(&component[0]).cloned().unwrap_or_default();
        Some(Explanation { code, component: component.clone(), summary, excess })
    };
    let methods = methods.iter().filter_map(|method| Some((*method, explanation(*method)?))).collect();
    Explained { graph: graph.clone(), methods }
}
