//! Findings for tools that know files, lines and test cases, not threads and stacks: `--brief`, `--junit` and `--github`.
//!
//! `report::items`, `races::items` and `commands::check::items` make an [`Item`] of each finding; the forms know nothing else.
//! All texts of an item are on one line and drive no terminal, but for [`Item::full`].

pub mod github;
pub mod junit;
pub mod spot;
pub mod test_reports;

use anyhow::{Context, Result};

use crate::args::Forms;
use crate::output::{Destination, out, say};
use crate::report::words::some_of;
use spot::Spot;
use test_reports::TestReports;

/// How many tests are named that are not marked.
const MAX_TESTS: usize = 5;

/// A finding in few words.
pub struct Item {
    /// What it is: `race`.
    pub kind: &'static str,
    /// What it is about, with what tells it from all others: `field bank.Account.balance (int)`.
    pub subject: String,
    /// One sentence: `race on bank.Account.balance: write in deposit() against read in audit() (Audit.java:33)`.
    pub text: String,
    /// How sure it is: `certain`.
    pub grade: &'static str,
    /// Whether it is said to be wrong, or that it may be.
    pub level: Level,
    /// Whether it makes the command fail.
    pub fails: bool,
    /// Where it is shown.
    pub spot: Spot,
    /// The tests in whose work it was seen: `bank.AccountTest.transfers`.
    pub tests: Vec<String>,
    /// What to do.
    pub hint: Option<String>,
    /// All that is known of it, in lines.
    pub full: String,
}

/// How much a finding is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// It is wrong.
    Error,
    /// It may be wrong.
    Warning,
}

impl Item {
    /// A line that editors and `grep` understand: `bank/Account.java:12: race on … [certain]`.
    pub fn line(&self) -> String {
        format!("{}: {} [{}]\n", self.spot.position(), self.text, self.grade)
    }
}

/// What a command has to say.
pub struct Gist {
    /// The command: `jrace run`.
    pub command: &'static str,
    /// What counts, the program's own code first.
    pub items: Vec<Item>,
    /// What a reader should know besides.
    pub notes: Vec<String>,
    /// Whether everything was looked at.
    pub is_complete: bool,
}

impl Gist {
    /// Puts the program's own code first, then its tests, then libraries; the order stays otherwise.
    pub fn new(command: &'static str, mut items: Vec<Item>, notes: Vec<String>, is_complete: bool) -> Self {
        items.sort_by_key(|item| item.spot.origin);
        Self { command, items, notes, is_complete }
    }

    /// One line a finding.
    pub fn brief(&self) -> String {
        self.items.iter().map(Item::line).collect()
    }
}

/// The forms that were asked for, besides the report.
#[derive(Default)]
pub struct Outlets<'a> {
    junit: Option<Destination<'a>>,
    github: bool,
    test_reports: Option<TestReports>,
}

impl<'a> Outlets<'a> {
    /// Tries the files before the work begins.
    ///
    /// # Errors
    /// One that cannot be written.
    pub fn of(forms: &'a Forms) -> Result<Self> {
        let junit = forms.junit.as_deref().map(|path| Destination::at(path, "the test results", "--junit"));
        Ok(Self { junit: junit.transpose()?, github: forms.github, test_reports: None })
    }

    /// The same with the reports of the command's own tests.
    pub fn with_test_reports(self, reports: Option<TestReports>) -> Self {
        Self { test_reports: reports, ..self }
    }

    /// Whether there are any.
    pub fn are_wanted(&self) -> bool {
        self.junit.is_some() || self.github || self.test_reports.is_some()
    }

    /// Marks tests in the reports of the command, and says of those that cannot be marked. The findings are shown in any case.
    pub fn mark_tests(&self, gist: &Gist) {
        let Some(reports) = &self.test_reports else { return };
        match reports.mark(gist).map(Vec::from_iter) {
            Ok(left) if left.is_empty() => {}
            Ok(left) => say(&format!("in no test report as passed, so not marked: {}", some_of(&left, MAX_TESTS))),
            Err(error) => say(&format!("{error:#}")),
        }
    }

    /// Writes them.
    ///
    /// # Errors
    /// A file that cannot be written any more.
    pub fn write(&self, gist: &Gist) -> Result<()> {
        if let Some(file) = &self.junit {
            file.write(&junit::document(gist).context("cannot make test results of the findings")?)?;
        }
        if self.github {
            out(&github::annotations(gist, github::workspace().as_deref()));
            // The annotations say the same: a page that cannot be written is not worth a failure.
            github::append_summary(gist).unwrap_or_else(|error| say(&format!("{error:#}")));
        }
        Ok(())
    }
}

#[cfg(test)]
pub mod fixtures {
    use super::spot::{Origin, Spot};
    use super::*;

    /// A race on a field, at a line of a file.
    pub fn item(name: &str, path: &str, level: Level) -> Item {
        Item {
            kind: "race",
            subject: format!("field {name} (int)"),
            text: format!("race on {name}: write in m() against read in n()"),
            grade: if level == Level::Error { "certain" } else { "possible" },
            level,
            fails: level == Level::Error,
            spot: spot(path, Origin::Program),
            tests: Vec::new(),
            hint: Some("hold one lock".to_owned()),
            full: format!("RACE on {name}\n  at m\n"),
        }
    }

    /// Line 12 of a file.
    pub fn spot(path: &str, origin: Origin) -> Spot {
        Spot { class: "bank.Account".into(), path: Some(path.into()), found: None, line: Some(12), origin }
    }

    /// What a command says of some items.
    pub fn gist(items: Vec<Item>) -> Gist {
        Gist::new("jrace run", items, vec!["JVM 7 ran unchecked: it is old".into()], true)
    }
}

#[cfg(test)]
mod tests {
    use super::fixtures::{gist, item, spot};
    use super::spot::Origin;
    use super::*;

    #[test]
    fn a_line_is_a_finding_and_own_code_comes_first() {
        let [first, second, mut third] = ["A.java", "B.java", "C.java"].map(|path| item("a.B.x", path, Level::Error));
        let library = Item { spot: spot("L.java", Origin::Library), ..first };
        let test = Item { spot: spot("T.java", Origin::Test), ..second };
        third.spot.line = None;
        let gist = gist(vec![library, test, third]);
        let text = "race on a.B.x: write in m() against read in n() [certain]";
        assert_eq!(gist.brief(), format!("C.java: {text}\nT.java:12: {text}\nL.java:12: {text}\n"));
    }
}
