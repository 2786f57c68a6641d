//! How findings of runs reach editors, build servers and code hosts.

use super::{Bench, output, summary};

const LINE: &str =
    "bank/Account.java:10: race on bank.Account.x: write in write() against read in read() (Account.java:20)";

/// A source of `bank.Account` with 30 lines, of which the tenth is `line`.
fn source(bench: &Bench, root: &str, class: &str, line: &str) {
    std::fs::create_dir_all(bench.path().join(root).join("bank")).unwrap();
    let text = format!("package bank;\nclass {class} {{\n{}{line}\n{}", "\n".repeat(7), "//\n".repeat(20));
    bench.write(&format!("{root}/bank/Account.java"), &text);
}

#[test]
fn of_two_trees_the_right_source_is_shown() {
    let (bench, out) = (Bench::new(), output());
    let flag = format!("--output={}", out.path().display());
    source(&bench, "old", "Other", "x = 1;");
    source(&bench, "zzz/much/deeper/src", "Account", "x = 2;");
    let ended = bench.run(&[&flag], "sh ./jvm x 1 certain");
    assert!(
        ended.err.contains("--> zzz/much/deeper/src/bank/Account.java") && ended.err.contains("x = 2;"),
        "{ended:?}"
    );

    source(&bench, "old", "Account", "x = 1;");
    let findings = out.path().to_str().unwrap();
    let ended = bench.jrace(&["report", findings, "--html", "page.html"]);
    let sentence = "jrace: no source is shown for `bank/Account.java`, as several files fit: ";
    assert_eq!(ended.err.matches(sentence).count(), 1, "{ended:?}");
    let page = std::fs::read_to_string(bench.path().join("page.html")).unwrap();
    assert!(!ended.out.contains("x = ") && !page.contains("x = "), "{ended:?}");
    let ended = bench.jrace(&["report", findings, "--source-path", "old"]);
    assert!(ended.err.is_empty() && ended.out.contains("--> old/bank/Account.java"), "{ended:?}");
}

#[test]
fn a_brief_report_is_a_line_for_each_finding() {
    let (bench, out) = (Bench::new(), output());
    let flag = format!("--output={}", out.path().display());
    let program = "sh ./jvm x 1 certain; sh ./jvm y 2 possible";
    let ended = bench.run(&[&flag, "--brief"], program);
    assert_eq!(ended.code, Some(66));
    assert!(ended.err.contains(&format!("\n{LINE} [certain]\n")) && !ended.err.contains("locks held"), "{ended:?}");
    let all = "SUMMARY: jrace: 1 race in 1 variable, 1 possible race in 1 variable (0 suppressed, 0 in baseline), 2 JVMs, exit 66";
    assert_eq!(summary(&ended.err), all);

    let ended = bench.jrace(&["report", "--brief", out.path().to_str().unwrap()]);
    let possible = LINE.replace("race on bank.Account.x", "possible race on bank.Account.y");
    assert_eq!(ended.out, format!("{LINE} [certain]\n{possible} [possible]\n"));
    assert_eq!(summary(&ended.err), all);
}

#[test]
fn a_brief_report_names_files_as_they_lie() {
    let (bench, out) = (Bench::new(), output());
    source(&bench, "app/src/main/java", "Account", "x = 1;");
    let ended = bench.run(&[&format!("--output={}", out.path().display()), "--brief"], "sh ./jvm x 1");
    assert!(ended.err.contains(&format!("\napp/src/main/java/{LINE} [ungraded]\n")), "{ended:?}");
}

#[test]
fn a_run_leaves_test_results() {
    let (bench, out) = (Bench::new(), output());
    let flag = format!("--output={}", out.path().display());
    let run = |program| {
        let ended = bench.run(&[&flag, "--junit", "r.xml"], program);
        assert_eq!(ended.out, "program output\n".repeat(ended.out.lines().count()));
        std::fs::read_to_string(bench.path().join("r.xml")).unwrap()
    };
    let numbers = |xml: &str| xml.lines().nth(2).unwrap().trim().to_owned();
    let text = run("sh ./jvm x 1 certain; sh ./jvm y 2 possible");
    let suite = "<testsuite name=\"jrace run\" tests=\"2\" skipped=\"1\" errors=\"0\" failures=\"1\">";
    assert_eq!(numbers(&text), suite);
    assert!(text.contains(&format!("<failure message=\"{} [certain]\"", &LINE[22..])), "{text}");
    let text = run("sh ./jvm none 1");
    assert_eq!(numbers(&text), "<testsuite name=\"jrace run\" tests=\"1\" skipped=\"0\" errors=\"0\" failures=\"0\">");
    // A run that was not checked is not green.
    let text = run("sh ./jvm none 1; sh ./unchecked 2");
    assert_eq!(numbers(&text), "<testsuite name=\"jrace run\" tests=\"2\" skipped=\"0\" errors=\"1\" failures=\"0\">");
    assert!(text.contains("JVM 2 (old.Main) ran unchecked: this is JDK 11"), "{text}");
    let ended = bench.run(&[&flag, "--junit", "missing/r.xml"], "touch was-run");
    let sentence = "cannot write the test results to `missing/r.xml`; choose another file with --junit: No such file or directory (os error 2)";
    ended.failed_with(sentence);
    assert!(!bench.path().join("was-run").exists());
}

#[test]
fn a_run_annotates_lines_on_github() {
    let (bench, out) = (Bench::new(), output());
    let flag = format!("--output={}", out.path().display());
    source(&bench, "module/src", "Account", "x = 1;");
    bench.write("summary.md", "before\n");
    let mut command = bench.command(&["run", &flag, "--github", "--source-path", "src", "--", "sh", "-c"]);
    command.arg("sh ../jvm x 1 certain; sh ../jvm y 2 possible").current_dir(bench.path().join("module"));
    command.env("GITHUB_WORKSPACE", bench.path()).env("GITHUB_STEP_SUMMARY", bench.path().join("summary.md"));
    let ended = super::Ended::of(command.output().unwrap());
    let lines: Vec<&str> = ended.out.lines().filter(|line| *line != "program output").collect();
    let error = "::error file=module/src/bank/Account.java,line=10,title=jrace%3A race::race on bank.Account.x: write in write() \
                 against read in read() (Account.java:20) [certain]";
    assert!(lines.len() == 2 && lines[0].starts_with(error), "{ended:?}");
    assert!(
        lines[1].starts_with("::warning file=module/src/bank/Account.java,line=10,title=jrace%3A possible race::"),
        "{ended:?}"
    );
    let page = std::fs::read_to_string(bench.path().join("summary.md")).unwrap();
    assert!(page.starts_with("before\n### jrace run: 2 findings\n"), "{page}");
    assert_eq!(
        page.lines().filter(|line| line.starts_with("| error | ") || line.starts_with("| warning | ")).count(),
        2
    );
    assert_eq!(ended.code, Some(66));
}
