//! The reports of the command's own tests: a test in whose work something was found has failed in them.
//!
//! Surefire, failsafe and Gradle write a file `TEST-….xml` for each class, and servers show what these say. Only files are marked that
//! the command has written, and only tests that had passed.

use std::collections::BTreeSet;
use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use quick_xml::events::{BytesEnd, BytesStart, BytesText, Event};
use quick_xml::{Reader, Writer};

use super::junit::lawful;
use crate::document::Document;
use crate::document::finding::{Finding, Test};

/// How deep reports may lie in the working directory.
const MAX_DEPTH: usize = 12;

/// How deep they may lie in that of a JVM, which may be any: Gradle has them in `build/test-results/test`.
const MAX_DEPTH_OF_JVM: usize = 4;

/// How far the times of files are behind the clock at most: a tick of the system.
const TICK: Duration = Duration::from_millis(100);

/// The reports that a command is about to write.
pub struct TestReports {
    root: PathBuf,
    since: SystemTime,
}

/// A report, and what of it is named.
struct Report {
    path: PathBuf,
    /// Tests that had passed and that findings name.
    named: BTreeSet<Test>,
}

impl TestReports {
    /// Those that are written from now on, below a directory or the working directory of a JVM in which a test raced.
    pub fn from_now(root: &Path) -> Self {
        Self { root: root.to_owned(), since: SystemTime::now() - TICK }
    }

    /// Marks the tests that findings which fail name. Returns those that no report has as passed.
    ///
    /// # Errors
    /// A report that cannot be read or written.
    pub fn mark(&self, document: &Document<'_>) -> Result<BTreeSet<String>> {
        let findings = document.by_origin().into_iter();
        let findings: Vec<&Finding<'_>> =
            findings.filter(|finding| finding.fails && !finding.tests.is_empty()).collect();
        let tests: BTreeSet<&Test> = findings.iter().flat_map(|finding| &finding.tests).collect();
        let files = if findings.is_empty() { BTreeSet::new() } else { self.files(&tests) };
        let reports = files.into_iter().map(|path| Report::read(path, &tests)).collect::<Result<Vec<_>>>()?;
        let mut left: BTreeSet<String> = tests.iter().map(|test| test.name.clone()).collect();
        for report in &reports {
            let named = report.named.iter().filter(|test| report.is_of(test, &reports)).collect();
            report.mark(&findings, &named)?;
            named.iter().for_each(|test| _ = left.remove(&test.name));
        }
        Ok(left)
    }

    fn files(&self, tests: &BTreeSet<&Test>) -> BTreeSet<PathBuf> {
        let mut found = BTreeSet::new();
        let Ok(root) = self.root.canonicalize() else { return found };
        let of_jvms = tests.iter().filter_map(|test| test.directory.as_ref()?.canonicalize().ok());
        let elsewhere: BTreeSet<PathBuf> = of_jvms.filter(|directory| !directory.starts_with(&root)).collect();
        self.look_in(&root, MAX_DEPTH, &mut found);
        elsewhere.iter().for_each(|directory| self.look_in(directory, MAX_DEPTH_OF_JVM, &mut found));
        found
    }

    fn look_in(&self, directory: &Path, depth_left: usize, found: &mut BTreeSet<PathBuf>) {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            // The kind of the entry itself: symbolic links could lead in circles.
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && depth_left > 0 && !name.starts_with('.') => {
                    self.look_in(&entry.path(), depth_left - 1, found);
                }
                Ok(kind) if kind.is_file() && is_report(&name) && self.is_new(&entry) => {
                    found.insert(entry.path());
                }
                _ => {}
            }
        }
    }

    fn is_new(&self, entry: &DirEntry) -> bool {
        entry.metadata().and_then(|metadata| metadata.modified()).is_ok_and(|modified| modified >= self.since)
    }
}

impl Report {
    fn read(path: PathBuf, tests: &BTreeSet<&Test>) -> Result<Self> {
        let events = events(&path)?;
        let passed: Vec<Case> = (0..events.len()).filter_map(|at| passed(&events, at)).collect();
        let is_passed = |test: &&&Test| passed.iter().any(|case| case.is_called(&test.name));
        let named = tests.iter().filter(is_passed).map(|test| (*test).clone()).collect();
        Ok(Self { path, named })
    }

    /// Whether it is about a test, and not about one of another module that is called the same: of those that have the name, the reports that
    /// are nearest to where the JVM ran; all, if none is below that.
    fn is_of(&self, test: &Test, all: &[Self]) -> bool {
        let directory = test.directory.as_ref().and_then(|directory| directory.canonicalize().ok());
        let below = |report: &Self| Some(report.path.strip_prefix(directory.as_ref()?).ok()?.components().count());
        let nearest = all.iter().filter(|report| report.named.contains(test)).filter_map(below).min();
        nearest.is_none() || below(self) == nearest
    }

