//! Finding words for what the analysis found.

use std::cell::{Cell, OnceCell};
use std::collections::{BTreeSet, HashMap, HashSet};

use facts::models::contents;
use facts::name::dotted;
use facts::site::{self, leave_out_accessors};
use static_typer::ir::Value;
use static_typer::points_to::{InstanceId, ObjectId, PointsTo, Site};
use static_typer::program::{ClassId, MethodId, Program, Type};
use static_typer::races::{
    Bounds, CallPath, Callers, Found, Goal, Guard, Kind as Way, Place, Proofs, Race, Races, STAGES, Side, Stage,
    Variable, guard, is_run_by_several, only_thread,
};

use super::names::Names;
use super::paths::Paths;
use super::rank::Evidence;
use super::report::{
    AccessView, FORMAT, Frame, Kind, Object, RULES, RaceView, Report, StageCount, VariableRaces, methods,
};
use super::signs::Signs;
use crate::entries::Caller;
use crate::evidence::Key;
use crate::report::claims::Identities;

/// How often a path is looked for that does without the locks of those before.
const MAX_LOCKS_AVOIDED: usize = 3;

/// How many objects of a race are named.
const MAX_OBJECTS: usize = 8;

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
    signs: Signs<'a>,
    /// Calls that not every client can make, or would.
    unlikely: Vec<InstanceId>,
    /// What other calls of theirs lead to, also in threads that these start.
    open: HashSet<InstanceId>,
    /// Who calls the program.
    caller: Caller,
    /// Its `main` methods.
    mains: Vec<MethodId>,
    names: Names<'a>,
    /// `bank.Account.deposit` for everything that a call leads to.
    reached: OnceCell<BTreeSet<String>>,
}

impl<'a> Words<'a> {
    /// Words for the races of a program, in which proofs count accesses.
    pub fn new(
        program: &'a Program,
        points_to: &'a PointsTo,
        (races, proofs): (&'a Races, &'a Proofs),
        caller: Caller,
        bounds: Bounds,
    ) -> Self {
        let callers = Callers::of(points_to, races, bounds);
        let signs = Signs::new(program, points_to, (races, proofs), caller);
        let unlikely = signs.unlikely_calls();
        Self {
            program,
            points_to,
            races,
            callers,
            open: reached_beside(points_to, &unlikely),
            unlikely,
            signs,
            caller,
            mains: program.main_methods(),
            names: Names::of(program),
            reached: OnceCell::new(),
        }
    }

    /// The report, before anything else is known.
    pub fn report(&self, application: Vec<String>, assumptions: Vec<String>) -> Report {
        let original = StageCount { stage: "original", pairs: self.races.counts.original };
        let stages = STAGES.iter().zip(self.races.counts.stages);
        let stages = stages.map(|(stage, pairs)| StageCount { stage: stage_name(*stage), pairs });
        let mut report = Report {
            format: FORMAT,
            jrace: env!("CARGO_PKG_VERSION"),
            application,
            harness: self.is_harness(),
            entries: String::new(),
            stages: std::iter::once(original).chain(stages).collect(),
            threads: self.races.threads.n_kinds(),
            variables: self.variables(),
            broken_sets: Vec::new(),
            proved: self.races.proved.iter().map(|variable| self.variable(*variable, None)).collect(),
            left_out: Vec::new(),
            unmatched_annotations: Vec::new(),
            observed: None,
            logged_calls: None,
            api: None,
            times: None,
            assumptions,
            identities: Identities::default(),
            rules: &RULES,
        };
        report.sort();
        report
    }

    /// The variables of races that only annotations leave out, each with the numbers of these.
    pub fn apart(&self) -> Vec<(BTreeSet<usize>, String)> {
        let name = |race: &Race| self.variable(race.variable, Some(race));
        self.races.apart.iter().map(|(numbers, race)| (numbers.clone(), name(race))).collect()
    }

    /// Why the analysis may not have seen an access that a run has; none if it should have.
    pub fn unseen(&self, place: &site::Place) -> Option<String> {
        let class = dotted(&place.class);
        let method = format!("{class}.{}", place.method);
        let is_known =
            || self.program.application().any(|known| self.program.class_name(known) == place.class.as_str());
        match () {
            () if !is_known() => Some(format!("{class} was not analysed")),
            () if !self.reached().contains(&method) => Some(format!("no call that was followed leads to {method}")),
            () => None,
        }
    }

    fn reached(&self) -> &BTreeSet<String> {
        self.reached.get_or_init(|| {
            let methods = self.points_to.instances().filter_map(|instance| self.points_to.code(instance).method);
            methods.map(|method| self.names.method(method)).collect()
        })
    }

