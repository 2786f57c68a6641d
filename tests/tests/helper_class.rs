//! The helper classes that are checked in compiled are what their sources compile to.
#![allow(clippy::disallowed_methods, reason = "compares files")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use jrace_tests::jdk::Jdk;
use jrace_tests::root;

/// The JDK that compiles the helper classes: the oldest that is supported.
fn jdk17() -> Jdk {
    Jdk::all()
        .into_iter()
        .find(|jdk| jdk.feature == 17)
        .expect("JDK 17 compiles the helper classes: name one in JRACE_JDKS")
}

#[test]
fn compiled_helper_matches_its_source() {
    let java = root().join("runtime-agent/java");
    let out = tempfile::tempdir().expect("a directory");
    let status = Command::new(java.join("compile.sh")).arg(out.path()).env("JAVA17_HOME", jdk17().home).status();
    assert!(status.expect("compile.sh runs").success());
    let fresh = classes_in(out.path());
    assert!(fresh.len() >= 25, "{fresh:?}");
    assert_eq!(fresh, classes_in(&java.join("compiled")), "run runtime-agent/java/compile.sh");
    for class in fresh {
        let fresh = std::fs::read(out.path().join(&class)).expect("compiled");
        let checked_in = std::fs::read(java.join("compiled").join(&class)).expect("checked in");
        assert!(fresh == checked_in, "{} is stale: run runtime-agent/java/compile.sh", class.display());
    }
}

/// The class files in a folder, from there on.
fn classes_in(folder: &Path) -> BTreeSet<PathBuf> {
    let files = walk(folder).into_iter().filter_map(|file| Some(file.strip_prefix(folder).ok()?.to_owned()));
    files.collect()
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}
