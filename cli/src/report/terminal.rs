//! The report for people.
//!
//! Findings and hazards that count, in full, possible races last, under a heading of their own: those of the user's code first, then of
//! its tests, and those of libraries a line each. Unlikely races are one line. Then the tests in whose work races were found, and notes; then one line that scripts
//! can rely on:
//!
//! `SUMMARY: jrace: 3 races in 2 variables (1 suppressed, 0 in baseline), 2 JVMs, exit 66`
//!
//! It is the last line, or with `--summary first` the first one, and always matches `^SUMMARY: jrace: (\d+) races? in (\d+)
//! variables?(, (\d+) possible races? in (\d+) variables?)?(, (\d+) unlikely races? in (\d+) variables?)?(, (\d+) atomicity violations?)?(, (\d+) potential deadlocks?)? \((\d+)
//! suppressed, (\d+) in baseline\), (\d+) JVMs?, exit (\d+)$`. Races are pairs of places; possible ones, and unlikely ones, are those of variables that have no surer ones, and stand there if there are
//! any. Suppressed and baseline count variables, and hazards, which stand there if they were looked for.

pub mod hazard;
mod library;

use std::collections::BTreeSet;
use std::path::Path;

use facts::finding::{Access, Rule, Thread, Variable};
use facts::index::ThreadId;

use super::attributed;
use super::entries;
use super::grade::{self, Part};
use super::hint::hint;
use super::judge::{Gone, Judged, JudgedHazard, Status, Verdict};
use super::ledger::{self, jvm_name};
use super::merge::{JvmId, Sighting};
use super::own::Own;
use super::source::Sources;
use super::start;
use super::suppressed;
use super::ways;
use super::words::{self, count, printable, some_of};
use crate::args::{Showing, SummaryAt};
use crate::document::finding::News;
use crate::document::way::Frame;
use crate::formats::text::Text;
use crate::paint::Paint;

/// How many further conflicts of one finding are listed.
const MAX_FURTHER: usize = 10;

/// How many tests are listed, and how many variables of each.
const MAX_TESTS: usize = 20;
const MAX_OF_TEST: usize = 5;

/// How many variables with unlikely races are named.
const MAX_UNLIKELY: usize = 5;

/// How many findings of the baseline are named that were not seen.
const MAX_GONE: usize = 5;

/// How many JVMs of a finding are named.
const MAX_JVMS: usize = 3;

/// What is shown in full.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Detail {
    /// Every frame, start of a thread and conflict.
    pub stacks: bool,
    /// Findings of libraries, too.
    pub libraries: bool,
    /// Unlikely races, too.
    pub unlikely: bool,
    /// Where the numbers stand.
    pub summary: SummaryAt,
}

impl Detail {
    /// What the flags ask for.
    pub fn of(showing: &Showing) -> Self {
        Self {
            stacks: showing.full_stacks,
            libraries: showing.libraries,
            unlikely: showing.unlikely,
            summary: showing.summary,
        }
    }
}

/// Writes a report.
pub struct Terminal<F> {
    out: Text<F>,
    own: Own,
    detail: Detail,
    /// The threads of which the start was said.
    started: BTreeSet<(JvmId, ThreadId)>,
}

impl<F: Fn(&Path) -> String> Terminal<F> {
    /// `shown` is how a path appears.
    pub fn new(paint: Paint, sources: Sources, detail: Detail, shown: F) -> Self {
        Self { out: Text::new(paint, sources, shown), own: Own::default(), detail, started: BTreeSet::new() }
    }

    /// The whole report.
    pub fn report(mut self, verdict: &Verdict<'_>, exit: u8) -> String {
        self.own = Own::of(verdict, &mut self.out.sources, &self.out.shown);
        if self.detail.summary == SummaryAt::First {
            self.summary(verdict, exit);
        }
        if verdict.counts() {
            self.line(0, &self.out.paint.faint("==================== jrace report ===================="));
        }
        self.entries(verdict.races(), verdict);
        for judged in verdict.hazards_with(Status::New) {
            self.hazard(judged, verdict);
        }
        self.possible_races(verdict);
        self.unlikely_races(verdict);
        self.tests(verdict);
        self.notes(verdict);
        if self.detail.summary == SummaryAt::Last {
            self.summary(verdict, exit);
        }
        self.out.text
    }

