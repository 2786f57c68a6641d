//! A race report: names, places and paths instead of numbers.

use std::cell::RefCell;
use std::collections::HashMap;

use facts::name::dotted;
use serde::Serialize;
use static_typer::ir::{Body, Value};
use static_typer::points_to::{InstanceId, ObjectId, PointsTo, Site};
use static_typer::program::{Base, MethodId, Program, Type};
use static_typer::races::{
    Callers, Confidence, Guard, Race, Races, STAGES, Side, Stage, Variable, guard, is_run_by_several, only_thread,
};

/// The whole report.
#[derive(Serialize, Debug)]
pub struct Report {
    /// Version of this form.
    pub version: u32,
    /// How many pairs of accesses each stage left, in order.
    pub stages: Vec<StageCount>,
    /// Code that threads begin with.
    pub threads: usize,
    /// Variables with races, the surest first.
    pub variables: Vec<VariableRaces>,
    /// Variables with pairs that static types prove race-free.
    pub proved: Vec<String>,
    /// What was not seen, and therefore taken to do nothing.
    pub assumptions: Vec<String>,
}

/// What a stage left.
#[derive(Serialize, Debug)]
pub struct StageCount {
    /// Its name in paper 000.
    pub stage: &'static str,
    /// How many pairs.
    pub pairs: u64,
}

/// The races of one variable.
#[derive(Serialize, Debug)]
pub struct VariableRaces {
    /// `bank.Account.balance (int)`, or elements of arrays of a type.
    pub variable: String,
    /// How many pairs of places race.
    pub pairs: u64,
    /// One race for all pairs that are alike, the surest first.
    pub races: Vec<RaceView>,
}

/// A race.
#[derive(Serialize, Debug)]
pub struct RaceView {
    /// `no-common-lock` or `maybe-same-lock`.
    pub confidence: &'static str,
    /// How many pairs of places are alike.
    pub pairs: u64,
    /// What both may access; none for static fields.
    pub objects: Vec<String>,
    /// The accesses; the first one writes.
    pub accesses: Vec<AccessView>,
}

/// One side of a race.
#[derive(Serialize, Debug)]
pub struct AccessView {
    /// `write` or `read`.
    pub kind: &'static str,
    /// The thread that comes here.
    pub thread: String,
    /// Locks held at the access, whichever way leads there.
    pub locks: Vec<String>,
    /// The access, its caller, and so on to where the thread begins.
    pub path: Vec<Frame>,
}

/// A place in the code.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// `bank.Account.deposit`.
    pub method: String,
    /// The source file that the class file names.
    pub file: Option<String>,
    /// The line.
    pub line: Option<u16>,
    /// Whether it is code of a library.
    pub library: bool,
    /// The locks that the method holds at this place.
    pub locks: Vec<String>,
}

/// The name of a stage in paper 000.
pub fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Reachable => "reachable",
        Stage::Aliasing => "aliasing",
        Stage::Escaping => "escaping",
        Stage::Unlocked => "unlocked",
    }
}

/// What words are found with.
pub struct Words<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    races: &'a Races,
    callers: Callers<'a>,
    /// Whether threads are calls of a harness.
    is_harness: bool,
    bodies: RefCell<HashMap<MethodId, Option<Body>>>,
}

impl<'a> Words<'a> {
    /// Words for the races of a program.
    pub fn new(program: &'a Program, points_to: &'a PointsTo, races: &'a Races, is_harness: bool) -> Self {
        let callers = Callers::of(points_to, &races.threads.roots);
        Self { program, points_to, races, callers, is_harness, bodies: RefCell::default() }
    }

    /// The report.
    pub fn report(&self, assumptions: Vec<String>) -> Report {
        let original = StageCount { stage: "original", pairs: self.races.counts.original };
        let stages = STAGES.iter().zip(self.races.counts.stages);
        let stages = stages.map(|(stage, pairs)| StageCount { stage: stage_name(*stage), pairs });
        Report {
            version: 1,
            stages: std::iter::once(original).chain(stages).collect(),
            threads: self.races.threads.roots.len(),
            variables: self.variables(),
            proved: self.races.proved.iter().map(|variable| self.variable(*variable, None)).collect(),
            assumptions,
        }
    }

    fn variables(&self) -> Vec<VariableRaces> {
        let mut variables: Vec<VariableRaces> = Vec::new();
        let mut by_name: HashMap<String, usize> = HashMap::new();
        for race in &self.races.races {
            let name = self.variable(race.variable, Some(race));
            let place = *by_name.entry(name.clone()).or_insert_with(|| {
                variables.push(VariableRaces { variable: name, pairs: 0, races: Vec::new() });
                variables.len() - 1
            });
            variables[place].pairs += race.n_pairs;
            variables[place].races.push(self.race(race));
        }
        variables.sort_by_key(|variable| std::cmp::Reverse(variable.races.first().map(|race| race.confidence)));
        variables
    }

    fn variable(&self, variable: Variable, race: Option<&Race>) -> String {
        match variable {
            Variable::Field(field) => {
                let ty = dotted(&self.program.names().show(self.program.field(field).ty));
                format!("{} ({ty})", dotted(&self.program.field_name(field)))
            }
            Variable::Element => format!("elements of {}", self.first_type(race)),
            Variable::Content => format!("contents of {}", self.first_type(race)),
        }
    }

