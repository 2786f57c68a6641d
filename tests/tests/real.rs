//! Programs that other people wrote, from Maven Central: what they print and do under the agent is what they print and do
//! without it.
//!
//! `tests/java/real/NAME` holds the jars of an input (`pom.xml`) and what is run (`args`); `tests/real.sh` runs the same by
//! hand. With `JRACE_REAL=full` the test suites run whole (`full.args`), which takes many minutes.
#![allow(clippy::disallowed_methods, reason = "reads test reports and expectations")]
#![allow(clippy::print_stderr, reason = "the slowdown is for the log")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use facts::finding::Record;
use jrace_tests::expect::Expectations;
use jrace_tests::fixture::compiled;
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::launch::{Launch, finish};
use jrace_tests::run::{Run, agent, command, records, short_name};
use jrace_tests::{maven, root};
use tempfile::TempDir;

/// One input.
struct Input {
    name: &'static str,
    /// Whether it is a JUnit suite rather than a driver of ours.
    suite: bool,
    /// Fewer woven classes mean that the agent did not see the program.
    woven: u64,
}

/// The input on one JDK, with and without the agent.
struct Both {
    plain: Run,
    checked: Run,
    /// The JUnit reports of the two runs, in `plain` and `checked`.
    reports: TempDir,
}

fn full() -> bool {
    std::env::var("JRACE_REAL").is_ok_and(|value| value == "full")
}

impl Input {
    fn folder(&self) -> PathBuf {
        root().join("tests/java/real").join(self.name)
    }

    fn launch(&self, jdk: &Jdk) -> Result<Launch> {
        let jars = maven::jars(&self.folder())?;
        let mut class_path = format!("{}/*", jars.display());
        if let Some(classes) = self.classes(&jars)? {
            class_path = format!("{}:{class_path}", classes.display());
        }
        let whole = self.folder().join("full.args");
        let (arguments, patience) =
            if full() && whole.exists() { (whole, 3600) } else { (self.folder().join("args"), 300) };
        Ok(Launch::new(jdk, ["-cp".to_owned(), class_path, format!("@{}", arguments.display())]).patience(patience))
    }

    /// The drivers: those of `pool-1.2` and `pool-1.3` lie in `pool`.
    fn classes(&self, jars: &Path) -> Result<Option<PathBuf>> {
        let folder = self.name.split('-').next().unwrap_or(self.name);
        let sources = sources(&root().join("tests/java/real").join(folder))?;
        if sources.is_empty() {
            return Ok(None);
        }
        let class_path = format!("{}/*", jars.display());
        compiled(&Jdk::oldest(), &sources, &["--release", "17", "-cp", &class_path]).map(Some)
    }

    fn run(&self, jdk: &Jdk) -> Result<Both> {
        let launch = self.launch(jdk)?;
        // Built before the clock runs.
        let _ = agent();
        let reports = tempfile::tempdir()?;
        let (plain, without) = timed(self.reporting(launch.clone(), &reports.path().join("plain")))?;
        let (checked, with) = timed(self.reporting(launch.checked(""), &reports.path().join("checked")))?;
        eprintln!(
            "{} on JDK {}: {:.1} s, with the agent {:.1} s ({:.2} times), {} variables reported",
            self.name,
            jdk.feature,
            without.as_secs_f64(),
            with.as_secs_f64(),
            with.as_secs_f64() / without.as_secs_f64(),
            checked.racy().len()
        );
        self.undisturbed(&checked)?;
        Ok(Both { plain, checked, reports })
    }

    fn reporting(&self, launch: Launch, directory: &Path) -> Launch {
        if self.suite { launch.args([format!("--reports-dir={}", directory.display())]) } else { launch }
    }

