//! What the code says of a race besides that it may happen: the evidence by which it is ranked.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};

use static_typer::ir::Value;
use static_typer::points_to::{InstanceId, ObjectId, ObjectSet, PointsTo, Site, Slot};
use static_typer::program::{ClassId, FieldId, MethodId, Name, Program, Type, flag};
use static_typer::races::{CallPath, Confidence, Guard, Proofs, Race, Races, RunBy, Side, Variable};
use static_typer::types::{Claim, claim};

use super::locking::{Locking, around, has_lock, is_no_sign, locks_by_custom};
use super::paths::Paths;
use super::rank::{Evidence, Locks, Making, Shape, Share, Target, Threads};
use super::tasks::Tasks;
use crate::entries::Caller;

/// Methods that are called on new objects.
const FILLING: [&str; 2] = ["readExternal", "readObject"];
/// What the compiler of Kotlin makes coroutines of.
const CONTINUATIONS: &str = "kotlin/coroutines/jvm/internal/";

/// What compilers before Java 5 keep class literals in.
const KEPT_CLASSES: [&str; 2] = ["array$", "class$"];
const ITERATORS: [&str; 4] =
    ["java/sql/ResultSet", "java/util/Enumeration", "java/util/Iterator", "java/util/Spliterator"];

/// What evidence is gathered with.
pub struct Signs<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    races: &'a Races,
    proofs: &'a Proofs,
    /// Who calls the program.
    caller: Caller,
    locking: OnceCell<Locking<'a>>,
    /// By field, how many accesses are in methods that are synchronized as the JDK's own are.
    by_custom: OnceCell<HashMap<FieldId, usize>>,
    /// What the environment calls, and no thread of the program begins with.
    called: BTreeSet<InstanceId>,
    tasks: OnceCell<Tasks<'a>>,
    /// Methods that threads run, and not only who makes beans before.
    in_threads: OnceCell<HashSet<MethodId>>,
}

impl<'a> Signs<'a> {
    /// Evidence on the races of a program.
    pub fn new(
        program: &'a Program,
        points_to: &'a PointsTo,
        (races, proofs): (&'a Races, &'a Proofs),
        caller: Caller,
    ) -> Self {
        Self {
            program,
            points_to,
            races,
            proofs,
            caller,
            in_threads: OnceCell::new(),
            locking: OnceCell::new(),
            by_custom: OnceCell::new(),
            tasks: OnceCell::new(),
            called: called(points_to),
        }
    }

    /// The evidence on a race that is shown with these paths, which were looked for as far as `found` says.
    pub fn of(&self, race: &Race, paths: [&Option<CallPath>; 2], found: Paths) -> Evidence {
        let classes = self.classes(race);
        let steps = |path: &&Option<CallPath>| path.as_ref().map_or(0, |path| path.steps.len());
        Evidence {
            target: self.target(race, paths),
            accesses: self.accesses(race.variable),
            locks: self.locks(race, paths),
            both_write: race.sides.iter().all(|side| side.place.write),
            threads: self.threads(paths),
            is_of_library: self.is_harness(),
            depth: 1 + paths.iter().map(steps).max().unwrap_or_default(),
            is_merged: race.objects.as_ref().is_some_and(|objects| self.has_merged(objects)),
            is_unmatched: found == Paths::Unmatched,
            lacks_path: !has_paths(paths),
            // Who looks for paths knows that.
            is_unlocked_inside: false,
            is_one_place: race.sides[0].place == race.sides[1].place,
            making: self.making(race, paths),
            has_two_users: self.has_two_users(race),
            is_plainly_set: self.is_plainly_set(race, paths),
            is_nearly_published: self.is_nearly_published(race.variable),
            is_synthetic: self.is_synthetic(race.variable),
            is_claimed: classes.iter().any(|class| claim(self.program, *class) == Some(Claim::ThreadSafe)),
            is_disclaimed: classes
                .first()
                .is_some_and(|class| claim(self.program, *class) == Some(Claim::NotThreadSafe)),
            class_locks: self.users(race).any(|class| self.is_locking(class)),
            is_of_request: self.is_of_request(race),
            shape: classes.first().and_then(|class| self.shape(*class, race)),
        }
    }

