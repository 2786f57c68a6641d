//! Words for what the analysis by summaries finds, in the document of the other search.

mod separations;

use std::collections::{BTreeMap, BTreeSet};

use facts::name::dotted;
use modular::analysis::{Analysis, Begins};
use modular::check::{Found, Race, Variable, Warning};
use modular::node::{Labels, Node, NodeId};
use modular::regions::{MAX_COMERS, is_region};
use modular::summary::{Event, Lock, ThreadId};
use static_typer::ir::Value;
use static_typer::points_to::Site;
use static_typer::program::{MethodId, Program, Type};
use static_typer::races::Confidence;

use super::names::Names;
use super::rank::{self, Evidence, Target};
use super::report::{
    AccessView, FORMAT, Frame, Kind, MODULAR_RULES, Object, RaceView, Report, StageCount, VariableRaces, methods,
};
use crate::report::claims::Identities;
use crate::report::words::count;

/// How many objects of a race are named.
const MAX_OBJECTS: usize = 8;

/// How many races of a variable are listed.
pub const MAX_LISTED: usize = 32;

/// The report of an analysis.
pub fn report(application: Vec<String>, entries: &str, analysis: &Analysis<'_>, found: &Found<'_>) -> Report {
    let words = Words { analysis, program: analysis.graph.program, names: Names::of(analysis.graph.program) };
    words.report(application, entries, found)
}

/// The name of a kind of warnings.
fn warning_name(warning: Warning) -> &'static str {
    match warning {
        Warning::MultipleWrite => "multiple-write",
        Warning::ConflictingAccess => "conflicting-access",
    }
}

struct Words<'a> {
    analysis: &'a Analysis<'a>,
    program: &'a Program,
    names: Names<'a>,
}

