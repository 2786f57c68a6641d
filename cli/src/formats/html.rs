//! Findings on one page that needs nothing else: style and script are in it, and it asks for nothing.
//!
//! Everything is there without the script, which filters and goes from one finding to the next. Findings stand in the order of the document,
//! by whose code it is where that is known, and once more by the objects on which threads meet.

mod anchors;
mod entry;
mod filters;
mod objects;
mod plot;
mod timeline;

use facts::secret;

use super::table;
use crate::document::Document;
use crate::document::finding::Finding;
use crate::document::page::Page;
use crate::document::spot::Locator;
use crate::document::time;
use crate::html::findings::{self, list, with_code};
use crate::html::{classed, element};
use anchors::Anchors;
use entry::Writer;

/// What is said where no source was found of any frame.
const NO_SOURCES: &str = "No source lines are shown, as for no class here one file was found below the working directory: \
                          `--source-path DIR` names the folder in which the folders of their packages lie.";

/// The page. Paths are shown as the locator shows them.
pub fn document(document: &Document<'_>, locator: &mut Locator<'_>) -> String {
    let page = &document.page;
    let main = format!(
        "{}{}{}{}",
        summary(page),
        document.tables.iter().map(table::html).collect::<String>(),
        found(document, locator) + &table::html(&time::table(&document.times)),
        page.lists.iter().map(|part| list(part.id, part.title, &part.entries)).collect::<String>(),
    );
    let origin: Vec<_> = [("Command", vec![invoked()])].into_iter().chain(page.origin.iter().cloned()).collect();
    let heading = element("h1", &page.heading)
        + &format!("<p class=\"quiet\">{}</p>\n", with_code(&page.about))
        + &findings::origin(&origin);
    let first = document.tables.first().filter(|_| document.rules.is_empty());
    let skip = first.map_or(("findings", "Skip to the findings"), |table| (table.id, "Skip to the table"));
    findings::document(document.command, skip, &heading, &main, !document.rules.is_empty())
}

/// The command line that makes the page, without secrets.
fn invoked() -> String {
    let words = std::env::args_os().skip(1).map(|word| quoted(&word.to_string_lossy()));
    secret::masked(&std::iter::once("jrace".to_owned()).chain(words).collect::<Vec<_>>().join(" "))
}

/// As a shell would want it.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./:=,@%+".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// The findings, of a command that has some.
fn found(document: &Document<'_>, locator: &mut Locator<'_>) -> String {
    if document.rules.is_empty() {
        return String::new();
    }
    let page = &document.page;
    let counting: Vec<&Finding<'_>> = document.counting().collect();
    let anchors = Anchors::of(&counting);
    let mut writer = Writer::new(locator, page.libraries, &anchors);
    let parts = parts(&mut writer, page, &counting);
    let has_frames = counting.iter().any(|finding| finding.place().is_some());
    let sources = if has_frames && writer.n_sources == 0 {
        format!("<p class=\"warning\">{}</p>\n", with_code(NO_SOURCES))
    } else {
        String::new()
    };
    sources + &filters::form(page, &counting) + &parts + &objects::view(&counting, &anchors)
}

fn summary(page: &Page) -> String {
    if page.facts.is_empty() && page.plot.is_none() {
        return String::new();
    }
    let funnel = if page.stages.is_empty() { String::new() } else { funnel(&page.stages) };
    let facts = if page.facts.is_empty() { String::new() } else { findings::facts(&page.facts) };
    let plot = page.plot.as_ref().map(plot::svg).unwrap_or_default();
    format!("<section id=\"summary\">\n<h2>Summary</h2>\n{facts}{funnel}{plot}</section>\n")
}

/// A bar for each stage, as long as the logarithm of the pairs that it leaves.
fn funnel(stages: &[(&str, u64)]) -> String {
    const WIDTH: f64 = 420.0;
    const LEFT: f64 = 76.0;
    const LINE: f64 = 26.0;
    let most = stages.iter().map(|(_, pairs)| *pairs).max().unwrap_or_default();
    let longest = (1.0 + most as f64).ln().max(1.0);
    let bar = |(index, (stage, pairs)): (usize, &(&str, u64))| {
        let (top, length) = (LINE * index as f64, (WIDTH - LEFT - 70.0) * (1.0 + *pairs as f64).ln() / longest);
        let baseline = top + LINE / 2.0 + 4.0;
        format!(
            "<text x=\"{}\" y=\"{baseline}\" text-anchor=\"end\">{stage}</text>\
             <rect x=\"{LEFT}\" y=\"{}\" width=\"{length:.1}\" height=\"{}\" rx=\"2\"/>\
             <text x=\"{:.1}\" y=\"{baseline}\">{pairs}</text>\n",
            LEFT - 8.0,
            top + 3.0,
            LINE - 6.0,
            LEFT + length + 6.0,
        )
    };
    let bars: String = stages.iter().enumerate().map(bar).collect();
    let height = LINE * stages.len() as f64;
    format!(
        "<figure><svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"Pairs of accesses that each stage leaves\">\n\
         {bars}</svg><figcaption>Pairs of accesses that each stage leaves, on a logarithmic scale</figcaption></figure>\n"
    )
}

