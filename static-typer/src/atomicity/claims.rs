//! Methods that are said to be atomic: by an annotation named `Atomic`, from any package, on the method or its class.
//! `NotAtomic` takes it back. The instrumenter reads the same names when it chooses transactions.

use crate::program::{Annotation, MethodId, Program, flag};

/// Whether a method is said to be atomic. What the compiler has added is not meant, nor are constructors.
#[must_use]
pub fn is_claimed_atomic(program: &Program, method: MethodId) -> bool {
    let data = program.method(method);
    let is_meant = data.access & flag::SYNTHETIC == 0 && !program.names().text(data.name).starts_with('<');
    let of_method = claim(program, &data.annotations);
    is_meant && of_method.or_else(|| claim(program, &program.class(data.class).annotations)) == Some(true)
}

fn claim(program: &Program, annotations: &[Annotation]) -> Option<bool> {
    annotations.iter().find_map(|annotation| {
        let name = program.names().text(annotation.class);
        match name.rsplit(['/', '$']).next() {
            Some("Atomic") => Some(true),
            Some("NotAtomic") => Some(false),
            _ => None,
        }
    })
}
