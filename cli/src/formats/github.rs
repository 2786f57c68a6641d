//! Findings on GitHub: annotations at the lines of a pull request, and the summary of a job.
//!
//! Annotations are lines on standard output that the runner takes for commands: `::error file=A.java,line=12::text`. Of a step it
//! shows ten errors and ten warnings; the rest is counted in a notice. The summary is Markdown that is appended to the file in
//! `GITHUB_STEP_SUMMARY`; a step may write a mebibyte, and one that writes more has no summary at all.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::document::Document;
use crate::document::finding::{Finding, Level};
use crate::document::table::Table;
use crate::document::time::StageTime;
use crate::report::words::count;

/// How many annotations of a level the runner shows of a step.
const MAX_ANNOTATIONS: usize = 10;

/// How long a step's summary may be.
const MAX_SUMMARY: usize = 1 << 20;

/// What is kept free for the end of the table.
const FOR_THE_END: usize = 1 << 10;

/// Names the file with the summary.
const SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// The annotations of what may be wrong; paths below `workspace` are named from there, as those of the repository are.
pub fn annotations(document: &Document<'_>, workspace: Option<&Path>) -> String {
    let findings = document.by_origin();
    let of_level = |level| findings.iter().filter(move |finding| finding.level == level);
    let shown = [Level::Error, Level::Warning].into_iter().flat_map(|level| of_level(level).take(MAX_ANNOTATIONS));
    let shown: Vec<String> = shown.map(|finding| annotation(finding, workspace)).collect();
    let more = findings.len() - shown.len();
    let notice = (more > 0).then(|| {
        let text = format!("{} not shown here; the report has all", count(more as u64, "more finding"));
        format!("::notice title={}::{}\n", property(document.command), data(&text))
    });
    shown.into_iter().chain(notice).collect()
}

fn annotation(finding: &Finding<'_>, workspace: Option<&Path>) -> String {
    let command = match finding.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    };
    let file = path(finding, workspace).map(|path| format!("file={},", property(&path))).unwrap_or_default();
    let line = finding.spot.line.filter(|_| !file.is_empty()).map(|line| format!("line={line},")).unwrap_or_default();
    let doubt = finding.ways.first().and_then(|way| way.doubt.as_ref()).map(|doubt| format!("\nDoubtful: {doubt}"));
    let hint = finding.hint.iter().map(|hint| format!("\nHint: {hint}"));
    let more: String = doubt.into_iter().chain(hint).collect();
    let text = data(&format!("{} [{}]{more}", finding.sentence(), finding.grade));
    format!("::{command} {file}{line}title={}::{text}\n", property(&format!("jrace: {}", finding.rule.title)))
}

fn path(finding: &Finding<'_>, workspace: Option<&Path>) -> Option<String> {
    let found = workspace.and_then(|root| finding.spot.found_below(root));
    found.map(|path| path.display().to_string()).or_else(|| finding.spot.path.clone())
}

/// Where the repository lies.
pub fn workspace() -> Option<PathBuf> {
    PathBuf::from(std::env::var_os("GITHUB_WORKSPACE").filter(|path| !path.is_empty())?).canonicalize().ok()
}

/// The message of a command, which ends with its line.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property of a command, which ends at a comma, and the last one at a colon.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// Appends the summary of the job, if there is a file for it.
///
/// # Errors
/// The file cannot be written.
pub fn append_summary(document: &Document<'_>) -> Result<()> {
    let Some(path) = std::env::var_os(SUMMARY).filter(|path| !path.is_empty()) else { return Ok(()) };
    let path = PathBuf::from(path);
    let written = std::fs::metadata(&path).map(|data| data.len()).unwrap_or_default();
    let room = MAX_SUMMARY.saturating_sub(usize::try_from(written).unwrap_or(usize::MAX));
    let text = summary(document, room);
    let file = OpenOptions::new().create(true).append(true).open(&path);
    let appended = file.and_then(|mut file| file.write_all(text.as_bytes()));
    appended.with_context(|| {
        format!("cannot append to `{}`, which {SUMMARY} names: let it name another file", path.display())
    })
}

