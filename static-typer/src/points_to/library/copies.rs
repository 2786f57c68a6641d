//! What copies of objects share with them: what their fields refer to, or their elements (`Object.clone`).

use crate::points_to::core::code::Slot;
use crate::program::{MethodId, Program, Type};

/// Whether a method is `Object.clone`: copies of everything would be one object.
pub fn is_made_by(program: &Program, method: MethodId) -> bool {
    let data = program.method(method);
    &*program.names().text(data.name) == "clone" && &*program.class_name(data.class) == "java/lang/Object"
}

/// The parts of an object of a type that a copy has too. Elements also stand for fields that handles name at run time.
pub fn slots(program: &Program, ty: Type) -> Vec<Slot> {
    let class = ty.as_class().and_then(|name| program.find(name));
    let fields = class.into_iter().flat_map(|class| program.superclasses(class)).flat_map(|of| program.fields_of(of));
    let is_copied = |data: &crate::program::Field| data.ty.is_reference() && !data.is_static();
    let fields = fields.filter(|field| is_copied(program.field(*field))).map(Slot::Field);
    fields.chain([Slot::Element]).collect()
}
