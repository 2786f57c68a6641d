//! From where on other threads may see what a constructor makes: what comes before is as good as local to its thread.
//!
//! On entry nobody else has the object: nothing can be done with it before the constructor of the class above has returned (JVMS
//! 4.10.1.9), and that one looks after itself. From there on something *leads* to it: the variables that have it, and what it is
//! stored in, wherever that is stored or comes from. It is out as soon as one of them goes to a static field or to a thread that is
//! begun, or something that leads to it is stored in an object that is not known to be new. Calls are followed, and what they do
//! is kept for each parameter. Within a method, order counts for the constructor itself only: what a call lets out is out from that
//! call on, so nothing else matters of what is called then, nor of what calls it.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Body, Value};
use crate::points_to::{Code, Global, InstanceId, Local, ObjectSet, PointsTo, Slot, Use};
use crate::program::Program;
use crate::races::reach::following_values;
use crate::races::worklist::Worklist;

use super::origins::Origins;

/// Which of a constructor's accesses to its object other threads may be in the middle of.
#[derive(Debug)]
pub enum Seen {
    /// These, which come after the object may be out.
    After(FxHashSet<Value>),
    /// All of them: where the object gets out is not known.
    All,
}

impl Seen {
    /// Whether an instruction is one of them.
    #[must_use]
    pub fn sees(&self, at: Value) -> bool {
        match self {
            Self::After(late) => late.contains(&at),
            Self::All => true,
        }
    }
}

/// What is seen of constructors of the application; nothing of those that are not here.
#[must_use]
pub fn seen(program: &Program, points_to: &PointsTo, escaping: &ObjectSet) -> FxHashMap<InstanceId, Seen> {
    let mut search = Search::of(points_to, Origins::of(points_to, escaping));
    let constructors: Vec<Start> =
        points_to.instances().filter_map(|instance| search.start(program, instance)).collect();
    search.constructors.extend(&constructors);
    for start in &constructors {
        search.effects.entry(*start).or_default();
        search.open.push(*start);
    }
    search.solve();
    let seen = constructors.into_iter().map(|start| (start.instance, search.seen(program, start)));
    seen.filter_map(|(instance, seen)| Some((instance, seen?))).collect()
}

/// A variable that leads to the object from the beginning, in a method.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Start {
    instance: InstanceId,
    local: Local,
    /// Whether the objects it refers to do, wherever else they are; otherwise only what is done with this variable counts.
    has_changed: bool,
}

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
}

impl Leading {
    fn has(&self, local: Local) -> bool {
        self.to.contains(&local)
    }

    fn change(&mut self, local: Local) {
        self.to.insert(local);
        self.changed.insert(local);
    }

    fn size(&self) -> (usize, usize) {
        (self.to.len(), self.changed.len())
    }
}

/// How the object gets out.
enum Way {
    Stored(Slot, Option<Local>),
    Called(Value),
    Unknown,
}

struct Search<'a> {
    points_to: &'a PointsTo,
    origins: Origins<'a>,
    /// Of these all ways out are wanted, not only whether there is one.
    constructors: FxHashSet<Start>,
    effects: FxHashMap<Start, Effect>,
    /// Who counts on an effect, and who on what is in a slot.
    waiting: FxHashMap<Start, FxHashSet<Start>>,
    looking: FxHashMap<Slot, FxHashSet<Start>>,
    /// Slots where something is stored that leads to an object that is made.
    keeping: FxHashSet<Slot>,
    /// Those of which what is in them has come to lead there.
    changing: FxHashSet<Slot>,
    /// What leads to the object in methods, as far as that is known: it only becomes more.
    leading: FxHashMap<Start, Leading>,
    open: Worklist<Start>,
}

impl<'a> Search<'a> {
    fn of(points_to: &'a PointsTo, origins: Origins<'a>) -> Self {
        Self {
            points_to,
            origins,
            constructors: FxHashSet::default(),
            effects: FxHashMap::default(),
            waiting: FxHashMap::default(),
            looking: FxHashMap::default(),
            keeping: FxHashSet::default(),
            changing: FxHashSet::default(),
            leading: FxHashMap::default(),
            open: Worklist::default(),
        }
    }

    /// A constructor of the application and its object, if other threads ever get at it.
    fn start(&self, program: &Program, instance: InstanceId) -> Option<Start> {
        let code = self.points_to.code(instance);
        let method = code.method.filter(|_| code.is_checked && code.lambda.is_none() && code.mirrors.is_none())?;
        let local = code.parameters.first().copied().flatten().filter(|_| program.method(method).is_constructor())?;
        self.origins.is_shared((instance, local)).then_some(Start { instance, local, has_changed: false })
    }

