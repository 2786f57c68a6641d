//! What constructors and class initializers make for fields of their object or class, and use before others may have it.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::points_to::{Code, Global, InstanceId, Local, PointsTo, Slot, Use};
use crate::program::{FieldId, Name, Program};

use super::passed_on::{is_passed_on, passed_on};
use super::seen::Seen;

/// What others may see of objects that are made.
#[derive(Clone, Copy)]
pub struct Unseen<'a> {
    /// Of constructors.
    pub seen: &'a FxHashMap<InstanceId, Seen>,
    /// Methods that only constructors run, before others see anything.
    pub helpers: &'a FxHashSet<InstanceId>,
}

/// An instance that may be making an object or initializing a class.
pub struct Making<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    instance: InstanceId,
    code: &'a Code,
    seen: Option<&'a Seen>,
    is_initializer: bool,
    /// What a constructor makes, or helps to.
    this: Option<Local>,
}

impl<'a> Making<'a> {
    /// Of an instance.
    #[must_use]
    pub fn of(program: &'a Program, points_to: &'a PointsTo, instance: InstanceId, unseen: Unseen<'a>) -> Self {
        let code = points_to.code(instance);
        let is_plain = code.is_checked && code.lambda.is_none() && code.mirrors.is_none();
        let method = code.method.filter(|_| is_plain).map(|method| program.method(method));
        let makes =
            |_: &Local| method.is_some_and(|method| method.is_constructor()) || unseen.helpers.contains(&instance);
        let this = code.parameters.first().copied().flatten().filter(makes);
        let is_initializer = method.is_some_and(|method| method.name == Name::CLINIT);
        Self { program, points_to, instance, code, seen: unseen.seen.get(&instance), is_initializer, this }
    }

    /// Whether it sets a field of its object before others see that.
    #[must_use]
    pub fn sets(&self, base: Local, field: FieldId) -> bool {
        self.this == Some(base) && self.is_unseen(base, Slot::Field(field))
    }

    /// Whether it is the initializer of a static field's class.
    #[must_use]
    pub fn initializes(&self, field: FieldId) -> bool {
        let method = self.code.method.map(|method| self.program.method(method).class);
        self.is_initializer && method == Some(self.program.field(field).class)
    }

    /// Whether it fills an array that it [has](Self::has) before others may see that.
    #[must_use]
    pub fn fills(&self, array: Local, fields: &Contents) -> bool {
        self.is_unseen(array, Slot::Element) && self.has(array, fields)
    }

    /// Whether a variable is an array that it has made, and that others can only have from a field of its object or class.
    #[must_use]
    pub fn has(&self, array: Local, fields: &Contents) -> bool {
        self.is_making() && (self.is_made(array, fields) || self.loads(array, fields))
    }

    fn is_making(&self) -> bool {
        self.this.is_some() || self.is_initializer
    }

    fn is_unseen(&self, base: Local, slot: Slot) -> bool {
        let mut writes =
            self.code.accesses.iter().filter(|access| access.write && access.base == Some(base) && access.slot == slot);
        writes.all(|access| self.seen.is_none_or(|seen| !seen.sees(access.at)))
    }

    /// Whether a variable is an array that the code makes and only stores in fields of the object or class that are not passed on.
    fn is_made(&self, array: Local, fields: &Contents) -> bool {
        self.code.allocations.iter().any(|(to, ..)| *to == array)
            && !is_passed_on(self.points_to, self.instance, array)
            && self.stores().all(|(field, from, is_own)| from != array || is_own && !fields.passed_on.contains(&field))
    }

    /// Whether a variable is loaded from a field of the object or class that holds only what was made for it.
    fn loads(&self, array: Local, fields: &Contents) -> bool {
        let of_object = self.code.all_uses().iter().filter_map(|(base, used)| match used {
            Use::Load(Slot::Field(field), to, _) if *to == array => Some((*field, self.this == Some(*base))),
            _ => None,
        });
        let of_class = self.code.global_loads.iter().filter(|(to, ..)| *to == array);
        let of_class = of_class.map(|(_, global, _)| match global {
            Global::Static(field) => Some((*field, self.initializes(*field))),
            _ => None,
        });
        let mut loads = of_object.map(Some).chain(of_class).peekable();
        loads.peek().is_some()
            && loads.all(|load| load.is_some_and(|(field, is_own)| is_own && !fields.is_any_foreign(field)))
    }

    /// The fields in which it stores what it has not made, or not for its object or class alone.
    fn foreign<'b>(&'b self, fields: &'b Contents) -> impl Iterator<Item = FieldId> + 'b {
        let foreign = self.stores().filter(|(_, from, is_own)| !(*is_own && self.is_made(*from, fields)));
        foreign.map(|(field, ..)| field)
    }

    /// Fields, what is stored in them, and whether they are of the object or class that is made.
    fn stores(&self) -> impl Iterator<Item = (FieldId, Local, bool)> + '_ {
        let of_objects = self.code.all_uses().iter().filter_map(|(base, used)| match used {
            Use::Store(Slot::Field(field), from) => Some((*field, *from, self.sets(*base, *field))),
            _ => None,
        });
        let of_classes = self.code.global_stores.iter().filter_map(|(global, from)| match global {
            Global::Static(field) => Some((*field, *from, self.initializes(*field))),
            _ => None,
        });
        of_objects.chain(of_classes)
    }
}

/// Fields whose arrays not only the constructor or initializer may have that makes them.
#[derive(Default, Debug)]
pub struct Contents {
    /// Any code stores something else in these.
    foreign: FxHashSet<FieldId>,
    /// What runs within a constructor or initializer gives these to others.
    passed_on: FxHashSet<FieldId>,
}

impl Contents {
    /// Looks at all that stores, and at what passes on while something is made.
    #[must_use]
    pub fn of(program: &Program, points_to: &PointsTo, unseen: Unseen<'_>) -> Self {
        let making = |instance| Making::of(program, points_to, instance, unseen);
        let mut fields = Self::default();
        let mut open: Vec<_> = points_to.instances().filter(|instance| making(*instance).is_making()).collect();
        let mut within: FxHashSet<InstanceId> = open.iter().copied().collect();
        while let Some(instance) = open.pop() {
            fields.passed_on.extend(passed_on(program, points_to, instance));
            open.extend(points_to.callees(instance).filter(|callee| within.insert(*callee)));
        }
        let foreign = points_to.instances().flat_map(|at| making(at).foreign(&fields).collect::<Vec<_>>());
        fields.foreign = foreign.collect();
        fields
    }

    fn is_any_foreign(&self, field: FieldId) -> bool {
        self.foreign.contains(&field) || self.passed_on.contains(&field)
    }
}
