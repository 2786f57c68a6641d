//! Words for arguments that are to be different objects, and in the end are not kept apart.

use std::collections::{BTreeMap, BTreeSet};

use facts::name::dotted;
use modular::node::NodeId;
use modular::summary::Separation;
use static_typer::program::MethodId;

use super::{MAX_LISTED, MAX_OBJECTS, Words};
use crate::races::broken::{BrokenCall, BrokenSets};

impl Words<'_> {
    /// By method and arguments, the calls that break its alias sets.
    pub(super) fn broken_sets(&self) -> Vec<BrokenSets> {
        let mut found: BTreeMap<(String, [u16; 2]), (MethodId, BTreeSet<BrokenCall>)> = BTreeMap::new();
        for separation in &self.analysis.root.separations {
            let Some(method) = self.called(separation) else { continue };
            let key = (self.full_name(method), separation.arguments);
            found.entry(key).or_insert_with(|| (method, BTreeSet::new())).1.insert(self.broken_call(separation));
        }
        let sets = |((name, arguments), (method, calls)): ((String, [u16; 2]), (MethodId, BTreeSet<BrokenCall>))| {
            let arguments = arguments.map(|argument| self.argument(method, argument));
            let calls = calls.into_iter().take(MAX_LISTED).collect();
            BrokenSets { method: name, arguments, baseline: None, suppressed_by: Vec::new(), calls }
        };
        found.into_iter().map(sets).collect()
    }

    /// The method that the call names.
    fn called(&self, separation: &Separation) -> Option<MethodId> {
        let call = separation.labels.last()?;
        Some(self.analysis.graph.find(call.code)?.calls.get(call.number as usize)?.method)
    }

    /// `bank.Bank.transfer(bank.Account, int)`.
    fn full_name(&self, method: MethodId) -> String {
        let types = self.program.signature(method).parameters.iter();
        let types: Vec<String> = types.map(|ty| dotted(&self.program.names().show(*ty))).collect();
        format!("{}({})", self.names.method(method), types.join(", "))
    }

    fn argument(&self, method: MethodId, number: u16) -> String {
        match (self.program.method(method).is_static(), number) {
            (false, 0) => "the object".to_owned(),
            (false, number) => format!("argument {number}"),
            (true, number) => format!("argument {}", number + 1),
        }
    }

    fn broken_call(&self, Separation { labels, nodes: [a, b], .. }: &Separation) -> BrokenCall {
        let objects: Vec<NodeId> = a.intersection(b).copied().collect();
        BrokenCall {
            path: self.calls(labels),
            objects: objects.iter().take(MAX_OBJECTS).map(|node| self.object(*node)).collect(),
            more_objects: objects.len().saturating_sub(MAX_OBJECTS),
        }
    }
}
