//! Classes whose objects never reach another thread than the one that makes them: the owner `thisThread`, and paper 002's
//! `thread_local`.
//!
//! An object is followed by the static types of the values it flows through. What becomes reachable for other threads, or for
//! code that is not analysed, is *shared*, with everything that may be stored in it; the least set that is closed under these
//! rules is complemented. All objects of a type are one: two lists of one class are not told apart.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::program::{FieldId, Program, Type};

use super::flows::Flows;
use super::obstacle::{At, Cause, Obstacle, Way};

/// Which types have shared objects, and why.
#[derive(Debug)]
pub struct Confinement {
    found: FxHashMap<Found, Step>,
}

/// What is found out about a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Found {
    /// Some object of it may be shared.
    Shared(Type),
    /// A value of it may be a shared object.
    Reached(Type),
}

/// From what it follows.
#[derive(Clone, Copy, Debug)]
struct Step {
    cause: Cause,
    at: At,
    from: Option<Found>,
}

impl Confinement {
    /// Closes what is shared from the start under the flows, with all causes that are `counted`.
    #[must_use]
    pub fn of(program: &Program, flows: &Flows, counted: &dyn Fn(Cause) -> bool) -> Self {
        let mut begun: Vec<(Cause, Type, At)> =
            flows.shared.iter().map(|((ty, cause), at)| (*cause, *ty, *at)).collect();
        begun.sort_unstable();
        Self::closed(program, flows, counted, begun)
    }

    /// The same of objects of these types only, whoever else gets at which.
    #[must_use]
    pub fn beginning_with(program: &Program, flows: &Flows, types: impl Iterator<Item = Type>) -> Self {
        Self::closed(program, flows, &|_| true, types.map(|ty| (Cause::Static, ty, None)).collect())
    }

    fn closed(
        program: &Program,
        flows: &Flows,
        counted: &dyn Fn(Cause) -> bool,
        begun: Vec<(Cause, Type, At)>,
    ) -> Self {
        let mut closure = Closure { program, flows, counted, found: FxHashMap::default(), open: VecDeque::new() };
        for (cause, ty, at) in begun {
            closure.find(Found::Shared(ty), Step { cause, at, from: None });
        }
        closure.close();
        Self { found: closure.found }
    }

    /// The types that such an object may have.
    pub fn types(&self) -> impl Iterator<Item = Type> + '_ {
        self.found.keys().filter_map(|found| if let Found::Shared(ty) = found { Some(*ty) } else { None })
    }

    /// Whether no value of a type can be an object that other threads reach.
    #[must_use]
    pub fn confines(&self, ty: Type) -> bool {
        !self.found.contains_key(&Found::Reached(ty))
    }

    /// Whether no object with that instance field can be reached by other threads.
    #[must_use]
    pub fn confines_field(&self, program: &Program, field: FieldId) -> bool {
        !program.field(field).is_static() && self.reached(program, field).is_none()
    }

    /// How other threads come to the objects with a field, and where that begins.
    #[must_use]
    pub fn obstacles(&self, program: &Program, field: FieldId) -> Vec<Obstacle> {
        if program.field(field).is_static() {
            return [Way::Reach, Way::Begin].map(|way| Obstacle { way, cause: Cause::Static, at: None }).into();
        }
        self.reached(program, field).map(|found| self.ways(found)).unwrap_or_default()
    }

    /// The same for the objects of a type.
    #[must_use]
    pub fn obstacles_of(&self, ty: Type) -> Vec<Obstacle> {
        self.ways(Found::Reached(ty))
    }

    /// What keeps the objects with an instance field from being confined.
    fn reached(&self, program: &Program, field: FieldId) -> Option<Found> {
        let class = program.field(field).class;
        let ty = |class| Type::class(program.class(class).name);
        let below = program.application().filter(|other| program.is_subclass(*other, class));
        let shared = below.map(|below| Found::Shared(ty(below)));
        std::iter::once(Found::Reached(ty(class))).chain(shared).find(|found| self.found.contains_key(found))
    }

    fn ways(&self, found: Found) -> Vec<Obstacle> {
        let steps = || std::iter::successors(self.found.get(&found), |step| self.found.get(&step.from?));
        let ends = [(Way::Reach, steps().next()), (Way::Begin, steps().last())];
        let obstacle = |(way, step): (Way, Option<&Step>)| Some(Obstacle { way, cause: step?.cause, at: step?.at });
        ends.into_iter().filter_map(obstacle).collect()
    }
}

/// The least set that is closed, nearest first.
struct Closure<'a> {
    program: &'a Program,
    flows: &'a Flows,
    counted: &'a dyn Fn(Cause) -> bool,
    found: FxHashMap<Found, Step>,
    open: VecDeque<Found>,
}

impl Closure<'_> {
    fn find(&mut self, found: Found, step: Step) {
        if (self.counted)(step.cause) && !self.found.contains_key(&found) {
            self.found.insert(found, step);
            self.open.push_back(found);
        }
    }

    fn close(&mut self) {
        while let Some(found) = self.open.pop_front() {
            match found {
                Found::Shared(ty) => self.share(ty, found),
                Found::Reached(ty) => self.reach(ty, found),
            }
        }
    }

    /// What is shared as an object of a type may have been of any from which values come.
    fn share(&mut self, ty: Type, by: Found) {
        let flows = self.flows;
        let cause = self.supertype(ty);
        for from in flows.from.get(&ty).into_iter().flatten() {
            let at = flows.to.get(from).and_then(|to| to.get(&ty)).copied().flatten();
            self.find(Found::Shared(*from), Step { cause, at, from: Some(by) });
        }
        if let Some(step) = self.found.get(&by).copied() {
            self.find(Found::Reached(ty), step);
        }
    }

    /// Follows a shared object to where it may be, and shares what is stored in it there.
    fn reach(&mut self, ty: Type, by: Found) {
        let flows = self.flows;
        for (to, at) in flows.to.get(&ty).into_iter().flatten() {
            self.find(Found::Reached(*to), Step { cause: Cause::Below, at: *at, from: Some(by) });
        }
        let cause = if ty.dimensions > 0 { Cause::Element } else { Cause::Kept };
        for (stored, at) in flows.stored.get(&ty).into_iter().flatten() {
            self.find(Found::Shared(*stored), Step { cause, at: *at, from: Some(by) });
        }
    }

    fn supertype(&self, ty: Type) -> Cause {
        let class = ty.as_class().and_then(|class| self.program.find(class));
        match class {
            _ if ty == Type::OBJECT => Cause::Object,
            Some(class) if self.program.class(class).is_interface() => Cause::Interface,
            _ => Cause::Above,
        }
    }
}