    fn variables(&self) -> Vec<VariableRaces> {
        let mut variables: Vec<VariableRaces> = Vec::new();
        let mut by_name: HashMap<String, usize> = HashMap::new();
        for race in &self.races.races {
            let name = self.variable(race.variable, Some(race));
            let place = *by_name.entry(name).or_insert_with_key(|name| {
                variables.push(self.without_races(race, name.clone()));
                variables.len() - 1
            });
            let view = self.race(race);
            let variable = &mut variables[place];
            variable.keys.extend(self.keys_of_objects(race));
            variable.pairs += race.n_pairs;
            variable.races.push(view);
        }
        variables
    }

    fn without_races(&self, race: &Race, variable: String) -> VariableRaces {
        let none = match race.variable {
            Variable::Field(field) => self.names.field_races(field, variable),
            Variable::Element => VariableRaces::none(variable, Kind::Elements, self.first_type(Some(race))),
            Variable::Content => VariableRaces::none(variable, Kind::Contents, self.first_type(Some(race))),
        };
        VariableRaces { keys: self.keys(race.variable), ..none }
    }

    fn keys(&self, variable: Variable) -> BTreeSet<Key> {
        match variable {
            Variable::Field(field) => Key::of_field(self.program, field),
            Variable::Element | Variable::Content => BTreeSet::new(),
        }
    }

    /// Elements and contents by the types of their objects, but for containers of which runs check nothing.
    fn keys_of_objects(&self, race: &Race) -> BTreeSet<Key> {
        let types =
            race.objects.iter().flat_map(|objects| objects.iter()).map(|object| self.points_to.objects.ty(object));
        let is_checked = |ty: &Type| match race.variable {
            Variable::Field(_) => false,
            Variable::Element => true,
            Variable::Content => self.program.class_of(*ty).is_some_and(|class| self.is_checked(class)),
        };
        types.filter(is_checked).map(|ty| Key::Array(self.names.ty(ty))).collect()
    }

    fn is_checked(&self, class: ClassId) -> bool {
        self.program.superclasses(class).any(|above| contents::is_checked(&self.program.class_name(above)))
    }

    fn variable(&self, variable: Variable, race: Option<&Race>) -> String {
        match variable {
            Variable::Field(field) => self.names.variable(field),
            Variable::Element => format!("elements of {}", self.first_type(race)),
            Variable::Content => format!("contents of {}", self.first_type(race)),
        }
    }

    fn first_type(&self, race: Option<&Race>) -> String {
        let object = race.and_then(|race| race.objects.as_ref()?.iter().next());
        object.map_or_else(|| "?".to_owned(), |object| self.names.ty(self.points_to.objects.ty(object)))
    }

    fn race(&self, race: &Race) -> RaceView {
        let objects = || race.objects.iter().flat_map(|objects| objects.iter());
        let (paths, [first, second]) = self.paths(race);
        let evidence = Evidence {
            is_unlocked_inside: self.is_unlocked_inside(race, [&first, &second]),
            ..self.signs.of(race, [&first, &second], paths)
        };
        let n_objects = objects().count();
        let accesses = vec![self.access(&race.sides[0], first), self.access(&race.sides[1], second)];
        let [x, y] = [0, 1].map(|side: usize| 1 + race.sides[side].alike.len() as u64);
        RaceView {
            // Of places with themselves there are fewer pairs than of two sides.
            methods: methods(&accesses, race.n_pairs != x * y),
            warning: None,
            evidence,
            confidence: race.confidence,
            pairs: race.n_pairs,
            objects: objects().take(MAX_OBJECTS).map(|object| self.object(object)).collect(),
            more_objects: n_objects.saturating_sub(MAX_OBJECTS),
            paths: Some(paths),
            accesses,
            types: objects().map(|object| self.names.ty(self.points_to.objects.ty(object))).collect(),
        }
    }

    /// A path to each side, by two threads, and how far they were looked for.
    fn paths(&self, race: &Race) -> (Paths, [Option<CallPath>; 2]) {
        let is_cut = Cell::new(false);
        let path = |kind: Way, of: usize, avoided: &[InstanceId]| {
            let found = self.path(kind, race, of, avoided);
            is_cut.set(is_cut.get() || found.is_cut);
            found.path
        };
        // Where one thread only comes to a side, the other side needs another.
        let after = |kind: Way, of: usize| {
            let first = path(kind, of, &[])?;
            let second = path(kind, 1 - of, &only_thread(&self.races.threads, first.root))?;
            Some([first, second])
        };
        let swapped = |kind: Way| after(kind, 1).map(|[second, first]| [first, second]);
        let both = |kind: Way| after(kind, 0).or_else(|| swapped(kind));
        let any = || [path(Way::Any, 0, &[]), path(Way::Any, 1, &[])];
        if let Some(paths) = both(Way::Possible) {
            let is_whole = !is_cut.get() && paths.iter().all(|path| path.is_followed);
            return (if is_whole { Paths::Possible } else { Paths::CutShort }, paths.map(Some));
        }
        let shown = both(Way::Any).map_or_else(any, |paths| paths.map(Some));
        (if is_cut.get() { Paths::CutShort } else { Paths::Unmatched }, shown)
    }

