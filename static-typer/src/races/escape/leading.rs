//! What leads to an object that is being made, and how the object gets out.
//!
//! Something *leads* to it: the variables that have it, and what it is stored in, wherever that is stored or comes from. It is out as soon as one of
//! them goes to a static field or to a thread that is begun, or something that leads to it is stored in an object that is not known to be new. Calls
//! are followed, and what they do is kept for each parameter.
//!
//! What a variable has got before the object was made does not lead to it, unless the object is then put into something that this leads to.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Body, Op, Value};
use crate::points_to::{CallEdge, CallSite, Code, Global, Holders, InstanceId, Local, ObjectSet, PointsTo, Slot, Use};
use crate::program::Program;
use crate::races::reach::{following_values, following_values_until};
use crate::races::worklist::Worklist;

use super::holding::Holding;
use super::origins::{Origins, Variable};
use super::seen::Seen;
use super::start::{Leads, Own, Start, Wanted};

/// What a method does with something that leads to the object.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Effect {
    is_out: bool,
    is_returned: bool,
    /// The parameters that lead to it then.
    parameters: BTreeSet<usize>,
}

/// The variables of a method that lead to the object.
#[derive(Default)]
struct Leading {
    to: FxHashSet<Local>,
    /// Those whose objects do, so that what they come from does too.
    changed: FxHashSet<Local>,
    /// Those that have the object from where it is made.
    made: FxHashSet<Local>,
}

impl Leading {
    fn has(&self, local: Local) -> bool {
        self.to.contains(&local)
    }

    fn change(&mut self, local: Local) {
        self.to.insert(local);
        self.changed.insert(local);
    }

    fn have_made(&mut self, local: Local) {
        self.to.insert(local);
        self.made.insert(local);
    }

    fn size(&self) -> [usize; 3] {
        [self.to.len(), self.changed.len(), self.made.len()]
    }
}

/// How the object gets out.
#[derive(PartialEq, Eq)]
enum Out {
    Stored(Slot, Option<Local>),
    Called(Value),
    Unknown,
}

/// A way out, and whether it is the object itself that gets out there, and not only what leads to it.
struct Way {
    out: Out,
    is_itself: bool,
}

/// What every search asks.
pub struct Basis<'a> {
    /// Which objects variables and slots have.
    pub points_to: &'a PointsTo,
    /// Where variables have their objects from.
    pub origins: Origins<'a>,
    /// Which objects lead to others.
    holders: OnceCell<Holders>,
}

impl<'a> Basis<'a> {
    /// Asks for objects that escape.
    #[must_use]
    pub fn of(points_to: &'a PointsTo, escaping: &ObjectSet) -> Self {
        Self { points_to, origins: Origins::of(points_to, escaping), holders: OnceCell::new() }
    }
}

/// A search for it.
pub struct Search<'a> {
    points_to: &'a PointsTo,
    origins: &'a Origins<'a>,
    /// Of these all ways out are wanted, not only whether there is one.
    wanted: FxHashSet<Start>,
    effects: FxHashMap<Start, Effect>,
    /// Who counts on an effect, and who on what is in a slot.
    waiting: FxHashMap<Start, FxHashSet<Start>>,
    looking: FxHashMap<Slot, FxHashSet<Start>>,
    /// Slots where something is stored that leads to an object that is made.
    keeping: FxHashSet<Slot>,
    /// Those of which what is in them has come to lead there.
    changing: FxHashSet<Slot>,
    /// Of methods that make something themselves, the variables that have got what they have before anything was done with that.
    early: FxHashMap<Start, FxHashSet<Local>>,
    /// Those of them that would lead to it otherwise.
    left_out: FxHashMap<Start, FxHashSet<Local>>,
    holding: Holding<'a>,
    /// What leads to the object in methods, as far as that is known: it only becomes more.
    leading: FxHashMap<Start, Leading>,
    open: Worklist<Start>,
}

impl<'a> Search<'a> {
    /// Nothing is known yet.
    #[must_use]
    pub fn of(basis: &'a Basis<'a>) -> Self {
        let Basis { points_to, origins, holders } = basis;
        Self {
            points_to,
            origins,
            wanted: FxHashSet::default(),
            effects: FxHashMap::default(),
            waiting: FxHashMap::default(),
            looking: FxHashMap::default(),
            keeping: FxHashSet::default(),
            changing: FxHashSet::default(),
            early: FxHashMap::default(),
            left_out: FxHashMap::default(),
            holding: Holding::of(points_to, holders),
            leading: FxHashMap::default(),
            open: Worklist::default(),
        }
    }

