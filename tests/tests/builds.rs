//! What is computed is the same in development and in release builds: the tests run the one, users the other.
//!
//! The points-to analysis once looked for cycles sooner in development builds, which numbered its objects in another order, so that the
//! reports of one commit differed in bytes.
#![allow(clippy::disallowed_methods, reason = "a test of the checkout's own files reads them")]

use std::fs;
use std::path::Path;

/// The numbers of the lines that ask how the program is built. `debug_assert!` only checks, and is none of them.
fn asking(text: &str) -> Vec<usize> {
    let asks = |line: &&str| line.contains("debug_assertions") && !line.trim_start().starts_with("//");
    text.lines().enumerate().filter(|(_, line)| asks(line)).map(|(number, _)| number + 1).collect()
}

fn for_each_source(folder: &Path, visit: &mut dyn FnMut(&Path)) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry of it").path();
        if path.is_dir() {
            for_each_source(&path, visit);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            visit(&path);
        }
    }
}

#[test]
fn nothing_depends_on_how_it_is_built() {
    let (mut wrong, mut n_files) = (Vec::new(), 0);
    for name in ["checkers", "classfile", "cli", "facts", "instrumenter", "modular", "runtime-agent", "static-typer"] {
        for_each_source(&jrace_tests::root().join(name).join("src"), &mut |path| {
            n_files += 1;
            let lines = asking(&fs::read_to_string(path).expect("a source"));
            wrong.extend(lines.into_iter().map(|line| format!("{}:{line}", path.display())));
        });
    }
    assert!(n_files > 300, "{n_files}");
    assert!(wrong.is_empty(), "another result in another build: {wrong:#?}");
}

#[test]
fn what_depends_on_the_build_is_found() {
    let planted = [
        "const FIRST: usize = if cfg!(debug_assertions) { 16 } else { 4096 };",
        "#[cfg(debug_assertions)]\nconst FIRST: usize = 16;",
        "    #[cfg(not(debug_assertions))]\n    fn limit() {}",
        "#[cfg_attr(debug_assertions, derive(Debug))]",
    ];
    assert!(planted.iter().all(|text| asking(text) == [1]));
    assert!(asking("debug_assert!(a < b);\n// Not `cfg!(debug_assertions)`.").is_empty());
}
