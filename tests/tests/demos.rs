//! Every demo reports exactly what its comments say, on every JDK.

use anyhow::{Context, Result};
use jrace_tests::demos::Demo;
use jrace_tests::expect::Expectations;
use jrace_tests::jdk::Jdk;
use jrace_tests::run::Run;

fn check(jdk: &Jdk, demo: &Demo) -> Result<()> {
    let classes = demo.classes()?;
    let mut arguments = vec!["-cp", classes.to_str().context("a path in UTF-8")?, &demo.main];
    arguments.extend(demo.args.iter().map(String::as_str));
    let expected = Expectations::of(&demo.sources()?)?;
    expected.compare(&Run::java(jdk, "", &arguments)?.succeeded()?.racy())?;
    let by_locks = Run::java(jdk, "check=eraser", &arguments)?.succeeded()?;
    expected.by_locks().compare(&by_locks.racy()).context("by locks")
}

#[test]
fn demos_report_what_their_comments_say() -> Result<()> {
    let mut failures = Vec::new();
    for jdk in Jdk::all() {
        for demo in Demo::all()? {
            if let Err(error) = check(&jdk, &demo) {
                failures.push(format!("{} on JDK {}: {error:#}", demo.name, jdk.feature));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    Ok(())
}
