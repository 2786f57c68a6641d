//! `jrace doctor` with the agent and the JVMs of this machine.

use anyhow::{Result, ensure};

use jrace_tests::jdk::Jdk;
use jrace_tests::run;

#[test]
fn jvms_can_be_checked_here() -> Result<()> {
    for jdk in &Jdk::all() {
        let folder = tempfile::tempdir()?;
        let output = run::jrace(jdk).arg("doctor").current_dir(folder.path()).output()?;
        let said = String::from_utf8_lossy(&output.stdout);
        ensure!(output.status.success(), "{output:?}");
        ensure!(said.contains("\nworks agent    a JVM has loaded `") && !said.contains("FAILS"), "{said}");
        ensure!(std::fs::read_dir(folder.path())?.next().is_none(), "something is left: {said}");
    }
    Ok(())
}