impl Words<'_> {
    fn report(self, application: Vec<String>, entries: &str, found: &Found<'_>) -> Report {
        let of = |warning: Warning| StageCount {
            stage: warning_name(warning),
            pairs: found.counts.iter().filter(|((_, of), _)| *of == warning).map(|(_, pairs)| pairs).sum(),
        };
        let mut variables: BTreeMap<String, VariableRaces> = BTreeMap::new();
        for ((variable, _), pairs) in &found.counts {
            let none = self.variable(*variable);
            variables.entry(none.variable.clone()).or_insert(none).pairs += pairs;
        }
        for race in &found.races {
            let none = self.variable(race.variable);
            let view = self.race(race, none.kind);
            variables.entry(none.variable.clone()).or_insert(none).races.push(view);
        }
        let mut report = Report {
            format: FORMAT,
            jrace: env!("CARGO_PKG_VERSION"),
            application,
            harness: false,
            entries: entries.to_owned(),
            stages: vec![of(Warning::MultipleWrite), of(Warning::ConflictingAccess)],
            threads: self.analysis.root.threads.keys().filter(|thread| !is_region(thread)).count()
                + self.analysis.begins.mains.len(),
            variables: variables.into_values().collect(),
            broken_sets: self.broken_sets(),
            proved: Vec::new(),
            left_out: Vec::new(),
            unmatched_annotations: Vec::new(),
            observed: None,
            logged_calls: None,
            api: None,
            times: None,
            assumptions: self.assumptions(),
            identities: Identities::default(),
            rules: &MODULAR_RULES,
        };
        report.sort();
        report
    }

    /// What was not followed.
    fn assumptions(&self) -> Vec<String> {
        let counts = self.analysis.counts;
        let libraries = count(self.analysis.assumed.len() as u64, "method");
        let mut found = vec![
            format!(
                "what {libraries} of libraries do: each is taken to keep, call back and return whatever it gets, in threads of \
                 its own if its class may have some"
            ),
            "reflection, native methods, and the order that volatile fields, queues and joins elsewhere than at the start give".to_owned(),
        ];
        if counts.limited > 0 {
            found.push(format!(
                "which of some objects or threads are meant, in the summaries of {}: limits make them one",
                count(counts.limited as u64, "method")
            ));
        }
        if counts.collapsed > 0 {
            let collapsed = count(counts.collapsed as u64, "method");
            found.push(format!(
                "who calls {collapsed} of {}: their summaries were collapsed, as they grew too long, and they are looked at once for \
                 all their callers",
                counts.methods
            ));
        }
        found
    }

    /// A variable, without any race.
    fn variable(&self, variable: Variable) -> VariableRaces {
        let ty = |ty: Type| self.names.ty(ty);
        match variable {
            Variable::Field(field) => self.names.field_races(field, self.names.variable(field)),
            Variable::Elements(of) => VariableRaces::none(format!("elements of {}", ty(of)), Kind::Elements, ty(of)),
            Variable::Contents(of) => VariableRaces::none(format!("contents of {}", ty(of)), Kind::Contents, ty(of)),
        }
    }

    fn race(&self, race: &Race<'_>, kind: Kind) -> RaceView {
        let [a, b] = race.sides;
        let is_alike = |x: &Lock, y: &Lock| !x.nodes.is_disjoint(&y.nodes) && x.monitor == y.monitor;
        let may_be_same = a.locks.iter().any(|x| b.locks.iter().any(|y| is_alike(x, y)));
        let objects: Vec<NodeId> = race.nodes().filter(|_| kind != Kind::StaticField).collect();
        let accesses = vec![self.access(a), self.access(b)];
        RaceView {
            confidence: if may_be_same { Confidence::MaybeSameLock } else { Confidence::NoCommonLock },
            warning: Some(warning_name(race.warning)),
            pairs: 1,
            objects: objects.iter().take(MAX_OBJECTS).map(|node| self.object(*node)).collect(),
            more_objects: objects.len().saturating_sub(MAX_OBJECTS),
            paths: None,
            methods: methods(&accesses, false),
            accesses,
            types: objects.iter().map(|node| self.names.ty(self.type_of(*node))).collect(),
            evidence: evidence([a, b], kind, may_be_same),
        }
    }

    fn access(&self, event: &Event) -> AccessView {
        let place = self.analysis.graph.place(event.place).map(|(method, at)| self.names.place(method, at));
        let path = place.into_iter().chain(self.calls(&event.labels)).collect();
        AccessView {
            kind: if event.write { "write" } else { "read" },
            thread: self.thread(event.thread.as_ref()),
            locks: event.locks.iter().map(|lock| self.lock(lock)).collect(),
            path,
            alike: Vec::new(),
        }
    }

    /// The calls of a string of labels, the innermost first.
    fn calls(&self, labels: &Labels) -> Vec<Frame> {
        let graph = &self.analysis.graph;
        let call = |label: &modular::node::Label| {
            let data = graph.find(label.code)?;
            let site = data.calls.get(label.number as usize)?;
            Some((data.method?, site.at))
        };
        let calls: Vec<(MethodId, Value)> = labels.iter().rev().filter_map(call).collect();
        calls.into_iter().map(|(method, at)| self.names.place(method, at)).collect()
    }

    fn thread(&self, thread: Option<&ThreadId>) -> String {
        let Some(thread) = thread else { return "a thread".to_owned() };
        if let Some(begun) = self.begun(thread) {
            return begun;
        }
        if let Some(comers) = self.analysis.comers.get(thread) {
            return self.comers(comers);
        }
        let is_many = self.analysis.root.threads.get(thread).is_some_and(|data| data.multiplicity.is_many());
        let place = self.calls(thread).first().map_or_else(|| "a library".to_owned(), Frame::position);
        if is_many { format!("threads started at {place}") } else { format!("the thread started at {place}") }
    }

    /// A thread that begins by itself.
    fn begun(&self, thread: &ThreadId) -> Option<String> {
        let Begins { mains, initializers, clients } = &self.analysis.begins;
        if let Some((_, main)) = mains.iter().find(|(id, _)| id == thread) {
            return Some(format!("the thread of {}", self.names.method(*main)));
        }
        if let Some((_, class)) = initializers.iter().find(|(id, _)| id == thread) {
            return Some(format!("the initializer of {}", dotted(&self.program.class_name(*class))));
        }
        let (_, method) = clients.iter().find(|(id, _)| id == thread)?;
        if self.runs_tests() {
            return Some("the thread of the tests".to_owned());
        }
        let name = self.names.method(*method);
        Some(match name.strip_suffix(".<init>") {
            Some(class) => format!("a client that makes a {class}"),
            None => format!("a client that calls {name}"),
        })
    }

    /// Whether a test framework is what begins.
    fn runs_tests(&self) -> bool {
        self.analysis.graph.environment().is_some_and(|code| code.is_sequential)
    }

    /// Any of the threads that come to code that is looked at once for all of them.
    fn comers(&self, threads: &BTreeSet<ThreadId>) -> String {
        if threads.len() > MAX_COMERS {
            return "any of several threads".to_owned();
        }
        threads.iter().map(|thread| self.thread(Some(thread))).collect::<Vec<_>>().join(" or ")
    }

    fn lock(&self, lock: &Lock) -> String {
        let shared = if lock.shared { ", for reading" } else { "" };
        let names: Vec<String> = lock.nodes.iter().map(|node| self.object(*node).text).collect();
        format!("{}{shared}", names.join(" or "))
    }

    fn object(&self, node: NodeId) -> Object {
        let ty = self.names.ty(self.type_of(node));
        let made = match self.analysis.root.nodes.get(node) {
            Node::Object(_, site, _) => Some(*site),
            _ => None,
        };
        let site = made.and_then(|made| self.names.maker(made));
        let text = match made {
            Some(Site::Returned(method)) => format!("{ty} that {} returns", self.names.method(method)),
            Some(Site::Reflected(..)) if site.as_ref().is_some_and(|site| site.line.is_none()) => {
                format!("{ty} that a client makes")
            }
            Some(Site::Given(_)) if self.runs_tests() => format!("{ty} of the test framework"),
            Some(Site::Given(_)) => format!("{ty} of the client"),
            Some(made) => self.names.made(made, &ty),
            None => format!("some {ty}"),
        };
        Object { text, ty, site }
    }

    fn type_of(&self, node: NodeId) -> Type {
        match self.analysis.root.nodes.get(node) {
            Node::Object(_, _, ty) => *ty,
            _ => Type::OBJECT,
        }
    }
}

/// What ranks a race, as far as a summary has it.
fn evidence(sides: [&Event; 2], kind: Kind, may_be_same: bool) -> Evidence {
    let locks = match sides.iter().filter(|side| !side.locks.is_empty()).count() {
        _ if may_be_same => rank::Locks::MaybeSame,
        0 => rank::Locks::None,
        1 => rank::Locks::One,
        _ => rank::Locks::Both,
    };
    let target = match kind {
        Kind::Field => Target::Field,
        Kind::StaticField => Target::Static,
        Kind::Elements => Target::Elements,
        Kind::Contents => Target::Contents,
    };
    // How long paths are is not known: neither short nor long.
    let depth = rank::SHORT_PATH + 1;
    Evidence { target, locks, depth, both_write: sides.iter().all(|side| side.write), ..Evidence::default() }
}
