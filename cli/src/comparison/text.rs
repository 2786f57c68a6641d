//! A comparison for the terminal.

use std::fmt::Write as _;
use std::time::Duration;

use super::{Comparison, Found, Row};
use crate::report::words::{count, printable};

/// What the columns are called, also on the page.
pub const HEADINGS: [&str; 6] = ["mode", "time (min..max)", "wall time", "overhead", "speedup", "variables"];

/// The whole text; its last line is for `grep`.
pub fn document(comparison: &Comparison) -> String {
    let rows = comparison.rows();
    let mut text = format!("{}\n\n{}\n", heading(comparison), table(&rows));
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{}", fields(comparison));
    let found = comparison.found();
    let _ = writeln!(text, "{}", agreement(&found));
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

fn table(rows: &[Row<'_>]) -> String {
    let lines: Vec<[String; 6]> = std::iter::once(HEADINGS.map(str::to_owned)).chain(rows.iter().map(cells)).collect();
    let width = |column: usize| lines.iter().map(|line| line[column].len()).max().unwrap_or_default();
    let mut text = String::new();
    for line in &lines {
        let _ = write!(text, "{:w$}", line[0], w = width(0));
        for (index, cell) in line.iter().enumerate().skip(1) {
            let _ = write!(text, "  {cell:>w$}", w = width(index));
        }
        text.push('\n');
    }
    text
}

/// The cells of a line.
pub fn cells(row: &Row<'_>) -> [String; 6] {
    let time = &row.time;
    let range = format!("({:.2}..{:.2})", time.min.as_secs_f64(), time.max.as_secs_f64());
    [
        row.column.name.to_owned(),
        format!("{} {range}", seconds(time.median)),
        seconds(row.wall.median),
        percent(row.overhead),
        percent(row.speedup),
        row.findings.map_or_else(|| "-".to_owned(), |n| n.to_string()),
    ]
}

/// `0.61 s`.
pub fn seconds(duration: Duration) -> String {
    format!("{:.2} s", duration.as_secs_f64())
}

fn percent(fraction: Option<f64>) -> String {
    // Adding zero takes the sign off a negative zero.
    fraction.map_or_else(|| "-".to_owned(), |fraction| format!("{}%", (fraction * 100.0).round() + 0.0))
}

/// How many fields are proved.
pub fn fields(comparison: &Comparison) -> String {
    format!("race-unsafe fields: {} of {}", comparison.fields.race_unsafe, comparison.fields.total)
}

/// Whether all modes found the same.
pub fn agreement(found: &[Found<'_>]) -> String {
    match found.iter().filter(|found| found.differs()).count() {
        0 => "every mode that checks found the same variables".to_owned(),
        1 => "1 variable was found by some modes only:".to_owned(),
        n => format!("{n} variables were found by some modes only:"),
    }
}

/// In which modes a variable was found.
pub fn found_line(found: &Found<'_>, rounds: usize) -> String {
    let runs: Vec<String> = found.runs.iter().map(|(name, n)| format!("{name} {n} of {rounds} runs")).collect();
    let lost: String = found.lost.iter().map(|name| format!(" LOST by {name}")).collect();
    format!("{}: {}{lost}", found.variable, runs.join(", "))
}

fn summary(comparison: &Comparison, rows: &[Row<'_>], found: &[Found<'_>]) -> String {
    let mut text = format!("SUMMARY: jrace compare: {}", count(comparison.rounds() as u64, "round"));
    for row in rows {
        let _ = write!(text, "; {} {}", row.column.name, seconds(row.time.median));
        for (name, value) in [("overhead", row.overhead), ("speedup", row.speedup)] {
            let _ = value.map(|value| write!(text, ", {name} {}", percent(Some(value))));
        }
        let _ = row.findings.map(|n| write!(text, ", {}", count(n as u64, "variable")));
    }
    let lost = found.iter().filter(|found| !found.lost.is_empty()).count();
    text + &format!("; {lost} lost\n")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::fixtures::comparison;
    use super::*;

    #[test]
    fn the_table_has_the_columns_of_the_paper() {
        expect![[r#"
            3 rounds of `java -cp a b Main<T>` (exit status: 0)

            mode       time (min..max)  wall time  overhead  speedup  variables
            base   0.61 s (0.60..0.65)     0.41 s         -        -          -
            full   0.92 s (0.90..1.01)     0.61 s       51%        -          2
            field  0.86 s (0.85..0.90)     0.57 s       41%      19%          2

            race-unsafe fields: 1 of 21
            2 variables were found by some modes only:
              field bank.Account.y (int): full 1 of 3 runs, field 0 of 3 runs LOST by field
              field bank.Account.z (int): full 0 of 3 runs, field 1 of 3 runs
            SUMMARY: jrace compare: 3 rounds; base 0.61 s; full 0.92 s, overhead 51%, 2 variables; field 0.86 s, overhead 41%, speedup 19%, 2 variables; 1 lost
        "#]].assert_eq(&document(&comparison()));
    }

    #[test]
    fn agreement_takes_one_line() {
        let mut same = comparison();
        same.columns.truncate(2);
        assert!(document(&same).contains("\nevery mode that checks found the same variables\nSUMMARY: "));
    }

    #[test]
    fn a_percentage_has_no_negative_zero() {
        assert_eq!([Some(-0.001), Some(-0.26), None].map(percent), ["0%", "-26%", "-"]);
    }
}
