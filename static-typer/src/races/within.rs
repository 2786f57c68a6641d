//! What a thread runs, by what its own calls pass on: the points-to result has each variable once for all threads, and by it a
//! thread that prints a text runs the `toString` of whatever any other thread prints.
//!
//! Variables of the thread's code refer to what its own calls pass and return, and what it throws is what it catches; all else,
//! fields, elements and static fields, is as the points-to result has it. So nothing that the thread may run is left out as long
//! as that is right. A thread that is alone runs all that the points-to result has, which is what it is tested against.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::points_to::{CallEdge, CallSite, Dispatch, Global, InstanceId, Local, ObjectSet, PointsTo, Use};

/// Code that a thread begins with, or goes on with.
#[derive(Debug)]
pub struct Root {
    /// The code.
    pub instance: InstanceId,
    /// The parameters, by their places, that get what the thread itself has thrown; the others get what any thread is started
    /// with.
    pub thrown: Vec<usize>,
}

/// What one thread runs.
#[derive(Debug)]
pub struct Within<'a> {
    points_to: &'a PointsTo,
    refers: FxHashMap<(InstanceId, Local), ObjectSet>,
    thrown: ObjectSet,
    /// Variables that what is thrown goes to.
    catching: Vec<(InstanceId, Local)>,
    /// Objects that the thread does not get.
    kept: &'a ObjectSet,
    callers: FxHashMap<InstanceId, FxHashSet<InstanceId>>,
    open: VecDeque<InstanceId>,
    is_open: FxHashSet<InstanceId>,
}

impl<'a> Within<'a> {
    /// Follows the calls from where the thread begins and goes on, without some objects that are kept from it.
    #[must_use]
    pub fn of(points_to: &'a PointsTo, roots: &[Root], kept: &'a ObjectSet) -> Self {
        let mut within = Self {
            points_to,
            refers: FxHashMap::default(),
            thrown: ObjectSet::default(),
            catching: Vec::new(),
            kept,
            callers: FxHashMap::default(),
            open: VecDeque::new(),
            is_open: FxHashSet::default(),
        };
        roots.iter().for_each(|root| within.begin(root));
        while let Some(instance) = within.open.pop_front() {
            within.is_open.remove(&instance);
            within.visit(instance);
        }
        within
    }

