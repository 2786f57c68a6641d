//! Which classes are the JDK's.

/// Packages of the JDK, whichever loader has them.
const JDK: &[&str] = &["java/", "jdk/", "sun/", "com/sun/tools/", "com/sun/jdi/"];

/// Whether a class is the JDK's, by its name.
pub fn is_jdk(class: &str) -> bool {
    JDK.iter().any(|prefix| class.starts_with(prefix))
}