    /// Calls that not every client can make, or would: of what only subclasses or classes of the package can call, and of what
    /// threads are started to run.
    pub fn unlikely_calls(&self) -> Vec<InstanceId> {
        let is_unlikely = |method: MethodId| self.is_task(method) || !self.is_public(method);
        let called = self.called.iter().copied().filter(|_| self.is_harness());
        called.filter(|root| self.points_to.code(*root).method.is_some_and(is_unlikely)).collect()
    }

    fn is_harness(&self) -> bool {
        self.caller == Caller::Clients
    }

    /// Whether threads of frameworks run all that makes its objects.
    fn is_of_request(&self, race: &Race) -> bool {
        let in_threads = self.in_threads.get_or_init(|| {
            let runs = |instance: &InstanceId| self.races.threads.run_by(*instance) != RunBy::None;
            let instances = self.points_to.instances().filter(runs);
            instances.filter_map(|instance| self.points_to.code(instance).method).collect()
        });
        let is_made = |object: ObjectId| match self.points_to.objects.get(object).site {
            Site::New(method, ..) | Site::Copy(method, ..) | Site::Reflected(method, ..) | Site::Lambda(method, ..) => {
                in_threads.contains(&method)
            }
            Site::Given(_) => false,
            _ => true,
        };
        let objects = race.objects.as_ref().filter(|_| self.caller == Caller::Frameworks);
        objects.is_some_and(|objects| objects.iter().all(is_made))
    }

    /// Whether it is what threads or the JVM begin with.
    fn is_task(&self, method: MethodId) -> bool {
        self.tasks.get_or_init(|| Tasks::of(self.program, self.points_to)).has(method)
    }

    fn target(&self, race: &Race, paths: [&Option<CallPath>; 2]) -> Target {
        let roots = paths.into_iter().flatten().map(|path| self.points_to.context(path.root));
        let is_called = |object: Option<ObjectId>| {
            object
                .zip(race.objects.as_ref())
                .is_some_and(|(object, objects)| objects.iter().any(|other| other == object))
        };
        match race.variable {
            Variable::Field(field) if self.program.field(field).is_static() => Target::Static,
            Variable::Field(_) if has_paths(paths) && roots.clone().all(is_called) => Target::Field,
            Variable::Field(_) => Target::Inner,
            Variable::Element => Target::Elements,
            Variable::Content => Target::Contents,
        }
    }

    fn accesses(&self, variable: Variable) -> Share {
        match variable {
            Variable::Field(field) => {
                let (guarded, all) = self.proofs.share(field);
                Share { guarded: guarded.saturating_sub(self.n_guarded_by_custom(field)), all }
            }
            Variable::Element | Variable::Content => Share::default(),
        }
    }

    /// How many accesses of a field are in methods that are synchronized as the JDK's own are.
    fn n_guarded_by_custom(&self, field: FieldId) -> usize {
        let by_field = self.by_custom.get_or_init(|| {
            let instances = self.points_to.instances();
            let by_custom = instances.filter(|instance| locks_by_custom(self.program, self.points_to, *instance));
            let mut by_field: HashMap<FieldId, HashSet<(Option<MethodId>, Value)>> = HashMap::new();
            for code in by_custom.map(|instance| self.points_to.code(instance)) {
                for access in &code.accesses {
                    let Slot::Field(field) = access.slot else { continue };
                    by_field.entry(field).or_default().insert((code.method, access.at));
                }
            }
            by_field.into_iter().map(|(field, places)| (field, places.len())).collect()
        });
        by_field.get(&field).copied().unwrap_or_default()
    }

    /// The classes whose locks may guard it: of a field the one that declares it, of containers and arrays those that use them.
    fn users(&self, race: &Race) -> impl Iterator<Item = ClassId> {
        let declares = match race.variable {
            Variable::Field(field) => Some(self.program.field(field).class),
            Variable::Element | Variable::Content => None,
        };
        let uses = race.sides.iter().map(|side| self.program.method(side.place.method).class);
        declares.into_iter().chain(uses.filter(move |_| declares.is_none()).collect::<Vec<_>>())
    }

