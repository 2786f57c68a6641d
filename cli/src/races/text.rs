//! A race report for the terminal, in the form of that of a run.

use std::path::Path;

use super::api::Api;
use super::broken::BrokenSets;
use super::observation::Observed;
use super::paths::Paths;
use super::report::{AccessView, RaceView, Report, VariableRaces};
use super::ways::step;
use crate::document::time;
use crate::document::way::Frame;
use crate::entries::Entries;
use crate::evidence::Observation;
use crate::formats::{table, text};
use crate::paint::Paint;
use crate::report::source::Sources;
use crate::report::terminal::news;
use crate::report::words::{count, printable};

/// Writes a report.
pub struct Text<'a> {
    out: text::Text<Shown<'a>>,
    /// Every race and every frame, else the surest race of each variable and frames of the application.
    all: bool,
}

/// How paths appear.
type Shown<'a> = Box<dyn Fn(&Path) -> String + 'a>;

impl<'a> Text<'a> {
    /// Paths below `directory` are shown as they are from there.
    pub fn new(paint: Paint, sources: Sources, all: bool, directory: &'a Path) -> Self {
        let shown = move |path: &Path| path.strip_prefix(directory).unwrap_or(path).display().to_string();
        Self { out: text::Text::new(paint, sources, Box::new(shown)), all }
    }

    /// One variable without colours and sources.
    pub fn plain(variable: &VariableRaces) -> String {
        let mut text = Self::new(Paint::new(false), Sources::default(), false, Path::new(""));
        text.variable(variable);
        text.out.text
    }

    /// What there is to say besides the races.
    pub fn notes_and_summary(self, report: &Report, exit: u8) -> String {
        self.ending_of(report, exit)
    }

    /// The whole text; its last line is for `grep`.
    pub fn document(mut self, report: &Report, exit: u8) -> String {
        if report.has_findings() {
            self.line(0, &self.out.paint.faint("==================== jrace races ====================="));
        }
        let (above, below) = report.above_and_below();
        above.into_iter().for_each(|variable| self.variable(variable));
        if !below.is_empty() {
            let what = count(below.len() as u64, "variable");
            self.line(0, &self.out.paint.faint(&format!("---------- less likely: {what} ----------")));
        }
        below.into_iter().for_each(|variable| self.variable(variable));
        report.counting_sets().for_each(|sets| self.broken(sets));
        self.ending_of(report, exit)
    }

    fn ending_of(mut self, report: &Report, exit: u8) -> String {
        self.notes(report);
        let times = report.times.as_deref().map(|times| table::text(&time::table(times)) + "\n").unwrap_or_default();
        self.out.text + &times + &Entries::line(&report.entries) + &summary(report, exit)
    }

    fn line(&mut self, indent: usize, text: &str) {
        self.out.line(indent, text);
    }

    fn variable(&mut self, variable: &VariableRaces) {
        self.line(0, &self.out.paint.alarm(&printable(&format!("RACE on {}", variable.subject()))));
        self.line(2, &printable(&variable.ranked()));
        let shown = if self.all { variable.races.len() } else { 1 };
        for (index, race) in variable.races.iter().take(shown).enumerate() {
            if shown > 1 {
                self.line(2, &self.out.paint.faint(&format!("Race {} of {shown}", index + 1)));
            }
            self.race(race, variable);
        }
        self.ending(variable, shown);
        self.line(0, "");
    }

    fn broken(&mut self, sets: &BrokenSets) {
        for (n, (indent, line)) in sets.lines().iter().enumerate() {
            let line = printable(line);
            self.line(*indent, &if n == 0 { self.out.paint.alarm(&line) } else { line });
        }
        self.line(0, "");
    }

