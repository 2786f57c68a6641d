//! From types to the focus set: what the agent need not check.

use facts::focus::{ClassFocus, FocusSet, Reference, hash};
use rustc_hash::FxHashSet;

use crate::program::{ClassId, FieldId, Program};
use crate::types::Types;

/// What was proved about each class of the application.
#[must_use]
pub fn focus_set(program: &Program, types: &Types) -> FocusSet {
    let typed = types.fields.iter().filter(|field| field.owner.is_some());
    let race_free: FxHashSet<FieldId> = typed.map(|field| field.field).collect();
    let mut set = FocusSet::default();
    for class in program.application() {
        set.add(ClassFocus {
            class: program.class_name(class).into_owned(),
            hash: hash(program.bytes(class)),
            fields: references(program, &race_free, class),
            arrays: arrays(program, types, class),
        });
    }
    set
}

/// The references of a class that resolve to race-free fields.
fn references(program: &Program, race_free: &FxHashSet<FieldId>, class: ClassId) -> Vec<Reference> {
    let names = program.names();
    let text = |name| names.text(name).into_owned();
    let members = program.members_of(class).filter(|member| member.is_field);
    let safe = members.filter(|member| program.resolve_field(member).is_some_and(|field| race_free.contains(&field)));
    let reference = |member: &crate::program::Member| {
        let owner = member.owner.as_class()?;
        Some((text(owner), text(member.name), text(names.signature(member.descriptor).text)))
    };
    safe.filter_map(reference).collect()
}

fn arrays(program: &Program, types: &Types, class: ClassId) -> std::collections::BTreeMap<String, Vec<u32>> {
    let mut arrays = std::collections::BTreeMap::new();
    for method in program.methods_of(class) {
        if let Some(offsets) = types.arrays.get(&method) {
            let data = program.method(method);
            let descriptor = program.names().text(program.signature(method).text);
            let name = format!("{}{descriptor}", program.names().text(data.name));
            arrays.insert(name, offsets.iter().map(|offset| u32::from(*offset)).collect());
        }
    }
    arrays
}