    /// Notes and the last line only.
    pub fn ending(mut self, verdict: &Verdict<'_>, exit: u8) -> String {
        self.notes(verdict);
        self.summary(verdict, exit);
        self.out.text
    }

    /// One finding only.
    pub fn only_finding(mut self, judged: &Judged<'_>, verdict: &Verdict<'_>) -> String {
        self.finding(judged, &[], verdict);
        self.out.text
    }

    /// One hazard only.
    pub fn only_hazard(mut self, judged: &JudgedHazard<'_>, verdict: &Verdict<'_>) -> String {
        self.hazard(judged, verdict);
        self.out.text
    }

    fn line(&mut self, indent: usize, text: &str) {
        self.out.line(indent, text);
    }

    fn possible_races(&mut self, verdict: &Verdict<'_>) {
        if verdict.of_part(Part::Possible).next().is_some() {
            self.heading("possible races", grade::OF_POSSIBLE);
        }
        self.entries(verdict.of_part(Part::Possible), verdict);
    }

    /// By name only, if it is not asked for more, and they make nothing fail.
    fn unlikely_races(&mut self, verdict: &Verdict<'_>) {
        let Some(first) = verdict.of_part(Part::Unlikely).next() else { return };
        if self.detail.unlikely || self.detail.stacks || verdict.fails_for(first) {
            self.heading("unlikely races", grade::OF_UNLIKELY);
            return self.entries(verdict.of_part(Part::Unlikely), verdict);
        }
        let (own, libraries) = self.by_owner(verdict.of_part(Part::Unlikely));
        let all = own.into_iter().chain(libraries);
        let names: Vec<String> = all.map(|judged| words::variable_name(&judged.key.variable)).collect();
        let variables = count(names.len() as u64, "variable");
        let named = some_of(&names, MAX_UNLIKELY);
        self.line(0, &format!("Unlikely races in {variables} (--unlikely shows them in full): {named}"));
        self.line(0, "");
    }

    fn heading(&mut self, title: &str, meaning: &str) {
        self.line(0, &self.out.paint.faint(&format!("-------------------- {title} --------------------")));
        self.line(0, meaning);
        self.line(0, "");
    }

