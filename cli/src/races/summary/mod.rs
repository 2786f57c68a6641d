//! The summary of a method for a person to read.

mod accesses;
pub mod document;
pub mod model;
mod nodes;

use std::collections::BTreeSet;

use modular::analysis::Limits;
use modular::explain::{Explained, Explanation};
use modular::library::Calls;
use modular::limits::Excess;
use modular::multiplicity::Multiplicity;
use modular::node::Node;
use modular::summary::{Contents, HandOver, Summary};
use static_typer::points_to::CodeId;

use super::names::Names;
use crate::report::words::some_of;
use nodes::Nodes;

/// How many names a line has.
const MAX_NAMES: usize = 8;

/// Everything that is known of a method, a line each.
pub fn lines(explained: &Explained<'_>, explanation: &Explanation, title: &str) -> Vec<String> {
    let mut lines = vec![format!("SUMMARY of {title}")];
    lines.extend(together(explained, explanation));
    let Some(summary) = &explanation.summary else {
        lines.push(format!("  none: {}", collapsed(&explanation.excess)));
        return lines;
    };
    let names = Names::of(explained.graph.program);
    let nodes = Nodes { graph: &explained.graph, names, summary, code: explanation.code };
    let before = lines.len();
    let sections = [
        nodes.accesses(),
        nodes.objects(),
        nodes.contents(),
        nodes.starts(),
        nodes.hand_overs(),
        nodes.result(explanation.code).into_iter().collect(),
        nodes.entries(),
    ];
    lines.extend(sections.into_iter().flatten());
    if summary.releases {
        lines.push("it may release explicit locks of its callers: theirs do not count around the call".to_owned());
    }
    if lines.len() == before {
        lines.push("nothing that others could see".to_owned());
    }
    lines.extend(shortened(summary, &explanation.excess));
    lines.push(format!("{} of {} entries", summary.size(), Limits::default().size));
    lines
}

/// The methods that have the same summary.
fn together(explained: &Explained<'_>, explanation: &Explanation) -> Option<String> {
    let others = explanation.component.iter().filter(|code| **code != explanation.code);
    let names = Names::of(explained.graph.program);
    let method = |code: &CodeId| explained.graph.find(*code).and_then(|data| data.method);
    let others: Vec<String> = others.filter_map(method).map(|method| names.method(method)).collect();
    let named = || format!("one for the methods that call each other: this and {}", some_of(&others, MAX_NAMES));
    (!others.is_empty()).then(named)
}

/// Why there is no summary.
fn collapsed(excess: &[Excess]) -> String {
    let why = excess.last().map_or_else(String::new, |excess| format!(", as {}", too_much(*excess)));
    format!("it was collapsed{why}; it is looked at once for all its callers, with what it calls")
}

fn too_much(excess: Excess) -> String {
    let Limits { size, steps, .. } = Limits::default();
    match excess {
        Excess::Methods(methods) => format!("{methods} methods call each other, of {size} at most"),
        Excess::Steps => format!("it takes more than {steps} steps to make"),
        Excess::Entries(entries) => format!("it would have {entries} entries, of {size} at most"),
    }
}

/// What limits took from it.
fn shortened(summary: &Summary, excess: &[Excess]) -> Vec<String> {
    let mut lines = Vec::new();
    if let [excess] = excess {
        lines.push(format!(
            "shortened, as with more {}: objects and threads are told apart by one call only that leads to them",
            too_much(*excess)
        ));
    }
    if summary.nodes.iter().any(|(_, node)| matches!(node, Node::Beyond(_))) {
        lines.push("shortened: what is more than two references away from what it knows is not told apart".to_owned());
    }
    if summary.is_collapsed && lines.is_empty() {
        let labels = Limits::default().labels;
        lines.push(format!(
            "shortened: of the calls that lead to objects and threads it knows the last {labels} at most, or the summary of a method that it \
             calls is shortened"
        ));
    }
    lines
}

/// A heading and its lines, if there are any.
fn section(heading: &str, lines: impl IntoIterator<Item = String>) -> Vec<String> {
    let lines: Vec<String> = lines.into_iter().map(|line| format!("  {line}")).collect();
    if lines.is_empty() { lines } else { std::iter::once(heading.to_owned()).chain(lines).collect() }
}

