//! Harness and end-to-end tests.