    /// The class to which the variable belongs, and those of which objects have it: of containers and arrays, the classes whose
    /// code uses them.
    fn classes(&self, race: &Race) -> Vec<ClassId> {
        let Variable::Field(field) = race.variable else {
            return race.sides.iter().map(|side| self.program.method(side.place.method).class).collect();
        };
        let objects = race.objects.iter().flat_map(|objects| objects.iter());
        let types = objects.filter_map(|object| self.class_of(self.points_to.objects.ty(object)));
        std::iter::once(self.program.field(field).class).chain(types).collect()
    }

    fn class_of(&self, ty: Type) -> Option<ClassId> {
        self.program.find(ty.as_class()?)
    }

    fn locks(&self, race: &Race, paths: [&Option<CallPath>; 2]) -> Locks {
        if race.confidence == Confidence::MaybeSameLock {
            return Locks::MaybeSame;
        }
        match race.sides.iter().zip(paths).filter(|(side, path)| self.holds(side, path)).count() {
            0 => Locks::None,
            1 => Locks::One,
            _ => Locks::Both,
        }
    }

    /// Whether a lock is held at an access, be it one that is not known to be the same on every way. Those of a
    /// thread that only describes something do not count, nor do those of methods that are synchronized as the JDK's own are.
    fn holds(&self, side: &Side, path: &Option<CallPath>) -> bool {
        let accesses = &self.points_to.code(side.instance).accesses;
        let is_inside = accesses.iter().any(|access| access.at == side.place.at && has_lock(&access.held));
        let steps = path.iter().flat_map(|path| &path.steps);
        let mut calls = steps.map(|step| &self.points_to.code(step.caller).calls[step.call as usize]);
        let is_lock = |guard: &Guard| !guard.is_flag;
        let is_no_sign = |root: InstanceId| is_no_sign(self.program, self.points_to, root);
        !run(side, path).next().is_some_and(is_no_sign)
            && (is_inside || side.guards.iter().any(is_lock) || calls.any(|call| has_lock(&call.held)))
    }

    fn making(&self, race: &Race, paths: [&Option<CallPath>; 2]) -> Making {
        let sides = race.sides.iter().zip(paths).map(|(side, path)| {
            let run: Vec<InstanceId> = run(side, path).collect();
            let is_constructor = self.program.method(side.place.method).is_constructor();
            let is_part = || is_constructor && self.makes(race, side, &[side.instance]);
            if run.iter().any(|instance| self.constructs(race, *instance)) || is_part() {
                Making::Constructor
            } else if self.makes(race, side, &run) || self.is_constructing(race.variable, &run) {
                Making::Maker
            } else {
                Making::None
            }
        });
        sides.max().unwrap_or_default()
    }

    /// Whether it is a constructor of one of the objects.
    fn constructs(&self, race: &Race, instance: InstanceId) -> bool {
        let is_constructor = |method: MethodId| self.program.method(method).is_constructor();
        let made = self
            .points_to
            .context(instance)
            .filter(|_| self.points_to.code(instance).method.is_some_and(is_constructor));
        let objects = race.objects.iter().flat_map(|objects| objects.iter());
        made.is_some_and(|made| objects.into_iter().any(|object| object == made))
    }

    /// Whether it is in a constructor of something else, which mostly has made what it works on.
    fn is_constructing(&self, variable: Variable, run: &[InstanceId]) -> bool {
        let is_static = matches!(variable, Variable::Field(field) if self.program.field(field).is_static());
        let is_constructor = |method: MethodId| {
            let class = self.program.method(method).class;
            self.program.method(method).is_constructor() && self.program.class(class).is_application
        };
        !is_static && run.iter().any(|instance| self.points_to.code(*instance).method.is_some_and(is_constructor))
    }

    /// Whether what is run comes through what makes the objects, or through a method that fills new ones.
    fn makes(&self, race: &Race, side: &Side, run: &[InstanceId]) -> bool {
        let method = self.program.method(side.place.method);
        let name = self.program.names().text(method.name);
        let is_run = |maker: MethodId| run.iter().any(|instance| self.points_to.code(*instance).method == Some(maker));
        let is_made = |object: ObjectId| match self.points_to.objects.get(object).site {
            Site::New(maker, ..) => is_run(maker),
            _ => false,
        };
        let mut objects = race.objects.iter().flat_map(|objects| objects.iter()).peekable();
        FILLING.contains(&&*name)
            || run.iter().any(|instance| self.sets_up(*instance))
            || objects.peek().is_some() && objects.all(is_made)
    }