/// The summary in at most so many bytes; nothing where they are too few to say anything.
fn summary(document: &Document<'_>, room: usize) -> String {
    let findings = document.by_origin();
    let n = findings.len();
    // What only measures has no rules.
    let found = if document.rules.is_empty() { String::new() } else { format!(": {}", count(n as u64, "finding")) };
    let mut text = format!("### {}{found}\n\n", document.command);
    let rows = findings.iter().map(|finding| row(finding));
    let notes = document.notes.iter().map(|note| format!("\n- {}\n", markdown(note)));
    if n > 0 {
        text += "| | where | what | how sure |\n|---|---|---|---|\n";
    }
    let left_rows = append(&mut text, rows, room);
    if left_rows > 0 {
        text += &format!("\n{}\n", count(left_rows as u64, "more finding"));
    }
    append(&mut text, notes, room);
    for table in document.tables.iter().filter(|table| !table.rows.is_empty()) {
        append_table(&mut text, table, room);
    }
    if !document.times.is_empty() {
        let heading = "\n| stage | time | processor |\n|---|---|---|\n".to_owned();
        append(&mut text, std::iter::once(heading).chain(document.times.iter().map(time_row)), room);
    }
    text.push('\n');
    if text.len() > room { String::new() } else { text }
}

/// Appends lines while there is room; returns how many have none.
fn append(text: &mut String, lines: impl Iterator<Item = String>, room: usize) -> usize {
    let mut left = 0;
    for line in lines {
        if left == 0 && text.len() + line.len() + FOR_THE_END <= room {
            *text += &line;
        } else {
            left += 1;
        }
    }
    left
}

fn row(finding: &Finding<'_>) -> String {
    let mark = match finding.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    };
    let cells = [mark, &markdown(&finding.spot.position()), &markdown(&finding.sentence()), finding.grade];
    format!("| {} |\n", cells.join(" | "))
}

/// Appends as many rows of a table as there is room for, and says how many have none.
fn append_table(text: &mut String, table: &Table, room: usize) {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let names = line(table.columns.iter().map(|column| markdown(column.name)).collect());
    let rules =
        line(table.columns.iter().map(|column| if column.is_number { "---:" } else { "---" }.to_owned()).collect());
    let heading = format!("\n#### {}\n\n{names}{rules}", markdown(table.title));
    let rows = table.rows.iter().map(|row| line(row.iter().map(|cell| markdown(cell)).collect()));
    if append(text, std::iter::once(heading), room) > 0 {
        return;
    }
    let left = append(text, rows, room);
    if left > 0 {
        *text += &format!("\n{}\n", count(left as u64, "more row"));
    }
}

fn time_row(time: &StageTime) -> String {
    let [seconds, processor] = time.words();
    format!("| {} | {seconds} | {processor} |\n", time.stage)
}