    fn ending(&mut self, variable: &VariableRaces, shown: usize) {
        let others = variable.pairs.saturating_sub(shown as u64);
        if others > 0 {
            let is_folded = !self.all && variable.is_folded(shown);
            let how = if is_folded { "; --all shows where" } else { " of these places" };
            self.line(2, &format!("And {}{how}", count(others, "more pair")));
        }
        match variable.observed {
            Some(Observation::Confirmed) => self.line(2, &self.out.paint.strong(Observation::Confirmed.sentence())),
            Some(other) => self.line(2, other.sentence()),
            None => {}
        }
        if let Some(news) = news(variable.baseline) {
            self.line(2, &self.out.paint.strong(news));
        }
    }

    fn race(&mut self, race: &RaceView, variable: &VariableRaces) {
        for access in &race.accesses {
            self.access(access, variable);
        }
        if let Some((object, others)) = race.objects.split_first() {
            let n_others = others.len() + race.more_objects;
            let more = if n_others == 0 { String::new() } else { format!(" and {}", count(n_others as u64, "other")) };
            self.line(2, &printable(&format!("On {}{more}", object.text)));
        }
        if let Some(caveat) = race.paths.and_then(Paths::caveat) {
            self.line(2, &self.out.paint.advice(&format!("Paths: {caveat}")));
        }
        if let Some(doubt) = race.doubt() {
            self.line(2, &self.out.paint.advice(&format!("Doubtful: {doubt}")));
        }
    }

    fn access(&mut self, access: &AccessView, variable: &VariableRaces) {
        let step = step(variable, access);
        let heading = self.out.paint.strong(&printable(&step.title));
        // What the analysis makes up is of no library.
        let wanted = |frame: &Frame<'_>| self.all || !frame.library || frame.place.class.is_empty();
        self.out.step(&heading, &step, true, &wanted);
        if self.all && !step.alike.is_empty() {
            self.line(4, &self.out.paint.faint(&format!("{}:", access.others())));
            step.alike.iter().for_each(|frame| self.line(6, &format!("at {}", frame.text())));
        }
    }

    fn notes(&mut self, report: &Report) {
        for left_out in &report.left_out {
            self.line(0, &printable(&format!("left out: {}, by {}", left_out.variable, left_out.by)));
        }
        for missed in report.observed.iter().flat_map(|observed| &observed.missed) {
            let why =
                missed.excluded_by.as_deref().unwrap_or("nothing that is assumed excludes it: please report this");
            self.line(0, &printable(&format!("seen at run time only: {}: {why}", missed.variable)));
        }
        for line in report.identities.gone_lines() {
            self.line(0, &printable(&line));
        }
        for line in report.api.iter().flat_map(Api::lines) {
            self.line(0, &printable(&line));
        }
        for line in report.path_lines() {
            self.line(0, &line);
        }
        for assumption in &report.assumptions {
            self.line(0, &printable(&format!("not seen: {assumption}")));
        }
    }
}

fn summary(report: &Report, exit: u8) -> String {
    let stages: Vec<String> = report.stages.iter().map(|stage| format!("{} {}", stage.pairs, stage.stage)).collect();
    let sets = match report.counting_sets().count() {
        0 => String::new(),
        some => format!("; {} not kept apart", count(some as u64, "pair of arguments")),
    };
    let left_out = match report.left_out.len() {
        0 => String::new(),
        some => format!("; {} left out by annotations", count(some as u64, "variable")),
    };
    let suppressed = match report.n_suppressed() {
        0 => String::new(),
        some => format!("; {some} suppressed"),
    };
    let observed = report.observed.as_ref().map(|observed| {
        let Observed { confirmed, possible, exercised, missed, .. } = observed;
        let possible = if *possible > 0 { format!("{possible} possible, ") } else { String::new() };
        let seen = missed.len();
        format!("; {confirmed} confirmed at run time, {possible}{exercised} exercised, {seen} seen at run time only")
    });
    let logged = report.logged_calls.map(|calls| format!("; {} known by the log", count(calls, "reflective call")));
    format!(
        "SUMMARY: jrace races: {} with races ({} without any common lock){sets}{suppressed}{}{left_out}; {} race-free by types{}{}; {}; pairs: {}, \
         exit {exit}\n",
        count(report.counting().count() as u64, "variable"),
        report.n_sure(),
        report.identities.summary(),
        report.proved.len(),
        observed.unwrap_or_default(),
        logged.unwrap_or_default(),
        threads(report),
        stages.join(", "),
    )
}

