//! What is left unchecked is said, and fails; and what is written is for its user alone.
#![allow(clippy::disallowed_methods, reason = "makes programs and reads findings")]

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use anyhow::{Result, ensure};
use jrace_tests::fixture::{self, classes, compiled, jar, on_every_jdk, on_oldest_and_newest};
use jrace_tests::jdk::Jdk;
use jrace_tests::run::jrace;

/// Runs a shell script with `$java` under `jrace run`; returns its exit code and what it says.
fn run(jdk: &Jdk, folder: &Path, flags: &[&str], script: &str) -> Result<(Option<i32>, String)> {
    let mut command = jrace(jdk);
    command.current_dir(folder).arg("run").args(flags).args(["--", "sh", "-c", script]);
    let output = command.env("java", jdk.home.join("bin/java")).env("classes", classes("atomicity")?).output()?;
    Ok((output.status.code(), String::from_utf8(output.stderr)?))
}

/// A file where the run's directory was: nobody can write there, whoever starts the tests.
const NO_DIRECTORY: &str = r#"out=$(printf %s "$JAVA_TOOL_OPTIONS" | sed -n 's/.*output=\([^,"]*\).*/\1/p')
    rmdir "$out"; touch "$out"; "$java" -cp "$classes" waiting.Main 10; code=$?; rm "$out"; mkdir "$out"; exit $code"#;

#[test]
fn a_jvm_that_cannot_write_says_so() -> Result<()> {
    on_oldest_and_newest(|jdk| {
        let folder = tempfile::tempdir()?;
        let (code, said) = run(jdk, folder.path(), &[], NO_DIRECTORY)?;
        let reason =
            said.lines().find(|line| line.starts_with("note: JVM ") && line.contains(" ran unchecked: findings"));
        ensure!(reason.is_some() && said.contains("0 of 1 JVM known to have started were checked"), "{said}");
        ensure!(code == Some(2) && said.contains(" 0 JVMs, exit 2"), "{code:?} {said}");
        ensure!(run(jdk, folder.path(), &["--allow-none"], NO_DIRECTORY)?.0 == Some(0));
        // It is known later, too.
        let report = jrace(jdk).current_dir(folder.path()).arg("report").output()?;
        ensure!(report.status.code() == Some(2), "{}", String::from_utf8_lossy(&report.stdout));
        Ok(())
    })
}

#[test]
fn a_run_that_checks_nothing_fails() -> Result<()> {
    let (jdk, folder) = (Jdk::oldest(), tempfile::tempdir()?);
    ensure!(run(&jdk, folder.path(), &[], "true")?.0 == Some(2));
    ensure!(run(&jdk, folder.path(), &[], "exit 7")?.0 == Some(7));
    ensure!(run(&jdk, folder.path(), &["--allow-none"], "true")?.0 == Some(0));
    let unset = "unset JAVA_TOOL_OPTIONS; \"$java\" -cp \"$classes\" waiting.Main 10";
    ensure!(run(&jdk, folder.path(), &[], unset)?.0 == Some(2));
    ensure!(run(&jdk, folder.path(), &[], "\"$java\" -cp \"$classes\" waiting.Main 10")?.0 == Some(0));
    Ok(())
}

/// A class of the agent is given another class file, in which a step throws.
#[test]
fn a_mistake_of_the_agent_does_not_reach_the_program() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let helper = fixture::folder().join("../../../runtime-agent/java");
    let right = std::fs::read_to_string(helper.join("java/lang/JraceHistory.java"))?;
    let step = "return next(state, access, order, false);";
    let wrong =
        right.replace(step, &format!("if (access.write) {{ throw new IllegalStateException(\"planted\"); }} {step}"));
    ensure!(wrong != right, "the step is not there");
    let source = folder.path().join("java/lang/JraceHistory.java");
    std::fs::create_dir_all(folder.path().join("java/lang"))?;
    std::fs::write(&source, wrong)?;
    let patch = format!("java.base={}:{}", folder.path().display(), helper.join("compiled").display());
    let wrong = folder.path().join("wrong");
    Jdk::oldest().compile(&[source], &wrong, &["-implicit:none", "--patch-module", &patch])?;
    let (agent, classes) = (folder.path().join("agent.jar"), classes("faults")?);
    jar(&Jdk::oldest(), &agent, Some("Premain-Class: faults.Agent\nCan-Redefine-Classes: true\n"), &classes)?;
    let java_agent = format!("-javaagent:{}={}/java/lang/JraceHistory.class", agent.display(), wrong.display());
    let script = format!("\"$java\" {java_agent} -cp {} faults.Main", classes.display());
    on_every_jdk(|jdk| {
        let folder = tempfile::tempdir()?;
        let (code, said) = run(jdk, folder.path(), &[], &script)?;
        ensure!(code == Some(2) && said.contains(" a check failed by a mistake of jrace's own"), "{code:?} {said}");
        ensure!(
            said.contains("java.lang.IllegalStateException: planted at java.base/java.lang.JraceHistory.next"),
            "{said}"
        );
        // It is known later, too.
        let report = jrace(jdk).current_dir(folder.path()).arg("report").output()?;
        ensure!(report.status.code() == Some(2), "{}", String::from_utf8_lossy(&report.stdout));
        Ok(())
    })
}