/// Text that means nothing to Markdown.
fn markdown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if "\\`*_{}[]<>#|~&@$:\"".contains(character) {
            shown += &format!("&#{};", u32::from(character));
        } else {
            shown.push(character);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::document::fixtures::{document, item};
    use crate::document::table::Column;

    /// What the runner reads: the command, its properties and its message.
    fn read(line: &str) -> (String, Vec<(String, String)>, String) {
        let (head, message) = line.strip_prefix("::").unwrap().split_once("::").unwrap();
        let (command, properties) = head.split_once(' ').unwrap();
        let decoded = |text: &str| text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%");
        let value = |text: &str| decoded(&text.replace("%3A", ":").replace("%2C", ","));
        let pair = |pair: &str| pair.split_once('=').map(|(name, text)| (name.to_owned(), value(text))).unwrap();
        (command.to_owned(), properties.split(',').map(pair).collect(), decoded(message))
    }

    #[test]
    fn certain_is_an_error_and_possible_a_warning() {
        let items = vec![item("a.B.x", "a/B.java", Level::Error), item("a.B.y", "a,b:%/B.java", Level::Warning)];
        let text = annotations(&document(items), None);
        assert_eq!(
            text,
            "::error file=a/B.java,line=12,title=jrace%3A race::race on a.B.x: write in m() against read in n() [certain]\
             %0AHint: hold one lock\n\
             ::warning file=a%2Cb%3A%25/B.java,line=12,title=jrace%3A race::race on a.B.y: write in m() against read in n() \
             [possible]%0AHint: hold one lock\n"
        );
    }

    #[test]
    fn ten_of_each_are_shown_and_the_rest_is_counted() {
        let of_level = |level| (0..12).map(move |n| item(&format!("a.B.x{n}"), "a/B.java", level));
        let notes = of_level(Level::Note).take(1);
        let items = of_level(Level::Warning).chain(of_level(Level::Error)).chain(notes).collect();
        let text = annotations(&document(items), None);
        let starting = |start: &str| text.lines().filter(|line| line.starts_with(start)).count();
        assert_eq!([starting("::error "), starting("::warning "), starting("::notice ")], [10, 10, 1]);
        assert!(text.ends_with("::5 more findings not shown here; the report has all\n"), "{text}");
    }

    #[test]
    fn files_are_named_from_the_root_of_the_repository() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("module")).unwrap();
        std::fs::write(root.join("module/B.java"), "").unwrap();
        let mut item = item("a.B.x", "B.java", Level::Error);
        item.spot.found = Some(root.join("module/../module/B.java"));
        assert_eq!(path(&item, Some(&root)).as_deref(), Some("module/B.java"));
        assert_eq!(path(&item, None).as_deref(), Some("B.java"));
        assert_eq!(path(&item, Some(Path::new("/elsewhere"))).as_deref(), Some("B.java"));
        item.spot.path = None;
        assert!(annotations(&document(vec![item]), None).starts_with("::error title=jrace%3A race::"));
    }

    #[test]
    fn a_summary_is_a_table_in_which_names_stay_names() {
        let items = vec![item("a.B.<b>|x_`", "a/B.java", Level::Error)];
        let text = summary(&document(items), MAX_SUMMARY);
        let row = "| error | a/B.java&#58;12 | race on a.B.&#60;b&#62;&#124;x&#95;&#96;&#58; write in m() against read in n() | certain |";
        assert_eq!(text.lines().next(), Some("### jrace run: 1 finding"));
        assert_eq!(text.lines().nth(4), Some(row));
        assert!(text.contains("\n- JVM 7 ran unchecked&#58; it is old\n"), "{text}");
    }

    #[test]
    fn a_summary_of_what_is_measured_has_its_tables() {
        let columns = || vec![Column::words("mode"), Column::numbers("seconds")];
        let table = |rows| Table { id: "t", title: "Times", columns: columns(), rows };
        let tables = vec![table(vec![vec!["a|b".to_owned(), "1.5".to_owned()]]), table(Vec::new())];
        let measured =
            Document { command: "jrace compare", rules: &[], tables, notes: Vec::new(), ..document(Vec::new()) };
        let expected =
            "### jrace compare\n\n\n#### Times\n\n| mode | seconds |\n| --- | ---: |\n| a&#124;b | 1.5 |\n\n";
        assert_eq!(summary(&measured, MAX_SUMMARY), expected);
        let long = (0..1_000).map(|n| vec!["x".repeat(100), n.to_string()]).collect();
        let text = summary(&Document { tables: vec![table(long)], ..measured }, 1 << 14);
        let rows = text.lines().filter(|line| line.starts_with("| xxx")).count();
        assert!(text.contains(&format!("\n{} more rows\n", 1_000 - rows)) && rows > 0, "{rows}");
    }

    #[test]
    fn a_summary_keeps_to_its_room() {
        let items = (0..12_000).map(|n| item(&format!("a.B.x{n}"), "a/B.java", Level::Error)).collect();
        let document = document(items);
        let text = summary(&document, MAX_SUMMARY);
        assert!(text.len() <= MAX_SUMMARY && text.len() > MAX_SUMMARY - 2 * FOR_THE_END, "{}", text.len());
        let rows = text.lines().filter(|line| line.starts_with("| error")).count();
        assert!(text.contains(&format!("\n{} more findings\n", 12_000 - rows)), "{rows}");
        assert_eq!(summary(&document, 10), "");
    }

    proptest! {
        #[test]
        fn whatever_is_in_names_a_command_is_a_line(name in "[a%0235ACD,:;=\\n\\r\u{1b}é ]{0,12}", file in "[a%0235ACD,:=\\n\\r]{1,9}") {
            let mut item = item("a.B.x", &file, Level::Error);
            item.hint = Some(name.clone());
            let sentence = item.sentence();
            let text = annotations(&document(vec![item]), None);
            prop_assert_eq!(text.matches(['\n', '\r']).count(), 1);
            let (command, properties, message) = read(text.trim_end_matches('\n'));
            prop_assert_eq!(command.as_str(), "error");
            prop_assert_eq!(&properties[0], &("file".to_owned(), file));
            prop_assert_eq!(message, format!("{} [certain]\nHint: {name}", sentence));
        }
    }
}