    /// The shortest path to a side: if there is one, without the other side's locks, and then one from a call that any client
    /// might make.
    fn path(&self, kind: Way, race: &Race, of: usize, avoided: &[InstanceId]) -> Found {
        let unheld = &race.sides[1 - of].guards[..];
        let unlocked = self.path_without(kind, race, of, avoided, unheld);
        if unlocked.path.is_some() || !unlocked.is_kept {
            return self.less_locked(unlocked, unheld, kind, race, of, avoided);
        }
        let found = self.path_without(kind, race, of, avoided, &[]);
        Found { is_cut: found.is_cut || unlocked.is_cut, ..found }
    }

    /// Another path if one holds locks that others to its side do not: which of them races is one of those.
    fn less_locked(
        &self,
        mut found: Found,
        unheld: &[Guard],
        kind: Way,
        race: &Race,
        of: usize,
        avoided: &[InstanceId],
    ) -> Found {
        let mut unheld = unheld.to_vec();
        for _ in 0..MAX_LOCKS_AVOIDED {
            let held = found.path.iter().flat_map(|path| self.callers.held(path));
            let others: Vec<Guard> = held.filter(|guard| !race.sides[of].guards.contains(guard)).collect();
            if others.is_empty() {
                break;
            }
            unheld.extend(others);
            let other = self.path_without(kind, race, of, avoided, &unheld);
            if other.path.is_none() {
                break;
            }
            found = other;
        }
        found
    }

    fn path_without(&self, kind: Way, race: &Race, of: usize, avoided: &[InstanceId], unheld: &[Guard]) -> Found {
        let goal = self.goal(race, &race.sides[of]);
        if !self.unlikely.is_empty() && self.open.contains(&goal.instance) {
            let avoided: Vec<InstanceId> = self.unlikely.iter().chain(avoided).copied().collect();
            let found = self.callers.path(kind, &goal, &avoided, unheld);
            if found.path.is_some() {
                return found;
            }
        }
        self.callers.path(kind, &goal, avoided, unheld)
    }

    /// Whether a path to a side begins with such an unlikely call of a client only because all others hold the other side's
    /// locks.
    fn is_unlocked_inside(&self, race: &Race, paths: [&Option<CallPath>; 2]) -> bool {
        let is_inside = |path: &Option<CallPath>| path.as_ref().is_some_and(|path| self.unlikely.contains(&path.root));
        let is_kept = |of: usize| {
            let goal = self.goal(race, &race.sides[of]);
            let found = self.callers.path(Way::Possible, &goal, &self.unlikely, &race.sides[1 - of].guards);
            found.path.is_none() && found.is_kept
        };
        (0..2).any(|of| is_inside(paths[of]) && is_kept(of))
    }

