//! Findings in test suites name the tests for which their threads worked, in threads that all tests share.
#![allow(clippy::disallowed_methods, reason = "reads the comments of programs")]

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use facts::finding::Finding;
use jrace_tests::fixture::{compiled, on_every_jdk, on_oldest_and_newest};
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::launch::Launch;
use jrace_tests::run::short_name;
use jrace_tests::{maven, root};

/// By racy variable, the tests that findings name.
pub(crate) type Tests = BTreeMap<String, BTreeSet<String>>;

struct Suite {
    sources: Vec<PathBuf>,
    class_path: OsString,
}

impl Suite {
    fn new(folder: &str, jars: &str) -> Result<Self> {
        Self::compiled(&Jdk::oldest(), "17", folder, jars)
    }

    fn compiled(jdk: &Jdk, release: &str, folder: &str, jars: &str) -> Result<Self> {
        let folders = BTreeSet::from(["pooled", folder]);
        let of = |folder: &&str| sources(&root().join("tests/java/suites").join(folder));
        let is_wanted = |source: &PathBuf| folder == "pooled" || !source.to_string_lossy().contains("/pooled/");
        let workers = root().join("tests/java/suites/pooled/Workers.java");
        let mut all: Vec<PathBuf> = folders.iter().map(of).collect::<Result<Vec<_>>>()?.concat();
        all.retain(|source| is_wanted(source) || *source == workers);
        let jars = maven::jars(&root().join("tests/java").join(jars))?.join("*");
        let options = ["--release", release, "-cp", jars.to_str().context("a path")?];
        let classes = compiled(jdk, &all, &options)?;
        Ok(Self { sources: all, class_path: std::env::join_paths([&classes, &jars])? })
    }

    fn attribute(&self, jdk: &Jdk, arguments: &[&str]) -> Result<()> {
        let class_path = ["-cp".into(), self.class_path.clone()];
        let launch = Launch::new(jdk, class_path)
            .short()
            .args(arguments)
            .checked("include=pooled.*:pooled_older.*:pooled_engine.*:pooled_virtual.*");
        let run = launch.run()?.succeeded()?;
        let (expected, found) = (expected(&self.sources)?, found(run.findings()));
        ensure!(!expected.is_empty() && found == expected, "{arguments:?}: {found:#?}, not {expected:#?}");
        Ok(())
    }
}

/// What comments say: `static int field; // test: Class.method`.
pub(crate) fn expected(sources: &[PathBuf]) -> Result<Tests> {
    let mut expected = Tests::new();
    for source in sources {
        let class = source.file_stem().context("a class")?.to_string_lossy().into_owned();
        for line in std::fs::read_to_string(source)?.lines() {
            let Some((field, test)) = line.split_once("; // test: ") else { continue };
            let field = field.rsplit(' ').next().context("a field")?;
            expected.insert(format!("{class}.{field}"), BTreeSet::from([test.to_owned()]));
        }
    }
    Ok(expected)
}

/// What findings say, the tests without their packages; `none` where one names no test.
pub(crate) fn found<'a>(findings: impl Iterator<Item = &'a Finding>) -> Tests {
    let mut found = Tests::new();
    for finding in findings {
        let accesses = finding.conflicts.iter().flat_map(|conflict| [&conflict.current, &conflict.previous]);
        let of_variable = found.entry(short_name(&finding.variable)).or_default();
        of_variable.extend(accesses.map(|access| {
            let test = access.test.as_deref().unwrap_or("none");
            test.split_once('.').map_or(test, |(_, name)| name).to_owned()
        }));
    }
    found
}

const LAUNCHER: [&str; 6] = [
    "org.junit.platform.console.ConsoleLauncher",
    "execute",
    "--disable-banner",
    "--disable-ansi-colors",
    "--details=none",
    "--select-package=pooled",
];

#[test]
fn junit_5_tests_are_named_through_pools() -> Result<()> {
    let suite = Suite::new("pooled", "real/pool2")?;
    on_oldest_and_newest(|jdk| suite.attribute(jdk, &LAUNCHER))
}

#[test]
fn junit_5_tests_in_parallel_are_named_through_pools() -> Result<()> {
    let suite = Suite::new("pooled", "real/pool2")?;
    let parallel = ["enabled=true", "mode.default=concurrent", "config.strategy=fixed", "config.fixed.parallelism=4"]
        .map(|option| format!("-Djunit.jupiter.execution.parallel.{option}"));
    let arguments: Vec<&str> = parallel.iter().map(String::as_str).chain(["-Dworkers=8"]).chain(LAUNCHER).collect();
    on_oldest_and_newest(|jdk| suite.attribute(jdk, &arguments))
}

#[test]
fn tests_are_named_through_virtual_threads() -> Result<()> {
    let have_virtual = |jdk: &Jdk| jdk.feature >= 21;
    let Some(compiler) = Jdk::all().into_iter().find(|jdk| have_virtual(jdk) && jdk.has("javac")) else {
        return Ok(());
    };
    let suite = Suite::compiled(&compiler, "21", "pooled_virtual", "real/pool2")?;
    let launcher = [&LAUNCHER[..5], &["--select-package=pooled_virtual"]].concat();
    on_every_jdk(|jdk| if have_virtual(jdk) { suite.attribute(jdk, &launcher) } else { Ok(()) })
}

#[test]
fn tests_of_other_engines_are_named_as_they_are_shown() -> Result<()> {
    let suite = Suite::new("pooled_engine", "real/pool2")?;
    on_oldest_and_newest(|jdk| suite.attribute(jdk, &["pooled_engine.Engine"]))
}

#[test]
fn tests_of_junit_3_and_4_are_named_through_pools() -> Result<()> {
    let suite = Suite::new("pooled_older", "suites")?;
    let core = ["org.junit.runner.JUnitCore", "pooled_older.FourTest", "pooled_older.ThreeTest"];
    let older = Suite {
        sources: suite.sources.iter().filter(|path| !path.ends_with("NgTest.java")).cloned().collect(),
        ..suite
    };
    on_oldest_and_newest(|jdk| older.attribute(jdk, &core))
}

#[test]
fn tests_of_junit_4_that_junit_5_runs_are_named_alike() -> Result<()> {
    let suite = Suite::new("pooled_older", "suites")?;
    let console = maven::jars(&root().join("tests/java/real/pool2"))?.join("*");
    let class_path = std::env::join_paths(std::env::split_paths(&suite.class_path).chain([console]))?;
    let sources = suite.sources.into_iter().filter(|path| path.ends_with("FourTest.java")).collect();
    let vintage =
        [&LAUNCHER[..5], &["--include-engine=junit-vintage", "--select-class=pooled_older.FourTest"]].concat();
    let four = Suite { sources, class_path };
    on_oldest_and_newest(|jdk| four.attribute(jdk, &vintage))
}

#[test]
fn tests_of_testng_are_named_through_pools() -> Result<()> {
    let suite = Suite::new("pooled_older", "suites")?;
    let folder = tempfile::tempdir()?;
    let reports = folder.path().to_str().context("a path")?;
    let arguments =
        ["org.testng.TestNG", "-d", reports, "-usedefaultlisteners", "false", "-testclass", "pooled_older.NgTest"];
    let ng = Suite {
        sources: suite.sources.iter().filter(|path| path.ends_with("NgTest.java")).cloned().collect(),
        ..suite
    };
    on_oldest_and_newest(|jdk| ng.attribute(jdk, &arguments))
}
