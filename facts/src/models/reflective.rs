//! Accesses to fields and elements of arrays by what stands for them: reflection, variable handles in plain mode, method handles.

pub use super::called::Reflective;
use super::called::{Called, Does};

/// What the method with this name accesses, if it does so.
#[must_use]
pub fn by(class: &str, method: &str) -> Option<Reflective> {
    let reaches = |does: &Does| if let Does::Reflects(reflected) = does { Some(*reflected) } else { None };
    Called::built_in().of_call(class, method, "", reaches)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::AccessKind;

    #[test]
    fn what_stands_for_a_field_accesses_it() {
        let (handle, method) = ("java/lang/invoke/VarHandle", "java/lang/invoke/MethodHandle");
        assert_eq!(by("java/lang/reflect/Field", "setInt"), Some(Reflective::Field(AccessKind::Write)));
        assert_eq!(by("java/lang/reflect/Field", "getName"), None);
        assert_eq!(by("java/lang/reflect/Array", "getLong"), Some(Reflective::Element(AccessKind::Read)));
        assert_eq!(by(handle, "get"), Some(Reflective::Field(AccessKind::Read)));
        assert_eq!(by(method, "invokeExact"), Some(Reflective::FieldByType));
        for other in ["getVolatile", "getOpaque", "setRelease", "getAndSet"] {
            assert_eq!(by(handle, other), None, "{other}");
        }
    }
}
