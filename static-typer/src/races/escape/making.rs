//! What constructors and class initializers make for fields of their object or class, and use before others may have it.

use rustc_hash::FxHashSet;

use crate::points_to::{Code, Global, InstanceId, Local, PointsTo, Slot, Use};
use crate::program::{FieldId, Name, Program};

use super::construction::Seen;

/// An instance that may be making an object or initializing a class.
pub struct Making<'a> {
    program: &'a Program,
    code: &'a Code,
    seen: Option<&'a Seen>,
    /// Fields that may hold what others have made.
    foreign: &'a FxHashSet<FieldId>,
    is_initializer: bool,
    /// What a constructor makes.
    this: Option<Local>,
}

impl<'a> Making<'a> {
    /// Of an instance, of which others may see something.
    #[must_use]
    pub fn of(
        program: &'a Program,
        points_to: &'a PointsTo,
        instance: InstanceId,
        seen: Option<&'a Seen>,
        foreign: &'a FxHashSet<FieldId>,
    ) -> Self {
        let code = points_to.code(instance);
        let is_plain = code.is_checked && code.lambda.is_none() && code.mirrors.is_none();
        let method = code.method.filter(|_| is_plain).map(|method| program.method(method));
        let is_constructor = method.is_some_and(|method| method.is_constructor());
        let this = code.parameters.first().copied().flatten().filter(|_| is_constructor);
        Self {
            program,
            code,
            seen,
            foreign,
            is_initializer: method.is_some_and(|method| method.name == Name::CLINIT),
            this,
        }
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

    /// Whether it fills an array that it has made, and that others can only have from a field of its object or class, before they may.
    #[must_use]
    pub fn fills(&self, array: Local) -> bool {
        self.is_unseen(array, Slot::Element) && self.has(array)
    }

    /// Whether a variable is such an array.
    #[must_use]
    pub fn has(&self, array: Local) -> bool {
        (self.this.is_some() || self.is_initializer) && (self.is_made(array) || self.loads(array))
    }

    fn is_unseen(&self, base: Local, slot: Slot) -> bool {
        let mut writes =
            self.code.accesses.iter().filter(|access| access.write && access.base == Some(base) && access.slot == slot);
        writes.all(|access| self.seen.is_none_or(|seen| !seen.sees(access.at)))
    }

    /// Whether a variable is an array that the code makes and only stores in a field of its object or class.
    fn is_made(&self, array: Local) -> bool {
        self.code.allocations.iter().any(|(to, ..)| *to == array) && self.is_kept(array)
    }

    /// Whether a variable is loaded from a field of the object or class that holds nothing foreign.
    fn loads(&self, array: Local) -> bool {
        let of_object = self.code.all_uses().iter().filter_map(|(base, used)| match used {
            Use::Load(Slot::Field(field), to, _) if *to == array => {
                Some(self.this == Some(*base) && !self.foreign.contains(field))
            }
            _ => None,
        });
        let of_class = self.code.global_loads.iter().filter(|(to, ..)| *to == array);
        let of_class = of_class.map(|(_, global, _)| match global {
            Global::Static(field) => self.initializes(*field) && !self.foreign.contains(field),
            _ => false,
        });
        let loads: Vec<bool> = of_object.chain(of_class).collect();
        !loads.is_empty() && loads.iter().all(|is_own| *is_own) && self.is_kept(array)
    }

    /// The fields in which it stores what it has not made, or not for its object or class alone.
    pub fn foreign(&self) -> impl Iterator<Item = FieldId> {
        let of_objects = self.code.all_uses().iter().filter_map(|(base, used)| match used {
            Use::Store(Slot::Field(field), from) => Some((*field, *from, self.sets(*base, *field))),
            _ => None,
        });
        let of_classes = self.code.global_stores.iter().filter_map(|(global, from)| match global {
            Global::Static(field) => Some((*field, *from, self.initializes(*field))),
            _ => None,
        });
        let stores = of_objects.chain(of_classes);
        stores.filter(|(_, from, is_own)| !(*is_own && self.is_made(*from))).map(|(field, ..)| field)
    }

    /// Whether nothing is done with a variable but to use the array, and to store it in a field of the object or class.
    fn is_kept(&self, array: Local) -> bool {
        let is_other = |local: &Option<Local>| *local == Some(array);
        let is_stored = |(base, used): &(Local, Use)| match used {
            Use::Store(Slot::Field(_), from) => *from == array && self.this != Some(*base),
            Use::Store(_, from) => *from == array,
            Use::Clone(_) | Use::Open(_) | Use::Resize(..) | Use::Call(_) => *base == array,
            _ => false,
        };
        let is_global = |(global, from): &(Global, Local)| {
            *from == array && !matches!(global, Global::Static(field) if self.initializes(*field))
        };
        !self.code.all_uses().iter().any(is_stored)
            && !self.code.global_stores.iter().any(is_global)
            && !self.code.copies.iter().any(|(_, from, _)| *from == array)
            && !self.code.calls.iter().any(|call| call.arguments.iter().any(is_other))
            && self.code.result != Some(array)
    }
}