    /// The code that it runs.
    pub fn instances(&self) -> impl Iterator<Item = InstanceId> + '_ {
        self.callers.keys().copied()
    }

    /// What a variable refers to where this thread runs the code.
    #[must_use]
    pub fn local(&self, instance: InstanceId, local: Local) -> ObjectSet {
        self.refers.get(&(instance, local)).cloned().unwrap_or_default()
    }

    /// A thread begins with what it is started with, but ends by what it has itself thrown.
    fn begin(&mut self, root: &Root) {
        let (root, thrown) = (root.instance, &root.thrown);
        for (place, local) in self.points_to.code(root).parameters.iter().enumerate() {
            let Some(local) = *local else { continue };
            if thrown.contains(&place) {
                self.catching.push((root, local));
            } else {
                self.add(root, local, self.points_to.local(root, local));
            }
        }
        self.reach(root);
    }

    fn reach(&mut self, instance: InstanceId) {
        if let Entry::Vacant(place) = self.callers.entry(instance) {
            place.insert(FxHashSet::default());
            self.enqueue(instance);
        }
    }

    fn enqueue(&mut self, instance: InstanceId) {
        if self.is_open.insert(instance) {
            self.open.push_back(instance);
        }
    }

    /// Lets the objects of one variable be those of another.
    fn pass(&mut self, (from, of): (InstanceId, Local), (to, local): (InstanceId, Local)) {
        if !self.is_full(to, local)
            && let Some(objects) = self.refers.get(&(from, of)).cloned()
        {
            self.add(to, local, &objects);
        }
    }

    /// Whether nothing can be new to a variable.
    fn is_full(&self, instance: InstanceId, local: Local) -> bool {
        let all = self.points_to.local(instance, local).len();
        self.refers.get(&(instance, local)).map_or(0, ObjectSet::len) == all
    }

    fn add(&mut self, instance: InstanceId, local: Local, objects: &ObjectSet) {
        if objects.is_empty() || self.is_full(instance, local) {
            return;
        }
        let new = objects.common(self.points_to.local(instance, local)).without(self.kept);
        if new.is_empty() || !self.refers.entry((instance, local)).or_default().insert_all(&new) {
            return;
        }
        self.enqueue(instance);
        if self.points_to.code(instance).result == Some(local) {
            let callers: Vec<InstanceId> = self.callers.get(&instance).into_iter().flatten().copied().collect();
            callers.into_iter().for_each(|caller| self.enqueue(caller));
        }
    }

    fn visit(&mut self, instance: InstanceId) {
        let points_to = self.points_to;
        let code = points_to.code(instance);
        for (to, site, _) in &code.allocations {
            let made = points_to.local(instance, *to).iter();
            let made = made.filter(|object| points_to.objects.get(*object).site == *site).collect();
            self.add(instance, *to, &made);
        }
        for (to, from, _) in &code.copies {
            self.pass((instance, *from), (instance, *to));
        }
        for (to, global, _) in &code.global_loads {
            if *global == Global::Thrown {
                self.catches(instance, *to);
            } else {
                self.add(instance, *to, points_to.global(*global));
            }
        }
        for (_, from) in code.global_stores.iter().filter(|(global, _)| *global == Global::Thrown) {
            self.throws(instance, *from);
        }
        let mut bases: Vec<Local> = code.used_locals().collect();
        bases.dedup();
        for base in bases {
            self.uses(instance, base);
        }
        for edge in points_to.calls(instance) {
            let site = &code.calls[edge.call as usize];
            if !site.is_fork {
                self.call(instance, site, *edge);
            }
        }
    }

    fn catches(&mut self, instance: InstanceId, to: Local) {
        if !self.catching.contains(&(instance, to)) {
            self.catching.push((instance, to));
        }
        let thrown = self.thrown.clone();
        self.add(instance, to, &thrown);
    }

    fn throws(&mut self, instance: InstanceId, from: Local) {
        if self.thrown.insert_all(&self.local(instance, from)) {
            let thrown = self.thrown.clone();
            for (instance, to) in self.catching.clone() {
                self.add(instance, to, &thrown);
            }
        }
    }

    /// What is copied is not told apart by what it is a copy of.
    fn uses(&mut self, instance: InstanceId, base: Local) {
        let points_to = self.points_to;
        let objects = self.local(instance, base);
        for (_, used) in points_to.code(instance).uses(base).iter().filter(|_| !objects.is_empty()) {
            match used {
                Use::Load(_, to, _) if self.is_full(instance, *to) => {}
                Use::Load(slot, to, _) => {
                    for object in objects.iter() {
                        self.add(instance, *to, points_to.slot(object, *slot));
                    }
                }
                Use::Clone(to) | Use::Open(to) | Use::Resize(to, ..) | Use::ClassOf(to, _) => {
                    self.add(instance, *to, points_to.local(instance, *to));
                }
                Use::Store(..) | Use::Call(_) => {}
            }
        }
    }

    fn call(&mut self, caller: InstanceId, site: &CallSite, edge: CallEdge) {
        let code = self.points_to.code(edge.callee);
        if site.dispatch != Dispatch::Static && !self.is_received(caller, site, edge.callee) {
            return;
        }
        self.reach(edge.callee);
        self.callers.entry(edge.callee).or_default().insert(caller);
        for (argument, parameter) in site.arguments.iter().zip(&code.parameters) {
            if let (Some(argument), Some(parameter)) = (argument, parameter) {
                self.pass((caller, *argument), (edge.callee, *parameter));
            }
        }
        if let (Some(from), Some(to)) = (code.result, site.result) {
            self.pass((edge.callee, from), (caller, to));
        }
    }

    /// Whether the call may be made on an object that code is called on.
    fn is_received(&self, caller: InstanceId, site: &CallSite, callee: InstanceId) -> bool {
        let receiver = site.arguments.first().copied().flatten();
        let on = receiver.and_then(|receiver| self.refers.get(&(caller, receiver)));
        match self.points_to.code(callee).parameters.first().copied().flatten() {
            Some(this) => on.is_some_and(|on| on.intersects(self.points_to.local(callee, this))),
            None => on.is_some_and(|on| !on.is_empty()),
        }
    }
}
