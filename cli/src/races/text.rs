//! A race report for the terminal.

use std::fmt::Write as _;

use super::report::{AccessView, Frame, RaceView, Report, VariableRaces};
use crate::report::words::count;

/// The whole text; its last line is for `grep`. `all` shows every race, else the surest of each variable.
pub fn document(report: &Report, all: bool) -> String {
    let mut text = String::new();
    for variable in &report.variables {
        show_variable(&mut text, variable, all);
    }
    for assumption in &report.assumptions {
        let _ = writeln!(text, "not seen: {assumption}");
    }
    text + &summary(report)
}

// Writing to a string cannot fail.
fn show_variable(text: &mut String, variable: &VariableRaces, all: bool) {
    let shown = if all { variable.races.len() } else { 1 };
    for race in variable.races.iter().take(shown) {
        let doubt = if race.confidence == "maybe-same-lock" { ", unless the locks below are the same one" } else { "" };
        let _ = writeln!(text, "race on {}{doubt}", variable.variable);
        show_race(text, race);
    }
    let others = variable.pairs - variable.races.iter().take(shown).map(|race| race.pairs.min(1)).sum::<u64>();
    if others > 0 {
        let _ = writeln!(text, "  and {} of the same variable", count(others, "other pair"));
    }
    text.push('\n');
}

fn show_race(text: &mut String, race: &RaceView) {
    for access in &race.accesses {
        show_access(text, access);
    }
    if let Some(object) = race.objects.first() {
        let more = race.objects.len() - 1;
        let more = if more > 0 { format!(" and {}", count(more as u64, "other object")) } else { String::new() };
        let _ = writeln!(text, "  on {object}{more}");
    }
}

fn show_access(text: &mut String, access: &AccessView) {
    let locks = if access.locks.is_empty() { "no lock".to_owned() } else { access.locks.join("; ") };
    let _ = writeln!(text, "  {} by {}, holding {locks}", access.kind, access.thread);
    let mut skipped = 0;
    for (n, frame) in access.path.iter().enumerate() {
        let is_end = n == 0 || n + 1 == access.path.len();
        if frame.library && !is_end && access.path[n + 1].library {
            skipped += 1;
            continue;
        }
        if skipped > 0 {
            let _ = writeln!(text, "    ... {}", count(skipped, "call in libraries"));
            skipped = 0;
        }
        let _ = writeln!(text, "    {}", show_frame(frame));
    }
}

fn show_frame(frame: &Frame) -> String {
    let place = match (&frame.file, frame.line) {
        (Some(file), Some(line)) => format!(" ({file}:{line})"),
        (Some(file), None) => format!(" ({file})"),
        _ => String::new(),
    };
    let locks = if frame.locks.is_empty() { String::new() } else { format!(" locks {}", frame.locks.join("; ")) };
    format!("{}{place}{locks}", frame.method)
}

fn summary(report: &Report) -> String {
    let stages: Vec<String> = report.stages.iter().map(|stage| format!("{} {}", stage.stage, stage.pairs)).collect();
    let sure = report
        .variables
        .iter()
        .filter(|variable| variable.races.first().is_some_and(|race| race.confidence == "no-common-lock"));
    format!(
        "SUMMARY: jrace races: {} ({} without any common lock); {} proved race-free by types; {} ; pairs: {}\n",
        count(report.variables.len() as u64, "variable"),
        sure.count(),
        report.proved.len(),
        count(report.threads as u64, "kind of thread"),
        stages.join(", "),
    )
}
