//! Embeds `demo-apps/`: writes `demo_files.rs`, a table of paths and contents of `demos.toml` and the Java sources. Sets `JRACE_VERSION`,
//! `0.1.0 (1a2b3c4d 2026-11-24)`: the version with the commit and its date, or alone outside a checkout. Sets `JRACE_BUILT_AGENT`, where cargo
//! has put the agent before it builds a command that has it in it.

#![expect(clippy::disallowed_methods, reason = "a build script writes its output")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../demo-apps");
    let mut files = Vec::new();
    if root.is_dir() {
        println!("cargo:rerun-if-changed={}", root.display());
        collect(&root, &mut files)?;
    }
    files.sort();
    let mut table = String::from("&[\n");
    for file in &files {
        let name = file.strip_prefix(&root).unwrap_or(file).to_string_lossy();
        writeln!(table, "    ({name:?}, include_str!({:?})),", file.display().to_string()).map_err(io::Error::other)?;
    }
    table.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("demo_files.rs"), table)?;
    // `target/release/build/cli-1a2b3c4d/out` lies beside `target/release/deps`.
    let built = out.ancestors().nth(3).unwrap_or(&out).join("deps/libjrace.so");
    println!("cargo:rustc-env=JRACE_BUILT_AGENT={}", built.display());
    let number = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let commit = git(&["log", "-1", "--abbrev=8", "--format=%h %cs"]);
    println!("cargo:rustc-env=JRACE_VERSION={number}{}", commit.map(|of| format!(" ({of})")).unwrap_or_default());
    // It has a line more with each commit.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists()) {
        println!("cargo:rerun-if-changed={log}");
    }
    println!("cargo:rerun-if-changed=build.rs");
    Ok(())
}

/// What git says in one line; `None` outside a checkout of jrace's own.
fn git(arguments: &[&str]) -> Option<String> {
    let own = Path::new("../.git").exists();
    let output = Command::new("git").args(arguments).output().ok().filter(|output| own && output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty())
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "java" || extension == "toml") {
            files.push(path);
        }
    }
    Ok(())
}