    fn mark(&self, findings: &[&Finding<'_>], named: &BTreeSet<&Test>) -> Result<()> {
        if named.is_empty() {
            return Ok(());
        }
        let marked = marked(events(&self.path)?, findings, named);
        let written = marked.and_then(|text| Ok(fs::write(&self.path, text)?));
        written.with_context(|| cannot_mark(&self.path))
    }
}

fn is_report(name: &str) -> bool {
    name.starts_with("TEST-") && name.ends_with(".xml")
}

/// A report with these tests as failed.
fn marked(events: Vec<Event<'_>>, findings: &[&Finding<'_>], named: &BTreeSet<&Test>) -> Result<Vec<u8>> {
    let failing = |at| {
        let case = passed(&events, at)?;
        named.iter().find(|test| case.is_called(&test.name)).copied()
    };
    let failing: Vec<Option<&Test>> = (0..events.len()).map(failing).collect();
    let n = failing.iter().flatten().count();
    let mut writer = Writer::new(Vec::new());
    for (event, test) in events.into_iter().zip(failing) {
        match (event, test) {
            (Event::Empty(case), Some(test)) => {
                let end = case.to_end().into_owned();
                writer.write_event(Event::Start(case))?;
                fail(&mut writer, test, findings)?;
                writer.write_event(Event::End(end))?;
            }
            (event, Some(test)) => {
                writer.write_event(event)?;
                fail(&mut writer, test, findings)?;
            }
            (Event::Start(suite), None) if is_suite(&suite) => {
                writer.write_event(Event::Start(counting(&suite, n)?))?
            }
            (event, None) => writer.write_event(event)?,
        }
    }
    Ok(writer.into_inner())
}

fn cannot_mark(path: &Path) -> String {
    format!("cannot mark tests in `{}`", path.display())
}

/// What is in a report.
fn events(path: &Path) -> Result<Vec<Event<'static>>> {
    let read = fs::read_to_string(path);
    let text = read.with_context(|| format!("cannot read the test report `{}`", path.display()))?;
    parsed(&text).with_context(|| cannot_mark(path))
}

fn parsed(text: &str) -> Result<Vec<Event<'static>>> {
    let mut reader = Reader::from_str(text);
    let mut events = Vec::new();
    loop {
        match reader.read_event()?.into_owned() {
            Event::Eof => return Ok(events),
            event => events.push(event),
        }
    }
}

fn is_suite(element: &BytesStart<'_>) -> bool {
    matches!(element.name().as_ref(), b"testsuite" | b"testsuites")
}

/// A test as a report has it.
struct Case {
    class: String,
    name: String,
}

/// The case that begins at an event, if it had passed.
fn passed(events: &[Event<'_>], at: usize) -> Option<Case> {
    let (Event::Start(case) | Event::Empty(case)) = &events[at] else { return None };
    if case.name().as_ref() != b"testcase" || has_failed(&events[at..]) {
        return None;
    }
    Some(Case { class: attribute(case, "classname")?, name: attribute(case, "name")? })
}

/// Whether the case that begins here has failed already, or was skipped.
fn has_failed(events: &[Event<'_>]) -> bool {
    let is_begin = |name: &[u8]| matches!(name, b"failure" | b"error" | b"skipped");
    matches!(events[0], Event::Start(_))
        && events[1..]
            .iter()
            .take_while(|event| !matches!(event, Event::End(end) if end.name().as_ref() == b"testcase"))
            .any(|event| matches!(event, Event::Start(start) | Event::Empty(start) if is_begin(start.name().as_ref())))
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let value = element.try_get_attribute(name).ok()??.value.into_owned();
    quick_xml::escape::unescape(&String::from_utf8(value).ok()?).ok().map(std::borrow::Cow::into_owned)
}

impl Case {
    /// Whether findings call it so: `a.FooTest.takes(String, int)[1]`, where reports have `takes(String, int)[1]` or `takes{String, int}[1]`. Not all
    /// know the types of its parameters.
    fn is_called(&self, test: &str) -> bool {
        let Some(called) = test.strip_prefix(&self.class).and_then(|rest| rest.strip_prefix('.')) else { return false };
        let method = self.name.split(['(', '{', '[']).next().unwrap_or(&self.name);
        let number = self.name.rsplit_once([')', '}']).map(|(_, number)| number.trim());
        let number = number.filter(|number| number.starts_with('[')).unwrap_or_default();
        let (plain, types) = without_types(called);
        let is_other = || types.as_ref().zip(types_in(&self.name)).is_some_and(|(types, own)| *types != own);
        let is_named = plain == self.name || plain == format!("{method}{number}");
        called == self.name || is_named && !is_other()
    }
}

/// The name of a method and the number behind its types, and the types: `takes[1]` and `String,int` of `takes(String, int)[1]`.
fn without_types(called: &str) -> (String, Option<String>) {
    let method = called.split(['(', '[', ' ']).next().unwrap_or(called);
    match called[method.len()..].strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        Some((types, number)) => (format!("{method}{number}"), Some(types.replace(' ', ""))),
        None => (called.to_owned(), None),
    }
}

/// The types in the name of a case. Behind a number, TestNG has the line of its data in brackets.
fn types_in(name: &str) -> Option<String> {
    let at = name.find(['(', '{', '['])?;
    let types = name[at..].strip_prefix(['(', '{'])?;
    Some(types.split([')', '}']).next()?.replace(' ', ""))
}

fn counting<'a>(suite: &BytesStart<'_>, more: usize) -> Result<BytesStart<'a>> {
    let mut counting = BytesStart::new(String::from_utf8(suite.name().as_ref().to_vec())?);
    for attribute in suite.attributes() {
        let attribute = attribute?;
        let value = str::from_utf8(&attribute.value)?;
        let before = if attribute.key.as_ref() == b"failures" { value.parse::<usize>().ok() } else { None };
        let value = before.map_or_else(|| value.to_owned(), |before| (before + more).to_string());
        counting.push_attribute((attribute.key.as_ref(), value.as_bytes()));
    }
    Ok(counting)
}

