//! Findings on one page that needs nothing else: style and script are in it, and it asks for nothing.
//!
//! What is on it is decided here; how it is marked up stands in `cli/templates`. Everything is there without the script, which filters and
//! goes from one finding to the next. Findings stand in the order of the document, by whose code it is where that is known, and once more by
//! the objects on which threads meet.

mod anchors;
mod choices;
mod entry;
mod excerpt;
mod findings;
mod funnel;
mod graph;
mod objects;
mod plot;
mod timeline;

use askama::Template;
use facts::secret;

use crate::document::Document;
use crate::document::page::Page;
use crate::document::spot::Locator;
use crate::document::table::Table;
use crate::document::time;
use crate::html::filters;
use findings::Findings;
use funnel::Funnel;
use plot::Picture;

const STYLE: &str = include_str!("../../templates/page.css");
const SCRIPT: &str = include_str!("../../templates/page.js");

/// What is said where no source was found of any frame.
const NO_SOURCES: &str = "No source lines are shown, as for no class here one file was found below the working directory: \
                          `--source-path DIR` names the folder in which the folders of their packages lie.";

/// How many lines of an origin are shown; the others are folded.
const MAX_LINES: usize = 3;

#[derive(Template)]
#[template(path = "page.html")]
struct View<'a> {
    document: &'a Document<'a>,
    page: &'a Page,
    /// Where a reader with a keyboard may go first, and what the link says.
    skip: (&'static str, &'static str),
    origins: Vec<Origin<'a>>,
    funnel: Option<Funnel<'a>>,
    plot: Option<Picture<'a>>,
    graph: Option<graph::Picture<'a>>,
    /// Of a command that has some.
    findings: Option<Findings<'a>>,
    times: Table,
}

/// Of what the page was made.
struct Origin<'a> {
    name: &'a str,
    shown: &'a [String],
    folded: &'a [String],
}

impl View<'_> {
    fn has_summary(&self) -> bool {
        !self.page.facts.is_empty() || self.page.plot.is_some()
    }
}

/// The page. Paths are shown as the locator shows them.
pub fn document(document: &Document<'_>, locator: &mut Locator<'_>) -> String {
    let page = &document.page;
    let has_rules = !document.rules.is_empty();
    let table = document.tables.first().filter(|_| !has_rules);
    let invoked = [invoked()];
    let made_of = page.origin.iter().map(|(name, lines)| (*name, &lines[..]));
    let view = View {
        document,
        page,
        skip: table.map_or(("findings", "Skip to the findings"), |table| (table.id, "Skip to the table")),
        origins: std::iter::once(("Command", &invoked[..])).chain(made_of).filter_map(origin).collect(),
        funnel: Funnel::of(&page.stages),
        plot: page.plot.as_ref().map(Picture::of),
        graph: page.graph.as_ref().map(graph::Picture::of),
        findings: has_rules.then(|| Findings::of(document, locator)),
        times: time::table(&document.times),
    };
    view.to_string()
}

/// Nothing without lines.
fn origin<'a>((name, lines): (&'a str, &'a [String])) -> Option<Origin<'a>> {
    let (shown, folded) = lines.split_at(lines.len().min(MAX_LINES));
    (!lines.is_empty()).then_some(Origin { name, shown, folded })
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

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::entry::{MAX_EAGER, MAX_OPEN, MAX_PLACES};
    use super::*;
    use crate::document::finding::Finding;
    use crate::document::fixtures::{self, finding};
    use crate::document::page::{Entry, Part};
    use crate::document::table::Column;
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
    fn tables_have_their_rows_and_none_without() {
        let columns = || vec![Column::words("name"), Column::numbers("n")];
        let table = |id, rows| Table { id, title: "T", columns: columns(), rows };
        let tables = vec![table("some", vec![vec!["a<b>".to_owned(), "7".to_owned()]]), table("none", Vec::new())];
        let document = Document { tables, ..fixtures::document(Vec::new()) };
        let page = super::document(&document, &mut Locator::new(Sources::default(), &|_| String::new()));
        assert!(page.contains("<td>a&lt;b&gt;</td>") && page.contains("<td class=\"number\">7</td>"), "{page}");
        assert!(page.contains("<section id=\"some\">") && !page.contains("id=\"none\""), "{page}");
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
