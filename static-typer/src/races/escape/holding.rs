//! In which objects something is stored that leads to an object that is made, by the methods that do so and those that these call: whoever has led to
//! one of them before leads to the object then.

use std::cell::OnceCell;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::points_to::{Above, Holders, Local, ObjectSet, PointsTo, components};

use super::start::Start;

/// What is known of it so far.
pub struct Holding<'a> {
    points_to: &'a PointsTo,
    /// The objects in which a method stores what leads to the object.
    own: FxHashMap<Start, ObjectSet>,
    /// The same with all that is called, of those that were asked for.
    all: FxHashMap<Start, ObjectSet>,
    holders: &'a OnceCell<Holders>,
}

impl<'a> Holding<'a> {
    /// Nothing is known yet.
    #[must_use]
    pub fn of(points_to: &'a PointsTo, holders: &'a OnceCell<Holders>) -> Self {
        Self { points_to, own: FxHashMap::default(), all: FxHashMap::default(), holders }
    }

    /// A method stores what leads to the object in what a variable has.
    pub fn stores(&mut self, by: Start, into: Local) {
        self.own.entry(by).or_default().insert_all(self.points_to.local(by.instance, into));
    }

    /// Adds up what these and those that they call store something in; `callers` has who counts on what a method does.
    pub fn add_up(&mut self, wanted: &FxHashSet<Start>, callers: &FxHashMap<Start, FxHashSet<Start>>) {
        let starts: FxHashSet<Start> =
            callers.iter().flat_map(|(called, callers)| callers.iter().chain([called])).copied().collect();
        let starts: Vec<Start> = starts.into_iter().collect();
        let numbers: FxHashMap<Start, usize> = starts.iter().enumerate().map(|(n, start)| (*start, n)).collect();
        let mut called: Vec<Vec<usize>> = vec![Vec::new(); starts.len()];
        let calls = callers.iter().flat_map(|(called, callers)| callers.iter().map(move |caller| (caller, called)));
        calls.for_each(|(caller, of)| called[numbers[caller]].push(numbers[of]));
        let mut component_of = vec![0; starts.len()];
        let mut by_component: Vec<ObjectSet> = Vec::new();
        for component in components(starts.len(), |n| called[n].iter().copied()) {
            component.iter().for_each(|n| component_of[*n] = by_component.len());
            let mut all = ObjectSet::default();
            for n in component {
                self.own.get(&starts[n]).into_iter().for_each(|own| _ = all.insert_all(own));
                let inside = called[n].iter().filter_map(|n| by_component.get(component_of[*n]));
                inside.for_each(|inside| _ = all.insert_all(inside));
            }
            by_component.push(all);
        }
        let of = |start: &Start| Some((*start, by_component[component_of[*numbers.get(start)?]].clone()));
        self.all = wanted.iter().filter_map(of).collect();
    }

    /// What leads to something in which the object is stored, with all that is known when it was added up.
    #[must_use]
    pub fn above(&self, start: Start) -> Above {
        let holding = self.all.get(&start).or_else(|| self.own.get(&start));
        self.holders().above(holding.unwrap_or(&ObjectSet::EMPTY))
    }

    /// Whether one of a variable's objects is among what leads there.
    #[must_use]
    pub fn has(&self, above: &Above, start: Start, local: Local) -> bool {
        self.holders().has_one_of(above, self.points_to.local(start.instance, local))
    }

    fn holders(&self) -> &Holders {
        self.holders.get_or_init(|| Holders::of(self.points_to))
    }
}