    /// Whether it is a method by whose name one thread prepares what others use then.
    fn sets_up(&self, instance: InstanceId) -> bool {
        let method = self.points_to.code(instance).method.map(|method| self.program.method(method));
        method.filter(|method| self.program.class(method.class).is_application).is_some_and(|method| {
            let name = self.program.names().text(method.name);
            let rest = name.strip_prefix("init");
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("ial") || rest.starts_with(char::is_uppercase))
        })
    }

    /// Whether the code of two classes accesses a container or array.
    fn has_two_users(&self, race: &Race) -> bool {
        let [a, b] = [0, 1].map(|side| around(self.program, self.program.method(race.sides[side].place.method).class));
        matches!(race.variable, Variable::Element | Variable::Content) && a != b
    }

    /// Whether clients write a field of an object by setters, without a lock. A static field is everybody's whenever it is set.
    fn is_plainly_set(&self, race: &Race, paths: [&Option<CallPath>; 2]) -> bool {
        let is_plain = |(side, path): (&Side, &Option<CallPath>)| {
            !side.place.write || !self.holds(side, path) && self.is_by_client(path)
        };
        let is_of_object = matches!(race.variable, Variable::Field(field) if !self.program.field(field).is_static());
        is_of_object && self.is_set_only(race) && race.sides.iter().zip(paths).all(is_plain)
    }

    fn is_nearly_published(&self, variable: Variable) -> bool {
        matches!(variable, Variable::Field(field) if self.races.nearly_published.contains(&field))
    }

    /// Whether the compiler has made a field; old ones do not say so, but keep classes in fields of such names.
    fn is_synthetic(&self, variable: Variable) -> bool {
        let Variable::Field(field) = variable else { return false };
        let data = self.program.field(field);
        let name = self.program.names().text(data.name);
        let keeps_class = data.is_static() && data.ty == Type::class(Name::CLASS);
        data.access & flag::SYNTHETIC != 0 || keeps_class && KEPT_CLASSES.iter().any(|prefix| name.starts_with(prefix))
    }

    /// Whether the environment, a client or the JVM, is all that calls what a thread begins with.
    pub fn is_called(&self, root: InstanceId) -> bool {
        self.called.contains(&root)
    }

    fn is_by_client(&self, path: &Option<CallPath>) -> bool {
        self.is_harness() && path.as_ref().is_some_and(|path| self.is_called(path.root))
    }

    fn threads(&self, paths: [&Option<CallPath>; 2]) -> Threads {
        let is_for_client =
            |path: &&Option<CallPath>| path.is_none() || self.is_by_client(path) || self.is_initializer(path);
        let is_for_framework = |path: &&Option<CallPath>| path.as_ref().is_none_or(|path| self.is_called(path.root));
        let root = |path: &Option<CallPath>| path.as_ref().map(|path| path.root);
        let by_clients = paths.into_iter().filter(|path| self.is_by_client(path)).filter_map(root);
        let called = by_clients.filter_map(|root| self.points_to.code(root).method);
        match called.map(|method| self.of_client(method)).max() {
            Some(unlikely) if unlikely > Threads::Public => unlikely,
            _ if self.is_harness() && paths.iter().all(is_for_client) => Threads::Public,
            _ if self.caller == Caller::Frameworks && paths.iter().all(is_for_framework) => Threads::Frameworks,
            _ if paths[0].is_some() && root(paths[0]) == root(paths[1]) => Threads::Alike,
            _ => Threads::Own,
        }
    }

    fn of_client(&self, method: MethodId) -> Threads {
        match method {
            task if self.is_task(task) => Threads::Task,
            public if self.is_public(public) => Threads::Public,
            _ => Threads::Inner,
        }
    }

    /// Whether a class initializer begins it, which whoever comes first runs.
    fn is_initializer(&self, path: &Option<CallPath>) -> bool {
        let method = path.as_ref().and_then(|path| self.points_to.code(path.root).method);
        method.is_some_and(|method| self.program.method(method).name == Name::CLINIT)
    }

    /// Whether every client can call it: by a public class that has it, or by a public type that declares it.
    fn is_public(&self, method: MethodId) -> bool {
        let data = self.program.method(method);
        let is_public = |class: ClassId| self.program.class(class).access & flag::PUBLIC != 0;
        let declares = |class: ClassId| {
            self.program.methods_of(class).any(|above| {
                let above = self.program.method(above);
                (above.name, above.descriptor) == (data.name, data.descriptor) && above.access & flag::PUBLIC != 0
            })
        };
        data.access & flag::PUBLIC != 0
            && (is_public(data.class)
                || self.program.ancestors(data.class).any(|above| is_public(above) && declares(above)))
    }

    /// Whether one of some objects stands for many. Copies beside what they are copied from say nothing against that.
    fn has_merged(&self, objects: &ObjectSet) -> bool {
        let sites: HashSet<Site> = objects.iter().map(|object| self.points_to.objects.get(object).site).collect();
        sites.iter().any(|site| match *site {
            Site::New(..) | Site::Given(_) | Site::Reflected(..) | Site::Lambda(..) => false,
            Site::Copy(method, at, depth) => !sites.contains(&Site::New(method, at, depth)),
            _ => true,
        })
    }

    fn is_locking(&self, class: ClassId) -> bool {
        self.locking.get_or_init(|| Locking::of(self.program, self.points_to)).has(class)
    }

    fn shape(&self, class: ClassId, race: &Race) -> Option<Shape> {
        let name = self.program.class_name(class);
        let mut above = self.program.ancestors(class).map(|above| self.program.class_name(above));
        let is_named = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
        if is_named(&["Iterator", "Enumeration", "Enumerator", "Spliterator"])
            || above.any(|above| ITERATORS.contains(&&*above))
        {
            Some(Shape::Iterator)
        } else if self.is_of_coroutine(class, race) {
            Some(Shape::Coroutine)
        } else if is_named(&["Builder"]) {
            Some(Shape::Builder)
        } else if self.is_set_only(race) {
            Some(Shape::Bean)
        } else {
            self.is_value(class).then_some(Shape::Value)
        }
    }

    /// `label`, and `L$0` and the like.
    fn is_of_coroutine(&self, class: ClassId, race: &Race) -> bool {
        let Variable::Field(field) = race.variable else { return false };
        let name = self.program.names().text(self.program.field(field).name);
        let is_saved = name.split_once('$').is_some_and(|(kind, n)| kind.len() == 1 && n.parse::<u32>().is_ok());
        let mut above = self.program.ancestors(class).map(|above| self.program.class_name(above));
        (is_saved || *name == *"label") && above.any(|above| above.starts_with(CONTINUATIONS))
    }

    fn is_set_only(&self, race: &Race) -> bool {
        let places = race.sides.iter().flat_map(|side| std::iter::once(&side.place).chain(&side.alike));
        let mut writes = places.filter(|place| place.write).map(|place| self.program.method(place.method).name);
        writes.all(|name| self.program.names().text(name).starts_with("set"))
    }

    fn is_value(&self, class: ClassId) -> bool {
        let names: Vec<_> = self
            .program
            .methods_of(class)
            .map(|method| self.program.names().text(self.program.method(method).name))
            .collect();
        ["equals", "hashCode"].iter().all(|wanted| names.iter().any(|name| name == wanted))
    }
}

/// What the environment calls, and no thread of the program begins with.
fn called(points_to: &PointsTo) -> BTreeSet<InstanceId> {
    let mut called: BTreeSet<InstanceId> = points_to.calls(points_to.root).iter().map(|edge| edge.callee).collect();
    for caller in points_to.instances().filter(|caller| *caller != points_to.root) {
        let calls = &points_to.code(caller).calls;
        for edge in points_to.calls(caller).iter().filter(|edge| calls[edge.call as usize].is_fork) {
            called.remove(&edge.callee);
        }
    }
    called
}

fn has_paths(paths: [&Option<CallPath>; 2]) -> bool {
    paths.iter().all(|path| path.is_some())
}

/// What a thread runs on the way to an access.
fn run<'r>(side: &'r Side, path: &'r Option<CallPath>) -> impl Iterator<Item = InstanceId> + 'r {
    let callers = path.iter().flat_map(|path| &path.steps).map(|step| step.caller);
    callers.chain([side.instance])
}