    fn first_type(&self, race: Option<&Race>) -> String {
        let object = race.and_then(|race| race.objects.as_ref()?.iter().next());
        object.map_or_else(|| "?".to_owned(), |object| self.ty(self.points_to.objects.ty(object)))
    }

    fn ty(&self, ty: Type) -> String {
        dotted(&self.program.names().show(ty))
    }

    fn race(&self, race: &Race) -> RaceView {
        let objects = race.objects.iter().flat_map(|objects| objects.iter());
        let first_root = self.path_root(&race.sides[0], None, &race.sides[1].guards);
        RaceView {
            confidence: match race.confidence {
                Confidence::NoCommonLock => "no-common-lock",
                Confidence::MaybeSameLock => "maybe-same-lock",
            },
            pairs: race.n_pairs,
            objects: objects.take(8).map(|object| self.object(object)).collect(),
            accesses: vec![
                self.access(&race.sides[0], None, &race.sides[1].guards),
                self.access(&race.sides[1], first_root, &race.sides[0].guards),
            ],
        }
    }

    /// Where the thread of a side begins, if it is one that runs once: the other side needs another.
    fn path_root(&self, side: &Side, avoided: Option<InstanceId>, unheld: &[Guard]) -> Option<InstanceId> {
        let path = self.callers.path(side.instance, avoided, unheld)?;
        only_thread(&self.races.threads, path.root)
    }

    fn access(&self, side: &Side, avoided: Option<InstanceId>, unheld: &[Guard]) -> AccessView {
        let place = side.place;
        let access = self.points_to.code(side.instance).accesses.iter().find(|access| access.at == place.at);
        let mut frames = vec![self.frame(side.instance, place.at, access.map_or(&[], |access| &access.held))];
        let path = self.callers.path(side.instance, avoided, unheld);
        let steps = path.as_ref().map_or(&[][..], |path| &path.steps);
        for step in steps.iter().rev() {
            let code = self.points_to.code(step.caller);
            if code.lambda.is_none() {
                let site = &code.calls[step.call as usize];
                frames.push(self.frame(step.caller, site.at, &site.held));
            }
        }
        AccessView {
            kind: if place.write { "write" } else { "read" },
            thread: path.map_or_else(String::new, |path| self.thread(path.root)),
            locks: side.guards.iter().map(|guard| self.guard(guard)).collect(),
            path: frames,
        }
    }

    fn frame(&self, instance: InstanceId, at: Value, held: &[static_typer::points_to::Lock]) -> Frame {
        let locks = held.iter().map(|lock| match guard(self.points_to, instance, lock) {
            Some(guard) => self.guard(&guard),
            None => "a lock that may be several".to_owned(),
        });
        let locks = locks.collect();
        match self.points_to.code(instance).method {
            Some(method) => Frame { locks, ..self.place(method, at) },
            None => Frame { method: "(client)".to_owned(), file: None, line: None, library: true, locks },
        }
    }

    fn place(&self, method: MethodId, at: Value) -> Frame {
        let mut bodies = self.bodies.borrow_mut();
        let body = bodies.entry(method).or_insert_with(|| Body::of(self.program, method)?.ok());
        let line = body.as_ref().filter(|body| at.index() < body.instructions.len()).and_then(|body| body.line(at));
        let data = self.program.method(method);
        let class = self.program.class(data.class);
        let names = self.program.names();
        Frame {
            method: format!("{}.{}", dotted(&names.text(class.name)), names.text(data.name)),
            file: class.source_file.map(|file| names.text(file).into_owned()),
            line,
            library: !class.is_application,
            locks: Vec::new(),
        }
    }

    fn guard(&self, guard: &Guard) -> String {
        let shared = if guard.shared { ", for reading" } else { "" };
        format!("{}{shared}", self.object(guard.object))
    }

    /// `bank.Account made at Main.java:12`.
    fn object(&self, object: ObjectId) -> String {
        let ty = self.ty(self.points_to.objects.ty(object));
        match self.points_to.objects.get(object).site {
            Site::New(method, at, _) => format!("{ty} made at {}", self.place(method, at).position()),
            Site::Lambda(method, at, _) => format!("lambda made at {}", self.place(method, at).position()),
            Site::Class(Type { dimensions: 0, base: Base::Class(name) }) => {
                format!("{}.class", dotted(&self.program.names().text(name)))
            }
            Site::Given(_) => format!("{ty} of the client"),
            _ => format!("some {ty}"),
        }
    }

    fn thread(&self, root: InstanceId) -> String {
        let code = self.points_to.code(root);
        let Some(method) = code.method else { return "a thread".to_owned() };
        let name = self.place(method, Value(u32::MAX)).method;
        let is_main = self.points_to.calls(self.points_to.root).iter().any(|edge| edge.callee == root);
        let several = is_run_by_several(&self.races.threads, root);
        match (is_main, self.is_harness) {
            (true, true) => format!("a client that calls {name}"),
            (true, false) => "the main thread".to_owned(),
            (false, _) => {
                let of = self.points_to.context(root).map(|object| format!(", {}", self.object(object)));
                let which = if several { "a thread" } else { "the thread" };
                format!("{which} that begins with {name}{}", of.unwrap_or_default())
            }
        }
    }
}

impl Frame {
    /// `Account.java:12`, or the method if the class file does not say.
    pub fn position(&self) -> String {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            _ => self.method.clone(),
        }
    }
}
