//! Variables: what is one, and which of them are checked.

use anyhow::Result;
use jrace_tests::fixture::reports;

/// An array of each type, which three threads write without a lock.
const KINDS: &[&str] = &[
    "Data.booleans[]",
    "Data.bytes[]",
    "Data.chars[]",
    "Data.shorts[]",
    "Data.longs[]",
    "Data.floats[]",
    "Data.doubles[]",
    "Data.objects[]",
    "Data.grid[][]",
    "Data.cube[][][]",
];

jrace_tests::cases! {
    "variables";
    fields: "";
    statics: "";
    objects: "";
    failing: "";
}

#[test]
fn arrays_are_one_variable() -> Result<()> {
    reports("variables", "arrays", "arrays=object", &[&["Data.disjoint[]", "Data.shared[]"], KINDS].concat())
}

#[test]
fn array_elements_are_variables() -> Result<()> {
    // Elements of one array are named after the field they were reached through, or the method.
    reports("variables", "arrays", "arrays=element", &[&["Data.shared[]", "Main.local"], KINDS].concat())
}

#[test]
fn arrays_can_be_left_alone() -> Result<()> {
    reports("variables", "arrays", "arrays=off", &[])
}

#[test]
fn each_field_has_its_state() -> Result<()> {
    reports("variables", "granularity", "granularity=field", &["Pair.racy"])
}

#[test]
fn each_object_has_its_state() -> Result<()> {
    // One name for each class whose objects are racy: that of the topmost class with a word.
    reports("variables", "granularity", "granularity=object", &["Pair"])
}
