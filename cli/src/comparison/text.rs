//! A comparison for the terminal.

use std::fmt::Write as _;
use std::time::Duration;

use super::statistics::Spread;
use super::{Comparison, Found, FoundBy, Number, Row, Subject};
use crate::document::table::{Column, Table};
use crate::formats::table as form;
use crate::report::grade::Part;
use crate::report::words::{count, printable};

/// What the columns are called: the first, and those with numbers.
fn headings(subject: Subject) -> (&'static str, &'static [&'static str]) {
    let numbers: &[&str] = match subject {
        Subject::Races(..) => &["time (min..max)", "wall time", "overhead", "speedup", "variables"],
        Subject::Atomicity => &[
            "time (min..max)",
            "wall time",
            "overhead",
            "interception",
            "checker (min..max)",
            "speedup",
            "fraction",
            "transactions",
        ],
    };
    ("mode", numbers)
}

/// The whole text; its last line is for `grep`.
pub fn text(comparison: &Comparison) -> String {
    let rows = comparison.rows();
    let mut text = format!("{}\n\n{}\n", heading(comparison), form::text(&table(comparison.subject, &rows)));
    // Writing to a string cannot fail.
    let _ = typed(comparison).map(|typed| writeln!(text, "{typed}"));
    let found = comparison.found();
    let _ = writeln!(text, "{}", agreement(comparison.subject, &found));
    for found in found.iter().filter(|found| found.differs()) {
        let _ = writeln!(text, "  {}", found_line(found, comparison.rounds()));
    }
    text + &summary(comparison, &rows, &found)
}

/// What was measured.
pub fn heading(comparison: &Comparison) -> String {
    let rounds = count(comparison.rounds() as u64, "round");
    let command = printable(&comparison.command.join(" "));
    format!("{rounds} of `{command}` ({})", comparison.ending)
}

/// The table of the modes.
pub fn table(subject: Subject, rows: &[Row<'_>]) -> Table {
    let (first, others) = headings(subject);
    let columns = std::iter::once(Column::words(first)).chain(others.iter().map(|name| Column::numbers(name)));
    let rows = rows.iter().map(|row| cells(subject, row)).collect();
    Table { id: "modes", title: "Modes", columns: columns.collect(), rows }
}

/// The cells of a line.
fn cells(subject: Subject, row: &Row<'_>) -> Vec<String> {
    let time = [row.column.name.to_owned(), spread(&row.time), seconds(row.wall.median), percent(row.overhead)];
    let checker = [
        or_dash(row.interception.map(|added| format!("{added:.2} s"))),
        or_dash(row.checker.as_ref().map(spread)),
        percent(row.speedup),
        percent(row.fraction),
    ];
    let speedup = [percent(row.speedup)];
    let gain: &[String] = if let Subject::Atomicity = subject { &checker } else { &speedup };
    let findings = or_dash(row.findings.map(|number| format!("{}{}", number.found, doubtful(number))));
    time.iter().chain(gain).cloned().chain([findings]).collect()
}

/// ` (1 possible, 2 unlikely)`, if any is no more than that.
fn doubtful(number: Number) -> String {
    let numbers = [(number.possible, Part::Possible), (number.unlikely, Part::Unlikely)];
    let some = numbers.iter().filter(|(number, _)| *number > 0);
    let told: Vec<_> = some.filter_map(|(number, part)| Some(format!("{number} {}", part.doubt()?))).collect();
    if told.is_empty() { String::new() } else { format!(" ({})", told.join(", ")) }
}

/// `0.61 s (0.60..0.65)`.
fn spread(spread: &Spread) -> String {
    let [min, max] = [spread.min, spread.max].map(|end| end.as_secs_f64());
    format!("{} ({min:.2}..{max:.2})", seconds(spread.median))
}

fn or_dash(text: Option<String>) -> String {
    text.unwrap_or_else(|| "-".to_owned())
}

/// `0.61 s`.
pub fn seconds(duration: Duration) -> String {
    format!("{:.2} s", duration.as_secs_f64())
}

fn percent(fraction: Option<f64>) -> String {
    // Adding zero takes the sign off a negative zero.
    or_dash(fraction.map(|fraction| format!("{}%", (fraction * 100.0).round() + 0.0)))
}

/// How many fields are proved race-free and how many methods keep to types, if that is what a focus goes by.
pub fn typed(comparison: &Comparison) -> Option<String> {
    let Subject::Races(fields, methods) = comparison.subject else { return None };
    let fields = format!("race-unsafe fields: {} of {}", fields.race_unsafe, fields.total);
    Some(format!("{fields}; untyped methods: {} of {}", methods.untyped, methods.total))
}

/// Whether all modes found the same.
pub fn agreement(subject: Subject, found: &[Found<'_>]) -> String {
    let noun = subject.noun();
    match found.iter().filter(|found| found.differs()).count() {
        0 => format!("every mode that checks found the same {noun}s"),
        1 => format!("1 {noun} was found by some modes only:"),
        n => format!("{n} {noun}s were found by some modes only:"),
    }
}

/// In which modes something was found.
pub fn found_line(found: &Found<'_>, rounds: usize) -> String {
    let runs: Vec<String> = found.by.iter().map(|by| found_by(by, rounds)).collect();
    let lost: String = found.lost.iter().map(|name| format!(" LOST by {name}")).collect();
    format!("{}: {}{lost}", found.name, runs.join(", "))
}

fn found_by(FoundBy { mode, runs, grade }: &FoundBy, rounds: usize) -> String {
    let only = Part::of(*grade).doubt().map_or_else(String::new, |doubt| format!(" ({doubt})"));
    format!("{mode} {runs} of {rounds} runs{only}")
}

fn summary(comparison: &Comparison, rows: &[Row<'_>], found: &[Found<'_>]) -> String {
    let mut text = format!("SUMMARY: jrace compare: {}", count(comparison.rounds() as u64, "round"));
    for row in rows {
        let _ = write!(text, "; {} {}", row.column.name, seconds(row.time.median));
        for (name, value) in [("overhead", row.overhead), ("speedup", row.speedup)] {
            let _ = value.map(|value| write!(text, ", {name} {}", percent(Some(value))));
        }
        if let Some(number) = row.findings {
            let found = count(number.found as u64, comparison.subject.noun());
            let _ = write!(text, ", {found}{}", doubtful(number));
        }
    }
    let lost = found.iter().filter(|found| !found.lost.is_empty()).count();
    text + &format!("; {lost} lost\n")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::fixtures::{comparison, of_atomicity, of_grades};
    use super::*;

    #[test]
    fn the_table_has_the_columns_of_the_paper() {
        expect![[r#"
            3 rounds of `java -cp a b Main<T>` (exit status: 0)

            mode       time (min..max)  wall time  overhead  speedup  variables
            base   0.61 s (0.60..0.65)     0.41 s         -        -          -
            full   0.92 s (0.90..1.01)     0.61 s       51%        -          2
            field  0.86 s (0.85..0.90)     0.57 s       41%      19%          2

            race-unsafe fields: 1 of 21; untyped methods: 1 of 24
            2 variables were found by some modes only:
              field bank.Account.y (int): full 1 of 3 runs, field 0 of 3 runs LOST by field
              field bank.Account.z (int): full 0 of 3 runs, field 1 of 3 runs
            SUMMARY: jrace compare: 3 rounds; base 0.61 s; full 0.92 s, overhead 51%, 2 variables; field 0.86 s, overhead 41%, speedup 19%, 2 variables; 1 lost
        "#]].assert_eq(&text(&comparison()));
    }

    #[test]
    fn the_checker_of_transactions_has_columns_of_its_own() {
        expect![[r#"
            3 rounds of `java -cp a b Main<T>` (exit status: 0)

            mode           time (min..max)  wall time  overhead  interception   checker (min..max)  speedup  fraction  transactions
            base       0.61 s (0.60..0.65)     0.41 s         -             -                    -        -         -             -
            unfocused  1.09 s (1.07..1.18)     0.79 s       79%        0.31 s  0.17 s (0.17..0.17)        -       16%             2
            focused    0.99 s (0.98..1.03)     0.70 s       62%        0.25 s  0.13 s (0.13..0.13)      25%       13%             2

            2 transactions were found by some modes only:
              field bank.Account.y (int): unfocused 1 of 3 runs, focused 0 of 3 runs LOST by focused
              field bank.Account.z (int): unfocused 0 of 3 runs, focused 1 of 3 runs
            SUMMARY: jrace compare: 3 rounds; base 0.61 s; unfocused 1.09 s, overhead 79%, 2 transactions; focused 0.99 s, overhead 62%, speedup 25%, 2 transactions; 1 lost
        "#]].assert_eq(&text(&of_atomicity()));
    }

    #[test]
    fn numbers_are_told_by_grade() {
        let text = text(&of_grades());
        for part in [
            " 2 (1 possible)\n",
            " 2 (1 possible, 1 unlikely)\n",
            "field bank.Account.y (int): full 1 of 3 runs (possible), field 0 of 3 runs LOST by field\n",
            "field bank.Account.z (int): full 0 of 3 runs, field 1 of 3 runs (unlikely)\n",
            "overhead 51%, 2 variables (1 possible); field",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn agreement_takes_one_line() {
        let mut same = comparison();
        same.columns.truncate(2);
        assert!(text(&same).contains("\nevery mode that checks found the same variables\nSUMMARY: "));
    }

    #[test]
    fn a_percentage_has_no_negative_zero() {
        assert_eq!([Some(-0.001), Some(-0.26), None].map(percent), ["0%", "-26%", "-"]);
    }
}
