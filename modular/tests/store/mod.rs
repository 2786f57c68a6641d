//! What is remembered is what would be made: with a store, empty or of any other build of the program, everything is found that is found
//! without one.

mod damage;
mod edits;
mod layers;
mod links;

use std::collections::BTreeSet;

use anyhow::{Result, ensure};
use jrace_tests::fixture::compiled as classes_of;
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::root;
use modular::CallGraph;
use modular::analysis::{Analysis, Limits, Remembered};
use modular::environment::Begin;
use modular::node::{Labels, Node, NodeId};
use modular::store::{Memory, Store};
use modular::summary::{Event, Lock};
use static_typer::classpath::ClassPath;
use static_typer::points_to::{CodeId, Resolution, Site};
use static_typer::program::{MethodId, Program};

/// What is found, without the numbers of the run.
pub fn described(analysis: &Analysis<'_>) -> Vec<String> {
    let found = analysis.races(8);
    let words = Words { analysis, graph: &analysis.graph };
    let mut lines: Vec<String> = found
        .races
        .iter()
        .map(|race| {
            let sides = race.sides.map(|side| words.event(side));
            format!("{:?} {} {sides:?}", race.warning, words.variable(race.variable))
        })
        .collect();
    lines.extend(
        found
            .counts
            .iter()
            .map(|((variable, warning), pairs)| format!("{} {warning:?} {pairs}", words.variable(*variable))),
    );
    lines.extend(analysis.comers.iter().map(|(region, of)| {
        format!("{:?} {:?}", words.labels(region), of.iter().map(|thread| words.labels(thread)).collect::<Vec<_>>())
    }));
    // Variables come in the order of their numbers, and the races of each in one that is the same in every run.
    lines.sort();
    let counts = analysis.counts;
    lines.push(format!("{} {} {} {}", counts.methods, counts.components, counts.limited, counts.collapsed));
    lines.push(format!("{} threads, {} assumed", analysis.root.threads.len(), analysis.assumed.len()));
    lines
}

struct Words<'a> {
    analysis: &'a Analysis<'a>,
    graph: &'a CallGraph<'a>,
}

impl Words<'_> {
    fn code(&self, code: CodeId) -> String {
        let Some(data) = self.graph.find(code) else { return format!("{}", u32::MAX - code.0) };
        let lambda = data.lambda.map(|at| at.0);
        format!("{} {lambda:?}", data.method.map(|method| self.method(method)).unwrap_or_default())
    }

    fn method(&self, method: MethodId) -> String {
        self.graph.program.method_name(method)
    }

    fn labels(&self, labels: &Labels) -> Vec<String> {
        let label = |label: &modular::node::Label| match self.graph.find(label.code) {
            Some(_) => format!("{} {}", self.code(label.code), label.number),
            None => format!("{} {}", self.code(label.code), self.code(CodeId(label.number))),
        };
        labels.iter().map(label).collect()
    }

    fn variable(&self, variable: modular::check::Variable) -> String {
        use modular::check::Variable;
        let names = self.graph.program.names();
        match variable {
            Variable::Field(field) => self.graph.program.field_name(field),
            Variable::Elements(ty) => format!("elements of {}", names.show(ty)),
            Variable::Contents(ty) => format!("contents of {}", names.show(ty)),
        }
    }

    fn event(&self, event: &Event) -> String {
        let place = self.graph.place(event.place).map(|(method, at)| (self.method(method), at));
        let thread = event.thread.as_ref().map(|thread| self.labels(thread));
        let locks: Vec<_> = event.locks.iter().map(|lock: &Lock| (self.nodes(&lock.nodes), lock.monitor)).collect();
        let own =
            event.own.iter().map(|own| (own.field.map(|field| self.graph.program.field_name(field)), own.monitor));
        format!(
            "{place:?} {} {:?} {thread:?} {locks:?} {:?} {:?}",
            event.write,
            self.labels(&event.labels),
            own.collect::<BTreeSet<_>>(),
            self.nodes(&event.nodes),
        )
    }

    /// In their order, which says in which order objects are named.
    fn nodes(&self, nodes: &BTreeSet<NodeId>) -> Vec<String> {
        let names = self.graph.program.names();
        let node = |node: &NodeId| match self.analysis.root.nodes.get(*node) {
            Node::Object(labels, site, ty) => {
                format!("{} {:?} {}", self.site(*site), self.labels(labels), names.show(*ty))
            }
            _ => "open".to_owned(),
        };
        nodes.iter().map(node).collect()
    }

    fn site(&self, site: Site) -> String {
        match site {
            Site::New(method, at, depth) => format!("new {} {} {depth}", self.method(method), at.0),
            Site::Copy(method, at, depth) => format!("copy {} {} {depth}", self.method(method), at.0),
            Site::Lambda(_, _, code) => self.code(code),
            Site::Returned(method) => self.method(method),
            _ => "other".to_owned(),
        }
    }
}

