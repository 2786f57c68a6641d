//! With `-Xcheck:jni`, the JVM has nothing to say of the agent's calls.

use anyhow::{Context, Result, ensure};
use jrace_tests::fixture::{classes, on_oldest_and_newest};
use jrace_tests::jdk::Jdk;
use jrace_tests::launch::Launch;
use jrace_tests::run::jrace;

/// What the JVM prints of wrong calls goes to standard output.
fn is_content(printed: &str, said: &str) -> Result<()> {
    let printed_it =
        printed.lines().chain(said.lines()).find(|line| line.contains("WARNING") || line.contains("FATAL"));
    ensure!(printed_it.is_none() && printed == "done\n", "{printed}{said}");
    Ok(())
}

#[test]
fn the_agent_keeps_to_the_rules_of_jni() -> Result<()> {
    let classes = classes("jni")?;
    on_oldest_and_newest(|jdk| {
        let folder = tempfile::tempdir()?;
        let record = format!("record={}/traces,", folder.path().display());
        let reflection = format!("record_reflection={}/log", folder.path().display());
        let modes = ["", "check=eraser", "check=happens-before", "granularity=object", "jdk=1", &reflection];
        let recording =
            ["", "atomicity=block", "atomicity=reduction", "discover=1"].map(|more| format!("{record}{more}"));
        let all = modes.into_iter().chain(recording.iter().map(String::as_str));
        for options in all {
            let launch = Launch::main(jdk, &classes, "checked.Main").before(["-Xcheck:jni"]).checked(options);
            let run = launch.run()?.succeeded().with_context(|| options.to_owned())?;
            is_content(&run.stdout(), &run.stderr()).with_context(|| options.to_owned())?;
        }
        Ok(())
    })
}

/// The first run learns the classes, the second one uses what was proved.
#[test]
fn so_it_does_with_a_focus() -> Result<()> {
    let classes = classes("jni")?;
    on_oldest_and_newest(|jdk: &Jdk| {
        let folder = tempfile::tempdir()?;
        for _ in 0..2 {
            let mut run = jrace(jdk);
            run.current_dir(folder.path()).args(["run", "--focus", "--"]).arg(jdk.home.join("bin/java"));
            let output = run.arg("-Xcheck:jni").arg("-cp").arg(&classes).arg("checked.Main").output()?;
            let printed = String::from_utf8(output.stdout)?;
            // The first run only learns, and then runs again.
            is_content(printed.strip_prefix("done\n").filter(|rest| !rest.is_empty()).unwrap_or(&printed), "")?;
        }
        Ok(())
    })
}
