//! Traces: the whole event stream of one JVM in a file.
