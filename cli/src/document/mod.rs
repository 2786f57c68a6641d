//! What a command has found, for every format.
//!
//! `report::document`, `races::document`, `comparison::document`, `report::owners`, and `commands::check` with its `document` make a
//! [`Document`] each; the writers in [`crate::formats`]
//! take one and know no command. Texts that may hold names of the program are on one line and drive no terminal, but for
//! [`Finding::full`].

pub mod finding;
pub mod graph;
pub mod page;
pub mod spot;
pub mod table;
pub mod time;
pub mod way;

use finding::{Finding, Rule};
use page::Page;
use spot::Locator;
use table::Table;
use time::StageTime;

/// What a command has found.
pub struct Document<'a> {
    /// The command: `jrace run`.
    pub command: &'static str,
    /// The rules of this command.
    pub rules: &'static [Rule],
    /// What counts, the most important first, and then what does not count.
    pub findings: Vec<Finding<'a>>,
    /// What was measured or counted.
    pub tables: Vec<Table>,
    /// How long its stages took, if that was asked for.
    pub times: Vec<StageTime>,
    /// What a reader should know besides.
    pub notes: Vec<String>,
    /// Whether everything was looked at.
    pub is_complete: bool,
    /// What a page has besides.
    pub page: Page,
}

impl Document<'_> {
    /// Finds out where each finding is to be shown.
    #[must_use]
    pub fn located(mut self, locator: &mut Locator<'_>) -> Self {
        self.findings.iter_mut().for_each(|finding| finding.locate(locator));
        self
    }

    /// The same with something more of what it was made.
    #[must_use]
    pub fn made_of(mut self, name: &'static str, line: Option<String>) -> Self {
        self.page.origin.push((name, line.into_iter().collect()));
        self
    }

    /// What counts.
    pub fn counting(&self) -> impl Iterator<Item = &Finding<'_>> {
        self.findings.iter().filter(|finding| finding.standing.counts())
    }

    /// What counts, but for what is left out where it cannot be folded: that in the program's own code first, then in its tests, then in libraries; the
    /// order stays otherwise.
    pub fn by_origin(&self) -> Vec<&Finding<'_>> {
        let mut findings: Vec<&Finding<'_>> = self.counting().filter(|finding| !finding.is_aside).collect();
        findings.sort_by_key(|finding| finding.spot.origin);
        findings
    }
}

#[cfg(test)]
pub mod fixtures {
    use super::finding::{Identity, Level, Standing};
    use super::spot::{Origin, Spot};
    use super::*;

    /// A rule for tests.
    pub const RULES: [Rule; 1] = [Rule {
        id: "race",
        title: "race",
        name: "Race",
        short: "Two threads access a variable at once",
        level: "error",
        precision: "high",
        tag: "external/cwe/cwe-362",
        help: "Hold one lock.",
    }];

    /// A race on a field, at a line of a file.
    pub fn item(name: &str, path: &str, level: Level) -> Finding<'static> {
        Finding {
            lead: format!("race on {name}: write in m() against read in n()"),
            grade: if level == Level::Error { "certain" } else { "possible" },
            level,
            fails: level == Level::Error,
            spot: spot(path, Origin::Program),
            hint: Some("hold one lock".to_owned()),
            full: format!("RACE on {name}\n  at m\n"),
            ..finding(name)
        }
    }

    /// A race on a field, of which nothing else is known.
    pub fn finding(name: &str) -> Finding<'static> {
        let subject = format!("field {name} (int)");
        Finding {
            identity: Identity { scheme: "variable/v1", name: subject.clone() },
            ..Finding::new(&RULES[0], Standing::Counts, subject)
        }
    }

    /// Line 12 of a file.
    pub fn spot(path: &str, origin: Origin) -> Spot {
        let class = "bank.Account".into();
        Spot { class, path: Some(path.into()), line: Some(12), origin, ..Spot::of_class("") }
    }

    /// What a command says of some findings.
    pub fn document(findings: Vec<Finding<'_>>) -> Document<'_> {
        Document {
            command: "jrace run",
            rules: &RULES,
            findings,
            tables: Vec::new(),
            times: Vec::new(),
            notes: vec!["JVM 7 ran unchecked: it is old".into()],
            is_complete: true,
            page: Page::default(),
        }
    }
}