    /// The agent saw the program, wove all of it, and had nothing to complain of.
    fn undisturbed(&self, run: &Run) -> Result<()> {
        let (jvms, ends) = run.summaries();
        let said = run.stderr();
        let complaint = said.lines().find(|line| line.starts_with("jrace: "));
        ensure!(complaint.is_none(), "the agent says {complaint:?}");
        ensure!(jvms.len() == 1 && ends.len() == 1, "no summary: {jvms:?} {ends:?}\n{said}");
        let unwoven: Vec<&Record> =
            run.records.iter().filter(|record| matches!(record, Record::Unwoven { .. })).collect();
        ensure!(unwoven.is_empty(), "left unwoven: {unwoven:?}");
        ensure!(ends[0].unwoven_classes == 0 && ends[0].unwoven_methods == 0, "{:?}", ends[0]);
        ensure!(ends[0].woven_classes >= self.woven, "too few classes woven: {:?}", ends[0]);
        Ok(())
    }
}

fn timed(launch: Launch) -> Result<(Run, Duration)> {
    let begun = Instant::now();
    let run = launch.run()?;
    Ok((run, begun.elapsed()))
}

/// Runs an input on two JDKs and hands both runs to `check`.
fn on_two_jdks(input: &Input, check: impl Fn(&Both) -> Result<()>) -> Result<()> {
    for jdk in Jdk::oldest_and_newest() {
        let place = || format!("{} on JDK {}", input.name, jdk.feature);
        check(&input.run(&jdk).with_context(place)?).with_context(place)?;
    }
    Ok(())
}

/// A driver of ours: it ended well and printed the same.
fn same_output(both: &Both) -> Result<()> {
    let (plain, checked) = (&both.plain, &both.checked);
    ensure!(plain.output.status.success(), "without the agent: {}\n{}", plain.output.status, plain.stderr());
    ensure!(checked.output.status.success(), "{}\n{}", checked.output.status, checked.stderr());
    ensure!(plain.stdout() == checked.stdout(), "{}\nbut without the agent:\n{}", checked.stdout(), plain.stdout());
    Ok(())
}

#[test]
fn commons_pool_1_2_and_its_fixes_in_1_3() -> Result<()> {
    for (name, woven) in [("pool-1.2", 20), ("pool-1.3", 14)] {
        let input = Input { name, suite: false, woven };
        let expected = Expectations::of(&[input.folder().join("expected")])?;
        on_two_jdks(&input, |both| {
            same_output(both)?;
            Ok(expected.compare(&both.checked.racy())?)
        })?;
    }
    Ok(())
}

#[test]
fn h2_keeps_its_books_under_concurrent_transactions() -> Result<()> {
    on_two_jdks(&Input { name: "h2", suite: false, woven: 400 }, same_output)
}

#[test]
fn undertow_answers_every_request() -> Result<()> {
    on_two_jdks(&Input { name: "undertow", suite: false, woven: 140 }, same_output)
}

#[test]
fn the_tests_of_commons_lang3_end_as_without_the_agent() -> Result<()> {
    own_tests(&Input { name: "lang3", suite: true, woven: 300 }, 1000)
}

#[test]
fn the_tests_of_commons_pool2_end_as_without_the_agent() -> Result<()> {
    own_tests(&Input { name: "pool2", suite: true, woven: 250 }, 110)
}

