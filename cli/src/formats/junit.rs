//! Test results in the form of JUnit: one suite for the run, one test case for each finding.
//!
//! What makes the command fail is a failure. A race that is only possible does not, so its case is skipped: the tests are as green as
//! the exit code. Without findings there is one case that passes. What was not checked is an error: nobody knows what it would show.
//! The form is that of the schema `junit-10.xsd` of the Jenkins plugin xUnit, which refuses anything else; JUnit has none of its own.

use anyhow::Result;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::document::Document;
use crate::document::finding::Finding;

/// The document.
///
/// # Errors
/// None in practice: it is written to memory.
pub fn document(document: &Document<'_>) -> Result<String> {
    let mut suite = TestSuite::new(document.command);
    for time in &document.times {
        let [seconds, processor] = time.words();
        suite.add_property((format!("time of {}", time.stage), format!("{seconds}, processor {processor}")));
    }
    let findings = document.by_origin();
    suite.add_test_cases(findings.iter().map(|finding| case(finding)));
    if findings.is_empty() {
        suite.add_test_case(case_of("jrace", "nothing was found", TestCaseStatus::success()));
    }
    if !document.is_complete {
        suite.add_test_case(unchecked(&document.notes));
    }
    if !document.notes.is_empty() {
        suite.set_system_out(lawful(&document.notes.join("\n")));
    }
    let mut report = Report::new("jrace");
    report.add_test_suite(suite);
    // The schema has this number for suites only.
    let skipped = format!(" skipped=\"{}\"", report.skipped);
    Ok(report.to_string()?.replacen(&skipped, "", 1))
}

fn case(finding: &Finding<'_>) -> TestCase {
    let Finding { rule, spot, .. } = finding;
    let mut status =
        if finding.fails { TestCaseStatus::non_success(NonSuccessKind::Failure) } else { TestCaseStatus::skipped() };
    status.set_type(rule.title).set_message(lawful(&format!("{} [{}]", finding.sentence(), finding.grade)));
    status.set_description(lawful(&format!("{}\n\n{}", spot.position(), finding.full)));
    case_of(&spot.class, &format!("{}: {}", rule.title, finding.subject), status)
}

fn case_of(class: &str, name: &str, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(lawful(name), status);
    case.set_classname(lawful(if class.is_empty() { "jrace" } else { class }));
    case
}

fn unchecked(notes: &[String]) -> TestCase {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_type("unchecked").set_message("not everything was checked").set_description(lawful(&notes.join("\n")));
    case_of("jrace", "everything was checked", status)
}

