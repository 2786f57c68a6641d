//! Where the variables of a code get their objects, turned around: by the variable that gets them.

use rustc_hash::FxHashMap;

use crate::points_to::{Code, Global, Local, ObjectSet, PointsTo, Site, Slot, Use};

/// A variable that objects of another one come from.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// They are its own.
    Same(Local),
    /// They are in a slot of its objects.
    In(Local, Slot),
    /// They are made of its objects, or lie in them somewhere.
    Of(Local),
}

/// What gives a variable objects that no other one has had.
#[derive(Clone, Copy, Debug)]
enum Gift {
    /// They are made.
    Made(Site),
    /// They are in a variable of the whole program.
    Global(Global),
    /// A call returns them.
    Returned,
}

/// Where the variables of a code get their objects.
#[derive(Debug, Default)]
pub struct Origins {
    sources: FxHashMap<Local, Vec<Source>>,
    gifts: FxHashMap<Local, Vec<Gift>>,
}

impl Origins {
    /// Looks at every instruction once.
    #[must_use]
    pub fn of(code: &Code) -> Self {
        let mut origins = Self::default();
        for (to, from, _) in &code.copies {
            origins.comes(*to, Source::Same(*from));
        }
        for (base, used) in code.all_uses() {
            match used {
                Use::Load(slot, to, _) => origins.comes(*to, Source::In(*base, *slot)),
                Use::Clone(to) | Use::Open(to) | Use::Resize(to, ..) | Use::ClassOf(to, _) => {
                    origins.comes(*to, Source::Of(*base));
                }
                Use::Store(..) | Use::Call(_) => {}
            }
        }
        code.allocations.iter().for_each(|(to, site, _)| origins.is_given(*to, Gift::Made(*site)));
        code.global_loads.iter().for_each(|(to, global, _)| origins.is_given(*to, Gift::Global(*global)));
        code.calls.iter().filter_map(|site| site.result).for_each(|to| origins.is_given(to, Gift::Returned));
        origins
    }

    fn comes(&mut self, to: Local, from: Source) {
        self.sources.entry(to).or_default().push(from);
    }

    fn is_given(&mut self, to: Local, gift: Gift) {
        self.gifts.entry(to).or_default().push(gift);
    }

    /// Whether a variable has only what the code is passed, if it is a parameter, and nothing if it is none.
    #[must_use]
    pub fn is_passed_only(&self, local: Local) -> bool {
        !self.sources.contains_key(&local) && !self.gifts.contains_key(&local)
    }

    /// Whether a variable gets one of the objects from no other variable: the code makes one, finds it in a variable of the whole
    /// program, or gets it from a call.
    #[must_use]
    pub fn gives(&self, points_to: &PointsTo, local: Local, objects: &ObjectSet) -> bool {
        self.gifts.get(&local).into_iter().flatten().any(|gift| match gift {
            Gift::Made(site) => objects.iter().any(|object| points_to.objects.get(object).site == *site),
            Gift::Global(global) => points_to.global(*global).intersects(objects),
            Gift::Returned => true,
        })
    }

    /// The variables that one of the objects may come from, each with what it must refer to; `of` says to what a variable refers.
    pub fn sources<'a>(
        &self,
        points_to: &PointsTo,
        local: Local,
        objects: &ObjectSet,
        of: &impl Fn(Local) -> &'a ObjectSet,
    ) -> Vec<(Local, ObjectSet)> {
        let sources = self.sources.get(&local).into_iter().flatten();
        let sources = sources.map(|source| match source {
            Source::Same(from) => (*from, objects.clone()),
            Source::In(base, slot) => {
                let holds = |object: &_| points_to.slot(*object, *slot).intersects(objects);
                (*base, of(*base).iter().filter(holds).collect())
            }
            Source::Of(base) => (*base, of(*base).clone()),
        });
        sources.collect()
    }
}
