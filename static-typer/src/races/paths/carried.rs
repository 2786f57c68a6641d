//! What a call has to pass so that code gets at an object, backwards from a variable to the parameters that the object comes in
//! by, or that it is found in.

use std::cell::OnceCell;

use rustc_hash::FxHashMap;

use crate::points_to::{CallEdge, Dispatch, InstanceId, Local, ObjectSet, PointsTo};

use super::origins::Origins;

/// What parameters must refer to, by their places, which ascend: one of so many objects each.
pub type Needs = Vec<(usize, ObjectSet)>;

/// What must have been passed: one of these.
#[derive(Default, Debug)]
pub struct Ways {
    /// Each by itself; nothing, where it is reached anyhow.
    pub needs: Vec<Needs>,
    /// Whether they are all there are, and not any way.
    pub is_followed: bool,
}

impl Ways {
    /// Any way, as more were found than are followed.
    fn any() -> Self {
        Self { needs: vec![Needs::new()], is_followed: false }
    }
}

impl From<Vec<Needs>> for Ways {
    fn from(needs: Vec<Needs>) -> Self {
        Self { needs, is_followed: true }
    }
}

/// Answers what code must have been passed.
#[derive(Debug)]
pub struct Carried<'a> {
    points_to: &'a PointsTo,
    /// By the number of the code.
    origins: Vec<OnceCell<Origins>>,
    /// More ways than that are taken for any way.
    max_ways: usize,
}

impl<'a> Carried<'a> {
    /// Of all code.
    #[must_use]
    pub fn of(points_to: &'a PointsTo, max_ways: usize) -> Self {
        let codes = points_to.instances().map(|instance| points_to.code_id(instance).0 as usize + 1);
        let unknown = std::iter::repeat_with(OnceCell::new);
        Self { points_to, origins: unknown.take(codes.max().unwrap_or_default()).collect(), max_ways }
    }

    fn origins(&self, instance: InstanceId) -> &Origins {
        let origins = &self.origins[self.points_to.code_id(instance).0 as usize];
        origins.get_or_init(|| Origins::of(self.points_to.code(instance)))
    }

    /// What must have been passed to code so that a variable refers to one of some objects: one of these. Nothing, where the
    /// code gets at one by itself.
    #[must_use]
    pub fn ways(&self, instance: InstanceId, local: Local, objects: &ObjectSet) -> Vec<Needs> {
        let (origins, of) = (self.origins(instance), |local| self.points_to.local(instance, local));
        let parameters = || {
            let places = self.points_to.code(instance).parameters.iter().enumerate();
            places.filter_map(|(place, local)| Some((place, (*local)?)))
        };
        // Mostly it is a parameter that is never assigned.
        if origins.is_passed_only(local) {
            let common = objects.common(of(local));
            let place = parameters().find(|(_, parameter)| *parameter == local).filter(|_| !common.is_empty());
            return place.map(|(place, _)| vec![(place, common)]).into_iter().collect();
        }
        let mut known: FxHashMap<Local, ObjectSet> = FxHashMap::default();
        let mut open = vec![(local, objects.clone())];
        while let Some((local, objects)) = open.pop() {
            let objects = objects.common(of(local));
            if objects.is_empty() || !known.entry(local).or_default().insert_all(&objects) {
                continue;
            }
            if origins.gives(self.points_to, local, &objects) {
                return vec![Needs::new()];
            }
            open.extend(origins.sources(self.points_to, local, &objects, &of));
        }
        let passed = parameters().filter_map(|(place, local)| Some((place, known.remove(&local)?)));
        passed.map(|need| vec![need]).collect()
    }

    /// What the caller must have been passed so that a call may pass on what the called code needs; nothing at all if it cannot
    /// be.
    #[must_use]
    pub fn before(&self, caller: InstanceId, edge: CallEdge, needs: &Needs) -> Ways {
        // Most callers of code that is called from everywhere cannot pass it.
        if !self.may_pass(caller, edge.call, needs) {
            return Ways::default();
        }
        let site = &self.points_to.code(caller).calls[edge.call as usize];
        let mut needs = needs.clone();
        let this = self.points_to.code(edge.callee).parameters.first().copied().flatten();
        if let Some(this) = this.filter(|_| site.dispatch != Dispatch::Static)
            && needs.first().is_none_or(|(place, _)| *place != 0)
        {
            needs.insert(0, (0, self.points_to.local(edge.callee, this).clone()));
        }
        let mut all = vec![Needs::new()];
        for (place, objects) in &needs {
            let Some(argument) = site.arguments.get(*place).copied().flatten() else { return Ways::default() };
            all = both(&all, &self.ways(caller, argument, objects));
            if all.len() > self.max_ways {
                return Ways::any();
            }
        }
        all.into()
    }

    /// Whether a call may pass what code needs, whoever makes it.
    #[must_use]
    pub fn may_pass(&self, caller: InstanceId, call: u32, needs: &Needs) -> bool {
        let site = &self.points_to.code(caller).calls[call as usize];
        needs.iter().all(|(place, objects)| {
            let argument = site.arguments.get(*place).copied().flatten();
            argument.is_some_and(|argument| self.points_to.local(caller, argument).intersects(objects))
        })
    }
}

/// Every way that is one of the first and one of the others; a parameter is one object.
fn both(first: &[Needs], second: &[Needs]) -> Vec<Needs> {
    let mut all: Vec<Needs> = Vec::new();
    for a in first {
        for b in second {
            all.extend(merged(a, b).filter(|needs| !all.contains(needs)));
        }
    }
    all
}

fn merged(a: &Needs, b: &Needs) -> Option<Needs> {
    let mut needs = a.clone();
    for (place, objects) in b {
        match needs.binary_search_by_key(place, |(place, _)| *place) {
            Ok(at) => {
                needs[at].1 = needs[at].1.common(objects);
                if needs[at].1.is_empty() {
                    return None;
                }
            }
            Err(at) => needs.insert(at, (*place, objects.clone())),
        }
    }
    Some(needs)
}
