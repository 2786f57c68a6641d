//! libFuzzer on the target that the variable `JRACE_FUZZ` names.
#![no_main]

use std::sync::LazyLock;

use jrace_fuzz::{Property, TARGETS};
use libfuzzer_sys::fuzz_target;

static PROPERTY: LazyLock<Property> = LazyLock::new(|| {
    let name = std::env::var("JRACE_FUZZ").expect("JRACE_FUZZ names the target");
    TARGETS.iter().find(|(target, _)| *target == name).expect("JRACE_FUZZ names a target").1
});

fuzz_target!(|bytes: &[u8]| PROPERTY(bytes));