    /// The least solution.
    fn solve(&mut self) {
        while let Some(start) = self.open.pop() {
            if self.is_out(start) && !self.constructors.contains(&start) {
                continue;
            }
            let leading = self.leading(start);
            let code = self.points_to.code(start.instance);
            let is_changed =
                |parameter: &Option<Local>| parameter.is_some_and(|local| leading.changed.contains(&local));
            let effect = Effect {
                is_out: !self.ways(start, &leading, false).is_empty(),
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
        leading.to.insert(start.local);
        if start.has_changed {
            leading.changed.insert(start.local);
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
            if self.keeping.contains(&slot) {
                leading.to.insert(to);
            }
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
        }
        if leading.has(base) {
            self.looking.entry(slot).or_default().insert(start);
            if self.changing.contains(&slot) {
                leading.change(from);
            }
        }
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
            let effect = self.effect(of, start);
            if let Some(result) = site.result.filter(|_| effect.is_returned) {
                leading.to.insert(result);
            }
            let changed = effect.parameters.iter().filter_map(|n| site.arguments.get(*n).copied().flatten());
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
            let is_result = site.result.is_some_and(|to| leading.changed.contains(&to));
            for edge in edges.iter().filter(|_| is_result || !arguments.is_empty()) {
                let callee = self.points_to.code(edge.callee);
                let parameters = arguments.iter().filter_map(|n| callee.parameters.get(*n).copied().flatten());
                let passed = parameters.map(|local| (local, false));
                let returned = callee.result.filter(|_| is_result).map(|local| (local, true));
                let starts = passed.chain(returned).map(|(local, has_changed)| Start {
                    instance: edge.callee,
                    local,
                    has_changed,
                });
                followed.extend(starts.map(|start| (edge.call, start)));
            }
        }
        followed
    }

    /// How the object gets out in a method, which may be the constructor itself.
    fn ways(&self, start: Start, leading: &Leading, is_constructor: bool) -> Vec<Way> {
        let (instance, code) = (start.instance, self.points_to.code(start.instance));
        let mut ways = Vec::new();
        for (global, _) in code.global_stores.iter().filter(|(_, from)| leading.has(*from)) {
            ways.push(match global {
                Global::Static(field) => Way::Stored(Slot::Field(*field), None),
                _ => Way::Unknown,
            });
        }
        let is_foreign = |local| self.origins.is_foreign((instance, local), is_constructor);
        for &(base, ref used) in code.all_uses() {
            if let Use::Store(slot, from) = used
                && leading.has(*from)
                && is_foreign(base)
            {
                ways.push(Way::Stored(*slot, Some(base)));
            }
        }
        let forks = code.calls.iter().filter(|site| site.is_fork);
        let with_it = forks.filter(|site| site.arguments.iter().flatten().any(|argument| leading.has(*argument)));
        ways.extend(with_it.map(|site| Way::Called(site.at)));
        for (call, of) in self.followed(instance, leading) {
            let (site, Some(effect)) = (&code.calls[call as usize], self.effects.get(&of)) else { continue };
            let mut changed = effect.parameters.iter().filter_map(|n| site.arguments.get(*n).copied().flatten());
            if effect.is_out || changed.any(is_foreign) {
                ways.push(Way::Called(site.at));
            }
        }
        ways
    }

    /// What is seen of a constructor, when all is known of what it calls.
    fn seen(&mut self, program: &Program, start: Start) -> Option<Seen> {
        let leading = self.leading(start);
        let ways = self.ways(start, &leading, true);
        let code = self.points_to.code(start.instance);
        let mut places = FxHashSet::default();
        for way in &ways {
            match places_of(code, way) {
                at if at.is_empty() => return Some(Seen::All),
                at => places.extend(at),
            }
        }
        let body = code.method.and_then(|method| Body::of(program, method)?.ok());
        match body {
            _ if places.is_empty() => None,
            Some(body) => {
                let mut late = following_values(&body, &places);
                late.extend(places);
                Some(Seen::After(late))
            }
            None => Some(Seen::All),
        }
    }
}

/// The instructions that are a way out; none if that is not known.
fn places_of(code: &Code, way: &Way) -> Vec<Value> {
    match way {
        Way::Called(at) => vec![*at],
        Way::Stored(slot, base) => {
            let stores =
                code.accesses.iter().filter(|access| access.write && access.slot == *slot && access.base == *base);
            stores.map(|access| access.at).collect()
        }
        Way::Unknown => Vec::new(),
    }
}
