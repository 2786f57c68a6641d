//! Events in, findings out: lock sets and Eraser. No JVM, no class files.
