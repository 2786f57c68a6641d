//! What code that nobody sees could do, and does not: a callback of a client that gives back the lock of its caller; a race by which a new
//! object comes to another thread. Nothing is proved while it could, but no line of the program is wrong.

use std::collections::HashMap;

use static_typer::program::FieldId;
use static_typer::types::{FieldType, Types};

use super::report::Field;
use super::usual_guard;
use crate::analysis::Analysis;

const BUT: &str = ", unless a callback gives back a lock that it has not taken, or a race hands the object over";

/// The types of fields if there is no such code.
#[derive(Default)]
pub struct Believed(HashMap<FieldId, FieldType>);

impl Believed {
    /// Infers them where something seems wrong, and forgets the errors that are none by them.
    pub fn of(analysis: &mut Analysis) -> Self {
        let types = &analysis.types;
        if types.errors.is_empty() && !types.unsafe_fields().any(|field| usual_guard(field).is_some()) {
            return Self::default();
        }
        let Types { fields, errors, .. } = types.believed(&analysis.program, &analysis.bodies);
        analysis.types.errors = errors;
        Self(fields.into_iter().map(|field| (field.field, field)).collect())
    }

    /// A field as a report shows it.
    pub fn shown(&self, analysis: &Analysis, proved: &FieldType) -> Field {
        let believed = self.field(proved);
        let mut field = analysis.field(believed);
        if proved.owner.is_none() && believed.owner.is_some() {
            field.what += BUT;
        }
        field
    }

    /// That of a field.
    pub fn field<'a>(&'a self, proved: &'a FieldType) -> &'a FieldType {
        self.0.get(&proved.field).unwrap_or(proved)
    }
}
