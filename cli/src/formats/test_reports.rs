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
use crate::document::finding::Finding;

/// How deep reports may lie in the working directory.
const MAX_DEPTH: usize = 12;

/// How far the times of files are behind the clock at most: a tick of the system.
const TICK: Duration = Duration::from_millis(100);

/// The reports that a command is about to write.
pub struct TestReports {
    root: PathBuf,
    since: SystemTime,
}

impl TestReports {
    /// Those that are written from now on, below a directory.
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
        let mut left: BTreeSet<String> = findings.iter().flat_map(|finding| finding.tests.iter().cloned()).collect();
        let files = if findings.is_empty() { Vec::new() } else { self.files() };
        for path in files {
            let shown = path.display();
            let text = fs::read_to_string(&path).with_context(|| format!("cannot read the test report `{shown}`"))?;
            let marked = marked(&text, &findings).with_context(|| format!("cannot mark tests in `{shown}`"))?;
            if let Some((text, tests)) = marked {
                fs::write(&path, text).with_context(|| format!("cannot mark tests in `{shown}`"))?;
                left.retain(|test| !tests.contains(test));
            }
        }
        Ok(left)
    }

    fn files(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        self.look_in(&self.root, 0, &mut found);
        found.sort();
        found
    }

    fn look_in(&self, directory: &Path, depth: usize, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            // The kind of the entry itself: symbolic links could lead in circles.
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && depth < MAX_DEPTH && !name.starts_with('.') => {
                    self.look_in(&entry.path(), depth + 1, found);
                }
                Ok(kind) if kind.is_file() && is_report(&name) && self.is_new(&entry) => found.push(entry.path()),
                _ => {}
            }
        }
    }

    fn is_new(&self, entry: &DirEntry) -> bool {
        entry.metadata().and_then(|metadata| metadata.modified()).is_ok_and(|modified| modified >= self.since)
    }
}

fn is_report(name: &str) -> bool {
    name.starts_with("TEST-") && name.ends_with(".xml")
}

/// A report with the tests that findings name as failed, and the names of these; `None` if it has none that had passed.
fn marked(text: &str, findings: &[&Finding<'_>]) -> Result<Option<(Vec<u8>, BTreeSet<String>)>> {
    let events = events(text)?;
    let failing: Vec<Option<String>> = (0..events.len()).map(|at| failing(&events, at, findings)).collect();
    let tests: BTreeSet<String> = failing.iter().flatten().cloned().collect();
    if tests.is_empty() {
        return Ok(None);
    }
    let n = failing.iter().flatten().count();
    let mut writer = Writer::new(Vec::new());
    for (event, test) in events.into_iter().zip(failing) {
        match (event, test) {
            (Event::Empty(case), Some(test)) => {
                let end = case.to_end().into_owned();
                writer.write_event(Event::Start(case))?;
                fail(&mut writer, &test, findings)?;
                writer.write_event(Event::End(end))?;
            }
            (event, Some(test)) => {
                writer.write_event(event)?;
                fail(&mut writer, &test, findings)?;
            }
            (Event::Start(suite), None) if is_suite(&suite) => {
                writer.write_event(Event::Start(counting(&suite, n)?))?
            }
            (event, None) => writer.write_event(event)?,
        }
    }
    Ok(Some((writer.into_inner(), tests)))
}

fn events(text: &str) -> Result<Vec<Event<'static>>> {
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

/// The test of a case that had passed, if a finding names it.
fn failing(events: &[Event<'_>], at: usize, findings: &[&Finding<'_>]) -> Option<String> {
    let (Event::Start(case) | Event::Empty(case)) = &events[at] else { return None };
    if case.name().as_ref() != b"testcase" || has_failed(&events[at..]) {
        return None;
    }
    let names = names(&attribute(case, "classname")?, &attribute(case, "name")?);
    findings.iter().flat_map(|finding| &finding.tests).find(|test| names.contains(*test)).cloned()
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

/// What findings may call a case. Reports add types of parameters: `takes(String)[1]`, `takes{String}[1]`.
fn names(class: &str, name: &str) -> [String; 2] {
    let method = name.split(['(', '{', '[']).next().unwrap_or(name);
    let number = name.rsplit_once([')', '}']).map(|(_, number)| number.trim());
    let number = number.filter(|number| number.starts_with('[')).unwrap_or_default();
    [format!("{class}.{name}"), format!("{class}.{method}{number}")]
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
fn fail(writer: &mut Writer<Vec<u8>>, test: &str, findings: &[&Finding<'_>]) -> Result<()> {
    let of_test: Vec<&&Finding<'_>> =
        findings.iter().filter(|finding| finding.tests.iter().any(|of| of == test)).collect();
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
        Finding { tests: tests.iter().map(|test| (*test).to_owned()).collect(), ..item(name, "A.java", level) }
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
