//! Which classes are the JDK's.

/// Packages of the JDK, whichever loader has them.
const JDK: &[&str] = &["java/", "jdk/", "sun/", "com/sun/tools/", "com/sun/jdi/"];

/// Whether a class is the JDK's, by its name.
pub fn is_jdk(class: &str) -> bool {
    JDK.iter().any(|prefix| class.starts_with(prefix))
}

/// Whether the JDK makes a class for a lambda or (up to JDK 21) for a mirror that is often used. Its name or its content differs from run to
/// run, and what it calls was typed as something that anybody may call.
pub fn is_made_by_jdk(class: &str) -> bool {
    class.contains("$$Lambda") || class.starts_with("jdk/internal/reflect/Generated")
}
