//! Where values come from.

use crate::ir::{Body, Op, Value};

/// The value that a cast has in its other form.
#[must_use]
pub fn origin(body: &Body, mut value: Value) -> Value {
    while let Op::Cast(inner) = body.op(value) {
        value = *inner;
    }
    value
}
