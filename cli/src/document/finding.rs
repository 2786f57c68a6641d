//! A finding: what is wrong, how sure that is, how it comes about, and by what it is known again.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::PathBuf;

use facts::name::printable;
use facts::site::Place;
use schemars::JsonSchema;
use serde::Serialize;

use super::page::Entry;
use super::spot::{Locator, Spot};
use super::way::{Shape, Step, Way};

/// A test in whose work something was found.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Test {
    /// `bank.AccountTest.transfers`.
    pub name: String,
    /// The working directory of its JVM; none where that is not known.
    pub directory: Option<PathBuf>,
}

/// What can be wrong.
pub struct Rule {
    /// In documents: `possible-race`.
    pub id: &'static str,
    /// In sentences: `possible race`.
    pub title: &'static str,
    /// As standards want it: `PossibleRace`.
    pub name: &'static str,
    /// In a few words.
    pub short: &'static str,
    /// `error`, `warning` or `note`.
    pub level: &'static str,
    /// How much of it is right: `high`, `medium` or `low`.
    pub precision: &'static str,
    /// Its weakness in the list of MITRE.
    pub tag: &'static str,
    /// What it means and what to do.
    pub help: &'static str,
}

/// How much a finding is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// It is wrong.
    Error,
    /// It may be wrong.
    Warning,
    /// It is most probably right.
    Note,
}

/// Whether a finding counts, and why not.
pub enum Standing {
    /// It does.
    Counts,
    /// It is suppressed by these.
    Suppressed(Vec<Reason>),
    /// The baseline knows it.
    Known,
    /// The baseline knows it, and it was not seen.
    Gone,
}

impl Standing {
    /// Whether it does.
    pub fn counts(&self) -> bool {
        matches!(self, Self::Counts)
    }

    /// Whether it does not because the baseline knows it.
    pub fn is_known(&self) -> bool {
        matches!(self, Self::Known)
    }
}

/// Why a finding is suppressed.
pub struct Reason {
    /// Whether the code says so.
    pub in_source: bool,
    /// What suppresses it, and the reason that is given.
    pub text: String,
}

/// How a finding stands to the baseline.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum News {
    /// Nothing of it is known.
    New,
    /// Its variable is known, but not these methods, or not to be sure.
    Updated,
    /// It was known once, was gone, and has come back.
    Returned,
    /// It is known.
    Unchanged,
}

/// By what a finding is known again when lines and methods have moved.
pub struct Identity {
    /// What the name is of, and by which version of the rules: `variable/v1`.
    pub scheme: &'static str,
    /// The name.
    pub name: String,
}

/// A finding.
pub struct Finding<'a> {
    /// What is wrong.
    pub rule: &'static Rule,
    /// Whether it counts.
    pub standing: Standing,
    /// How it stands to the baseline, if there is one.
    pub news: Option<News>,
    /// How sure it is: `certain`.
    pub grade: &'static str,
    /// Whether it is said to be wrong, or that it may be.
    pub level: Level,
    /// Whether it makes the command fail.
    pub fails: bool,
    /// Whether it is left out where it cannot be shown folded.
    pub is_aside: bool,
    /// What it is about, with what tells it from all others: `field bank.Account.balance (int)`.
    pub subject: String,
    /// What is claimed, without a full stop: `Race on field bank.Account.balance (int)`.
    pub claim: String,
    /// How the line of a brief report begins: `race on bank.Account.balance`.
    pub lead: String,
    /// What belongs to the claim; sentences without a full stop.
    pub remarks: Vec<String>,
    /// How it comes about, the clearest first.
    pub ways: Vec<Way<'a>>,
    /// How many more ways there are.
    pub more_ways: u64,
    /// Other places that have to do with it, and what is there.
    pub related: Vec<(Cow<'a, Place>, String)>,
    /// What to do.
    pub hint: Option<String>,
    /// By what it is known again.
    pub identity: Identity,
    /// How far ahead it stands of others, of 100.
    pub rank: Option<f64>,
    /// The tests in whose work it was seen.
    pub tests: BTreeSet<Test>,
    /// All that is known of it, in lines.
    pub full: String,
    /// Where it is shown.
    pub spot: Spot,
    /// Which step of the first way stands there.
    pub main: usize,
    /// How it looks on a page.
    pub entry: Entry,
}