/// The first part is the section of the findings; the others are in it, below it.
fn parts(writer: &mut Writer<'_, '_>, page: &Page, findings: &[&Finding<'_>]) -> String {
    let nothing = classed("p", "quiet", "Nothing is reported.");
    let mut text = if findings.is_empty() { nothing } else { String::new() };
    for (number, part) in page.parts.iter().enumerate() {
        let of_part = findings.iter().enumerate().filter(|(_, finding)| finding.entry.part == number);
        let entries = groups(writer, page, &of_part.map(|(index, finding)| (index, *finding)).collect::<Vec<_>>());
        let (title, meaning) = (element("h2", part.title), part.meaning.map(|text| element("p", text)));
        if number == 0 {
            text = title + &entries + &text;
        } else if !entries.is_empty() {
            text += &format!("<section>\n{title}{}{entries}</section>\n", meaning.unwrap_or_default());
        }
    }
    format!("<section id=\"findings\" tabindex=\"-1\">\n{text}</section>\n")
}

/// The findings of a part by whose code it is, if the command can tell.
fn groups(writer: &mut Writer<'_, '_>, page: &Page, findings: &[(usize, &Finding<'_>)]) -> String {
    let mut entries = |group: Option<usize>| -> String {
        let of_group = findings.iter().filter(|(_, finding)| group.is_none_or(|group| finding.entry.group == group));
        writer.findings(&of_group.copied().collect::<Vec<_>>())
    };
    if page.groups.is_empty() {
        return entries(None);
    }
    let group = |(number, title): (usize, &&'static str)| match entries(Some(number)) {
        entries if entries.is_empty() => entries,
        entries => format!("<section class=\"whose\">\n{}{entries}</section>\n", element("h3", title)),
    };
    page.groups.iter().enumerate().map(group).collect()
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::entry::{MAX_EAGER, MAX_OPEN, MAX_PLACES};
    use super::*;
    use crate::document::fixtures::{self, finding};
    use crate::document::page::{Entry, Part};
    use crate::document::way::{Frame, Shape, Step, Way};
    use crate::report::fixtures::place;
    use crate::report::source::Sources;

    fn page_of(findings: Vec<Finding<'_>>) -> String {
        let parts = vec![Part { title: "Findings", meaning: None }];
        let page = Page { parts, libraries: "libraries", ..Page::default() };
        let document = Document { page, ..fixtures::document(findings) };
        super::document(&document, &mut Locator::new(Sources::default(), &|_| String::new()))
    }

    #[test]
    fn frames_of_libraries_are_folded_but_for_the_access() {
        let here = place("a/B", "m", 1);
        let folded = |libraries: &[bool]| {
            let frame = |library: &bool| Frame { place: Cow::Borrowed(&here), locks: &[], library: *library };
            let step = Step { path: libraries.iter().map(frame).collect(), ..Step::default() };
            let ways = vec![Way { steps: vec![step], ..Way::new(Shape::Threads) }];
            let page = page_of(vec![Finding { ways, ..finding("a.B.x") }]);
            (page.matches("frames of libraries</summary>").count(), page.matches("a.<wbr>B.<wbr>m").count())
        };
        assert_eq!(folded(&[true, true, true, false, false, true]), (1, 6));
        assert_eq!(folded(&[true, false, true]), (0, 3));
        assert_eq!(folded(&[]), (0, 0));
    }

    #[test]
    fn places_that_are_many_are_counted() {
        let here = place("a/B", "m", 1);
        let path = || vec![Frame { place: Cow::Borrowed(&here), locks: &[], library: false }];
        let steps = (0..MAX_PLACES + 2).map(|_| Step { path: path(), ..Step::default() }).collect();
        let ways = vec![Way { steps, ..Way::new(Shape::Places) }];
        let page = page_of(vec![Finding { ways, ..finding("a.B.x") }]);
        assert_eq!(page.matches("<section class=\"side\">").count(), MAX_PLACES);
        assert!(page.contains("2 more places like these."), "{page}");
    }

    #[test]
    fn nothing_is_said_where_nothing_is_reported() {
        assert!(page_of(Vec::new()).contains("Nothing is reported."));
    }

    #[test]
    fn of_many_findings_the_first_are_open_and_the_last_wait() {
        let number = MAX_EAGER + 7;
        let page = page_of((0..number).map(|at| finding(&format!("a.B.f{at}"))).collect());
        let count = |text: &str| page.matches(text).count();
        assert_eq!(
            (count("<details class=\"variable\""), count(" open>"), count("<!--body-->")),
            (number, MAX_OPEN, 7)
        );
        assert_eq!((count("<noscript"), count("<!--finding-->")), (1, 7));
    }

    #[test]
    fn findings_stand_by_whose_code_it_is() {
        let of_group = |name, group| {
            let plain = finding(name);
            Finding { entry: Entry { group, ..Entry::default() }, ..plain }
        };
        let parts = vec![Part { title: "Findings", meaning: None }];
        let page = Page { parts, groups: vec!["Your code", "Tests", "Libraries"], ..Page::default() };
        let findings = vec![of_group("l.L.x", 2), of_group("a.A.x", 0), of_group("l.L.y", 2)];
        let document = Document { page, ..fixtures::document(findings) };
        let page = super::document(&document, &mut Locator::new(Sources::default(), &|_| String::new()));
        let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text}: {page}"));
        assert!(["<h3>Your code", "A.<wbr>x", "<h3>Libraries", "L.<wbr>x", "L.<wbr>y"].map(at).is_sorted(), "{page}");
        assert!(!page.contains("<h3>Tests"));
    }

    #[test]
    fn a_page_without_sources_says_so() {
        let here = place("a/B", "m", 1);
        let path = vec![Frame { place: Cow::Borrowed(&here), locks: &[], library: false }];
        let ways = vec![Way { steps: vec![Step { path, ..Step::default() }], ..Way::new(Shape::Threads) }];
        assert!(page_of(vec![Finding { ways, ..finding("a.B.x") }]).contains("No source lines are shown"));
        assert!(!page_of(vec![finding("a.B.x")]).contains("No source lines are shown"));
    }
}