/// The failure: the findings that name the test.
fn fail(writer: &mut Writer<Vec<u8>>, test: &Test, findings: &[&Finding<'_>]) -> Result<()> {
    let of_test: Vec<&&Finding<'_>> = findings.iter().filter(|finding| finding.tests.contains(test)).collect();
    let said: Vec<String> = of_test.iter().map(|finding| finding.sentence()).collect();
    let full: Vec<&str> = of_test.iter().map(|finding| finding.full.as_str()).collect();
    let mut failure = BytesStart::new("failure");
    failure.push_attribute(("message", lawful(&said.join("; ")).as_str()));
    failure.push_attribute(("type", "jrace"));
    writer.write_event(Event::Start(failure))?;
    writer.write_event(Event::Text(BytesText::new(&lawful(&full.join("\n")))))?;
    writer.write_event(Event::End(BytesEnd::new("failure")))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::finding::Level;
    use crate::document::fixtures::{document, item};

    const REPORT: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="a.FooTest" tests="6" errors="0" failures="1">
  <testcase name="one" classname="a.FooTest" time="0.1"/>
  <testcase name="two" classname="a.FooTest"><system-out>said &lt;two&gt;</system-out></testcase>
  <testcase name="takes(String, int)[2]" classname="a.FooTest"/>
  <testcase name="four" classname="a.FooTest"><failure message="own"/></testcase>
  <testcase name="races[x (1)]" classname="a.FooTest"/>
  <testcase name="one" classname="a.BarTest"/>
</testsuite>
"#;

    fn naming(name: &str, level: Level, tests: &[&str]) -> Finding<'static> {
        let tests = tests.iter().map(|test| Test { name: (*test).to_owned(), directory: None }).collect();
        Finding { tests, ..item(name, "A.java", level) }
    }

    fn reported(items: Vec<Finding<'static>>) -> (String, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let reports = TestReports::from_now(folder.path());
        let path = folder.path().join("target/surefire-reports/TEST-a.FooTest.xml");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, REPORT).unwrap();
        let left = reports.mark(&document(items)).unwrap();
        (fs::read_to_string(path).unwrap(), left.into_iter().collect())
    }

    #[test]
    fn tests_that_findings_name_have_failed() {
        let (text, left) = reported(vec![
            naming(
                "x<y",
                Level::Error,
                &["a.FooTest.one", "a.FooTest.two", "a.FooTest.takes[2]", "a.FooTest.races[x (1)]"],
            ),
            naming("z", Level::Error, &["a.FooTest.two", "a.FooTest", "a.FooTest.four"]),
        ]);
        let failure =
            |message: &str, full: &str| format!("<failure message=\"{message}\" type=\"jrace\">{full}</failure>");
        let said = |name: &str| format!("race on {name}: write in m() against read in n()");
        let full = |name: &str| format!("RACE on {name}\n  at m\n");
        let x = failure(&said("x&lt;y"), &full("x&lt;y"));
        let both =
            failure(&format!("{}; {}", said("x&lt;y"), said("z")), &format!("{}\n{}", full("x&lt;y"), full("z")));
        let expected = REPORT
            .replace("failures=\"1\"", "failures=\"5\"")
            .replace("a.FooTest\" time=\"0.1\"/>", &format!("a.FooTest\" time=\"0.1\">{x}</testcase>"))
            .replace("<system-out>", &format!("{both}<system-out>"))
            .replace("[2]\" classname=\"a.FooTest\"/>", &format!("[2]\" classname=\"a.FooTest\">{x}</testcase>"))
            .replace("(1)]\" classname=\"a.FooTest\"/>", &format!("(1)]\" classname=\"a.FooTest\">{x}</testcase>"));
        assert_eq!(text, expected);
        assert_eq!(left, ["a.FooTest", "a.FooTest.four"]);
    }

    /// Whether a finding's test is a case of a report.
    #[test]
    fn overloads_are_told_apart_where_reports_tell_them_apart() {
        let is_called = |name: &str, test: &str| {
            Case { class: "a.FooTest".to_owned(), name: name.to_owned() }.is_called(&format!("a.FooTest.{test}"))
        };
        for (name, test) in [
            ("bar", "bar"),
            ("takes(String, int)[2]", "takes(String, int)[2]"),
            ("takes{String, int}[2]", "takes(String, int)[2]"),
            ("takes(String,int) [2]", "takes(String, int)[2]"),
            ("takes(String, int)[2]", "takes[2]"),
            ("takes[2]", "takes(String, int)[2]"),
            ("plain(TestInfo)", "plain(TestInfo)"),
            ("rows[x](1)", "rows"),
            ("races[x (1)]", "races[x (1)]"),
            ("adds two (and) numbers", "adds two (and) numbers"),
        ] {
            assert!(is_called(name, test), "{name} is {test}");
        }
        for (name, test) in [
            ("bar", "baz"),
            ("takes(String, int)[2]", "takes(int)[2]"),
            ("takes(String, int)[2]", "takes(String, int)[1]"),
            ("takes{int}[2]", "takes(String)[2]"),
            ("plain(TestInfo)", "plain(int)"),
            ("bar", "bar[1]"),
        ] {
            assert!(!is_called(name, test), "{name} is not {test}");
        }
        assert!(!Case { class: "b.FooTest".to_owned(), name: "bar".to_owned() }.is_called("a.FooTest.bar"));
    }

    /// The reports of a build with modules in which tests are called alike, and which of them are marked.
    #[test]
    fn a_report_is_of_the_jvm_that_ran_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let modules = ["", "a", "b", "a/inner"];
        let path = |module: &str| root.join(module).join("target/surefire-reports/TEST-a.FooTest.xml");
        let marked_of = |directories: &[Option<PathBuf>]| {
            for module in modules {
                fs::create_dir_all(path(module).parent().unwrap()).unwrap();
                fs::write(path(module), REPORT).unwrap();
            }
            let tests = directories
                .iter()
                .map(|directory| Test { name: "a.FooTest.one".to_owned(), directory: directory.clone() });
            let raced = Finding { tests: tests.collect(), ..item("x", "A.java", Level::Error) };
            let left = TestReports::from_now(&root.join("b")).mark(&document(vec![raced])).unwrap();
            assert!(left.is_empty(), "{left:?}");
            modules.map(|module| fs::read_to_string(path(module)).unwrap() != REPORT)
        };
        let at = |module: &str| Some(root.join(module));
        assert_eq!(marked_of(&[at("a")]), [false, true, false, false]);
        assert_eq!(marked_of(&[at("a"), at("b")]), [false, true, true, false]);
        assert_eq!(marked_of(&[at("")]), [true, false, false, false]);
        assert_eq!(marked_of(&[at("a/inner")]), [false, false, false, true]);
        // Reports elsewhere are not looked for where nobody knows where the JVM ran.
        assert_eq!(marked_of(&[None]), [false, false, true, false]);
        assert_eq!(marked_of(&[Some(PathBuf::from("/nowhere"))]), [false, false, true, false]);
    }

    #[test]
    fn what_does_not_fail_marks_nothing() {
        let possible = naming("x", Level::Warning, &["a.FooTest.one"]);
        assert_eq!(reported(vec![possible, naming("y", Level::Error, &[])]), (REPORT.to_owned(), vec![]));
    }

    #[test]
    fn older_reports_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("TEST-a.FooTest.xml");
        fs::write(&path, REPORT).unwrap();
        let reports =
            TestReports { since: SystemTime::now() + Duration::from_secs(60), ..TestReports::from_now(folder.path()) };
        let left = reports.mark(&document(vec![naming("x", Level::Error, &["a.FooTest.one"])])).unwrap();
        assert_eq!((fs::read_to_string(path).unwrap().as_str(), left.len()), (REPORT, 1));
    }

    #[test]
    fn a_report_that_is_no_xml_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let reports = TestReports::from_now(folder.path());
        fs::write(folder.path().join("TEST-x.xml"), "<testsuite><testcase></oops>").unwrap();
        let error = reports.mark(&document(vec![naming("x", Level::Error, &["a.FooTest.one"])])).unwrap_err();
        assert!(error.to_string().contains("TEST-x.xml"), "{error:#}");
    }
}
