//! `jrace run -- mvn test` of a build with JaCoCo, Mockito, tests in parallel and in several JVMs (`tests/java/suites/build`): it does
//! what it does alone, every JVM is checked, and findings name the tests that raced.
#![allow(clippy::disallowed_methods, reason = "reads what a build writes")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use facts::finding::{Finding, Record, Variable};
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::launch::finish;
use jrace_tests::run::{jrace, records};
use jrace_tests::{maven, root};

use crate::attributed::{expected, found};

/// Where surefire writes what became of the tests: of those in JVMs that are used again, and of those in new ones.
const REPORTS: [&str; 2] = ["surefire-reports", "new-jvms"];

/// What a finding makes of a test that had passed.
const RACED: &str = "race on ";

/// A copy of the build.
struct Build {
    folder: tempfile::TempDir,
    jdk: Jdk,
}

impl Build {
    fn new() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let original = root().join("tests/java/suites/build");
        let status = Command::new("cp").arg("-r").arg(original.join(".")).arg(folder.path()).status()?;
        ensure!(status.success(), "{} cannot be copied", original.display());
        let pooled = folder.path().join("src/test/java/pooled");
        std::fs::create_dir(&pooled)?;
        for source in sources(&root().join("tests/java/suites/pooled"))? {
            std::fs::copy(&source, pooled.join(source.file_name().context("a source")?))?;
        }
        Ok(Self { folder, jdk: Jdk::oldest() })
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Runs a command with `mvn test` at its end.
    fn test(&self, mut command: Command, options: &[&str]) -> Result<Output> {
        command.args(options).args(["-q", "-B", "test"]).current_dir(self.folder.path());
        maven::shorten(&mut command);
        command.env("JAVA_HOME", &self.jdk.home);
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        finish(child.context("`mvn` cannot be started: install Maven")?, Duration::from_secs(300))
    }

    /// What the run of jrace has found.
    fn records(&self) -> Result<Vec<Record>> {
        records(&std::fs::read_dir(self.at("findings"))?.next().context("no findings")??.path())
    }

    /// What surefire and JaCoCo have written; it is gone then.
    fn take_results(&self) -> Result<Results> {
        let tests = REPORTS.map(|reports| outcomes(&self.at("target").join(reports)));
        let coverage = std::fs::read_to_string(self.at("target/site/jacoco/jacoco.csv")).context("no coverage")?;
        std::fs::remove_dir_all(self.at("target"))?;
        let [reused, new] = tests;
        Ok(Results { tests: [reused?, new?], coverage })
    }
}

/// What a build leaves.
struct Results {
    /// By name, how the tests in each of [`REPORTS`] ended: `passed`, `skipped` or what a failure says.
    tests: [BTreeMap<String, String>; 2],
    /// JaCoCo's table.
    coverage: String,
}

impl Results {
    /// Makes passed ones of tests that a race has failed, and returns their names.
    fn take_raced(&mut self) -> [BTreeSet<String>; 2] {
        self.tests.each_mut().map(|tests| {
            let raced = tests.iter_mut().filter(|(_, outcome)| outcome.starts_with(RACED));
            raced
                .map(|(name, outcome)| {
                    *outcome = "passed".to_owned();
                    name.clone()
                })
                .collect()
        })
    }
}

fn outcomes(reports: &Path) -> Result<BTreeMap<String, String>> {
    let mut outcomes = BTreeMap::new();
    for entry in std::fs::read_dir(reports).with_context(|| reports.display().to_string())?.flatten() {
        if entry.path().extension().is_none_or(|extension| extension != "xml") {
            continue;
        }
        for case in std::fs::read_to_string(entry.path())?.split("<testcase ").skip(1) {
            let attribute = |text: &str, name: &str| -> Option<String> {
                Some(text.split_once(&format!("{name}=\""))?.1.split('"').next()?.to_owned())
            };
            let (name, class) = attribute(case, "name").zip(attribute(case, "classname")).context("a case")?;
            let case = case.split("</testcase>").next().unwrap_or(case);
            let failure = case.split_once("<failure ").and_then(|(_, failure)| attribute(failure, "message"));
            let skipped = case.contains("<skipped").then(|| "skipped".to_owned());
            outcomes.insert(format!("{class}.{name}"), failure.or(skipped).unwrap_or_else(|| "passed".to_owned()));
        }
    }
    Ok(outcomes)
}

/// Maven itself, two JVMs that are used again, one for each of two classes, and what Mockito starts twice to attach itself.
fn every_jvm_is_checked(records: &[Record]) -> Result<()> {
    let mut programs = BTreeMap::<&str, usize>::new();
    for record in records {
        let Record::Jvm(jvm) = record else { continue };
        let program = jvm.command.split_whitespace().next().unwrap_or_default();
        let name = program.rsplit(['/', '.']).next().unwrap_or(program);
        *programs.entry(if name == "jar" { "fork" } else { name }).or_default() += 1;
    }
    let ends = records.iter().filter(|record| matches!(record, Record::End(_))).count();
    let all = BTreeMap::from([("Launcher", 1), ("fork", 4), ("Attacher", 2)]);
    ensure!(programs == all && ends == 7, "{programs:?} began, and {ends} ended");
    Ok(())
}