    fn entries<'v, 'a: 'v>(&mut self, findings: impl Iterator<Item = &'v Judged<'a>>, verdict: &Verdict<'_>) {
        let (findings, libraries) = self.by_owner(findings);
        if self.detail.stacks {
            findings.into_iter().for_each(|judged| self.finding(judged, &[], verdict));
            return;
        }
        for entry in entries::of(findings.into_iter()) {
            self.finding(entry.first, &entry.likewise, verdict);
        }
        self.libraries(&libraries);
    }

    fn finding(&mut self, judged: &Judged<'_>, likewise: &[&Judged<'_>], verdict: &Verdict<'_>) {
        let variable = &judged.key.variable;
        let headline = format!("{} on {}", judged.title().to_uppercase(), words::subject(variable));
        let paint = self.out.paint;
        self.line(0, &if judged.part() > Part::Races { paint.warning(&headline) } else { paint.alarm(&headline) });
        let shown = if self.detail.stacks { judged.conflicts.len() } else { 1 };
        for (index, sighting) in judged.conflicts.iter().take(shown).enumerate() {
            if shown > 1 {
                let only = doubt(judged, sighting);
                self.line(2, &self.out.paint.faint(&format!("Conflict {} of {shown}{only}", index + 1)));
            }
            self.access("Current", variable, &sighting.conflict.current, sighting);
            self.access("Previous", variable, &sighting.conflict.previous, sighting);
        }
        self.further(judged, shown);
        self.likewise(likewise);
        self.line(2, &seen(judged, verdict));
        if let Some(news) = news(judged.news) {
            self.line(2, &self.out.paint.strong(news));
        }
        if let Some(hint) = hint(variable, &judged.conflicts) {
            self.line(2, &self.out.paint.advice(&format!("Hint: {hint}")));
        }
        self.line(0, "");
    }

    fn access(&mut self, when: &str, variable: &Variable, access: &Access, sighting: &Sighting) {
        let thread = &access.thread;
        let what = self.out.paint.strong(&format!("{when} {}", words::kind(access.kind)));
        let task = ways::task(&sighting.conflict, when);
        let heading = format!("{what} by {}{}{task}", words::thread(thread), words::state(thread));
        let Self { out, own, detail, .. } = self;
        let wanted = |frame: &Frame<'_>| detail.stacks || own.has(&frame.place);
        out.step(&heading, &ways::access_step(when, variable, access), true, &wanted);
        if self.started.insert((sighting.jvm, thread.id)) || self.detail.stacks {
            self.start(thread);
        }
    }

    /// Where a thread was started: in full, or in a line.
    fn start(&mut self, thread: &Thread) {
        if self.detail.stacks && !thread.created.is_empty() {
            self.line(4, &format!("thread {} was started", thread.id));
            self.out.calls(6, &ways::frames(&thread.created), None, &|_| true);
        } else if let Some(start) = start::line(thread, |place| self.own.is_known() && self.own.has(place)) {
            self.line(4, &start);
        }
    }

    /// The conflicts after those that are shown.
    fn further(&mut self, judged: &Judged<'_>, shown: usize) {
        let conflicts = &judged.conflicts[shown.min(judged.conflicts.len())..];
        if conflicts.is_empty() {
            return;
        }
        self.line(2, "Also between");
        for sighting in conflicts.iter().take(MAX_FURTHER) {
            let (conflict, only) = (&sighting.conflict, doubt(judged, sighting));
            self.line(4, &format!("{} and {}{only}", brief(&conflict.current), brief(&conflict.previous)));
        }
        if let Some(more) = conflicts.len().checked_sub(MAX_FURTHER).filter(|more| *more > 0) {
            self.line(4, &format!("... and {more} more (--full-stacks shows all)"));
        }
    }

    /// The other findings of an entry.
    fn likewise(&mut self, findings: &[&Judged<'_>]) {
        if findings.is_empty() {
            return;
        }
        self.line(2, "Likewise");
        for judged in findings.iter().take(MAX_FURTHER) {
            let conflict = judged.conflicts.first().map(|sighting| &sighting.conflict);
            let between =
                conflict.map(|conflict| format!(": {} and {}", brief(&conflict.current), brief(&conflict.previous)));
            self.line(4, &format!("{}{}", words::subject(&judged.key.variable), between.unwrap_or_default()));
        }
        if let Some(more) = findings.len().checked_sub(MAX_FURTHER).filter(|more| *more > 0) {
            self.line(4, &format!("... and {more} more (--full-stacks shows all)"));
        }
    }

    /// The tests in whose work races were found.
    fn tests(&mut self, verdict: &Verdict<'_>) {
        let tests = attributed::by_test(verdict);
        if tests.is_empty() {
            return;
        }
        self.line(0, "Tests in whose work races were found");
        let shown = if self.detail.stacks { tests.len() } else { MAX_TESTS };
        for (test, variables) in tests.iter().take(shown) {
            let names: Vec<String> = variables.iter().cloned().collect();
            self.line(2, &format!("{test}: {}", some_of(&names, MAX_OF_TEST)));
        }
        if let Some(more) = tests.len().checked_sub(shown).filter(|more| *more > 0) {
            self.line(2, &format!("... and {more} more (--full-stacks shows all)"));
        }
        self.line(0, "");
    }

    fn notes(&mut self, verdict: &Verdict<'_>) {
        for note in notes(verdict) {
            self.line(0, &self.out.paint.faint(&format!("note: {note}")));
        }
    }

    fn summary(&mut self, verdict: &Verdict<'_>, exit: u8) {
        let numbers = verdict.numbers();
        let text = format!(
            "SUMMARY: jrace: {} in {}{}{}{} ({} suppressed, {} in baseline), {}, exit {exit}",
            count(numbers.races as u64, "race"),
            count(numbers.variables as u64, "variable"),
            doubtful(Part::Possible, numbers.possible_races, numbers.possible_variables),
            doubtful(Part::Unlikely, numbers.unlikely_races, numbers.unlikely_variables),
            hazards(verdict),
            numbers.suppressed,
            numbers.baseline,
            count(numbers.jvms as u64, "JVM"),
        );
        self.line(0, &self.out.paint.strong(&text));
    }
}

