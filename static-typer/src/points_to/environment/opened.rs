//! The parts of objects that an environment gets at. Clients of a library take out what arrays and containers of the JDK hold. A
//! test framework gets at more: whatever objects of its own and of the JDK refer to it can ask for, and
//! elements of arrays. What objects of the program refer to only their methods tell. Threads that objects of the JDK know, as
//! locks know their owners, are left out: a framework runs none of them.

use crate::points_to::core::code::{Local, Slot, Use};
use crate::points_to::core::site::Site;
use crate::points_to::frontend::codes::Codes;
use crate::points_to::frontend::resolve::Resolution;
use crate::points_to::library::copies;
use crate::program::{Program, Type};

const THREAD: &str = "java/lang/Thread";
/// Types whose objects hold others for whoever has them.
const HOLDERS: [&str; 12] = [
    "java/lang/Iterable",
    "java/lang/ref/Reference",
    "java/util/EventObject",
    "java/util/Enumeration",
    "java/util/Iterator",
    "java/util/Map",
    "java/util/Map$Entry",
    "java/util/Optional",
    "java/util/Spliterator",
    "java/util/concurrent/Exchanger",
    "java/util/concurrent/Future",
    "java/util/stream/BaseStream",
];

/// The parts of an object of a type, from a site.
pub fn slots(resolution: &Resolution<'_>, codes: &Codes<'_>, ty: Type, site: Site) -> Vec<Slot> {
    let (program, framework) = (resolution.program, &resolution.framework);
    if framework.is_none() {
        return if holds(program, ty) { copies::slots(program, ty) } else { Vec::new() };
    }
    if let Site::Lambda(method, _, code) = site {
        let is_outside = framework.is_outside(program, program.method(method).class);
        return if is_outside { Vec::new() } else { captured(codes.get(code).uses(Local(0))) };
    }
    let is_seen = |slot: &Slot| match slot {
        Slot::Field(field) => {
            let data = program.field(*field);
            !framework.is_outside(program, data.class) && program.names().show(data.ty) != THREAD
        }
        _ => true,
    };
    copies::slots(program, ty).into_iter().filter(is_seen).collect()
}

/// Whether it is an array of references, or a type of the JDK that is there to hold others: a container, its parts, what goes over
/// it.
fn holds(program: &Program, ty: Type) -> bool {
    if let Some(element) = ty.element() {
        return element.is_reference();
    }
    let Some(class) = ty.as_class().and_then(|name| program.find(name)) else { return false };
    let name = program.class_name(class);
    let is_part =
        || name.starts_with("java/util/") && name.contains('$') || name.starts_with("java/util/concurrent/atomic/");
    let is_holder = || program.ancestors(class).any(|above| HOLDERS.contains(&&*program.class_name(above)));
    program.is_of_jdk(class) && (is_part() || is_holder())
}

/// The code of a lambda loads what it has captured from its first variable.
fn captured(uses: &[(Local, Use)]) -> Vec<Slot> {
    let slot = |(_, used): &(Local, Use)| match used {
        Use::Load(slot @ Slot::Captured(_), ..) => Some(*slot),
        _ => None,
    };
    uses.iter().filter_map(slot).collect()
}