/// What is found with a store.
pub fn remembered<'p>(
    resolution: &Resolution<'p>,
    mains: &[MethodId],
    limits: Limits,
    store: &dyn Store,
) -> Analysis<'p> {
    remembered_from(resolution, &Begin::mains(mains), limits, store)
}

fn remembered_from<'p>(resolution: &Resolution<'p>, begin: &Begin, limits: Limits, store: &dyn Store) -> Analysis<'p> {
    Analysis::remembered(resolution, begin, limits, &Remembered { store, build: "test", max_listed: 8 })
}

/// Limits that make regions, merge everything, or do nothing.
pub const LIMITS: [Limits; 4] = [
    Limits { labels: 3, size: 2000, steps: 1_000_000, root_steps: 500_000_000 },
    Limits { labels: 2, size: 60, steps: 1_000_000, root_steps: 500_000_000 },
    Limits { labels: 3, size: 0, steps: 1_000_000, root_steps: 500_000_000 },
    Limits { labels: 3, size: 200, steps: 1_000_000, root_steps: 300 },
];

/// Everything of a program: nothing remembered, remembered as it is made, and remembered of the run before.
fn agrees(program: &Program, mains: &[MethodId], limits: Limits) -> Result<usize> {
    agrees_from(&modular::resolution(program), &Begin::mains(mains), limits)
}

/// The same from where it begins.
pub fn agrees_from(resolution: &Resolution<'_>, begin: &Begin, limits: Limits) -> Result<usize> {
    let expected = described(&Analysis::of(resolution, begin, limits));
    let store = Memory::default();
    for run in ["first", "second"] {
        let n_put = store.n_put.get();
        let analysis = remembered_from(resolution, begin, limits, &store);
        let found = described(&analysis);
        ensure!(found == expected, "{run}: {}", difference(&expected, &found));
        ensure!(analysis.counts.damaged == 0, "damaged");
        ensure!(run == "first" || store.n_put.get() == n_put, "{} were made again", store.n_put.get() - n_put);
        let n_taken = if run == "first" { 0 } else { analysis.counts.components };
        ensure!(analysis.counts.taken == n_taken && analysis.counts.is_all_taken == (run == "second"), "{run}");
    }
    Ok(expected.len())
}

/// The first line that differs.
pub fn difference(expected: &[String], found: &[String]) -> String {
    let differs = expected.iter().zip(found).find(|(a, b)| a != b);
    differs.map_or_else(|| format!("{} and {} lines", expected.len(), found.len()), |(a, b)| format!("\n{a}\n{b}"))
}

#[test]
fn what_is_remembered_is_what_is_made() -> Result<()> {
    let (printed, classes) = crate::programs::compiled(0..60, false)?;
    let mut n_lines = 0;
    for (n, printed) in printed.iter().enumerate() {
        let mut mains = classes.main_methods();
        mains.retain(|main| classes.class_name(classes.method(*main).class) == printed.class.as_str());
        n_lines += agrees(&classes, &mains, LIMITS[n % LIMITS.len()])?;
    }
    ensure!(n_lines > 300, "{n_lines} lines");
    Ok(())
}

#[test]
fn seeded_programs_are_remembered() -> Result<()> {
    let (jdk, files) = (Jdk::oldest(), sources(&root().join("tests/java/races/seeds"))?);
    let classes = classes_of(&jdk, &files, &["--release", "17"])?;
    let program = Program::load(&mut ClassPath::open(&[classes], &[], Some(&jdk.home))?);
    for (n, main) in program.main_methods().into_iter().enumerate() {
        agrees(&program, &[main], LIMITS[n % LIMITS.len()])?;
    }
    Ok(())
}