/// How many possible or unlikely races there are, if any.
fn doubtful(part: Part, races: usize, variables: usize) -> String {
    if races == 0 {
        return String::new();
    }
    format!(", {} in {}", count(races as u64, part.race()), count(variables as u64, "variable"))
}

/// How many hazards there are of each rule that was looked for.
fn hazards(verdict: &Verdict<'_>) -> String {
    let numbers = verdict.numbers();
    let is_checked = |rule| verdict.jvms.values().any(|facts| facts.checked.contains(&rule));
    [
        (Rule::Atomicity, numbers.atomicity, "atomicity violation"),
        (Rule::Deadlock, numbers.deadlocks, "potential deadlock"),
    ]
    .into_iter()
    .filter(|(rule, n, _)| *n > 0 || is_checked(*rule))
    .map(|(_, n, what)| format!(", {}", count(n as u64, what)))
    .collect()
}

/// What a reader should know besides the findings: what was not checked, suppressions, the baseline.
pub fn notes(verdict: &Verdict<'_>) -> Vec<String> {
    ledger::in_short(verdict).into_iter().chain(of_what_is_known(verdict)).collect()
}

/// What there is to say of suppressions and of the baseline.
pub fn of_what_is_known(verdict: &Verdict<'_>) -> Vec<String> {
    let unused = verdict
        .unused
        .iter()
        .map(|suppression| format!("the suppression `{}` ({}) matched nothing", suppression.text(), suppression.at));
    let expired = verdict.expired.iter().map(suppressed::expired);
    unused.chain(expired).chain(of_baseline(verdict)).map(|note| printable(&note)).collect()
}

/// What is to be said of the baseline.
fn of_baseline(verdict: &Verdict<'_>) -> Vec<String> {
    let names = verdict.gone.as_ref().map(Gone::names).unwrap_or_default();
    let gone = (!names.is_empty()).then(|| {
        format!(
            "{} of the baseline not seen this time: {}; `jrace baseline update` takes out what is gone",
            count(names.len() as u64, "finding"),
            some_of(&names, MAX_GONE)
        )
    });
    let coarse = verdict.is_baseline_coarse.then(|| {
        "the baseline is of an older jrace and knows races by their variable only, so new ones on a known variable do not count; \
         `jrace baseline update` adds the methods"
            .to_owned()
    });
    gone.into_iter().chain(coarse).collect()
}

/// What is new about a finding of which something is known, or was once.
pub fn news(news: Option<News>) -> Option<&'static str> {
    match news? {
        News::Updated => Some("The baseline knows this variable, but not these accesses"),
        News::Returned => Some("This was in the baseline, was gone, and has come back"),
        News::New | News::Unchanged => None,
    }
}

/// How often, and in which JVMs.
pub fn seen(judged: &Judged<'_>, verdict: &Verdict<'_>) -> String {
    let seen = judged.finding.seen();
    let often = if seen.accesses == 0 {
        "Seen at least once".to_owned()
    } else {
        let at_least = if judged.finding.is_counted() { "" } else { "at least " };
        let on = if matches!(judged.key.variable, Variable::Static { .. }) {
            String::new()
        } else {
            format!(" on {}", count(seen.objects, object_word(&judged.key.variable)))
        };
        format!("Seen {at_least}{}{on}", count(seen.accesses, "time"))
    };
    let names: Vec<String> = judged.finding.jvms.keys().filter_map(|id| verdict.jvms.get(id)).map(jvm_name).collect();
    format!("{often} in {}", some_of(&names, MAX_JVMS))
}

fn object_word(variable: &Variable) -> &'static str {
    if matches!(variable, Variable::Array { .. }) { "element" } else { "object" }
}

/// Marks a conflict that is less sure than its finding.
fn doubt(judged: &Judged<'_>, sighting: &Sighting) -> String {
    judged.doubt(sighting).map_or_else(String::new, |doubt| format!(" ({doubt})"))
}

