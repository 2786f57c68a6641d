//! Every demo reports exactly what its comments say, on every JDK.
#![allow(clippy::disallowed_methods, reason = "reads the index of the demos")]

use anyhow::{Context, Result};
use jrace_tests::expect::Expectations;
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::root;
use jrace_tests::run::Run;

struct Demo {
    name: String,
    main: String,
    args: Vec<String>,
}

fn demos() -> Result<Vec<Demo>> {
    let index: toml::Table = std::fs::read_to_string(root().join("demo-apps/demos.toml"))?.parse()?;
    let text = |value: &toml::Value, key: &str| value.get(key).and_then(|v| v.as_str()).map(str::to_owned);
    let demos = index["demo"].as_array().context("demos.toml lists no demo")?;
    demos
        .iter()
        .map(|demo| {
            let args = demo.get("args").and_then(|v| v.as_array()).cloned().unwrap_or_default();
            Ok(Demo {
                name: text(demo, "name").context("a demo without a name")?,
                main: text(demo, "main").context("a demo without a main class")?,
                args: args.iter().filter_map(|v| v.as_str().map(str::to_owned)).collect(),
            })
        })
        .collect()
}

fn check(jdk: &Jdk, demo: &Demo, classes: &std::path::Path) -> Result<()> {
    let folder = root().join("demo-apps").join(&demo.name);
    let sources = sources(&folder)?;
    let mut arguments = vec!["-cp", classes.to_str().context("a path in UTF-8")?, &demo.main];
    arguments.extend(demo.args.iter().map(String::as_str));
    let run = Run::java(jdk, "", &arguments)?.succeeded()?;
    Expectations::of(&sources)?.compare(&run.racy())?;
    Ok(())
}

#[test]
fn demos_report_what_their_comments_say() -> Result<()> {
    let classes = tempfile::tempdir()?;
    let mut all = Vec::new();
    for demo in demos()? {
        all.extend(sources(&root().join("demo-apps").join(demo.name))?);
    }
    Jdk::oldest().compile(&all, classes.path(), &["--release", "17"])?;
    let mut failures = Vec::new();
    for jdk in Jdk::all() {
        for demo in demos()? {
            if let Err(error) = check(&jdk, &demo, classes.path()) {
                failures.push(format!("{} on JDK {}: {error:#}", demo.name, jdk.feature));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    Ok(())
}