    /// Finds all ways out of these.
    pub fn solve_for<'b>(&mut self, wanted: impl IntoIterator<Item = &'b Wanted>) {
        self.solve_within(wanted, usize::MAX);
    }

    /// The same if it takes at most some steps; says whether it does. If not, nothing counts.
    pub fn solve_within<'b>(&mut self, wanted: impl IntoIterator<Item = &'b Wanted>, mut n_steps: usize) -> bool {
        for Wanted { start, early, .. } in wanted {
            self.wanted.insert(*start);
            self.effects.entry(*start).or_default();
            self.open.push(*start);
            if !early.is_empty() {
                self.early.insert(*start, early.clone());
            }
        }
        while self.solve(&mut n_steps) {
            if !self.let_in() {
                return true;
            }
        }
        false
    }

    /// The least solution, unless that takes too many steps.
    fn solve(&mut self, n_steps: &mut usize) -> bool {
        while let Some(start) = self.open.pop() {
            if self.is_out(start) && !self.wanted.contains(&start) {
                continue;
            }
            let Some(left) = n_steps.checked_sub(1) else { return false };
            *n_steps = left;
            let leading = self.leading(start);
            let code = self.points_to.code(start.instance);
            let is_changed =
                |parameter: &Option<Local>| parameter.is_some_and(|local| leading.changed.contains(&local));
            let effect = Effect {
                is_out: !self.ways(start, &leading, Own::Parameters).is_empty(),
                is_returned: code.result.is_some_and(|result| leading.has(result)),
                parameters: (0..)
                    .zip(&code.parameters)
                    .filter(|(_, local)| is_changed(local))
                    .map(|(n, _)| n)
                    .collect(),
            };
            let known = self.effects.entry(start).or_default();
            if *known != effect {
                *known = effect;
                self.open.extend(self.waiting.get(&start).into_iter().flatten().copied());
            }
            self.leading.insert(start, leading);
        }
        true
    }

    /// Whether it is known that the object gets out there, besides which nothing is wanted.
    fn is_out(&self, start: Start) -> bool {
        self.effects.get(&start).is_some_and(|effect| effect.is_out)
    }

    fn effect(&mut self, of: Start, wanted_by: Start) -> &Effect {
        self.waiting.entry(of).or_default().insert(wanted_by);
        let open = &mut self.open;
        self.effects.entry(of).or_insert_with(|| {
            open.push(of);
            Effect::default()
        })
    }

    /// What leads to the object in a method.
    fn leading(&mut self, start: Start) -> Leading {
        let mut leading = self.leading.remove(&start).unwrap_or_default();
        match start.leads {
            Leads::Alone => _ = leading.to.insert(start.local),
            Leads::Objects => leading.change(start.local),
            Leads::Makers => leading.have_made(start.local),
        }
        loop {
            let before = leading.size();
            self.copies(start, &mut leading);
            self.uses(start, &mut leading);
            self.calls(start, &mut leading);
            if leading.size() == before {
                return leading;
            }
        }
    }

    fn copies(&self, start: Start, leading: &mut Leading) {
        for (to, from, _) in &self.points_to.code(start.instance).copies {
            if leading.has(*from) {
                leading.to.insert(*to);
            }
            if leading.changed.contains(to) {
                leading.change(*from);
            }
            if leading.made.contains(to) {
                leading.have_made(*from);
            }
        }
    }

    fn uses(&mut self, start: Start, leading: &mut Leading) {
        for &(base, ref used) in self.points_to.code(start.instance).all_uses() {
            match used {
                Use::Load(slot, to, _) => self.load(start, leading, (base, *slot, *to)),
                Use::Store(slot, from) => self.store(start, leading, (base, *slot, *from)),
                Use::Clone(to) | Use::Resize(to, ..) | Use::Open(to) => {
                    if leading.has(base) {
                        leading.to.insert(*to);
                    }
                    if leading.changed.contains(to) {
                        leading.change(base);
                    }
                }
                Use::Call(_) | Use::ClassOf(..) => {}
            }
        }
    }

    fn load(&mut self, start: Start, leading: &mut Leading, (base, slot, to): (Local, Slot, Local)) {
        if leading.has(base) {
            self.looking.entry(slot).or_default().insert(start);
            if self.keeping.contains(&slot) && !self.is_early(start, to) {
                leading.to.insert(to);
            }
        }
        if leading.made.contains(&to) {
            leading.change(to);
        }
        if leading.changed.contains(&to) {
            leading.change(base);
            self.keep(slot, true);
        }
    }

    fn store(&mut self, start: Start, leading: &mut Leading, (base, slot, from): (Local, Slot, Local)) {
        if leading.has(from) {
            leading.change(base);
            self.keep(slot, false);
            self.holding.stores(start, base);
        }
        if leading.has(base) {
            self.looking.entry(slot).or_default().insert(start);
            if self.changing.contains(&slot) {
                leading.change(from);
            }
        }
    }

    /// Whether a variable has got what it has too early for the object, as far as that is known.
    fn is_early(&mut self, start: Start, local: Local) -> bool {
        let is_early = self.early.get(&start).is_some_and(|early| early.contains(&local));
        if is_early {
            self.left_out.entry(start).or_default().insert(local);
        }
        is_early
    }

    /// Finds those that are too early, and have something into a part of which the object was put then, as into a list of which they have a view:
    /// it leads to the object all the same. Says whether there are any.
    fn let_in(&mut self) -> bool {
        if self.early.is_empty() {
            return false;
        }
        self.holding.add_up(&self.wanted, &self.waiting);
        let late_in = |(start, left_out): (&Start, &FxHashSet<Local>)| -> (Start, Vec<Local>) {
            let above = self.holding.above(*start);
            (*start, left_out.iter().filter(|local| self.holding.has(&above, *start, **local)).copied().collect())
        };
        let found: Vec<(Start, Vec<Local>)> =
            self.left_out.iter().map(late_in).filter(|(_, late)| !late.is_empty()).collect();
        for (start, late) in &found {
            for of in [&mut self.early, &mut self.left_out] {
                of.entry(*start).or_default().retain(|local| !late.contains(local));
            }
            self.open.push(*start);
        }
        !found.is_empty()
    }

    fn keep(&mut self, slot: Slot, has_changed: bool) {
        let is_news = self.keeping.insert(slot) | (has_changed && self.changing.insert(slot));
        if is_news {
            self.open.extend(self.looking.get(&slot).into_iter().flatten().copied());
        }
    }

    fn calls(&mut self, start: Start, leading: &mut Leading) {
        let code = self.points_to.code(start.instance);
        for (call, of) in self.followed(start.instance, leading) {
            let site = &code.calls[call as usize];
            if self.is_out(of) {
                continue;
            }
            let returned = self.effect(of, start).is_returned.then_some(site.result).flatten();
            if let Some(result) = returned.filter(|result| !self.is_early(start, *result)) {
                leading.to.insert(result);
            }
            let points_to = self.points_to;
            let effect = self.effect(of, start);
            let changed = effect.parameters.iter().filter_map(|n| site.arguments.get(*n).copied().flatten());
            let changed = changed.filter(|argument| !are_of_numbers(points_to, (start.instance, *argument)));
            changed.for_each(|argument| leading.change(argument));
        }
    }

    /// What calls do that matters: with arguments that lead to the object, and to what they return that does.
    fn followed(&self, instance: InstanceId, leading: &Leading) -> Vec<(u32, Start)> {
        let code = self.points_to.code(instance);
        let mut followed = Vec::new();
        for edges in self.points_to.calls(instance).chunk_by(|a, b| a.call == b.call) {
            let site = &code.calls[edges[0].call as usize];
            let passes = |local: &Option<Local>| local.is_some_and(|local| leading.has(local));
            let arguments: Vec<usize> =
                (0..site.arguments.len()).filter(|n| !site.is_fork && passes(&site.arguments[*n])).collect();
            let is_result = |leading: &FxHashSet<Local>| site.result.is_some_and(|to| leading.contains(&to));
            let result = match (is_result(&leading.changed), is_result(&leading.made)) {
                (true, _) => Some(Leads::Objects),
                (false, true) => Some(Leads::Makers),
                (false, false) => None,
            };
            for edge in edges.iter().filter(|_| result.is_some() || !arguments.is_empty()) {
                let callee = self.points_to.code(edge.callee);
                let parameters = arguments.iter().filter_map(|n| callee.parameters.get(*n).copied().flatten());
                let passed = parameters.map(|local| (local, Leads::Alone));
                let returned = callee.result.zip(result);
                let starts = passed.chain(returned).map(|(local, leads)| Start { instance: edge.callee, local, leads });
                followed.extend(starts.map(|start| (edge.call, start)));
            }
        }
        followed
    }

    /// How the object gets out in a method, which may be the constructor itself.
    fn ways(&self, start: Start, leading: &Leading, own: Own) -> Vec<Way> {
        let (instance, code) = (start.instance, self.points_to.code(start.instance));
        let mut ways = Vec::new();
        for (global, from) in code.global_stores.iter().filter(|(_, from)| leading.has(*from)) {
            let out = match global {
                Global::Static(field) => Out::Stored(Slot::Field(*field), None),
                _ => Out::Unknown,
            };
            ways.push(Way { out, is_itself: *from == start.local });
        }
        let is_foreign = |local| match own {
            Own::Parameters => self.origins.is_foreign((instance, local), false),
            Own::Receiver => self.origins.is_foreign((instance, local), true),
            Own::MadeBy(_) => self.origins.is_foreign_to_maker((instance, local)),
        };
        for &(base, ref used) in code.all_uses() {
            if let Use::Store(slot, from) = used
                && leading.has(*from)
                && is_foreign(base)
            {
                ways.push(Way { out: Out::Stored(*slot, Some(base)), is_itself: *from == start.local });
            }
        }
        let is_itself = |site: &CallSite| {
            let passed = site.arguments.iter().flatten().filter(|argument| leading.has(**argument));
            passed.copied().eq([start.local])
        };
        let called = |site: &CallSite| Way { out: Out::Called(site.at), is_itself: is_itself(site) };
        let with_it = |site: &&CallSite| site.arguments.iter().flatten().any(|argument| leading.has(*argument));
        let forks = code.calls.iter().filter(|site| site.is_fork);
        ways.extend(forks.filter(with_it).map(called));
        // What reflection passes on, it passes on in other places.
        let is_reflective = |edge: &&CallEdge| {
            let (site, callee) = (&code.calls[edge.call as usize], self.points_to.code(edge.callee));
            callee.mirrors.is_some() || callee.parameters.len() != site.arguments.len()
        };
        let reflective = self.points_to.calls(instance).iter().filter(is_reflective);
        let reflective = reflective.map(|edge| &code.calls[edge.call as usize]);
        ways.extend(reflective.filter(with_it).map(called));
        for (call, of) in self.followed(instance, leading) {
            let (site, Some(effect)) = (&code.calls[call as usize], self.effects.get(&of)) else { continue };
            let mut changed = effect.parameters.iter().filter_map(|n| site.arguments.get(*n).copied().flatten());
            let leads = |argument| is_foreign(argument) && !are_of_numbers(self.points_to, (instance, argument));
            if effect.is_out || changed.any(leads) {
                let is_passed = of.leads == Leads::Alone;
                ways.push(Way { out: Out::Called(site.at), is_itself: is_passed && is_itself(site) });
            }
        }
        ways
    }

    /// Whether an object may be put into something to which one that was made before it leads, in a way that does not count as one out.
    fn is_linked(&self, start: Start, leading: &Leading) -> bool {
        let is_own = |local: &Local| !self.origins.is_foreign_to_maker((start.instance, *local));
        leading.changed.iter().any(is_own) && self.holding.has(&self.holding.above(start), start, start.local)
    }

    /// What is seen of an object, when all is known of what is called with it.
    pub fn seen(&mut self, program: &Program, start: Start, own: Own) -> Option<Seen> {
        let leading = self.leading(start);
        let ways = self.ways(start, &leading, own);
        let code = self.points_to.code(start.instance);
        let body = code.method.and_then(|method| Body::of(program, method)?.ok());
        let mut late = FxHashSet::default();
        for way in &ways {
            let mut at: FxHashSet<Value> = places_of(code, &way.out).into_iter().collect();
            let Some(body) = body.as_ref() else { return Some(Seen::All) };
            if matches!((own, &way.out), (Own::MadeBy(_), Out::Stored(..))) && way.is_itself {
                // Other things may be stored in the same place before.
                at.retain(|at| stored(body, *at).and_then(|value| code.find_local(value)) == Some(start.local));
                let alike = ways.iter().filter(|other| other.is_itself && other.out == way.out).count();
                if alike > at.len() {
                    return Some(Seen::All);
                }
            }
            if at.is_empty() {
                return Some(Seen::All);
            }
            let mut after = following_values(body, &at);
            // What is made once more is another one; but what leads to it may have been out before, as may what it is put into.
            if let Own::MadeBy(made) = own
                && way.is_itself
                && after.contains(&made)
                && !self.is_linked(start, &leading)
            {
                after = following_values_until(body, &at, made);
            }
            late.extend(after);
            late.extend(at);
        }
        (!ways.is_empty()).then_some(Seen::After(late))
    }
}

/// Whether a variable has arrays of numbers only, which lead to nothing.
fn are_of_numbers(points_to: &PointsTo, (instance, local): Variable) -> bool {
    let mut types = points_to.local(instance, local).iter().map(|object| points_to.objects.ty(object));
    types.all(|ty| ty.element().is_some_and(|element| !element.is_reference()))
}

/// What an instruction stores.
fn stored(body: &Body, at: Value) -> Option<Value> {
    match body.op(at) {
        Op::PutField(_, _, stored) | Op::PutStatic(_, stored) | Op::StoreElement(_, _, stored) => Some(*stored),
        _ => None,
    }
}

/// The instructions that are a way out; none if that is not known.
fn places_of(code: &Code, out: &Out) -> Vec<Value> {
    match out {
        Out::Called(at) => vec![*at],
        Out::Stored(slot, base) => {
            let stores =
                code.accesses.iter().filter(|access| access.write && access.slot == *slot && access.base == *base);
            stores.map(|access| access.at).collect()
        }
        Out::Unknown => Vec::new(),
    }
}