/// Text without the two characters that XML does not know and the library leaves as they are.
pub fn lawful(text: &str) -> String {
    text.replace('\u{fffe}', "\\u{fffe}").replace('\u{ffff}', "\\u{ffff}")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use quick_xml::Reader;
    use quick_xml::events::{BytesStart, Event};

    use super::document as written;
    use super::*;
    use crate::document::finding::Level;
    use crate::document::fixtures::{document, item};
    use crate::document::time::StageTime;

    /// What `junit-10.xsd` allows of each element: attributes that must be there, others, and elements in it; `*` for text.
    const SCHEMA: [(&str, &str, &str, &str); 11] = [
        ("", "", "", "testsuites testsuite"),
        ("testsuites", "", "name time tests failures errors", "testsuite"),
        (
            "testsuite",
            "name tests failures errors",
            "group time skipped timestamp hostname id package file log url",
            "testsuite properties testcase system-out system-err",
        ),
        ("properties", "", "", "property"),
        ("property", "name value", "", ""),
        ("testcase", "name", "time classname group", "skipped error failure system-out system-err"),
        ("failure", "", "type message", "*"),
        ("error", "", "type message", "*"),
        ("skipped", "", "type message", "*"),
        ("system-out", "", "", "*"),
        ("system-err", "", "", "*"),
    ];

    fn rule(name: &str) -> (&'static str, &'static str, &'static str) {
        let row = SCHEMA.iter().find(|row| row.0 == name);
        row.map(|(_, required, others, children)| (*required, *others, *children)).expect("an element of the schema")
    }

    fn lists(list: &str, name: &str) -> bool {
        list.split(' ').any(|listed| listed == name)
    }

    /// Checks an element and returns its name and attributes.
    fn enter(within: &str, start: &BytesStart<'_>) -> Result<(String, BTreeMap<String, String>), String> {
        let name = String::from_utf8(start.name().as_ref().to_vec()).unwrap();
        let (required, others, _) = rule(&name);
        if !lists(rule(within).2, &name) {
            return Err(format!("{name} in {within}"));
        }
        let mut attributes = BTreeMap::new();
        for attribute in start.attributes() {
            let attribute = attribute.map_err(|error| error.to_string())?;
            let key = String::from_utf8(attribute.key.as_ref().to_vec()).unwrap();
            if !lists(required, &key) && !lists(others, &key) {
                return Err(format!("{name} {key}"));
            }
            let raw = String::from_utf8(attribute.value.to_vec()).unwrap();
            attributes.insert(key, quick_xml::escape::unescape(&raw).map_err(|error| error.to_string())?.into_owned());
        }
        let missing = required.split(' ').find(|key| !key.is_empty() && !attributes.contains_key(*key));
        missing.map_or(Ok((name, attributes)), |key| Err(format!("no {key}")))
    }

    type Elements = Vec<(String, BTreeMap<String, String>)>;

    /// All elements of a document that keeps to the schema.
    fn validate(text: &str) -> Result<Elements, String> {
        let is_character =
            |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
        if let Some(character) = text.chars().find(|character| !is_character(*character)) {
            return Err(format!("{character:?} is no character of XML"));
        }
        let (mut reader, mut open, mut all) = (Reader::from_str(text), vec![String::new()], Elements::new());
        loop {
            let within = open.last().cloned().unwrap_or_default();
            match reader.read_event().map_err(|error| error.to_string())? {
                Event::Start(start) => {
                    all.push(enter(&within, &start)?);
                    open.push(all[all.len() - 1].0.clone());
                }
                Event::Empty(start) => all.push(enter(&within, &start)?),
                Event::End(_) => drop(open.pop()),
                Event::Text(said) if rule(&within).2 != "*" && !said.trim_ascii().is_empty() => {
                    return Err(format!("text in {within}"));
                }
                Event::Eof => break,
                _ => {}
            }
        }
        Ok(all)
    }

    fn values<'a>(all: &'a Elements, element: &str, attribute: &str) -> Vec<&'a str> {
        let of_name = all.iter().filter(|(name, _)| name == element);
        of_name.map(|(_, attributes)| attributes[attribute].as_str()).collect()
    }

    #[test]
    fn a_finding_is_a_test_case() {
        let certain = item("a.B.x", "a/B.java", Level::Error);
        let possible = item("a.B.y", "a/B.java", Level::Warning);
        let text = written(&document(vec![certain, possible])).unwrap();
        let all = validate(&text).unwrap();
        assert_eq!(values(&all, "testcase", "name"), ["race: field a.B.x (int)", "race: field a.B.y (int)"]);
        assert_eq!(values(&all, "testcase", "classname"), ["bank.Account", "bank.Account"]);
        let message = "race on a.B.x: write in m() against read in n() [certain]";
        assert_eq!(values(&all, "failure", "message"), [message]);
        assert_eq!(values(&all, "skipped", "type"), ["race"]);
        let counts = ["tests", "failures", "errors", "skipped"].map(|count| values(&all, "testsuite", count).concat());
        assert_eq!(counts, ["2", "1", "0", "1"]);
        assert!(text.contains("a/B.java:12\n\nRACE on a.B.x\n  at m\n"), "{text}");
        assert!(text.contains("<system-out>JVM 7 ran unchecked: it is old</system-out>"), "{text}");
    }

    #[test]
    fn without_findings_a_case_passes_and_what_was_not_checked_is_an_error() {
        let all = validate(&written(&document(Vec::new())).unwrap()).unwrap();
        assert_eq!(values(&all, "testcase", "name"), ["nothing was found"]);
        assert_eq!(all.iter().filter(|(name, _)| name == "failure" || name == "error").count(), 0);
        let cut = Document { is_complete: false, ..document(Vec::new()) };
        let all = validate(&written(&cut).unwrap()).unwrap();
        assert_eq!(values(&all, "error", "message"), ["not everything was checked"]);
    }

    #[test]
    fn times_are_properties() {
        let time = StageTime { stage: "call paths", seconds: 1.5, processor: 2.25 };
        let timed = Document { times: vec![time], ..document(Vec::new()) };
        let all = validate(&written(&timed).unwrap()).unwrap();
        assert_eq!(values(&all, "property", "name"), ["time of call paths"]);
        assert_eq!(values(&all, "property", "value"), ["1.500 s, processor 2.250 s"]);
    }

    #[test]
    fn the_schema_refuses_what_it_does_not_know() {
        let suite = |rest: &str| {
            format!("<testsuites><testsuite name='a' tests='1' failures='0' errors='0'{rest}</testsuites>")
        };
        assert!(validate(&suite("/>")).is_ok());
        assert!(validate(&suite(" skipped='0'/>")).is_ok());
        assert!(validate(&suite(" disabled='0'/>")).is_err());
        assert!(validate(&suite("><testcase/></testsuite>")).is_err());
        assert!(validate(&suite(">text</testsuite>")).is_err());
        assert!(validate("<testsuites skipped='0'></testsuites>").is_err());
    }

    proptest! {
        #[test]
        fn names_stay_what_they_are(name in r#"[a-z<>&"'%,:\]é \u{1}\u{b}\u{1b}\n\u{fffe}]{0,12}"#) {
            let shown = crate::report::words::printable(&name);
            let text = written(&document(vec![item(&shown, "a.java", Level::Error)])).unwrap();
            let all = validate(&text).unwrap();
            let kept = format!("race: field {} (int)", shown.replace('\u{fffe}', "\\u{fffe}"));
            prop_assert_eq!(values(&all, "testcase", "name"), [kept]);
        }
    }
}