impl Finding<'_> {
    /// What its tests are called; those of several JVMs may be called alike.
    pub fn names_of_tests(&self) -> BTreeSet<&str> {
        self.tests.iter().map(|test| test.name.as_str()).collect()
    }

    /// A finding of which no more is known: not graded, and shown nowhere.
    pub fn new(rule: &'static Rule, standing: Standing, subject: String) -> Self {
        Self {
            rule,
            standing,
            news: None,
            grade: rule.id,
            level: Level::Warning,
            fails: true,
            is_aside: false,
            claim: capital(&format!("{} on {subject}", rule.title)),
            lead: String::new(),
            remarks: Vec::new(),
            ways: Vec::new(),
            more_ways: 0,
            related: Vec::new(),
            hint: None,
            identity: Identity { scheme: "variable/v1", name: subject.clone() },
            rank: None,
            tests: BTreeSet::new(),
            full: String::new(),
            spot: Spot::of_class(""),
            main: 0,
            entry: Entry::default(),
            subject,
        }
    }

    /// It is shown where its first way comes to it: of threads that meet, at that one which is in the program's own code, as there
    /// something can be done; of code, at its last step, which is what goes wrong.
    pub fn locate(&mut self, locator: &mut Locator<'_>) {
        let Some(way) = self.ways.first() else { return };
        let last = way.steps.len().saturating_sub(1);
        let is_candidate = |at: usize| match way.shape {
            Shape::Threads => true,
            Shape::Order | Shape::Places => at == 0,
            Shape::Code => at == last,
        };
        let candidates = way.steps.iter().enumerate().filter(|(at, _)| is_candidate(*at));
        let spots = candidates.map(|(at, step)| (at, step.spot(locator)));
        if let Some((main, spot)) = spots.min_by_key(|(_, spot)| spot.origin) {
            (self.main, self.spot) = (main, spot);
        }
    }

    /// The place at which it is shown.
    pub fn place(&self) -> Option<&Place> {
        self.ways.first()?.steps.get(self.main)?.shown().map(|frame| frame.place.as_ref())
    }

    /// The steps of its first way besides the one at which it is shown.
    pub fn other_steps(&self) -> impl Iterator<Item = &Step<'_>> {
        let steps = self.ways.first().into_iter().flat_map(|way| &way.steps).enumerate();
        steps.filter(|(at, _)| *at != self.main).map(|(_, step)| step)
    }

    /// One sentence: `race on bank.Account.balance: write in deposit() against read in audit() (Audit.java:33)`.
    pub fn sentence(&self) -> String {
        let Some(way) = self.ways.first().filter(|way| !way.steps.is_empty()) else { return printable(&self.lead) };
        let main = &way.steps[self.main];
        let text = match way.shape {
            Shape::Threads => {
                let sides = std::iter::once(main.brief(false)).chain(self.other_steps().map(|step| step.brief(true)));
                format!("{}: {}{}", self.lead, sides.collect::<Vec<_>>().join(" against "), in_tests(way))
            }
            Shape::Order => {
                let steps = way.steps.iter().enumerate().map(|(at, step)| step.brief(at > 0));
                format!("{}: {}", self.lead, steps.collect::<Vec<_>>().join(", "))
            }
            Shape::Places => {
                let more = way.steps.len() - 1;
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                let locks = main.locks.as_deref().filter(|locks| !locks.is_empty());
                let locks = locks.map_or_else(|| "no lock".to_owned(), |locks| locks.join(", "));
                format!("{}: {} with {locks}{more}", self.lead, main.brief(false))
            }
            Shape::Code => self.lead.clone(),
        };
        printable(&text)
    }

    /// A line that editors and `grep` understand: `bank/Account.java:12: race on … [certain]`.
    pub fn line(&self) -> String {
        format!("{}: {} [{}]\n", self.spot.position(), self.sentence(), self.grade)
    }
}

/// `, in test bank.AccountTest.transfers`: that of all steps, or those of each; nothing where none is known.
fn in_tests(way: &Way<'_>) -> String {
    let tests: BTreeSet<&str> = way.steps.iter().filter_map(|step| step.test).collect();
    match Vec::from_iter(tests)[..] {
        [] => String::new(),
        [test] => format!(", in test {test}"),
        ref tests => format!(", in tests {}", tests.join(" and ")),
    }
}

/// With a capital letter.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_of_a_way_are_named_once() {
        let said = |tests: [Option<&'static str>; 2]| {
            let steps = tests.map(|test| Step { test, ..Step::default() }).into();
            in_tests(&Way { steps, ..Way::new(Shape::Threads) })
        };
        assert_eq!(said([None, None]), "");
        assert_eq!(said([Some("a.T.x"), Some("a.T.x")]), ", in test a.T.x");
        assert_eq!(said([None, Some("a.T.x")]), ", in test a.T.x");
        assert_eq!(said([Some("a.T.y"), Some("a.T.x")]), ", in tests a.T.x and a.T.y");
    }
}