#[test]
fn maven_with_forked_test_jvms_goes_through_jrace_run() -> Result<()> {
    for jdk in Jdk::oldest_and_newest() {
        let directory = tempfile::tempdir()?;
        let (code, plain) = mvn_test(&jdk, Command::new("mvn"), &directory.path().join("plain"))?;
        ensure!(code == Some(0) && plain.len() > 4, "without the agent on JDK {}: {code:?} {plain:#?}", jdk.feature);

        let findings = directory.path().join("findings");
        let mut jrace = Command::new(command());
        // By order, nothing races there: every thread is joined before the pool is cleared.
        jrace.args(["run", "--check", "eraser", "--output"]).arg(&findings).args(["--", "mvn"]);
        let (code, checked) = mvn_test(&jdk, jrace, &directory.path().join("checked"))?;
        ensure!(code == Some(66) && plain == checked, "on JDK {}: {code:?} {checked:#?}", jdk.feature);

        let run = std::fs::read_dir(&findings)?.next().context("no findings")??.path();
        let records = records(&run)?;
        let jvms = records.iter().filter(|record| matches!(record, Record::Jvm(_))).count();
        let ends = records.iter().filter(|record| matches!(record, Record::End(_))).count();
        ensure!(jvms == 3 && ends == 3, "Maven and two forks, but {jvms} began and {ends} ended");
        let racy = records.iter().any(|record| match record {
            Record::Finding(finding) => short_name(&finding.variable) == "TestGenericObjectPool.genericObjectPool",
            _ => false,
        });
        ensure!(racy, "tearDown clears the pool that other threads have read, but nothing of it is reported");
    }
    Ok(())
}

/// Appends `mvn test` to a command; gives the exit code and what surefire says of each class, without times.
fn mvn_test(jdk: &Jdk, mut command: Command, out: &Path) -> Result<(Option<i32>, Vec<String>)> {
    command.args(["-B", "-f"]).arg(root().join("tests/java/real/surefire/pom.xml"));
    command.arg(format!("-Dout={}", out.display())).arg("test");
    maven::shorten(&mut command);
    command.env("JAVA_HOME", &jdk.home).env_remove("JRACE_OPTIONS");
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let output = finish(child.context("the command cannot be started")?, Duration::from_secs(300))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text.lines().filter(|line| line.contains("Tests run:") || line.contains("BUILD"));
    let mut said: Vec<String> = lines.map(without_time).collect();
    said.sort();
    Ok((output.status.code(), said))
}

fn without_time(line: &str) -> String {
    match (line.split_once(", Time elapsed"), line.split_once(" -- in ")) {
        (Some((result, _)), Some((_, class))) => format!("{class}: {result}"),
        _ => line.to_owned(),
    }
}

/// Runs a JUnit suite of at least so many tests and compares it test for test.
fn own_tests(input: &Input, at_least: usize) -> Result<()> {
    on_two_jdks(input, |both| {
        let plain = outcomes(&both.reports.path().join("plain")).with_context(|| both.plain.stderr())?;
        let checked = outcomes(&both.reports.path().join("checked")).with_context(|| both.checked.stderr())?;
        ensure!(plain.len() >= at_least, "only {} tests ran", plain.len());
        let mut tests: Vec<&String> = plain.keys().chain(checked.keys()).collect();
        tests.sort();
        tests.dedup();
        tests.retain(|test| plain.get(*test) != checked.get(*test));
        let differing: Vec<_> = tests.iter().map(|test| (test, plain.get(*test), checked.get(*test))).collect();
        ensure!(
            differing.is_empty(),
            "tests with their outcome without and with the agent: {differing:#?}\n{}",
            both.checked.stdout()
        );
        Ok(())
    })
}

/// How each test ended, by its unique id: what stands in JUnit's XML reports.
fn outcomes(reports: &Path) -> Result<BTreeMap<String, String>> {
    let file = reports.join("TEST-junit-jupiter.xml");
    let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    text.split("\n<testcase ")
        .skip(1)
        .map(|test| {
            let (_, id) = test.split_once("unique-id: ").context("a test without an id")?;
            let id = id.lines().next().unwrap_or(id);
            Ok((id.to_owned(), outcome(test)))
        })
        .collect()
}

/// `passed`, `skipped`, or the class of what a test threw.
fn outcome(test: &str) -> String {
    for element in ["<failure", "<error"] {
        if let Some((_, failure)) = test.split_once(&format!("\n{element} ")) {
            let class = failure.split_once("type=\"").and_then(|(_, class)| class.split('"').next());
            return class.unwrap_or("failed").to_owned();
        }
    }
    if test.contains("\n<skipped") { "skipped".to_owned() } else { "passed".to_owned() }
}
