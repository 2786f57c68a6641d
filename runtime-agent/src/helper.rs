//! The helper class: compiled, checked in beside its source, embedded here, and defined in java.base.

/// The classes in the order in which they are defined, with their bytes.
pub const CLASSES: [(&str, &[u8]); 6] = [
    ("java/lang/JraceShadow", include_bytes!("../java/compiled/java/lang/JraceShadow.class")),
    ("java/lang/JraceContext", include_bytes!("../java/compiled/java/lang/JraceContext.class")),
    ("java/lang/JraceSite", include_bytes!("../java/compiled/java/lang/JraceSite.class")),
    ("java/lang/JraceSpans", include_bytes!("../java/compiled/java/lang/JraceSpans.class")),
    ("java/lang/invoke/JraceProfile", include_bytes!("../java/compiled/java/lang/invoke/JraceProfile.class")),
    (facts::hook::HELPER_CLASS, include_bytes!("../java/compiled/java/lang/JraceHooks.class")),
];
