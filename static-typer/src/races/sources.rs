//! From where references come to variables, and which stores there are, as the code says.

use rustc_hash::FxHashMap;

use crate::points_to::{Code, CodeId, InstanceId, Local, PointsTo, Slot, Use};

/// From where something comes to a variable in code.
#[derive(Clone, Copy)]
pub enum Source {
    Parameter(usize),
    Copied(Local),
    /// From a slot of an object.
    Loaded(Local, Slot),
    /// From anywhere.
    Foreign,
    /// From what a call returns, by its number.
    Returned(u32),
}

/// The sources of each variable of code.
pub struct Sources(FxHashMap<Local, Vec<Source>>);

impl Sources {
    pub fn of(code: &Code) -> Self {
        let mut sources = Self(FxHashMap::default());
        for (place, parameter) in code.parameters.iter().enumerate() {
            sources.add(*parameter, Source::Parameter(place));
        }
        code.copies.iter().for_each(|(to, from, _)| sources.add(Some(*to), Source::Copied(*from)));
        code.global_loads.iter().for_each(|(to, ..)| sources.add(Some(*to), Source::Foreign));
        for (base, used) in code.all_uses() {
            match used {
                Use::Load(slot, to, _) => sources.add(Some(*to), Source::Loaded(*base, *slot)),
                Use::Open(to) | Use::ClassOf(to, _) => sources.add(Some(*to), Source::Foreign),
                _ => {}
            }
        }
        (0..).zip(&code.calls).for_each(|(call, site)| sources.add(site.result, Source::Returned(call)));
        sources
    }

    fn add(&mut self, to: Option<Local>, source: Source) {
        if let Some(to) = to {
            self.0.entry(to).or_default().push(source);
        }
    }

    pub fn to(&self, local: Local) -> &[Source] {
        self.0.get(&local).map_or(&[], Vec::as_slice)
    }
}

/// What stores in fields and what lambdas capture, and in which contexts code runs.
#[derive(Default)]
pub struct Stores {
    pub of: FxHashMap<Slot, Vec<(CodeId, Local, Local)>>,
    pub instances: FxHashMap<CodeId, Vec<InstanceId>>,
}

impl Stores {
    pub fn of(points_to: &PointsTo) -> Self {
        let mut stores = Self::default();
        for instance in points_to.instances() {
            let id = points_to.code_id(instance);
            let instances = stores.instances.entry(id).or_default();
            instances.push(instance);
            if instances.len() > 1 {
                continue;
            }
            for (base, used) in points_to.code(instance).all_uses() {
                if let Use::Store(slot @ (Slot::Field(_) | Slot::Captured(_)), from) = used {
                    stores.of.entry(*slot).or_default().push((id, *base, *from));
                }
            }
        }
        stores
    }
}
