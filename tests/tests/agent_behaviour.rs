//! Woven code does what it did, and stays code that the JIT compiles.
#![allow(clippy::disallowed_methods, reason = "reads what the JIT has done")]

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use jrace_tests::fixture::{classes, on_every_jdk, same_as_without};
use jrace_tests::launch::Launch;

#[test]
fn woven_methods_are_compiled() -> Result<()> {
    let classes = classes("jit")?;
    on_every_jdk(|jdk| {
        let launch = Launch::main(jdk, &classes, "hot.Main").jvm(["-XX:+PrintCompilation", "-Xbatch"]);
        let run = launch.checked("").run()?.succeeded()?;
        let log = run.stdout();
        let refused: Vec<&str> = log
            .lines()
            .filter(|line| {
                line.contains("COMPILE SKIPPED") || line.contains("not compilable") || line.contains("not retryable")
            })
            .collect();
        ensure!(refused.is_empty(), "{}", refused.join("\n"));
        for method in ["method", "staticMethod", "several", "block", "nested", "loop", "throwing", "accesses"] {
            // Tier 4 is C2.
            let compiled = log.lines().any(|line| {
                line.contains(&format!(" hot.Main::{method} (")) && line.split_whitespace().any(|word| word == "4")
            });
            ensure!(compiled, "{method} was not compiled by C2");
        }
        Ok(())
    })
}

/// Hooks stand before calls that the JVM refuses, and some in their place.
#[test]
fn calls_on_nothing_throw_what_they_threw() -> Result<()> {
    let classes = classes("nulls")?;
    let folder = tempfile::tempdir()?;
    let record = format!("record={}", folder.path().display());
    on_every_jdk(|jdk| {
        let launch = Launch::main(jdk, &classes, "nulls.Main");
        for mode in
            ["check=hybrid", "check=eraser", &format!("{record},atomicity=block"), &format!("{record},discover=1")]
        {
            same_as_without(&launch, mode).with_context(|| mode.to_owned())?;
        }
        Ok(())
    })
}

/// An object that compiled code keeps in registers is made when that code is left. If there is no memory for it, the error comes out of the whole
/// of that code, its handlers included: so what a hook makes must not be in one piece with who catches its errors, or a program that goes on
/// after an `OutOfMemoryError` gets one more.
#[test]
fn what_hooks_keep_in_registers_fails_within_reach_of_who_catches() -> Result<()> {
    let classes = classes("endings")?;
    on_every_jdk(|jdk| {
        let folder = tempfile::tempdir()?;
        let log = format!("-XX:LogFile={}", folder.path().join("log").display());
        let eager = ["-XX:-TieredCompilation", "-XX:CompileThreshold=500", "-Xbatch"];
        let logging = ["-Xmx16m", "-XX:+UseSerialGC", "-XX:+UnlockDiagnosticVMOptions", "-XX:+LogCompilation", &log];
        let launch = Launch::main(jdk, &classes, "memory.Main").jvm(eager).jvm(logging);
        launch.checked("").run()?.succeeded()?;
        let chains = kept_in_registers(&std::fs::read_to_string(folder.path().join("log"))?);
        ensure!(chains.iter().any(|chain| chain[0].contains("Jrace")), "hooks keep nothing in registers: {chains:?}");
        let of_hooks = chains.iter().filter(|chain| chain.iter().any(|method| method.contains("Jrace")));
        let wrong: Vec<_> = of_hooks.filter(|chain| is_door(&chain[chain.len() - 1])).collect();
        ensure!(wrong.is_empty(), "{wrong:#?}");
        Ok(())
    })
}

/// Whether the errors of hooks are caught in a method, or the program's own.
fn is_door(method: &str) -> bool {
    const DOORS: [&str; 4] = ["JraceChecks", "JraceHooks", "JraceHandOver", "JraceLocking"];
    !method.contains("Jrace") || DOORS.iter().any(|door| method.contains(door))
}

/// Of each object of which the JVM's log says so: the methods that were compiled in one piece, from that which makes it to that which was called.
fn kept_in_registers(log: &str) -> Vec<Vec<String>> {
    let mut names: BTreeMap<&str, String> = BTreeMap::new();
    let mut chains = Vec::new();
    let mut chain: Option<Vec<String>> = None;
    for line in log.lines() {
        let of = |name: &str| line.split_once(&format!(" {name}='")).and_then(|(_, rest)| rest.split('\'').next());
        let name_of = |id: Option<&str>| id.and_then(|id| names.get(id)).cloned().unwrap_or_default();
        match line.split([' ', '>']).next().unwrap_or_default() {
            "<task" => names.clear(),
            "<klass" => drop(names.insert(of("id").unwrap_or_default(), of("name").unwrap_or_default().to_owned())),
            "<method" => {
                let name = format!("{}.{}", name_of(of("holder")), of("name").unwrap_or_default());
                names.insert(of("id").unwrap_or_default(), name);
            }
            "<eliminate_allocation" => chain = Some(Vec::new()),
            "<jvms" => chain.iter_mut().for_each(|chain| chain.push(name_of(of("method")))),
            "</eliminate_allocation" => chains.extend(chain.take()),
            _ => {}
        }
    }
    chains
}
