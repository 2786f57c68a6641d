//! The suppressions that a command heeds, and which of them suppress a finding.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;
use facts::finding::Rule;
use facts::site::Place;
use schemars::JsonSchema;
use serde::Serialize;

use super::dates::Date;
use super::suppress::{self, Suppression, What};
use super::words::printable;
use crate::args::{Judging, Showing};
use crate::document::finding::{Reason, Standing};
use crate::output::say;
use crate::settings::{self, Settings};

/// The suppressions of a command.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Suppressions {
    /// Those that hold.
    pub held: Vec<Suppression>,
    /// Those whose last day is over.
    pub expired: Vec<Suppression>,
}

/// A suppression of a finding.
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SuppressedBy {
    /// As it was written: `race:bank.Statistics.*`.
    suppression: String,
    reason: Option<String>,
    /// The last day on which it holds.
    expires: Option<String>,
    /// Whether the code says so.
    #[serde(skip)]
    in_source: bool,
}

impl Suppressions {
    /// Reads the file that the options name, and takes those of the configuration.
    ///
    /// # Errors
    /// See [`suppress::read`] and [`suppress::of_tables`].
    pub fn read(settings: &Settings) -> Result<Self> {
        let file = settings.options().suppressions.as_deref();
        let mut all = file.map(suppress::read).transpose()?.unwrap_or_default();
        if let Some((name, tables)) = settings.suppress() {
            all.extend(suppress::of_tables(tables, name, settings.directory())?);
        }
        let today = Date::today();
        let (expired, held) = all.into_iter().partition(|suppression| suppression.is_over(today));
        Ok(Self { held, expired })
    }

    /// Those of a command that runs nothing, which says at once what has expired; the file is that which is named, or that of the option
    /// `suppressions`.
    ///
    /// # Errors
    /// As [`Self::read`]; or an option is bad.
    pub fn told(named: Option<&Path>) -> Result<Self> {
        let judging = Judging { suppressions: named.map(Path::to_owned), ..Judging::default() };
        let suppressions = Self::read(&Settings::gather(settings::flags(None, &judging, &Showing::default())?)?)?;
        suppressions.expired.iter().for_each(|one| say(&expired(one)));
        Ok(suppressions)
    }

    /// What suppresses all that a rule finds on what has this name: `bank.Account.balance`.
    pub fn of_named(&self, rule: Rule, name: &str) -> Vec<SuppressedBy> {
        self.by(|one| one.matches_named(rule, name)).collect()
    }

    /// What suppresses a finding at these places together.
    pub fn of_places(&self, rule: Rule, places: &[&Place]) -> BTreeSet<SuppressedBy> {
        let stacks = || places.iter().copied().map(std::slice::from_ref);
        self.by(|one| one.matches_stacks(rule, "", stacks())).collect()
    }

    fn by(&self, matches: impl Fn(&Suppression) -> bool) -> impl Iterator<Item = SuppressedBy> {
        self.held.iter().filter(move |one| matches(one)).map(SuppressedBy::of)
    }
}

impl SuppressedBy {
    /// What it says.
    pub fn of(suppression: &Suppression) -> Self {
        Self {
            suppression: suppression.text(),
            reason: suppression.reason.clone(),
            expires: suppression.expires.map(|day| day.to_string()),
            in_source: matches!(suppression.what, What::Annotated(_)),
        }
    }

    /// `race:bank.*: it counts only`.
    pub fn said(&self) -> String {
        match &self.reason {
            Some(reason) => format!("{}: {reason}", self.suppression),
            None => self.suppression.clone(),
        }
    }
}

/// Leaves those parts of a finding that nothing suppresses; if that is none, it leaves all, and says what does.
pub fn retain<T>(parts: &mut Vec<T>, by: impl FnMut(&T) -> BTreeSet<SuppressedBy>) -> Vec<SuppressedBy> {
    let by: Vec<BTreeSet<SuppressedBy>> = parts.iter().map(by).collect();
    if by.iter().any(BTreeSet::is_empty) {
        let mut by = by.iter();
        parts.retain(|_| by.next().is_some_and(BTreeSet::is_empty));
        return Vec::new();
    }
    let all: BTreeSet<SuppressedBy> = by.into_iter().flatten().collect();
    all.into_iter().collect()
}

/// How a finding stands, of which these are all suppressions.
pub fn standing(by: &[SuppressedBy], is_known: bool) -> Standing {
    let reason = |by: &SuppressedBy| {
        let reason = by.reason.as_deref().unwrap_or("no reason is given");
        Reason { in_source: by.in_source, text: format!("{}: {reason}", by.suppression) }
    };
    match (by, is_known) {
        ([], false) => Standing::Counts,
        ([], true) => Standing::Known,
        (some, _) => Standing::Suppressed(some.iter().map(reason).collect()),
    }
}

/// ` (race:bank.*: it counts only)`; nothing without suppressions.
pub fn in_brackets(by: &[SuppressedBy]) -> String {
    match by.iter().map(SuppressedBy::said).collect::<Vec<_>>().join("; ") {
        reasons if reasons.is_empty() => reasons,
        reasons => format!(" ({reasons})"),
    }
}

/// What is to be said of a suppression whose last day is over.
pub fn expired(suppression: &Suppression) -> String {
    let day = suppression.expires.map(|day| format!(" on {day}")).unwrap_or_default();
    let (text, at) = (suppression.text(), &suppression.at);
    printable(&format!(
        "the suppression `{text}` ({at}) expired{day} and suppresses nothing: mend what it is about, or set a later day"
    ))
}
