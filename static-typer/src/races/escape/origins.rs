//! Where the objects of a variable come from: whether a method or what it calls has made them, or others may have them already.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::points_to::{CodeId, InstanceId, Local, ObjectSet, PointsTo, Site, Slot, Use};
use crate::program::FieldId;
use crate::races::sources::{Source, Sources, Stores};

/// A variable of an instance.
pub type Variable = (InstanceId, Local);

/// Where objects come from that several threads get at, sooner or later.
///
/// What is found of a variable is the least solution over what it comes from, kept for all that ask: each variable is looked at
/// again only when more becomes known of one that it comes from.
pub struct Origins<'a> {
    points_to: &'a PointsTo,
    /// Arrays without elements hold nothing, whoever has them.
    shared: ObjectSet,
    stores: OnceCell<Stores>,
    sources: RefCell<FxHashMap<CodeId, Rc<Sources>>>,
    /// Where what is loaded is foreign, whatever it is loaded from.
    strict: RefCell<Solution>,
    lenient: RefCell<Solution>,
    /// The objects that have something in a field which was not new when it was stored.
    with_old: RefCell<FxHashMap<FieldId, Rc<ObjectSet>>>,
}

/// What is known of the objects of a variable.
#[derive(Clone, PartialEq, Eq, Default)]
struct Found {
    is_foreign: bool,
    /// The parameters that they come from.
    parameters: BTreeSet<usize>,
}

/// What is known of variables so far.
#[derive(Default)]
struct Solution {
    known: FxHashMap<Variable, Known>,
    open: Vec<Variable>,
}

#[derive(Default)]
struct Known {
    found: Found,
    /// The variables that are looked at again when more is found.
    users: BTreeSet<Variable>,
}

impl Solution {
    /// What is known of a variable, which is looked at if nobody has asked for it.
    fn found(&mut self, of: Variable, user: Option<Variable>) -> Found {
        let known = self.known.entry(of).or_insert_with(|| {
            self.open.push(of);
            Known::default()
        });
        known.users.extend(user);
        known.found.clone()
    }

    fn learn(&mut self, of: Variable, found: Found) {
        let known = self.known.entry(of).or_default();
        if known.found != found {
            known.found = found;
            self.open.extend(&known.users);
        }
    }
}

/// How many calls and casts a copy is followed through.
const MAX_CLONES: usize = 8;

impl<'a> Origins<'a> {
    /// Asks for objects that escape.
    #[must_use]
    pub fn of(points_to: &'a PointsTo, escaping: &ObjectSet) -> Self {
        let holds = |object: &_| !matches!(points_to.objects.get(*object).site, Site::Empty(_));
        Self {
            points_to,
            shared: escaping.iter().filter(holds).collect(),
            stores: OnceCell::new(),
            sources: RefCell::default(),
            strict: RefCell::default(),
            lenient: RefCell::default(),
            with_old: RefCell::default(),
        }
    }

    /// Whether other threads get at objects of a variable, sooner or later.
    #[must_use]
    pub fn is_shared(&self, (instance, local): Variable) -> bool {
        self.points_to.local(instance, local).intersects(&self.shared)
    }

    /// Whether others may have objects of a variable that the method, or its callers as far as they pass them on, have not made.
    /// What a constructor is given is foreign to it, but for its own object.
    #[must_use]
    pub fn is_foreign(&self, of: Variable, is_constructor: bool) -> bool {
        let found = self.find_if_shared(of, false);
        found.is_foreign || is_constructor && found.parameters.iter().any(|n| *n != 0)
    }

    /// The same for a method that has made something itself: whatever it is given is foreign to it.
    #[must_use]
    pub fn is_foreign_to_maker(&self, of: Variable) -> bool {
        let found = self.find_if_shared(of, false);
        found.is_foreign || !found.parameters.is_empty()
    }

    /// Whether what a call returns is made by what it runs, each time.
    #[must_use]
    pub fn is_made_by(&self, caller: InstanceId, call: u32) -> bool {
        let mut callees = self.callees(caller, call).peekable();
        callees.peek().is_some()
            && callees.all(|callee| {
                let Some(returned) = self.points_to.code(callee).result else { return false };
                let is_made =
                    |object| matches!(self.points_to.objects.get(object).site, Site::New(..) | Site::Copy(..));
                let found = self.find_if_shared((callee, returned), false);
                !found.is_foreign
                    && found.parameters.is_empty()
                    && (self.points_to.local(callee, returned).iter().all(is_made)
                        || self.is_clone((callee, returned), MAX_CLONES))
            })
    }

    /// Whether a variable has nothing but copies of objects, whichever these are, as with `(B) super.clone()`.
    fn is_clone(&self, (instance, local): Variable, depth: usize) -> bool {
        let Some(below) = depth.checked_sub(1) else { return false };
        let sources = self.sources(instance);
        let mut uses = self.points_to.code(instance).all_uses().iter();
        if uses.any(|(_, used)| matches!(used, Use::Clone(to) if *to == local)) {
            return sources.to(local).is_empty();
        }
        let from_clone = |source: &Source| match source {
            Source::Copied(from) => self.is_clone((instance, *from), below),
            Source::Returned(call) => self.returns_clone(instance, *call, below),
            _ => false,
        };
        !sources.to(local).is_empty() && sources.to(local).iter().all(from_clone)
    }

