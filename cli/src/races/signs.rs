//! What the code says of a race besides that it may happen: the evidence by which it is ranked.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use static_typer::points_to::{InstanceId, ObjectId, PointsTo, Site};
use static_typer::program::{ClassId, MethodId, Program, Type, flag};
use static_typer::races::{CallPath, Confidence, Proofs, Race, Side, Variable};
use static_typer::types::{Claim, claim};

use super::paths::Paths;
use super::rank::{Evidence, Locks, Shape, Share, Target, Threads};

/// Methods that are called on new objects.
const FILLING: [&str; 2] = ["readExternal", "readObject"];
const ITERATORS: [&str; 2] = ["java/util/Iterator", "java/util/Enumeration"];

/// What evidence is gathered with.
pub struct Signs<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    proofs: &'a Proofs,
    /// Whether threads are calls of a harness.
    is_harness: bool,
    /// Classes with code that holds a lock, by the names of the classes around them.
    locking: OnceCell<BTreeSet<String>>,
}

impl<'a> Signs<'a> {
    /// Evidence on the races of a program.
    pub fn new(program: &'a Program, points_to: &'a PointsTo, proofs: &'a Proofs, is_harness: bool) -> Self {
        Self { program, points_to, proofs, is_harness, locking: OnceCell::new() }
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
            depth: 1 + paths.iter().map(steps).max().unwrap_or_default(),
            is_merged: race.objects.iter().flat_map(|objects| objects.iter()).any(|object| self.is_merged(object)),
            is_unmatched: found == Paths::Unmatched,
            makes: race.sides.iter().zip(paths).any(|(side, path)| self.makes(race, side, path)),
            is_claimed: classes.iter().any(|class| claim(self.program, *class) == Some(Claim::ThreadSafe)),
            class_locks: classes.iter().any(|class| self.is_locking(*class)),
            shape: classes.first().and_then(|class| self.shape(*class, race)),
        }
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
            Variable::Field(_) if roots.clone().all(is_called) => Target::Field,
            Variable::Field(_) => Target::Inner,
            Variable::Element => Target::Elements,
            Variable::Content => Target::Contents,
        }
    }

    fn accesses(&self, variable: Variable) -> Share {
        match variable {
            Variable::Field(field) => {
                let (guarded, all) = self.proofs.share(field);
                Share { guarded, all }
            }
            Variable::Element | Variable::Content => Share::default(),
        }
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

    /// Whether a lock is held at an access, be it one that is not known to be the same on every way.
    fn holds(&self, side: &Side, path: &Option<CallPath>) -> bool {
        let accesses = &self.points_to.code(side.instance).accesses;
        let is_inside = accesses.iter().any(|access| access.at == side.place.at && !access.held.is_empty());
        let steps = path.iter().flat_map(|path| &path.steps);
        let mut calls = steps.map(|step| &self.points_to.code(step.caller).calls[step.call as usize]);
        is_inside || !side.guards.is_empty() || calls.any(|call| !call.held.is_empty())
    }

    /// Whether a path comes through what makes the objects, or through a method that fills new ones.
    fn makes(&self, race: &Race, side: &Side, path: &Option<CallPath>) -> bool {
        let method = self.program.method(side.place.method);
        let name = self.program.names().text(method.name);
        let callers =
            path.iter().flat_map(|path| &path.steps).filter_map(|step| self.points_to.code(step.caller).method);
        let run: BTreeSet<MethodId> = callers.chain([side.place.method]).collect();
        let is_made = |object: ObjectId| match self.points_to.objects.get(object).site {
            Site::New(maker, ..) => run.contains(&maker),
            _ => false,
        };
        let mut objects = race.objects.iter().flat_map(|objects| objects.iter()).peekable();
        method.is_constructor() || FILLING.contains(&&*name) || objects.peek().is_some() && objects.all(is_made)
    }

    fn threads(&self, paths: [&Option<CallPath>; 2]) -> Threads {
        let roots: Vec<InstanceId> = paths.iter().filter_map(|path| Some(path.as_ref()?.root)).collect();
        let calls = self.points_to.calls(self.points_to.root);
        let is_client = |root: &InstanceId| calls.iter().any(|edge| edge.callee == *root);
        if !self.is_harness || !roots.iter().all(is_client) {
            return Threads::Own;
        }
        let mut methods = roots.iter().filter_map(|root| self.points_to.code(*root).method);
        if methods.all(|method| self.is_public(method)) { Threads::Public } else { Threads::Inner }
    }

    fn is_public(&self, method: MethodId) -> bool {
        let method = self.program.method(method);
        method.access & self.program.class(method.class).access & flag::PUBLIC != 0
    }

    fn is_merged(&self, object: ObjectId) -> bool {
        let site = self.points_to.objects.get(object).site;
        !matches!(site, Site::New(..) | Site::Given(_) | Site::Reflected(..) | Site::Lambda(..))
    }

    fn is_locking(&self, class: ClassId) -> bool {
        self.locking.get_or_init(|| self.find_locking()).contains(&self.around(class))
    }

    fn find_locking(&self) -> BTreeSet<String> {
        let codes = self.points_to.instances().map(|instance| self.points_to.code(instance));
        let holds = codes.filter(|code| {
            code.accesses.iter().any(|access| !access.held.is_empty())
                || code.calls.iter().any(|call| !call.held.is_empty())
        });
        holds.filter_map(|code| Some(self.around(self.program.method(code.method?).class))).collect()
    }

    /// The class around a nested one.
    fn around(&self, class: ClassId) -> String {
        self.program.class_name(class).split('$').next().unwrap_or_default().to_owned()
    }

    fn shape(&self, class: ClassId, race: &Race) -> Option<Shape> {
        let name = self.program.class_name(class);
        let mut above = self.program.ancestors(class).map(|above| self.program.class_name(above));
        let is_named = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
        if is_named(&["Iterator", "Enumeration", "Enumerator"]) || above.any(|above| ITERATORS.contains(&&*above)) {
            Some(Shape::Iterator)
        } else if is_named(&["Builder"]) {
            Some(Shape::Builder)
        } else if self.is_set_only(race) {
            Some(Shape::Bean)
        } else {
            self.is_value(class).then_some(Shape::Value)
        }
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
