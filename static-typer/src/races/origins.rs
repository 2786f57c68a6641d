//! Where the objects of a variable come from: whether a method or what it calls has made them, or others may have them already.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::points_to::{Code, CodeId, InstanceId, Local, ObjectSet, PointsTo, Site, Slot, Use};
use crate::program::FieldId;

use super::construction::all_uses;

/// A variable of an instance.
pub type Variable = (InstanceId, Local);

/// More variables than this are not looked at; then others have the objects, for all that is known.
const MAX_STEPS: u32 = 400;

/// Where objects come from that several threads get at, sooner or later.
pub struct Origins<'a> {
    points_to: &'a PointsTo,
    /// Arrays without elements hold nothing, whoever has them.
    shared: ObjectSet,
    stores: OnceCell<Stores>,
}

/// What stores in fields, and in which contexts code runs.
#[derive(Default)]
struct Stores {
    of: FxHashMap<FieldId, Vec<(CodeId, Local, Local)>>,
    instances: FxHashMap<CodeId, Vec<InstanceId>>,
}

/// What is known of the objects of a variable.
#[derive(Default)]
struct Found {
    is_foreign: bool,
    /// The parameters that they come from.
    parameters: BTreeSet<usize>,
}

struct Walk {
    /// Whether what is loaded is foreign, whatever it is loaded from.
    is_strict: bool,
    steps: u32,
    path: Vec<Variable>,
}

impl<'a> Origins<'a> {
    /// Asks for objects that escape.
    #[must_use]
    pub fn of(points_to: &'a PointsTo, escaping: &ObjectSet) -> Self {
        let holds = |object: &_| !matches!(points_to.objects.get(*object).site, Site::Empty(_));
        Self { points_to, shared: escaping.iter().filter(holds).collect(), stores: OnceCell::new() }
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
        let found = self.find(of, false, MAX_STEPS);
        found.is_foreign || is_constructor && found.parameters.iter().any(|n| *n != 0)
    }

    fn find(&self, of: Variable, is_strict: bool, steps: u32) -> Found {
        let mut found = Found::default();
        self.follow(of, &mut found, &mut Walk { is_strict, steps, path: Vec::new() });
        found
    }

    fn follow(&self, of: Variable, found: &mut Found, walk: &mut Walk) {
        if found.is_foreign || !self.is_shared(of) || walk.path.contains(&of) {
            return;
        }
        let (instance, local) = of;
        let code = self.points_to.code(instance);
        let is_loaded = code.global_loads.iter().any(|(to, _, _)| *to == local);
        if walk.steps == 0 || is_loaded {
            found.is_foreign = true;
            return;
        }
        walk.steps -= 1;
        walk.path.push(of);
        found.parameters.extend(code.parameters.iter().position(|parameter| *parameter == Some(local)));
        for (_, from, _) in code.copies.iter().filter(|(to, _, _)| *to == local) {
            self.follow((instance, *from), found, walk);
        }
        self.follow_uses(of, code, found, walk);
        self.follow_calls(of, code, found, walk);
        walk.path.pop();
    }

    fn follow_uses(&self, (instance, local): Variable, code: &Code, found: &mut Found, walk: &mut Walk) {
        for (base, used) in all_uses(code) {
            match used {
                Use::Load(slot, to, _) if *to == local => {
                    let is_new = !walk.is_strict && self.holds_new(instance, base, *slot, walk.steps / 4);
                    found.is_foreign |= !is_new;
                    self.follow((instance, base), found, walk);
                }
                Use::Open(to) | Use::ClassOf(to, _) if *to == local => found.is_foreign = true,
                _ => {}
            }
        }
    }

    fn follow_calls(&self, (instance, local): Variable, code: &Code, found: &mut Found, walk: &mut Walk) {
        for edge in self.points_to.calls(instance) {
            let site = &code.calls[edge.call as usize];
            let returned = self.points_to.code(edge.callee).result.filter(|_| site.result == Some(local));
            let Some(returned) = returned else { continue };
            let mut inside = Found::default();
            self.follow((edge.callee, returned), &mut inside, walk);
            found.is_foreign |= inside.is_foreign;
            for argument in inside.parameters.iter().filter_map(|n| site.arguments.get(*n).copied().flatten()) {
                self.follow((instance, argument), found, walk);
            }
        }
    }

    /// Whether all that is ever stored in a field of these objects is new then, so that no other object has it.
    fn holds_new(&self, instance: InstanceId, base: Local, slot: Slot, steps: u32) -> bool {
        let Slot::Field(field) = slot else { return false };
        let stores = self.stores.get_or_init(|| Stores::of(self.points_to));
        let bases = self.points_to.local(instance, base);
        let mut stored = stores.of.get(&field).into_iter().flatten().flat_map(|(code, base, from)| {
            stores.instances[code].iter().map(move |instance| (*instance, *base, *from))
        });
        stored.all(|(instance, base, from)| {
            let is_meant = self.points_to.local(instance, base).intersects(bases);
            !is_meant || {
                let found = self.find((instance, from), true, steps);
                !found.is_foreign && found.parameters.is_empty()
            }
        })
    }
}

impl Stores {
    fn of(points_to: &PointsTo) -> Self {
        let mut stores = Self::default();
        for instance in points_to.instances() {
            let id = points_to.code_id(instance);
            let instances = stores.instances.entry(id).or_default();
            instances.push(instance);
            if instances.len() > 1 {
                continue;
            }
            for (base, used) in all_uses(points_to.code(instance)) {
                if let Use::Store(Slot::Field(field), from) = used {
                    stores.of.entry(*field).or_default().push((id, base, *from));
                }
            }
        }
        stores
    }
}