impl Nodes<'_> {
    fn objects(&self) -> Vec<String> {
        let made = self.summary.multiplicities.iter().filter(|(node, _)| !self.summary.nodes.is_external(**node));
        section(
            "objects, made by it or by what it calls:",
            made.map(|(node, multiplicity)| {
                let shown = if self.summary.shared.contains(node) { ", shown to other threads" } else { "" };
                format!("{}: {}{shown}", self.node(*node), how_many(*multiplicity))
            }),
        )
    }

    fn contents(&self) -> Vec<String> {
        section("puts, by itself or by what it calls:", self.summary.contents.iter().flat_map(|of| self.put(of)))
    }

    fn put(&self, contents: &Contents) -> Option<String> {
        let what = self.any(contents.nodes.iter().copied());
        match &contents.cells[..] {
            [] => None,
            [(base, cell)] => Some(format!("{what} into {}", self.within(*base, *cell))),
            // What a library holds leads to more that it holds: the first steps say enough.
            cells => {
                let bases = cells.iter().map(|(base, _)| *base).filter(|base| self.distance(*base) < 3);
                Some(format!("whatever a library gets of it into each other: it has {}", self.any(bases)))
            }
        }
    }

    fn starts(&self) -> Vec<String> {
        let threads = self.summary.threads.iter();
        section(
            "starts:",
            threads.map(|(thread, data)| {
                let of_others: Vec<_> = data.parents.iter().flatten().collect();
                let by = if of_others.is_empty() {
                    String::new()
                } else {
                    format!(", by those started at {}", self.all_starts(of_others))
                };
                format!("{}: {}{by}", self.thread(thread), how_many(data.multiplicity))
            }),
        )
    }

    fn hand_overs(&self) -> Vec<String> {
        section("hands to libraries:", self.each_hand_over())
    }

    fn each_hand_over(&self) -> Vec<String> {
        self.summary.hand_overs.iter().map(|of| self.hand_over(of)).collect()
    }

    fn hand_over(&self, of: &HandOver) -> String {
        let (what, place) = (self.any(of.receivers.iter().copied()), self.at_calls(&of.labels));
        let thread = if of.runs_in.is_some() { "other threads" } else { "the same thread" };
        let which = match of.calls {
            Calls::Only(method) => {
                return format!(
                    "{what}, if it is the program's own: `{}` runs in {thread}{place}",
                    self.names.method(method)
                );
            }
            Calls::None => "nothing",
            Calls::Run => "`run`",
            Calls::NoTasks => "any method that is no task",
            Calls::All => "any method",
        };
        format!("{what}: {which} may be called in {thread}{place}")
    }

    fn result(&self, code: CodeId) -> Option<String> {
        let nodes = self.summary.results.get(&code).filter(|nodes| !nodes.is_empty())?;
        Some(format!("returns {}", self.any(nodes.iter().copied())))
    }

    fn entries(&self) -> Vec<String> {
        section("comes to methods whose summaries were collapsed:", self.regions())
    }

    fn regions(&self) -> Vec<String> {
        let regions: BTreeSet<String> = self.summary.entries.iter().map(|(region, _)| self.thread(region)).collect();
        regions.into_iter().collect()
    }
}

/// How many things something stands for, in words.
fn how_many(multiplicity: Multiplicity) -> &'static str {
    match multiplicity {
        Multiplicity::Unknown => "one for each call of it",
        Multiplicity::One => "one",
        Multiplicity::Many => "any number",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn why_there_is_none_is_what_was_too_much_in_the_end() {
        let entries = collapsed(&[Excess::Steps, Excess::Entries(2345)]);
        assert!(entries.starts_with("it was collapsed, as it would have 2345 entries, of 2000 at most; "), "{entries}");
        let steps = collapsed(&[Excess::Entries(2345), Excess::Steps]);
        assert!(steps.starts_with("it was collapsed, as it takes more than 1000000 steps to make; "), "{steps}");
    }

    #[test]
    fn what_was_made_with_fewer_distinctions_says_so() {
        let lines = shortened(&Summary::default(), &[Excess::Entries(2345)]);
        assert_eq!(
            lines,
            [
                "shortened, as with more it would have 2345 entries, of 2000 at most: objects and threads are told apart by one call \
                 only that leads to them"
            ]
        );
        assert_eq!(shortened(&Summary::default(), &[]), Vec::<String>::new());
    }
}
