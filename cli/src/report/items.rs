//! What counts in a report, in few words, for the forms of [`crate::formats`].

use facts::finding::{Access, Grade, Operation, Rule, Step};
use facts::site::Place;

use super::advice::advice;
use super::attributed;
use super::frames::is_folded;
use super::hint::hint;
use super::judge::{Judged, JudgedHazard, Status, Verdict};
use super::source::Sources;
use super::terminal::{self, Detail, Paint, Terminal};
use super::words::{self, printable};
use crate::formats::spot::{Locator, Spot};
use crate::formats::{Item, Level};

/// How sure hazards are: no run has shown them.
const FORESEEN: &str = "foreseen";

/// An item for each finding that counts, in the order of the report.
pub fn of(verdict: &Verdict<'_>, locator: &mut Locator<'_>) -> Vec<Item> {
    let mut items: Vec<Item> = verdict.races().map(|judged| race(judged, verdict, locator)).collect();
    items.extend(verdict.hazards_with(Status::New).map(|judged| hazard(judged, verdict, locator)));
    items.extend(verdict.possible_races().map(|judged| race(judged, verdict, locator)));
    items
}

fn race(judged: &Judged<'_>, verdict: &Verdict<'_>, locator: &mut Locator<'_>) -> Item {
    let variable = &judged.key.variable;
    let sides = judged.conflicts.first().map(|sighting| [&sighting.conflict.current, &sighting.conflict.previous]);
    let mut sides: Vec<(Spot, &Access)> =
        sides.into_iter().flatten().map(|access| (spot(&access.stack, locator), access)).collect();
    // That of the program is where something can be done.
    sides.sort_by_key(|(spot, _)| spot.origin);
    let said: Vec<String> = sides.iter().enumerate().map(|(at, (_, access))| accessed(access, at > 0)).collect();
    let tests =
        judged.conflicts.first().map_or_else(String::new, |sighting| attributed::of_conflict(&sighting.conflict));
    let text = format!("{} on {}: {}{tests}", judged.title(), words::variable_name(variable), said.join(" against "));
    Item {
        kind: judged.title(),
        subject: words::subject(variable),
        text: printable(&text),
        grade: grade(judged.grade()),
        level: if judged.is_possible() { Level::Warning } else { Level::Error },
        fails: verdict.fails_for(judged),
        spot: sides.into_iter().next().map_or_else(|| Spot::of_class(""), |(spot, _)| spot),
        tests: attributed::of_finding(judged).into_iter().map(str::to_owned).collect(),
        hint: hint(variable, &judged.conflicts).map(|hint| printable(&hint)),
        full: plain().only_finding(judged, verdict),
    }
}

fn hazard(judged: &JudgedHazard<'_>, verdict: &Verdict<'_>, locator: &mut Locator<'_>) -> Item {
    let (rule, subject) = (judged.key.rule, &judged.key.subject);
    let scenario = judged.scenarios.first().map(|foreseen| &foreseen.scenario);
    let steps: &[Step] = scenario.map_or(&[], |scenario| &scenario.steps);
    let waits = |at| rule == Rule::Deadlock && at >= steps.len() / 2;
    let said: Vec<String> = steps.iter().enumerate().map(|(at, step)| done(step, waits(at), at > 0)).collect();
    let text = format!("{} of {}: {}", terminal::hazard::title(rule), words::subject_name(subject), said.join(", "));
    Item {
        kind: terminal::hazard::title(rule),
        subject: words::code(subject),
        text: printable(&text),
        grade: FORESEEN,
        level: Level::Warning,
        fails: true,
        spot: steps.first().map_or_else(|| Spot::of_class(""), |step| spot(&step.access.stack, locator)),
        tests: Vec::new(),
        hint: scenario.map(|scenario| printable(&advice(judged.key, scenario))),
        full: plain().only_hazard(judged, verdict),
    }
}

/// The report as text without colours and sources.
fn plain() -> Terminal<impl Fn(&std::path::Path) -> String> {
    Terminal::new(Paint::new(false), Sources::default(), Detail::default(), |path| path.display().to_string())
}

/// The first frame of the program.
fn shown(stack: &[Place]) -> Option<&Place> {
    stack.iter().find(|place| !is_folded(place)).or(stack.first())
}

fn spot(stack: &[Place], locator: &mut Locator<'_>) -> Spot {
    shown(stack).map_or_else(|| Spot::of_class(""), |place| locator.spot(place))
}

/// `write in deposit() (Account.java:12)`; the first access stands at the line that is shown.
fn accessed(access: &Access, is_placed: bool) -> String {
    format!("{}{}", words::kind(access.kind), within(&access.stack, is_placed))
}

