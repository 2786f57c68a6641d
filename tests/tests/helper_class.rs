//! The helper class that is checked in compiled is what its source compiles to, and implements the hook table.
#![allow(clippy::disallowed_methods, reason = "compares files")]

use std::process::Command;

use facts::hook::Hook;
use jrace_tests::jdk::Jdk;
use jrace_tests::root;

/// The JDK that compiles the helper class: the oldest that is supported.
fn jdk17() -> Jdk {
    Jdk::all()
        .into_iter()
        .find(|jdk| jdk.feature == 17)
        .expect("JDK 17 compiles the helper class: name one in JRACE_JDKS")
}

#[test]
fn compiled_helper_matches_its_source() {
    let java = root().join("runtime-agent/java");
    let out = tempfile::tempdir().expect("a directory");
    let status = Command::new(java.join("compile.sh")).arg(out.path()).env("JAVA17_HOME", jdk17().home).status();
    assert!(status.expect("compile.sh runs").success());
    for class in ["JraceHooks", "JraceContext", "JraceShadow", "JraceSite", "JraceSpans", "invoke/JraceProfile"] {
        let file = format!("java/lang/{class}.class");
        let fresh = std::fs::read(out.path().join(&file)).expect("compiled");
        let checked_in = std::fs::read(java.join("compiled").join(&file)).expect("checked in");
        assert!(fresh == checked_in, "{class}.class is stale: run runtime-agent/java/compile.sh");
    }
}

#[test]
fn helper_implements_every_hook() {
    let compiled = root().join("runtime-agent/java/compiled/java/lang/JraceHooks.class");
    let output = jdk17().tool("javap").arg("-s").arg(compiled).output().expect("javap runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    for hook in Hook::ALL {
        let declared = lines.windows(2).any(|pair| {
            pair[0].starts_with("public static")
                && pair[0].contains(&format!(" {}(", hook.name()))
                && pair[1] == format!("descriptor: {}", hook.descriptor())
        });
        assert!(declared, "{}{} is in the hook table but not in the helper class", hook.name(), hook.descriptor());
    }
}
