//! How the focus set knows classes that are made anew in each run: [`Family`].

use std::collections::BTreeSet;

use classfile::shape::{self, Name, Shape};
use facts::focus::{Family, FocusSet, Meanings};

use crate::program::{ClassId, Program};
use crate::types::calls::CALLED_BY_NAME;

/// Says in a focus set how classes are known that come under other names in each run. The program has two copies of each family.
pub fn add_families(set: &mut FocusSet, program: &Program, families: &[BTreeSet<String>]) {
    let meanings = Meanings::of(set);
    for family in families {
        let loaded: Vec<ClassId> = family.iter().filter_map(|class| program.class_named(class)).collect();
        let taken = taken(program, family, &loaded);
        let made = loaded.iter().flat_map(|class| shape::synthetic_members(program.bytes(*class)).unwrap_or_default());
        let members: BTreeSet<String> = made.filter(|member| !taken.contains(member)).collect();
        for class in loaded {
            let Ok(shape) = Shape::read(program.bytes(class)) else { continue };
            set.set_family(&program.class_name(class), known(&shape, family, &members, &taken, &meanings));
        }
    }
}

fn known(
    shape: &Shape<'_>,
    family: &BTreeSet<String>,
    members: &BTreeSet<String>,
    taken: &BTreeSet<String>,
    meanings: &Meanings,
) -> Family {
    let mut known = Family { skeleton: shape.skeleton, ..Family::default() };
    for (place, name) in shape.names.iter().enumerate() {
        let (names, varying) = match name {
            Name::Class(_) => (&mut known.classes, family),
            Name::Member(_) => (&mut known.members, members),
            Name::Text(_) => continue,
        };
        if varying.contains(name.as_str()) {
            names.entry(name.as_str().to_owned()).or_insert(place);
        }
    }
    known.fixed = shape.fixed(&known.places(), &|text| meanings.has(text));
    if !known.members.is_empty() {
        known.taken.clone_from(taken);
    }
    known
}

/// Names that have a meaning, so that nothing made may have one of them instead of its own: they would override or implement a method of
/// a class outside of the family, be another member, or be called by name.
fn taken(program: &Program, family: &BTreeSet<String>, loaded: &[ClassId]) -> BTreeSet<String> {
    let mut taken: BTreeSet<String> = CALLED_BY_NAME.iter().map(|name| (*name).to_owned()).collect();
    let text = |name| program.names().text(name).into_owned();
    for class in loaded {
        let outside = program.ancestors(*class).filter(|above| !family.contains(&*program.class_name(*above)));
        taken.extend(
            outside.flat_map(|above| program.methods_of(above)).map(|method| text(program.method(method).name)),
        );
        let made = shape::synthetic_members(program.bytes(*class)).unwrap_or_default();
        let fields = program.fields_of(*class).map(|field| text(program.field(field).name));
        let methods = program.methods_of(*class).map(|method| text(program.method(method).name));
        taken.extend(fields.chain(methods).filter(|name| !made.contains(name)));
        let references = Shape::references(program.bytes(*class)).unwrap_or_default();
        let others =
            references.into_iter().filter(|(class, _)| !class.as_ref().is_some_and(|class| family.contains(&**class)));
        taken.extend(others.map(|(_, name)| name.into_owned()));
    }
    taken
}