/// The server of a build is not what is asked about; tests of a build have JVMs of their own.
#[test]
fn the_server_of_bazel_is_not_checked() -> Result<()> {
    on_oldest_and_newest(|jdk| {
        let folder = tempfile::tempdir()?;
        let manifest = "Main-Class: waiting.Main\n";
        for (name, code) in [("A-server.jar", 2), ("B-server.jar", 0)] {
            jar(&Jdk::oldest(), &folder.path().join(name), Some(manifest), &classes("atomicity")?)?;
            let ended = run(jdk, folder.path(), &[], &format!("\"$java\" -jar {name} 10"))?;
            ensure!(ended.0 == Some(code), "{name}: {ended:?}");
        }
        Ok(())
    })
}

/// A method that is so long that checks do not fit.
#[test]
fn methods_that_are_not_checked_are_counted_and_named() -> Result<()> {
    on_oldest_and_newest(|jdk| {
        let folder = tempfile::tempdir()?;
        let body = "a = b + x; if (x > 1) b = a;\n".repeat(2600);
        let main = "public static void main(String[] s) { new Big().much(2); }";
        let source = folder.path().join("Big.java");
        std::fs::write(&source, format!("class Big {{ int a, b; void much(int x) {{ {body} }} {main} }}"))?;
        let big = compiled(&Jdk::oldest(), &[source], &["--release", "17"])?;
        let (code, said) = run(jdk, folder.path(), &[], &format!("\"$java\" -cp {} Big", big.display()))?;
        let note = "note: not checked, because they could not be woven: 1 method: Big.much (it would grow past 65535";
        ensure!(code == Some(0) && said.contains(note), "{said}");
        let report = jrace(jdk).current_dir(folder.path()).args(["report", "--json", "--html", "page"]).output()?;
        let json: serde_json::Value = serde_json::from_slice(&report.stdout)?;
        ensure!(json["summary"]["unwoven"] == 1 && json["jvms"][0]["unwoven"][0]["method"] == "much(I)V", "{json}");
        let page = std::fs::read_to_string(folder.path().join("page"))?;
        let ledger = ["1 method could not be woven (it would grow past 65535", "): Big.<wbr>much"];
        ensure!(ledger.iter().all(|part| page.contains(part)), "{page}");
        Ok(())
    })
}

/// Findings, traces and copies of classes, with the arguments of the program in them.
#[test]
fn only_their_user_reads_what_is_written() -> Result<()> {
    let (jdk, folder) = (Jdk::oldest(), tempfile::tempdir()?);
    let script = "\"$java\" -cp \"$classes\" waiting.Main 10 --password=hush --token hush";
    run(&jdk, folder.path(), &["--atomicity", "--record", "traces"], script)?;
    run(&jdk, folder.path(), &["--focus"], script)?;
    let mut open = vec![folder.path().to_owned()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(next)?.flatten() {
            let (path, data) = (entry.path(), entry.metadata()?);
            let is_ours =
                |name: &str| name.starts_with("findings-") || name.starts_with("trace-") || name.ends_with(".class");
            let is_private = data.is_dir() || entry.file_name().to_str().is_some_and(is_ours);
            ensure!(!is_private || data.permissions().mode() & 0o077 == 0, "{} is open", path.display());
            if data.is_dir() {
                open.push(path);
            } else {
                let bytes = std::fs::read(&path)?;
                ensure!(!bytes.windows(4).any(|word| word == b"hush"), "{} has a secret", path.display());
            }
        }
    }
    Ok(())
}
