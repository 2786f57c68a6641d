//! The arrows between the crates are those of ARCHITECTURE.md, and no file of tests is forgotten.
#![allow(clippy::disallowed_methods, reason = "a test of the checkout's own files reads them")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

/// Crate, and the crates of ours that it may link.
const ARROWS: &[(&str, &[&str])] = &[
    ("checkers", &["facts"]),
    ("classfile", &[]),
    ("cli", &["checkers", "facts", "instrumenter", "modular", "static-typer"]),
    ("facts", &[]),
    ("instrumenter", &["classfile", "facts"]),
    ("jrace-fuzz", &["classfile", "facts", "instrumenter"]),
    ("jrace-tests", &["facts"]),
    ("modular", &["facts", "static-typer"]),
    ("runtime-agent", &["checkers", "facts", "instrumenter"]),
    ("static-typer", &["classfile", "facts"]),
];

#[test]
fn crates_depend_on_what_the_architecture_allows() {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(jrace_tests::root())
        .output()
        .expect("cargo metadata runs");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON");
    let mut found = BTreeMap::new();
    for package in metadata["packages"].as_array().expect("a list of packages") {
        let mut ours: Vec<&str> = package["dependencies"]
            .as_array()
            .expect("a list of dependencies")
            .iter()
            .filter(|dependency| !dependency["path"].is_null() && dependency["kind"] != "dev")
            // The agent in the command, for `cargo install`: bytes, of which nothing is called.
            .filter(|dependency| dependency["optional"] != true)
            .filter_map(|dependency| dependency["name"].as_str())
            .collect();
        ours.sort_unstable();
        found.insert(package["name"].as_str().expect("a name"), ours);
    }
    let expected: BTreeMap<&str, Vec<&str>> = ARROWS.iter().map(|(name, links)| (*name, links.to_vec())).collect();
    assert_eq!(found, expected, "change ARCHITECTURE.md and this test together, with a reason");
}

/// The crates whose tests are one program list their files in `main.rs`: one that is not there would never run.
#[test]
fn every_file_of_tests_is_run() {
    for folder in ["tests/tests", "static-typer/tests", "instrumenter/tests", "modular/tests"]
        .map(|name| jrace_tests::root().join(name))
    {
        let main = fs::read_to_string(folder.join("main.rs")).expect("the file of the program");
        let listed: BTreeSet<&str> =
            main.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';')).collect();
        for entry in fs::read_dir(&folder).expect("a folder of tests") {
            let path = entry.expect("an entry of it").path();
            let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
            let is_tests = path.extension().is_some_and(|extension| extension == "rs") && name != "main";
            assert!(!is_tests || listed.contains(name), "{} is in no program", path.display());
        }
    }
}
