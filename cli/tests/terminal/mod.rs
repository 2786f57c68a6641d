//! Reports in terminals of several widths.

use regex::Regex;

use super::ended::shown;
use super::{Bench, output};

fn without_codes(text: &str) -> String {
    Regex::new("\u{1b}\\]8;;.*?\u{1b}\\\\|\u{1b}\\[[0-9;]*m").unwrap().replace_all(text, "").into_owned()
}

/// A finding with a source line of 100 characters, and who reports it.
fn bench() -> (Bench, String, tempfile::TempDir) {
    let (bench, out) = (Bench::new(), output());
    std::fs::create_dir(bench.path().join("bank")).unwrap();
    let line = format!("{}x = 1;", "int y; ".repeat(14));
    bench.write("bank/Account.java", &format!("package bank;\nclass Account {{\n{}{line}\n}}\n", "\n".repeat(7)));
    bench.run(&[&format!("--output={}", out.path().display())], "sh ./jvm x 1 certain");
    let arguments = format!("report '{}'", out.path().display());
    (bench, arguments, out)
}

#[test]
fn lines_fit_into_a_terminal() {
    let (bench, arguments, _out) = bench();
    let coloured = shown(bench.path(), 60, &[], &arguments);
    let shown = without_codes(&coloured);
    assert!(coloured != shown && shown.contains("RACE on field bank.Account.x (int)\n"), "{coloured}");
    let wide: Vec<&str> = shown.lines().filter(|line| line.chars().count() > 60).collect();
    assert!(matches!(wide[..], [summary] if summary.starts_with("SUMMARY: jrace: 1 race in ")), "{shown}");
    let (at, line) = shown.lines().enumerate().find(|(_, line)| line.contains(" 10 | ")).unwrap();
    let (mark, column) = (shown.lines().nth(at + 1).unwrap(), line.find('x').unwrap());
    assert!(line.contains('…') && mark.chars().count() > 8, "{shown}");
    assert_eq!(mark.find('^'), Some(line[..column].chars().count()), "{shown}");
}

#[test]
fn a_wide_terminal_shows_what_a_file_has_and_no_colour_is_none() {
    let (bench, arguments, out) = bench();
    let piped = bench.jrace(&["report", out.path().to_str().unwrap()]).out;
    assert!(!piped.contains('\u{1b}') && piped.lines().any(|line| line.len() > 110), "{piped}");
    for environment in [&[][..], &[("NO_COLOR", "1")], &[("TERM", "dumb")]] {
        let shown = shown(bench.path(), 220, environment, &arguments);
        assert_eq!(without_codes(&shown), piped);
        assert_eq!(shown == piped, !environment.is_empty(), "{environment:?}: {shown}");
    }
}

#[test]
fn what_programs_read_is_never_broken() {
    let (bench, arguments, _out) = bench();
    let brief = shown(bench.path(), 40, &[], &format!("{arguments} --brief"));
    assert!(brief.lines().next().unwrap().ends_with("(Account.java:20) [certain]"), "{brief}");
    let json = shown(bench.path(), 40, &[], &format!("{arguments} --json"));
    serde_json::from_str::<serde_json::Value>(&json).unwrap();
}
