//! Libraries that watch a program, for logging and metrics. They keep the time of day that they wrote last and count what they have seen, in
//! variables that all threads share: so each of their calls orders threads, which the program does not count on. Their races are not the
//! user's, and their order is as that of the JDK for itself (`internal`). Their locks count: they may call the program under them.
//!
//! **False alarms**: what a program hands over through them, unless an object that it has made goes through a queue or a collection.

use std::path::Path;

const PACKAGES: &[&str] = &[
    "ch/qos/logback/",
    "com/codahale/metrics/",
    "com/google/common/flogger/",
    "io/dropwizard/metrics/",
    "io/micrometer/",
    "io/opentelemetry/",
    "io/prometheus/",
    "org/apache/commons/logging/",
    "org/apache/log4j/",
    "org/apache/logging/",
    "org/jboss/logging/",
    "org/jboss/logmanager/",
    "org/slf4j/",
    "org/tinylog/",
];

/// Where Maven and Gradle put the classes of the project that they test, which need not be on the class path of the JVM: that may name a jar
/// which names them.
pub const BUILT: &[&str] = &[
    "target/classes",
    "target/test-classes",
    "build/classes/java/main",
    "build/classes/java/test",
    "build/classes/kotlin/main",
    "build/classes/kotlin/test",
];

/// The packages of such libraries, but for those that are what is being developed.
pub struct Telemetry(Vec<&'static str>);

impl Telemetry {
    /// In a JVM with this class path, in this working directory. Classes in directories are the user's own.
    pub fn of(class_path: &str, working: &Path) -> Self {
        let directories = || class_path.split(':').chain(BUILT.iter().copied()).map(|path| working.join(path));
        let is_own = |package: &str| directories().any(|directory| directory.join(package).is_dir());
        Self(PACKAGES.iter().copied().filter(|package| !is_own(package)).collect())
    }

    /// Whether a class is of such a library, by its internal name.
    pub fn has(&self, class: &str) -> bool {
        self.0.iter().any(|package| class.starts_with(package))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Telemetry;

    #[test]
    fn what_lies_in_directories_is_the_users_own() {
        let project = tempfile::tempdir().unwrap();
        let has = |class_path: &str, class: &str| Telemetry::of(class_path, project.path()).has(class);
        assert!(has("a.jar:b.jar", "ch/qos/logback/classic/Logger"));
        assert!(!has("", "ch/qos/Logback"));
        std::fs::create_dir_all(project.path().join("target/test-classes/io/micrometer/core")).unwrap();
        assert!(!has("surefirebooter.jar", "io/micrometer/core/Counter"));
        assert!(has("surefirebooter.jar", "org/slf4j/Logger"));
        std::fs::create_dir_all(project.path().join("out/org/slf4j")).unwrap();
        assert!(!has("a.jar:out", "org/slf4j/Logger"));
        assert!(Telemetry::of("out", Path::new("/")).has("org/slf4j/Logger"));
    }
}