fn done(step: &Step, waits: bool, is_placed: bool) -> String {
    let verb = match step.operation {
        Operation::Read => "read".to_owned(),
        Operation::Write => "write".to_owned(),
        _ => words::does(step, waits),
    };
    let other = if step.actor > 0 { " by another thread" } else { "" };
    format!("{verb}{other}{}", within(&step.access.stack, is_placed))
}

fn within(stack: &[Place], is_placed: bool) -> String {
    let Some(place) = shown(stack) else { return String::new() };
    let position = if is_placed { format!(" ({})", words::position(place)) } else { String::new() };
    format!(" in {}(){position}", place.method)
}

fn grade(grade: Option<Grade>) -> &'static str {
    match grade {
        Some(Grade::Certain) => "certain",
        Some(Grade::Possible) => "possible",
        None => "ungraded",
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{access, conflict, deadlock, field, file, finding, graded, hazard, place};
    use super::super::judge::Judges;
    use super::super::merge::Merged;
    use super::*;
    use crate::formats::Gist;

    fn brief(merged: &Merged, sources: Sources) -> String {
        let judges = Judges::default();
        let shown = |path: &std::path::Path| path.file_name().unwrap().to_str().unwrap().to_owned();
        let items = of(&judges.judge(merged), &mut Locator::new(sources, &shown));
        Gist::new("jrace report", items, Vec::new(), true).brief()
    }

    fn race_of(name: &str, grade: Option<Grade>, line: u32) -> facts::finding::Record {
        let pair = conflict(access("write", line, 1, &[]), access("read", line + 1, 2, &[]));
        finding(field(name), vec![graded(grade, pair)])
    }

    #[test]
    fn each_finding_is_a_line() {
        let records = vec![
            race_of("a", Some(Grade::Possible), 10),
            race_of("b", Some(Grade::Certain), 20),
            race_of("c\n", None, 30),
            hazard("transfer", 40, 1),
            deadlock(),
        ];
        expect_test::expect![[r#"
            bank/Account.java:20: race on bank.Account.b: write in write() against read in read() (Account.java:21) [certain]
            bank/Account.java:30: race on bank.Account.c\n: write in write() against read in read() (Account.java:31) [ungraded]
            bank/Account.java:40: atomicity violation of bank.Account.transfer: read in read(), write by another thread in write() (Account.java:10), read in read() (Account.java:41) [foreseen]
            bank/Account.java:10: potential deadlock of bank.Account.write: takes bank.Lock (o5) in write(), takes bank.Lock (o6) by another thread in write() (Account.java:20), waits for bank.Lock (o6) in write() (Account.java:11), waits for bank.Lock (o5) by another thread in write() (Account.java:21) [foreseen]
            bank/Account.java:10: possible race on bank.Account.a: write in write() against read in read() (Account.java:11) [possible]
        "#]]
        .assert_eq(&brief(&file(1, records), Sources::default()));
    }

    #[test]
    fn the_program_s_own_code_comes_first() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir(directory.path().join("bank")).unwrap();
        std::fs::write(directory.path().join("bank/Teller.java"), "package bank;\n".repeat(9)).unwrap();
        let mut in_library = access("write", 3, 1, &[]);
        in_library.stack = vec![place("java/util/HashMap", "put", 3), place("org/lib/Log", "log", 4)];
        let mut own = access("read", 5, 2, &[]);
        own.stack = vec![place("bank/Teller", "pay", 5)];
        let pair = conflict(in_library, own);
        let merged = file(1, vec![race_of("a", Some(Grade::Certain), 10), finding(field("b"), vec![pair])]);
        let text = brief(&merged, Sources::new(directory.path(), &[]));
        let first =
            "Teller.java:5: race on bank.Account.b: read in pay() against write in log() (Log.java:4) [ungraded]";
        assert_eq!(text.lines().next(), Some(first));
    }

    #[test]
    fn all_that_is_known_is_kept_without_colours() {
        let judges = Judges::default();
        let merged = file(1, vec![race_of("a", Some(Grade::Possible), 10), hazard("transfer", 40, 1)]);
        let items = of(&judges.judge(&merged), &mut Locator::new(Sources::default(), &|_| String::new()));
        let facts: Vec<_> =
            items.iter().map(|item| (item.level, item.fails, item.full.lines().next().unwrap())).collect();
        let expected = [
            (Level::Warning, true, "ATOMICITY VIOLATION of method bank.Account.transfer"),
            (Level::Warning, false, "POSSIBLE RACE on field bank.Account.a (int)"),
        ];
        assert_eq!(facts, expected);
    }
}