/// An access in a few words.
fn brief(access: &Access) -> String {
    let kind = words::kind(access.kind);
    match access.stack.first() {
        Some(place) => format!("{kind} at {}", words::frame(place)),
        None => format!("{kind} by {} (stack not kept)", words::thread(&access.thread)),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect_file;
    use facts::finding::{Grade, Record, Summary};

    use super::super::fixtures::{access, conflict, deadlock, field, file, finding, graded, hazard, place, seen};
    use super::super::judge::Judges;
    use super::super::merge::Merged;
    use super::*;

    const SOURCE: &str = "package bank;\n\nclass Account {\n    int balance;\n    int total;\n\n    void write(int amount) {\n\
                          \u{20}       // rebalance\n        int rebalance = 0;\n        rebalance += balance++;\n    }\n}\n";

    fn report(merged: &Merged, stacks: bool, colours: bool) -> String {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir(directory.path().join("bank")).unwrap();
        std::fs::write(directory.path().join("bank/Account.java"), SOURCE).unwrap();
        let shown = |path: &Path| path.strip_prefix(directory.path()).unwrap().display().to_string();
        let sources = Sources::new(directory.path(), &[]);
        let judges = Judges::default();
        let verdict = judges.judge(merged);
        let exit = crate::exit::of_report(verdict.fails(), 66, merged.is_complete(false));
        Terminal::new(Paint::new(colours), sources, Detail { stacks, ..Detail::default() }, shown)
            .report(&verdict, exit)
    }

    fn example() -> Merged {
        let mut bare = access("read", 20, 2, &[]);
        bare.stack.clear();
        bare.locks = None;
        bare.thread.is_virtual = true;
        bare.thread.name = "evil\u{1b}[31m".into();
        bare.thread.created.clear();
        let array = Variable::Array { descriptor: "[D".into(), origin: "sor/Grid.cells[]".into() };
        let shared = Variable::Static { class: "bank/Account".into(), name: "total".into(), descriptor: "J".into() };
        let first = file(
            4711,
            vec![
                finding(
                    field("balance"),
                    vec![
                        conflict(access("write", 10, 1, &["o5", "o6"]), bare.clone()),
                        conflict(access("write", 10, 1, &["o5"]), access("read", 20, 2, &[])),
                        conflict(access("write", 30, 1, &[]), access("write", 31, 2, &[])),
                    ],
                ),
                seen(field("balance"), 12, 1),
                finding(array.clone(), vec![conflict(access("write", 50, 1, &[]), bare)]),
                seen(array, 1, 1),
                Record::Unwoven { class: "a/B".into(), method: Some("big()V".into()), reason: "Too large.".into() },
                Record::End(Summary::default()),
            ],
        );
        let mut main = access("write", 60, 1, &["o5"]);
        main.thread.name = "main".into();
        main.thread.created.clear();
        let jdk = place("java/util/ArrayList", "add", 454);
        main.stack = vec![jdk.clone(), jdk.clone(), place("bank/Main", "main", 5)];
        let conflicts = vec![conflict(main, access("read", 61, 2, &["o9"]))];
        let second = file(4712, vec![finding(shared, conflicts), finding(field("balance"), vec![])]);
        first.union(second).union(Merged::of_unread("`f` is damaged in 1 line of 4".into()))
    }

    #[test]
    fn a_report_in_text() {
        expect_file!["goldens/report.txt"].assert_eq(&report(&example(), false, false));
    }

    #[test]
    fn the_numbers_may_come_first() {
        let of = |summary| {
            let (merged, judges) = (example(), Judges::default());
            let terminal = Terminal::new(
                Paint::new(false),
                Sources::new(Path::new("/"), &[]),
                Detail { summary, ..Detail::default() },
                |path| path.display().to_string(),
            );
            terminal.report(&judges.judge(&merged), 66)
        };
        let (first, last) = (of(SummaryAt::First), of(SummaryAt::Last));
        let (summary, rest) = first.split_once('\n').unwrap();
        assert!(summary.starts_with("SUMMARY: "), "{summary}");
        assert_eq!(last, format!("{rest}{summary}\n"));
    }

    #[test]
    fn hazards_in_text() {
        let looked_for = [Record::Checked(Rule::Atomicity), Record::Checked(Rule::Deadlock)];
        let hazards =
            [hazard("transfer", 20, 2), hazard("transfer", 22, 1), deadlock(), Record::End(Summary::default())];
        let merged = file(4711, looked_for.into_iter().chain(hazards).collect());
        expect_file!["goldens/hazards.txt"].assert_eq(&report(&merged, false, false));
    }

    /// A race with a weaker pair, one that no check has graded, possible ones of two variables, and unlikely ones of two.
    fn of_all_grades() -> Merged {
        let [certain, possible, unlikely] = [Grade::Certain, Grade::Possible, Grade::Unlikely].map(Some);
        let pair = |grade, line, locks: &[&str]| {
            graded(grade, conflict(access("write", line, 1, locks), access("read", 20, 2, &[])))
        };
        let total = Variable::Static { class: "bank/Account".into(), name: "total".into(), descriptor: "J".into() };
        let records = vec![
            finding(field("a"), vec![pair(possible, 10, &["o5"])]),
            finding(field("b"), vec![pair(possible, 10, &["o5"]), pair(certain, 30, &[])]),
            finding(total, vec![pair(possible, 10, &["o5"]), pair(possible, 11, &[])]),
            finding(field("d"), vec![pair(None, 10, &["o5"])]),
            finding(field("e"), vec![pair(unlikely, 10, &["o5"])]),
            finding(field("f"), vec![pair(unlikely, 10, &["o5"]), pair(unlikely, 11, &[])]),
            hazard("transfer", 20, 2),
            Record::End(Summary::default()),
        ];
        file(4711, records)
    }

    #[test]
    fn possible_races_have_a_heading_of_their_own() {
        expect_file!["goldens/grades.txt"].assert_eq(&report(&of_all_grades(), false, false));
    }

    #[test]
    fn unlikely_races_are_shown_if_that_is_asked_for() {
        let of = |detail: Detail| {
            let judges = Judges::default();
            let shown = |path: &Path| path.display().to_string();
            Terminal::new(Paint::new(false), Sources::default(), detail, shown)
                .report(&judges.judge(&of_all_grades()), 66)
        };
        let heads = |text: &str| text.lines().filter(|line| line.starts_with("UNLIKELY RACE on")).count();
        let [usual, unlikely, full] = [
            of(Detail::default()),
            of(Detail { unlikely: true, ..Detail::default() }),
            of(Detail { stacks: true, ..Detail::default() }),
        ];
        assert_eq!([&usual, &unlikely, &full].map(|text| heads(text)), [0, 1, 2], "{usual}{unlikely}{full}");
        assert!(
            unlikely.contains(grade::OF_UNLIKELY) && unlikely.contains("  Likewise\n    field bank.Account.f (int): ")
        );
    }

    #[test]
    fn possible_races_have_a_colour_of_their_own() {
        let coloured = report(&of_all_grades(), true, true);
        assert!(coloured.contains("\u{1b}[1m\u{1b}[31mRACE on field bank.Account.b"), "{coloured}");
        assert!(coloured.contains("\u{1b}[1m\u{1b}[33mPOSSIBLE RACE on field bank.Account.a"), "{coloured}");
        assert!(coloured.contains("Conflict 1 of 2\u{1b}") && coloured.contains("Conflict 2 of 2 (possible)\u{1b}"));
    }

    #[test]
    fn possible_races_alone_do_not_fail() {
        let pair = graded(Some(Grade::Possible), conflict(access("write", 10, 1, &[]), access("read", 20, 2, &[])));
        let merged = file(1, vec![finding(field("x"), vec![pair]), Record::End(Summary::default())]);
        let expected = "SUMMARY: jrace: 0 races in 0 variables, 1 possible race in 1 variable (0 suppressed, 0 in baseline), \
                        1 JVM, exit 0\n";
        let report = report(&merged, false, false);
        assert!(report.ends_with(expected) && report.starts_with("===="), "{report}");
    }

    #[test]
    fn nothing_folded() {
        expect_file!["goldens/report-full.txt"].assert_eq(&report(&example(), true, false));
    }

    /// Two races of two pool threads, below frameworks.
    fn of_a_server() -> Merged {
        let of = |method: &str, line, thread| {
            let mut access = access("write", line, thread, &[]);
            access.stack[0].method = method.into();
            let frameworks =
                ["org/springframework/web/Handler", "org/springframework/core/Bean", "org/apache/tomcat/Filter"];
            let frameworks = frameworks.map(|class| place(class, "call", 7));
            access.stack.splice(1.., frameworks.iter().cloned().chain([place("java/lang/Thread", "run", 840)]));
            let pool = place("org/apache/tomcat/util/ThreadPoolExecutor", "addWorker", 984);
            access.thread.created.splice(1..1, [pool].into_iter().chain(frameworks));
            access
        };
        let race =
            |name, method, line| finding(field(name), vec![conflict(of(method, line, 1), of(method, line + 1, 2))]);
        let records = vec![race("hits", "write", 10), race("keys", "write", 20), race("misses", "miss", 30)];
        file(4711, records.into_iter().chain([Record::End(Summary::default())]).collect())
    }

    #[test]
    fn frameworks_are_folded_and_starts_said_once() {
        expect_file!["goldens/server.txt"].assert_eq(&report(&of_a_server(), false, false));
        let full = report(&of_a_server(), true, false);
        assert_eq!(full.matches("at org.springframework.core.Bean.call").count(), 12, "{full}");
    }

    #[test]
    fn colours_change_nothing_else() {
        let coloured = report(&example(), false, true);
        assert!(coloured.contains("\u{1b}[1m\u{1b}[31mRACE on field"));
        let mut plain = String::new();
        for (index, part) in coloured.split('\u{1b}').enumerate() {
            plain += if index == 0 { part } else { part.split_once('m').unwrap().1 };
        }
        assert_eq!(plain, report(&example(), false, false));
    }

    /// The pattern above, in every combination of what is looked for and in every golden report.
    #[test]
    fn the_last_line_is_what_scripts_rely_on() {
        let module = include_str!("terminal.rs");
        let pattern = module.split('`').find(|text| text.starts_with("^SUMMARY")).unwrap().replace("\n//! ", " ");
        let pattern = regex::Regex::new(&pattern).unwrap();
        let goldens = [
            include_str!("goldens/report.txt"),
            include_str!("goldens/report-full.txt"),
            include_str!("goldens/hazards.txt"),
            include_str!("goldens/grades.txt"),
        ];
        for golden in goldens {
            let last = golden.lines().rfind(|line| !line.is_empty()).unwrap();
            assert!(pattern.is_match(last), "{last}");
        }
        let line = |hazards: &str| {
            format!("SUMMARY: jrace: 1 race in 2 variables{hazards} (0 suppressed, 0 in baseline), 1 JVM, exit 66")
        };
        let [one, three] = [", 1 possible race in 1 variable", ", 3 possible races in 2 variables"].map(str::to_owned);
        let unlikely = format!("{one}, 2 unlikely races in 1 variable");
        assert!(pattern.is_match(&line(", 1 unlikely race in 1 variable")));
        for possible in [String::new(), one, three, unlikely] {
            for hazards in [
                "",
                ", 1 atomicity violation",
                ", 0 potential deadlocks",
                ", 2 atomicity violations, 1 potential deadlock",
            ] {
                let line = line(&format!("{possible}{hazards}"));
                let found = pattern.captures(&line).unwrap();
                assert_eq!((&found[1], &found[2]), ("1", "2"));
                let (races, variables) = (found.get(4), found.get(5));
                assert_eq!((races.is_some(), variables.is_some()), (!possible.is_empty(), !possible.is_empty()));
            }
        }
        assert!(!pattern.is_match(&line(", 1 surprise")));
    }

    #[test]
    fn a_clean_run_is_one_line() {
        let merged = file(1, vec![Record::End(Summary::default())]);
        let expected = "SUMMARY: jrace: 0 races in 0 variables (0 suppressed, 0 in baseline), 1 JVM, exit 0\n";
        assert_eq!(report(&merged, false, false), expected);
    }
}
