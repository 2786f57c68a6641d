//! Objects that threads have apart: each has its own `Thread`, and what only that holds.
//!
//! A thread object is started once, so what its thread does to it, and to what no other field holds, no other thread does to its own.
//! Which one object stands for all of them, as when they are made in a loop, does not matter. After M. Naik and A. Aiken, "Conditional
//! Must Not Aliasing for Static Race Detection" (2007): two such accesses are to one object only if they are by one thread.
//!
//! An example: `class Lift extends Thread { int floor; int[] calls = new int[9]; public void run() { floor++; calls[floor]++; } }`.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::points_to::{CallSite, CodeId, InstanceId, Local, ObjectSet, PointsTo, Slot};
use crate::program::Program;
use crate::races::escape::sole::Sole;
use crate::races::must::calls;
use crate::races::sources::{Source, Sources};
use crate::races::worklist::Worklist;

use super::Threads;

/// The parameters that are such objects, by place, as far as they have a bit.
type Parameters = u32;

/// The variables that refer to such objects.
pub struct Disjoint<'a> {
    points_to: &'a PointsTo,
    /// What each object holds alone.
    pub sole: Sole<'a>,
    /// Objects on which threads begin: each is its own thread's, whatever holds it.
    pub started: ObjectSet,
    /// Of each instance, on all ways that lead to it; none if there is none.
    parameters: Vec<Option<Parameters>>,
    sources: RefCell<FxHashMap<CodeId, Rc<Sources>>>,
}

impl<'a> Disjoint<'a> {
    /// Follows what threads begin on.
    #[must_use]
    pub fn of(program: &'a Program, points_to: &'a PointsTo, threads: &Threads) -> Self {
        let mut disjoint = Self {
            points_to,
            sole: Sole::of(program, points_to),
            started: started(points_to, threads),
            parameters: vec![None; points_to.instances().count()],
            sources: RefCell::default(),
        };
        disjoint.follow(threads);
        disjoint
    }

    /// Whether a variable of an instance refers to such an object of the thread that runs it.
    #[must_use]
    pub fn has(&self, instance: InstanceId, local: Local) -> bool {
        let parameters = self.parameters[instance.index()].unwrap_or_default();
        parameters != 0 && self.is_of_thread(instance, local, parameters, &mut Vec::new())
    }

    fn is_of_thread(&self, instance: InstanceId, local: Local, parameters: Parameters, seen: &mut Vec<Local>) -> bool {
        if seen.contains(&local) {
            return true;
        }
        seen.push(local);
        let sources = self.sources(instance);
        let is_of_thread = |source: &Source| match source {
            Source::Parameter(place) => bit(*place) & parameters != 0,
            Source::Copied(from) => self.is_of_thread(instance, *from, parameters, seen),
            Source::Loaded(base, slot @ (Slot::Field(_) | Slot::Captured(_))) => {
                !self.points_to.local(instance, local).intersects(&self.started)
                    && self.sole.holds(instance, *base, *slot)
                    && self.is_of_thread(instance, *base, parameters, seen)
            }
            _ => false,
        };
        !sources.to(local).is_empty() && sources.to(local).iter().all(is_of_thread)
    }

    fn sources(&self, instance: InstanceId) -> Rc<Sources> {
        let mut known = self.sources.borrow_mut();
        let of_code = || Rc::new(Sources::of(self.points_to.code(instance)));
        known.entry(self.points_to.code_id(instance)).or_insert_with(of_code).clone()
    }

    /// The greatest solution: a parameter is such an object if every call passes one, and every start that begins with the instance is of
    /// the very object.
    fn follow(&mut self, threads: &Threads) {
        let points_to = self.points_to;
        let mut is_called = vec![false; self.parameters.len()];
        for edge in points_to.instances().flat_map(|caller| points_to.calls(caller)) {
            is_called[edge.callee.index()] = true;
        }
        let mut open: Worklist<InstanceId> = Worklist::default();
        for instance in points_to.instances() {
            let begins = threads.is_by_start(instance);
            if !is_called[instance.index()] || begins.is_some() {
                self.parameters[instance.index()] = Some(if begins == Some(true) { bit(0) } else { 0 });
                open.push(instance);
            }
        }
        while let Some(caller) = open.pop() {
            for (site, edges) in calls(points_to, caller).filter(|(site, _)| !site.is_fork) {
                let passed = self.passed(caller, &site.arguments);
                for edge in edges {
                    let passed = if self.gets_arguments(edge.callee, site) { passed } else { 0 };
                    open.extend(self.weaken(edge.callee, passed).then_some(edge.callee));
                }
            }
        }
    }

    /// Whether the parameters are the arguments. Those of reflective calls are others.
    fn gets_arguments(&self, callee: InstanceId, site: &CallSite) -> bool {
        let code = self.points_to.code(callee);
        code.mirrors.is_none() && code.parameters.len() == site.arguments.len()
    }

    fn passed(&self, caller: InstanceId, arguments: &[Option<Local>]) -> Parameters {
        let is_passed = |(_, argument): &(usize, &Option<Local>)| argument.is_some_and(|local| self.has(caller, local));
        (0..).zip(arguments).filter(is_passed).map(|(place, _)| bit(place)).sum()
    }

    fn weaken(&mut self, callee: InstanceId, passed: Parameters) -> bool {
        let known = &mut self.parameters[callee.index()];
        let left = known.map_or(passed, |known| known & passed);
        known.replace(left) != Some(left)
    }
}

fn started(points_to: &PointsTo, threads: &Threads) -> ObjectSet {
    let mut started = ObjectSet::default();
    for instance in points_to.instances().filter(|instance| threads.is_by_start(*instance).is_some()) {
        if let Some(this) = points_to.code(instance).parameters.first().copied().flatten() {
            started.insert_all(points_to.local(instance, this));
        }
    }
    started
}

fn bit(place: usize) -> Parameters {
    u32::try_from(place).ok().and_then(|place| 1_u32.checked_shl(place)).unwrap_or_default()
}