    fn returns_clone(&self, caller: InstanceId, call: u32, depth: usize) -> bool {
        let result = |callee| Some((callee, self.points_to.code(callee).result?));
        let mut results = self.callees(caller, call).map(result).peekable();
        results.peek().is_some() && results.all(|result| result.is_some_and(|result| self.is_clone(result, depth)))
    }

    fn callees(&self, caller: InstanceId, call: u32) -> impl Iterator<Item = InstanceId> + '_ {
        let edges = self.points_to.calls(caller);
        let edges = edges[edges.partition_point(|edge| edge.call < call)..].iter();
        edges.take_while(move |edge| edge.call == call).map(|edge| edge.callee)
    }

    /// Nothing that matters of what other threads never get at.
    fn find_if_shared(&self, of: Variable, is_strict: bool) -> Found {
        if self.is_shared(of) { self.find(of, is_strict) } else { Found::default() }
    }

    /// What else is open is left to who asks next once a variable is known to be foreign: nothing more can be found of it.
    fn find(&self, of: Variable, is_strict: bool) -> Found {
        let solution = if is_strict { &self.strict } else { &self.lenient };
        loop {
            let found = solution.borrow_mut().found(of, None);
            let next = if found.is_foreign { None } else { solution.borrow_mut().open.pop() };
            let Some(next) = next else { return found };
            let found = self.look(next, solution, is_strict);
            solution.borrow_mut().learn(next, found);
        }
    }

    /// What is found of a variable by what is known of those that it comes from.
    fn look(&self, of: Variable, solution: &RefCell<Solution>, is_strict: bool) -> Found {
        let mut found = Found::default();
        let (instance, local) = of;
        let ask = |local| solution.borrow_mut().found((instance, local), Some(of));
        for source in self.sources(instance).to(local) {
            match source {
                Source::Parameter(place) => _ = found.parameters.insert(*place),
                Source::Copied(from) => found.add(ask(*from)),
                Source::Loaded(base, slot) if !is_strict && self.holds_new(instance, *base, *slot) => {
                    found.add(ask(*base));
                }
                Source::Loaded(..) | Source::Foreign => found.is_foreign = true,
                Source::Returned(call) => self.returned(of, *call, solution, &mut found),
            }
            if found.is_foreign {
                return Found { is_foreign: true, ..Found::default() };
            }
        }
        found
    }

    fn returned(&self, of: Variable, call: u32, solution: &RefCell<Solution>, found: &mut Found) {
        let (caller, points_to) = (of.0, self.points_to);
        let site = &points_to.code(caller).calls[call as usize];
        for callee in self.callees(caller, call) {
            let Some(returned) = points_to.code(callee).result else { continue };
            let inside = solution.borrow_mut().found((callee, returned), Some(of));
            found.is_foreign |= inside.is_foreign;
            for argument in inside.parameters.iter().filter_map(|n| site.arguments.get(*n).copied().flatten()) {
                found.add(solution.borrow_mut().found((caller, argument), Some(of)));
            }
        }
    }

    fn sources(&self, instance: InstanceId) -> Rc<Sources> {
        let mut sources = self.sources.borrow_mut();
        let of_code = || Rc::new(Sources::of(self.points_to.code(instance)));
        sources.entry(self.points_to.code_id(instance)).or_insert_with(of_code).clone()
    }

    /// Whether all that is ever stored in a field of these objects is new then, so that no other object has it.
    fn holds_new(&self, instance: InstanceId, base: Local, slot: Slot) -> bool {
        let Slot::Field(field) = slot else { return false };
        let known = self.with_old.borrow().get(&field).cloned();
        let with_old = known.unwrap_or_else(|| {
            let found = Rc::new(self.with_old(field));
            self.with_old.borrow_mut().insert(field, Rc::clone(&found));
            found
        });
        !self.points_to.local(instance, base).intersects(&with_old)
    }

    fn with_old(&self, field: FieldId) -> ObjectSet {
        let stores = self.stores.get_or_init(|| Stores::of(self.points_to));
        let mut with_old = ObjectSet::default();
        for (code, base, from) in stores.of.get(&Slot::Field(field)).into_iter().flatten() {
            for instance in &stores.instances[code] {
                let found = self.find_if_shared((*instance, *from), true);
                if found.is_foreign || !found.parameters.is_empty() {
                    with_old.insert_all(self.points_to.local(*instance, *base));
                }
            }
        }
        with_old
    }
}

impl Found {
    fn add(&mut self, other: Self) {
        self.is_foreign |= other.is_foreign;
        self.parameters.extend(other.parameters);
    }
}