/// Whether it is about a field of the build, and not of JUnit or Mockito.
fn is_own(finding: &&Finding) -> bool {
    let (Variable::Field { class, .. } | Variable::Static { class, .. }) = &finding.variable else { return false };
    class.starts_with("pooled/") || class.starts_with("shop/")
}

/// The tests that race: all but one that does not, one that fails by itself, one that mocks only, and one that is left out.
fn the_right_tests_raced(raced: &[BTreeSet<String>; 2], alone: &Results) -> Result<()> {
    let others =
        ["pooled.OtherTest.clean", "shop.StockTest.fails", "shop.StockTest.isLeftOut", "shop.StockTest.isPoorAtFirst"];
    for (raced, alone) in raced.iter().zip(&alone.tests) {
        let rest: Vec<&str> = alone.keys().filter(|name| !raced.contains(*name)).map(String::as_str).collect();
        ensure!(rest == others, "{rest:?}");
    }
    Ok(())
}

fn findings_name_the_right_tests(build: &Build, records: &[Record]) -> Result<()> {
    let findings = records.iter().filter_map(|record| match record {
        Record::Finding(finding) => Some(finding),
        _ => None,
    });
    let (expected, found) = (expected(&sources(&build.at("src"))?)?, found(findings.filter(is_own)));
    ensure!(found == expected, "{found:#?}, not {expected:#?}");
    Ok(())
}

#[test]
fn a_build_with_jacoco_and_mockito_does_what_it_does_alone_and_tests_that_race_fail() -> Result<()> {
    let build = Build::new()?;
    let output = build.test(Command::new("mvn"), &[])?;
    ensure!(output.status.code() == Some(0), "alone: {}", String::from_utf8_lossy(&output.stdout));
    let alone = build.take_results()?;
    ensure!(alone.tests.each_ref().map(BTreeMap::len) == [22, 7], "{:#?}", alone.tests);
    let failed = alone.tests[0].values().filter(|outcome| !["passed", "skipped"].contains(&outcome.as_str()));
    ensure!(failed.count() == 1 && alone.coverage.contains("\nbuild,shop,Stock,"), "{}", alone.coverage);

    let mut command = jrace(&build.jdk);
    command.args(["run", "--fail-test", "--output"]).arg(build.at("findings")).args(["--", "mvn"]);
    // What the build needs has been downloaded by now.
    let output = build.test(command, &["-o"])?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.code() == Some(66), "{said}\n{}", String::from_utf8_lossy(&output.stdout));
    let mut checked = build.take_results()?;
    the_right_tests_raced(&checked.take_raced(), &alone)?;
    ensure!(checked.tests == alone.tests, "{:#?}, alone {:#?}", checked.tests, alone.tests);
    ensure!(checked.coverage == alone.coverage, "{}\nalone:\n{}", checked.coverage, alone.coverage);

    ensure!(said.contains("jrace: in no test report as passed, so not marked: pooled.PooledTest\n"), "{said}");
    let summary = said.trim_end().lines().last().unwrap_or_default();
    ensure!(summary.starts_with("SUMMARY: ") && summary.contains(", 7 JVMs"), "{said}");
    let records = build.records()?;
    every_jvm_is_checked(&records)?;
    findings_name_the_right_tests(&build, &records)
}

/// Then the tests have a loader of their own, which tells them from the plugins.
#[test]
fn tests_in_the_jvm_of_maven_are_checked() -> Result<()> {
    let build = Build::new()?;
    let pom = build.at("pom.xml");
    let changed = std::fs::read_to_string(&pom)?.replace("<forkCount>2</forkCount>", "<forkCount>0</forkCount>");
    std::fs::write(&pom, changed)?;
    let mut command = jrace(&build.jdk);
    command.args(["run", "--output"]).arg(build.at("findings")).args(["--", "mvn"]);
    let output = build.test(command, &["-Dworkers=8"])?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.code() == Some(66), "{said}\n{}", String::from_utf8_lossy(&output.stdout));
    findings_name_the_right_tests(&build, &build.records()?)
}

/// Of its own classes and those of its plugins none is checked, nor is any of the JDK woven but those whose objects get a field, as there are no
/// tests. So the run has shown nothing.
#[test]
fn maven_itself_is_left_alone() -> Result<()> {
    let build = Build::new()?;
    let mut command = jrace(&build.jdk);
    command.args(["run", "--output"]).arg(build.at("findings")).args(["--", "mvn", "-q", "-B", "validate"]);
    let output = command.current_dir(build.folder.path()).env("JAVA_HOME", &build.jdk.home).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.code() == Some(2) && said.contains("did the build skip its tests"), "{output:?}");
    let woven: Vec<_> = build.records()?.iter().filter_map(classes).collect();
    ensure!(woven.len() == 1 && woven[0].0 == Some(0) && woven[0].1 < 100, "{woven:?}");
    Ok(())
}

/// How many are checked, and how many are woven.
fn classes(record: &Record) -> Option<(Option<u64>, u64)> {
    if let Record::End(end) = record { Some((end.checked_classes, end.woven_classes)) } else { None }
}
