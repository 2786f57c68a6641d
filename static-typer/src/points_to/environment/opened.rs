//! The parts of objects that a test framework gets at: whatever objects of its own and of the JDK refer to it can ask for, and
//! elements of arrays. What objects of the program refer to only their methods tell. Threads that objects of the JDK know, as
//! locks know their owners, are left out: a framework runs none of them.

use crate::points_to::core::code::{Local, Slot, Use};
use crate::points_to::core::site::Site;
use crate::points_to::frontend::codes::Codes;
use crate::points_to::frontend::resolve::Resolution;
use crate::points_to::library::copies;
use crate::program::Type;

const THREAD: &str = "java/lang/Thread";

/// The parts of an object of a type, from a site.
pub fn slots(resolution: &Resolution<'_>, codes: &Codes<'_>, ty: Type, site: Site) -> Vec<Slot> {
    let (program, framework) = (resolution.program, &resolution.framework);
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

/// The code of a lambda loads what it has captured from its first variable.
fn captured(uses: &[(Local, Use)]) -> Vec<Slot> {
    let slot = |(_, used): &(Local, Use)| match used {
        Use::Load(slot @ Slot::Captured(_), ..) => Some(*slot),
        _ => None,
    };
    uses.iter().filter_map(slot).collect()
}
