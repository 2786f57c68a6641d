//! The helper class: compiled, checked in beside its source, embedded here, and defined in java.base.

/// The classes in the order in which they are defined, with their bytes; `extends_thread` says whether the words of threads are in
/// fields of `Thread`.
pub fn classes(extends_thread: bool) -> impl Iterator<Item = (&'static str, &'static [u8])> {
    let words = if extends_thread { IN_THREAD } else { BESIDE_LOCALS };
    COMMON.iter().chain(words).chain(LAST).copied()
}

type Class = (&'static str, &'static [u8]);

macro_rules! class {
    ($folder:literal, $name:literal) => {
        ($name, include_bytes!(concat!("../java/compiled/", $folder, $name, ".class")))
    };
}

const COMMON: &[Class] = &[
    class!("", "java/lang/JraceShadow"),
    class!("", "java/lang/JraceContext"),
    class!("", "java/lang/JraceSite"),
    class!("", "java/lang/JraceSpans"),
    class!("", "java/lang/invoke/JraceProfile"),
];
const IN_THREAD: &[Class] = &[class!("", "java/lang/JraceThread")];
const BESIDE_LOCALS: &[Class] = &[
    class!("", "java/lang/JraceWords"),
    class!("locals/", "java/lang/JraceLocals"),
    class!("locals/", "java/lang/JraceThread"),
];
const LAST: &[Class] = &[(facts::hook::HELPER_CLASS, include_bytes!("../java/compiled/java/lang/JraceHooks.class"))];