/// `7 kinds of threads`.
fn threads(report: &Report) -> String {
    match report.threads {
        1 => "1 kind of thread".to_owned(),
        number => format!("{number} kinds of threads"),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::fixtures::report;
    use super::*;

    fn shown(report: &Report, all: bool) -> String {
        let directory = tempfile::tempdir().unwrap();
        let sources = Sources::new(directory.path(), &[]);
        Text::new(Paint::new(false), sources, all, directory.path()).document(report, 66)
    }

    #[test]
    fn in_full_every_method_of_a_race_is_there() {
        let text = shown(&report(), true);
        let also = "    1 other place like this:\n      at bank.Bank.audit(Bank.java:57)\n";
        assert_eq!(text.matches(also).count(), 3, "{text}");
        assert_eq!(text.matches("  And 2 more pairs of these places\n").count(), 3, "{text}");
    }

    #[test]
    fn a_race_in_text() {
        let mut report = report();
        report.variables.truncate(1);
        expect![[r#"
            ==================== jrace races =====================
            RACE on field bank.Account.balance (int)
              Rank 1: both write
              Write by the <main> thread
                locks held: none
                at bank.Account.add(Account.java:18)
                at bank.Account.express(Account.java:18), holding bank.Teller made at Bank.java:41
                at bank.Account.run(Account.java:18)
              Read by the <main> thread
                locks held: none
                at bank.Account.balance(Account.java:18)
                at bank.Account.main(Account.java:18), holding bank.Teller made at Bank.java:41
              On bank.Account made at Bank.java:22
              And 2 more pairs; --all shows where

            not seen: what 2 native methods of libraries do
            ENTRIES: `main` of bank.Bank
            SUMMARY: jrace races: 1 variable with races (1 without any common lock); 1 race-free by types; 2 kinds of threads; pairs: 39 original, 16 reachable, 6 unlocked, exit 66
        "#]].assert_eq(&shown(&report, false));
    }

    #[test]
    fn how_many_objects_there_are_besides_and_what_paths_are_worth_is_said() {
        let mut report = report();
        let race = &mut report.variables[0].races[0];
        (race.more_objects, race.paths) = (300, Some(Paths::Unmatched));
        report.variables[1].races[0].paths = Some(Paths::CutShort);
        let text = shown(&report, false);
        let expected = "  On bank.Account made at Bank.java:22 and 300 others\n  \
                        Paths: these calls lead there, but need not bring both threads to one object\n";
        assert!(text.contains(expected), "{text}");
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("call paths: ")).collect();
        let numbers = lines.iter().map(|line| line.matches(" for 1 race").count()).collect::<Vec<_>>();
        assert_eq!(numbers, [1, 1], "{lines:?}");
        report.variables.retain(|variable| variable.races[0].paths == Some(Paths::Possible));
        assert!(!shown(&report, false).contains("aths: "), "{text}");
    }

    #[test]
    fn what_is_probably_not_shared_is_below_a_line() {
        let mut report = report();
        report.variables[2].rank.is_below = true;
        let text = shown(&report, false);
        let (above, below) = text.split_once("---------- less likely: 1 variable ----------\n").unwrap();
        assert_eq!((above.matches("RACE on").count(), below.matches("RACE on").count()), (2, 1), "{text}");
    }

    #[test]
    fn nothing_found_is_one_line_beside_the_entries_and_what_was_not_seen() {
        let mut report = report();
        report.variables.clear();
        assert_eq!(shown(&report, false).lines().count(), 3);
    }
}
