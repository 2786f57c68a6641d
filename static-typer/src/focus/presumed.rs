//! The method-based focus (paper 004, section 6.1.2): what is left out of checking in typed methods though the field may race.
//!
//! A field most accesses of which hold the monitor of its object, or that is said to be guarded by `this`, is presumed to be
//! owned by the object (`self`). A method is typed if all its accesses keep to what is presumed and proved; its accesses
//! under the monitor need no check as long as all others, in whatever method, are held to the owner. The `requires` clause
//! of a method is that its callers hold the monitor: the accesses that count on it are held to the owner too, so that it is
//! checked whoever calls.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Body, Op};
use crate::program::{FieldId, MethodId, Program};
use crate::types::{Access, Bodies, Declared, FieldType, Guard, Types, guards_of_field};

/// What is presumed about owners.
#[derive(Clone, Default, Debug)]
pub struct Presumed {
    /// Fields that their objects own, if their owners are respected.
    pub fields: BTreeSet<FieldId>,
    /// Accesses to them under the monitor that their method has taken: offsets of their instructions by method, sorted.
    pub held: BTreeMap<MethodId, Vec<u16>>,
    /// The other accesses to them, but for those to objects that no other thread can reach.
    pub conforming: BTreeMap<MethodId, Vec<u16>>,
}

impl Presumed {
    /// Presumes owners where most accesses keep to them, or an annotation names them, and some accesses need no check then.
    #[must_use]
    pub fn of(program: &Program, bodies: &Bodies, types: &Types) -> Self {
        let mut presumed = Self::default();
        for field in types.unsafe_fields().filter(|field| is_owned(program, field)) {
            presumed.fields.insert(field.field);
            for access in &field.accesses {
                presumed.add(bodies, access);
            }
        }
        presumed.conforming.values_mut().for_each(sort);
        for (method, held) in &mut presumed.held {
            sort(held);
            // An instruction of a subroutine stands for several, of which each must hold it.
            held.retain(|offset| !presumed.conforming.get(method).is_some_and(|others| others.contains(offset)));
        }
        presumed
    }

    fn add(&mut self, bodies: &Bodies, access: &Access) {
        let Some(body) = bodies.get(access.method) else { return };
        let accesses = if access.takes_monitor { &mut self.held } else { &mut self.conforming };
        accesses.entry(access.method).or_default().push(body.instruction(access.value).at);
    }
}

/// Whether the objects own a field, as far as can be presumed, and a method has taken the monitor for some access.
fn is_owned(program: &Program, field: &FieldType) -> bool {
    let is_mostly_held = || {
        let n_held = field.accesses.iter().filter(|access| access.holds_monitor()).count();
        2 * n_held > field.accesses.len()
    };
    let is_claimed = match &guards_of_field(program, field.field)[..] {
        [] => None,
        guards => Some(guards.iter().any(|(_, lock)| *lock == Declared::Lock(Guard::of_object().path))),
    };
    !field.is_unknown
        && !field.is_reflected
        && field.accesses.iter().any(|access| access.takes_monitor)
        && is_claimed.unwrap_or_else(is_mostly_held)
}

fn sort(offsets: &mut Vec<u16>) {
    offsets.sort_unstable();
    offsets.dedup();
}

/// Methods with accesses that keep to no type (paper 004, Table 1, "Untyp Meths").
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Untyped {
    /// Those methods.
    pub methods: BTreeSet<MethodId>,
    /// How many methods have code.
    pub total: usize,
}

impl Untyped {
    /// Finds them.
    #[must_use]
    pub fn of(bodies: &Bodies, types: &Types, presumed: &Presumed) -> Self {
        let of_field = |field: &FieldType| {
            let is_presumed = presumed.fields.contains(&field.field);
            let untyped = field.accesses.iter().filter(|access| !is_presumed || !access.holds_monitor());
            untyped.map(|access| access.method).collect::<Vec<_>>()
        };
        let mut methods: BTreeSet<MethodId> = types.unsafe_fields().flat_map(of_field).collect();
        methods.extend(bodies.iter().filter(|body| has_untyped_array(types, body)).map(|body| body.method));
        methods.extend(bodies.failures().iter().map(|(method, _)| *method));
        Self { methods, total: bodies.all().len() + bodies.failures().len() }
    }
}

/// Whether a method has an access to an array that may race.
fn has_untyped_array(types: &Types, body: &Body) -> bool {
    let typed = types.arrays.get(&body.method).map_or(&[][..], Vec::as_slice);
    body.all_values().any(|value| {
        matches!(body.op(value), Op::LoadElement(..) | Op::StoreElement(..))
            && typed.binary_search(&body.instruction(value).at).is_err()
    })
}