    fn goal<'r>(&self, race: &'r Race, side: &Side) -> Goal<'r> {
        let accesses = &self.points_to.code(side.instance).accesses;
        let base = accesses.iter().find(|access| access.at == side.place.at).and_then(|access| access.base);
        Goal { instance: side.instance, by: side.by, object: base.zip(race.objects.as_ref()) }
    }

    fn access(&self, side: &Side, path: Option<CallPath>) -> AccessView {
        let place = side.place;
        let access = self.points_to.code(side.instance).accesses.iter().find(|access| access.at == place.at);
        let mut frames = vec![self.frame(side.instance, place.at, access.map_or(&[], |access| &access.held))];
        let steps = path.as_ref().map_or(&[][..], |path| &path.steps);
        for step in steps.iter().rev() {
            let code = self.points_to.code(step.caller);
            if code.lambda.is_none() {
                let site = &code.calls[step.call as usize];
                frames.push(self.frame(step.caller, site.at, &site.held));
            }
        }
        // A reflective access stands where its call does.
        if self.points_to.code(side.instance).mirrors.is_some() && frames.len() > 1 {
            frames.remove(0);
        }
        leave_out_accessors(&mut frames, Frame::is_accessor);
        AccessView {
            kind: if place.write { "write" } else { "read" },
            thread: path.map_or_else(|| "a thread".to_owned(), |path| self.thread(path.root)),
            locks: side.guards.iter().filter(|guard| !guard.is_flag).map(|guard| self.guard(guard)).collect(),
            alike: self.alike(&side.alike, frames.first()),
            path: frames,
        }
    }

    /// Places in the code, each line once, but for one that is shown already.
    fn alike(&self, places: &[Place], shown: Option<&Frame>) -> Vec<Frame> {
        let frames: BTreeSet<Frame> = places.iter().map(|place| self.names.place(place.method, place.at)).collect();
        let is_shown =
            |frame: &Frame| shown.is_some_and(|shown| (&shown.method, shown.line) == (&frame.method, frame.line));
        frames.into_iter().filter(|frame| !is_shown(frame)).collect()
    }

    fn frame(&self, instance: InstanceId, at: Value, held: &[static_typer::points_to::Lock]) -> Frame {
        let locks = held.iter().filter(|lock| !lock.is_flag).map(|lock| match guard(self.points_to, instance, lock) {
            Some(guard) => self.guard(&guard),
            None => "a lock that may be several".to_owned(),
        });
        let locks = locks.collect();
        match self.points_to.code(instance).method {
            Some(method) => Frame { locks, ..self.names.place(method, at) },
            None => Frame {
                method: "(client)".to_owned(),
                file: None,
                line: None,
                library: true,
                locks,
                class: String::new(),
            },
        }
    }

    fn guard(&self, guard: &Guard) -> String {
        let shared = if guard.shared { ", for reading" } else { "" };
        format!("{}{shared}", self.object(guard.object).text)
    }

    fn object(&self, object: ObjectId) -> Object {
        let ty = self.names.ty(self.points_to.objects.ty(object));
        let made = self.points_to.objects.get(object).site;
        let site = self.names.maker(made);
        let text = match made {
            Site::Reflected(..) if site.as_ref().is_some_and(|site| site.line.is_none()) && self.is_harness() => {
                format!("{ty} that a client makes")
            }
            Site::Given(_) if self.points_to.code(self.points_to.root).is_of_tests() => {
                format!("{ty} of the test framework")
            }
            Site::Given(_) if self.is_harness() => format!("{ty} of the client"),
            Site::Given(_) if self.caller == Caller::Frameworks => format!("{ty} that a framework makes"),
            Site::Given(_) => format!("{ty} of the JVM"),
            made => self.names.made(made, &ty),
        };
        Object { text, ty, site }
    }

    fn thread(&self, root: InstanceId) -> String {
        let code = self.points_to.code(root);
        let Some(method) = code.method else { return "a thread".to_owned() };
        if self.races.initializers.contains(&root) {
            let class = dotted(&self.program.class_name(self.program.method(method).class));
            return format!("class initializer of {class}, in whichever thread comes first");
        }
        let name = self.names.method(method);
        match (self.signs.is_called(root), self.is_harness()) {
            (true, true) => match name.strip_suffix(".<init>") {
                Some(class) => format!("a client that makes a {class}"),
                None => format!("a client that calls {name}"),
            },
            (true, false) if self.points_to.code(self.points_to.root).is_of_tests() => {
                format!("the thread of the tests, in {name}")
            }
            (true, false) if self.caller == Caller::Frameworks && !self.mains.contains(&method) => {
                let which = if is_run_by_several(&self.races.threads, root) { "a" } else { "the" };
                format!("{which} thread of a framework that calls {name}")
            }
            (true, false) => "the main thread".to_owned(),
            (false, _) => {
                let which = if is_run_by_several(&self.races.threads, root) { "a thread" } else { "the thread" };
                format!("{which} {}", self.beginning(root, &name))
            }
        }
    }

    fn is_harness(&self) -> bool {
        self.caller == Caller::Clients
    }

    /// `made at Bank.java:41`, which says more than that a thread begins with `Thread.run`.
    fn beginning(&self, root: InstanceId, name: &str) -> String {
        let object = self.points_to.context(root).map(|object| self.object(object));
        match object {
            Some(Object { ty, site: Some(site), .. }) if name == "java.lang.Thread.run" => {
                let of = if ty == "java.lang.Thread" { String::new() } else { format!(" ({ty})") };
                format!("made at {}{of}", site.position())
            }
            Some(object) => format!("that begins with {name}, {}", object.text),
            None => format!("that begins with {name}"),
        }
    }
}

/// All that is called, unless only these calls of clients lead to it.
fn reached_beside(points_to: &PointsTo, calls: &[InstanceId]) -> HashSet<InstanceId> {
    let without: HashSet<InstanceId> = calls.iter().copied().collect();
    let mut reached = HashSet::from([points_to.root]);
    let mut open = vec![points_to.root];
    while let Some(caller) = open.pop() {
        let callees = points_to.calls(caller).iter().map(|edge| edge.callee);
        let is_left_out = |callee: &InstanceId| caller == points_to.root && without.contains(callee);
        for callee in callees.filter(|callee| !is_left_out(callee)) {
            if reached.insert(callee) {
                open.push(callee);
            }
        }
    }
    reached
}
