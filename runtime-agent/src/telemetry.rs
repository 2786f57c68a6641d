//! Libraries that watch a program, for logging and metrics. They keep the time of day that they wrote last and count what they have seen, in
//! variables that all threads share: so each of their calls orders threads, which the program does not count on. Their races are not the
//! user's, and their order is as that of the JDK for itself (`internal`). Their locks count: they may call the program under them.
//!
//! **False alarms**: what a program hands over through them, unless an object that it has made goes through a queue or a collection.

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

/// Whether a class is of such a library, by its internal name.
pub fn has(class: &str) -> bool {
    PACKAGES.iter().any(|package| class.starts_with(package))
}
