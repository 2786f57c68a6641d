//! A focus by the search for races, in programs that a test framework runs: no race is lost.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use jrace_tests::expect::Expectations;
use jrace_tests::fixture::{self, compiled, on_oldest_and_newest};
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::launch::Launch;
use jrace_tests::run::Run;
use jrace_tests::{maven, root};

use crate::focus::Focused;

const PARALLEL: [&str; 2] =
    ["-Djunit.jupiter.execution.parallel.enabled=true", "-Djunit.jupiter.execution.parallel.mode.default=concurrent"];

/// A suite for JUnit's console launcher.
struct Suite {
    name: &'static str,
    class_path: [PathBuf; 2],
}

impl Suite {
    fn new(name: &'static str) -> Result<Self> {
        let jars = maven::jars(&root().join("tests/java/real/pool2"))?.join("*");
        let all = [Self::sources(name)?, sources(&fixture::folder().join("util"))?].concat();
        let options = ["--release", "17", "-cp", jars.to_str().context("a path")?];
        Ok(Self { name, class_path: [compiled(&Jdk::oldest(), &all, &options)?, jars] })
    }

    fn sources(name: &str) -> Result<Vec<PathBuf>> {
        sources(&root().join("tests/java/suites").join(name))
    }

    fn arguments<'a>(&self, jvm: &[&'a str]) -> Vec<&'a str> {
        let launcher = ["org.junit.platform.console.ConsoleLauncher", "execute", "--disable-banner"];
        let quiet = ["--disable-ansi-colors", "--details=none", "--include-engine=junit-jupiter"];
        let select = match self.name {
            "plain" => "--select-package=plain",
            "timed" => "--select-package=timed",
            _ => "--select-package=parallel",
        };
        [jvm, &launcher, &quiet, &[select]].concat()
    }

    fn full(&self, jdk: &Jdk, jvm: &[&str]) -> Result<Run> {
        let class_path = PathBuf::from(std::env::join_paths(&self.class_path)?);
        let arguments: Vec<&Path> = vec!["-cp".as_ref(), &class_path];
        let rest = self.arguments(jvm);
        let launch =
            Launch::new(jdk, arguments).short().args(rest).checked("include=plain.*:parallel.*:timed.*:util.*");
        launch.run()?.succeeded()
    }

    fn focused(&self, focused: &Focused, jvm: &[&str]) -> Result<Run> {
        let class_path = self.class_path.each_ref().map(PathBuf::as_path);
        focused.run(&["--include", "plain.*:parallel.*:timed.*:util.*"], &class_path, &self.arguments(jvm))
    }

    fn compare(&self, run: &Run) -> Result<()> {
        let compared = Expectations::of(&Self::sources(self.name)?)?.compare(&run.racy());
        compared.with_context(|| format!("{}\n{}", run.stdout().trim_end(), run.stderr().trim_end()))
    }
}

#[test]
fn a_suite_in_one_thread_loses_no_race() -> Result<()> {
    let suite = Suite::new("plain")?;
    on_oldest_and_newest(|jdk| {
        let full = suite.full(jdk, &[])?;
        suite.compare(&full).context("full")?;
        let focused = Focused::new(jdk)?;
        let run = suite.focused(&focused, &[])?;
        let said = run.stderr();
        ensure!(!said.contains("everything is checked") && !said.contains("types of fields only"), "{said}");
        suite.compare(&run).context("focused")?;
        let set = focused.set()?;
        let tests = set.get("plain/RacesTest").context("no tests")?;
        let is_proved = |field: &str| tests.is_race_free("plain/RacesTest", field, "I");
        ensure!(is_proved("alone") && is_proved("prepared") && !is_proved("own"), "{tests:?}");
        Ok(())
    })
}

#[test]
fn tests_that_run_in_parallel_void_what_counts_on_one_thread() -> Result<()> {
    let suite = Suite::new("parallel")?;
    on_oldest_and_newest(|jdk| {
        let focused = Focused::new(jdk)?;
        let alone = suite.focused(&focused, &[])?;
        let said = alone.stderr();
        ensure!(alone.racy().is_empty() && !said.contains("types of fields only"), "{:?} {said}", alone.racy());
        let surprised = suite.focused(&focused, &PARALLEL)?;
        ensure!(surprised.stderr().contains("everything is checked"), "{}", surprised.stderr());
        suite.compare(&surprised).context("surprised")?;
        let known = suite.focused(&focused, &PARALLEL)?;
        let said = known.stderr();
        ensure!(!said.contains("everything is checked") && !said.contains("types of fields only"), "{said}");
        suite.compare(&known).context("known")
    })
}

#[test]
fn a_test_in_a_second_thread_voids_what_counts_on_one() -> Result<()> {
    let suite = Suite::new("timed")?;
    on_oldest_and_newest(|jdk| {
        let focused = Focused::new(jdk)?;
        let surprised = suite.focused(&focused, &[])?;
        let sentence =
            "jrace: timed.TimedTest.runsElsewhere runs in a second thread, though tests seemed to run in one";
        ensure!(surprised.stderr().contains(sentence), "{}", surprised.stderr());
        let known = suite.focused(&focused, &[])?;
        let said = known.stderr();
        ensure!(!said.contains("everything is checked") && !said.contains("types of fields only"), "{said}");
        suite.compare(&known)
    })
}

/// A suite of an older framework, which its own launcher runs: it loses no race, and what one thread uses is proved.
fn an_old_suite(folders: &[&str], arguments: &[&str], tests: &str) -> Result<()> {
    let jars = maven::jars(&root().join("tests/java/suites"))?.join("*");
    let of_suite = folders.iter().map(|folder| Suite::sources(folder)).collect::<Result<Vec<_>>>()?.concat();
    let all = [&of_suite[..], &sources(&fixture::folder().join("util"))?].concat();
    let options = ["--release", "17", "-cp", jars.to_str().context("a path")?];
    let classes = compiled(&Jdk::oldest(), &all, &options)?;
    let focused = Focused::new(&Jdk::oldest())?;
    let include: Vec<String> = folders.iter().chain(&["util"]).map(|folder| format!("{folder}.*")).collect();
    let run = focused.run(&["--include", &include.join(":")], &[&classes, &jars], arguments)?;
    let said = run.stderr();
    ensure!(!said.contains("everything is checked") && !said.contains("types of fields only"), "{said}");
    Expectations::of(&of_suite)?.compare(&run.racy()).with_context(|| format!("{}\n{said}", run.stdout()))?;
    let set = focused.set()?;
    let typed = set.get(tests).context("no tests")?;
    let is_proved = |field: &str| typed.is_race_free(tests, field, "I");
    ensure!(is_proved("alone") && is_proved("prepared") && !is_proved("own"), "{typed:?}");
    Ok(())
}

#[test]
fn suites_of_junit_3_and_4_lose_no_race() -> Result<()> {
    let core = ["org.junit.runner.JUnitCore", "four.RacesTest", "four.ParametersTest", "three.NamedTest"];
    an_old_suite(&["four", "three"], &core, "four/RacesTest")
}

#[test]
fn a_suite_of_testng_loses_no_race() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let reports = folder.path().to_str().context("a path")?;
    let arguments = ["org.testng.TestNG", "-d", reports, "-usedefaultlisteners", "false", "-testclass", "ng.RacesTest"];
    an_old_suite(&["ng"], &arguments, "ng/RacesTest")
}
