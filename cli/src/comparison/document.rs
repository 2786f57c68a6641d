//! A comparison as a [`Document`]: a table of the modes, with a plot, and what some modes only have found.

use super::text::{agreement, found_line, heading, seconds, table, typed};
use super::{Comparison, Row, Subject};
use crate::document::Document;
use crate::document::page::{List, Page};
use crate::document::table::{Bar, Plot};

/// The document. What is compared are numbers, so there are no findings by themselves.
pub fn of(comparison: &Comparison) -> Document<'static> {
    let rows = comparison.rows();
    let found = comparison.found();
    let differing = found.iter().filter(|found| found.differs());
    let lines = differing.map(|found| found_line(found, comparison.rounds()));
    let notes: Vec<String> =
        typed(comparison).into_iter().chain([agreement(comparison.subject, &found)]).chain(lines).collect();
    let page = page(comparison, &rows, notes.clone());
    Document {
        command: "jrace compare",
        rules: &[],
        findings: Vec::new(),
        tables: vec![table(comparison.subject, &rows)],
        times: Vec::new(),
        notes,
        is_complete: true,
        page,
    }
}

fn page(comparison: &Comparison, rows: &[Row<'_>], notes: Vec<String>) -> Page {
    let meaning = |row: &Row<'_>| format!("{}: {}", row.column.name, row.column.meaning);
    Page {
        heading: format!("jrace compare: {}", heading(comparison)),
        about: legend(comparison.subject),
        plot: Some(plot(rows)),
        lists: vec![
            List { id: "meaning", title: "What the modes are", entries: rows.iter().map(meaning).collect() },
            List { id: "found", title: "What was found", entries: notes },
        ],
        ..Page::default()
    }
}

fn plot(rows: &[Row<'_>]) -> Plot {
    let bar = |row: &Row<'_>| Bar {
        name: row.column.name.to_owned(),
        seconds: [row.time.min, row.time.median, row.time.max].map(|time| time.as_secs_f64()),
        text: seconds(row.time.median),
    };
    Plot { label: "Median time of each mode, with its range", bars: rows.iter().map(bar).collect() }
}

fn legend(subject: Subject) -> String {
    let units = "Time is user and system time; bars are medians, whiskers reach from the shortest to the longest run. \
                 Overhead: what is added to base, as a part of it.";
    let gain = match subject {
        Subject::Races(..) => "Speedup: by which part that falls below full.",
        Subject::Atomicity => {
            "Interception: what recording adds to base. Checker: what looking into the traces takes. Speedup: by which \
             part that falls below unfocused. Fraction: which part of the time it is."
        }
    };
    format!("{units} {gain}")
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::comparison;
    use crate::document::spot::Locator;
    use crate::formats::html;
    use crate::report::source::Sources;

    #[test]
    fn names_are_escaped_and_nothing_is_loaded() {
        let page = html::document(&super::of(&comparison()), &mut Locator::new(Sources::default(), &|_| String::new()));
        for text in
            ["Main&lt;T&gt;", "LOST by field", "race-unsafe fields: 1 of 21", "0.92 s (0.90..1.01)", "<td>full</td>"]
        {
            assert!(page.contains(text), "{text}: {page}");
        }
        assert!(!page.contains("<x>") && !page.contains("http") && !page.contains("src="), "{page}");
        assert_eq!(page.matches("<rect").count(), 3);
        assert!(!page.contains("Nothing is reported") && !page.contains("id=\"filters\""), "{page}");
    }
}
