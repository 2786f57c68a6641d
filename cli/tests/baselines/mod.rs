//! What is known, what is gone, what came back, and what is suppressed for how long.

use std::path::Path;

use jrace_tests::jdk::Jdk;
use serde_json::Value;

use super::{Bench, output, sarif, schema, summary};

/// Runs the fake JVM in an empty output directory, so that its races are all there is.
fn found(bench: &Bench, program: &str) -> tempfile::TempDir {
    let out = output();
    bench.run(&["--output", out.path().to_str().unwrap()], program);
    out
}

fn json(bench: &Bench, out: &Path, flags: &[&str]) -> Value {
    let ended = bench.jrace(&[&["report", out.to_str().unwrap(), "--json"], flags].concat());
    schema::valid("report", &ended.out)
}

fn update(bench: &Bench, out: &Path, flags: &[&str]) -> String {
    let ended = bench.jrace(&[&["baseline", "update", "known.json", "--from", out.to_str().unwrap()], flags].concat());
    assert_eq!(ended.code, Some(0), "{ended:?}");
    schema::valid("baseline", &std::fs::read_to_string(bench.path().join("known.json")).unwrap());
    ended.err + &ended.out
}

#[test]
fn a_baseline_says_what_is_gone_and_what_came_back() {
    let bench = Bench::new();
    let both = found(&bench, "sh ./jvm x 1; sh ./jvm y 2");
    let told = "+ race on field bank.Account.x (int): bank.Account.read and bank.Account.write\n\
                + race on field bank.Account.y (int): bank.Account.read and bank.Account.write\n\
                `known.json` has 2 findings: 2 new\n";
    assert_eq!(update(&bench, both.path(), &[]), told);
    assert_eq!(update(&bench, both.path(), &[]), "`known.json` has 2 findings: nothing has changed\n");

    let one = found(&bench, "sh ./jvm x 1");
    let ended = bench.jrace(&["report", one.path().to_str().unwrap(), "--baseline", "known.json"]);
    let note = "note: 1 finding of the baseline not seen this time: bank.Account.y; `jrace baseline update` takes out what is gone\n";
    assert!(ended.out.contains(note) && ended.code == Some(0), "{ended:?}");
    let gone = json(&bench, one.path(), &["--baseline", "known.json"]);
    assert_eq!(gone["gone"]["findings"][0]["name"], "bank.Account.y");
    assert_eq!(update(&bench, one.path(), &["--keep"]), "`known.json` has 2 findings: nothing has changed\n");
    let told = "- race on field bank.Account.y (int): bank.Account.read and bank.Account.write\n`known.json` has 1 finding: 1 gone\n";
    assert_eq!(update(&bench, one.path(), &[]), told);

    let ended = bench.jrace(&["report", both.path().to_str().unwrap(), "--baseline", "known.json"]);
    assert!(ended.out.contains("  This was in the baseline, was gone, and has come back\n"), "{ended:?}");
    assert!(summary(&ended.out).contains("1 race in 1 variable (0 suppressed, 1 in baseline)"), "{ended:?}");
    let back = json(&bench, both.path(), &["--baseline", "known.json"]);
    let told = [0, 1].map(|at| back["findings"][at]["baseline"].as_str().unwrap());
    assert_eq!(told, ["unchanged", "returned"]);
    let only = json(&bench, both.path(), &["--baseline", "known.json", "--only-new"]);
    assert_eq!(only["findings"].as_array().unwrap().len(), 1);
    assert_eq!((&only["findings"][0]["baseline"], &only["summary"]["baseline"]), (&"returned".into(), &1.into()));
    let told = "+ (back) race on field bank.Account.y (int): bank.Account.read and bank.Account.write\n\
                `known.json` has 2 findings: 1 back\n";
    assert_eq!(update(&bench, both.path(), &[]), told);
}

#[test]
fn nothing_is_taken_out_if_something_may_be_missing() {
    let bench = Bench::new();
    update(&bench, found(&bench, "sh ./jvm x 1; sh ./jvm y 2").path(), &[]);
    // A JVM that is not checked, a command that fails, and a build that runs no tests.
    for program in ["sh ./jvm x 1; sh ./unchecked 4", "sh ./jvm x 1; false", "sh ./idle"] {
        let partial = found(&bench, program);
        let told = "jrace: something may be missing in these runs (`jrace report` says what; a build that runs no tests checks none), so \
                    nothing was taken out\n`known.json` has 2 findings: nothing has changed\n";
        assert_eq!(update(&bench, partial.path(), &[]), told, "{program}");
        let report = bench.jrace(&["report", "--last", partial.path().to_str().unwrap()]).out;
        let is_said = report.contains("failed with exit code 1: it may not have done all that it does else");
        assert_eq!(is_said, program.contains("false"), "{report}");
    }
}

#[test]
fn a_baseline_outlives_moved_lines_and_not_other_methods() {
    let bench = Bench::new();
    update(&bench, found(&bench, "sh ./jvm x 1").path(), &[]);
    let jvm = std::fs::read_to_string(bench.path().join("jvm")).unwrap();
    bench
        .write("moved", &jvm.replace("access write 10", "access write 110").replace("access read 20", "access read 7"));
    bench.write("other", &jvm.replace(r#""method":"'$1'""#, r#""method":"audit""#));
    let status = |program: &str| {
        let finding = &json(&bench, found(&bench, program).path(), &["--baseline", "known.json"])["findings"][0];
        (finding["status"].as_str().unwrap().to_owned(), finding["baseline"].as_str().unwrap().to_owned())
    };
    assert_eq!(status("sh ./moved x 1"), ("baseline".into(), "unchanged".into()));
    assert_eq!(status("sh ./other x 1"), ("new".into(), "updated".into()));
}

#[test]
fn baselines_of_old_are_read_and_others_refused() {
    let bench = Bench::new();
    let out = found(&bench, "sh ./jvm x 1");
    let variable = r#"{"kind":"field","class":"bank/Account","name":"x","descriptor":"I"}"#;
    bench.write("old.json", &format!(r#"{{"format":1,"findings":[{{"rule":"race","variable":{variable}}}]}}"#));
    let ended = bench.jrace(&["report", out.path().to_str().unwrap(), "--baseline", "old.json"]);
    assert!(
        ended.out.contains("note: the baseline is of an older jrace and knows races by their variable only"),
        "{ended:?}"
    );
    assert!(summary(&ended.out).ends_with("(0 suppressed, 1 in baseline), 1 JVM, exit 0"), "{ended:?}");
    for (text, expected) in [
        (
            r#"{"format":3,"findings":[]}"#,
            "new.json` is no baseline: its format 3 is newer than this jrace reads (2); update jrace",
        ),
        (
            r#"{"format":2}"#,
            "new.json` is no baseline: write one with `jrace baseline update FILE`: missing field `findings`",
        ),
    ] {
        bench.write("new.json", text);
        let ended = bench.jrace(&["report", out.path().to_str().unwrap(), "--baseline", "new.json"]);
        assert!(ended.code == Some(2) && ended.err.contains(expected), "{ended:?}");
    }
    bench
        .jrace(&["baseline", "update"])
        .failed_with("no baseline is named: write `jrace baseline update FILE`, or set `baseline` in jrace.toml");
}

#[test]
fn suppressions_of_the_configuration_have_a_reason_and_an_end() {
    let bench = Bench::new();
    let out = found(&bench, "sh ./jvm x 1; sh ./jvm y 2; sh ./jvm z 3");
    let directory = out.path().to_str().unwrap();
    bench.write(
        "jrace.toml",
        "stack_depth = 8\n[[suppress]]\nrace = '^bank.Account.x$'\nreason = 'counts only'\nexpires = 9999-12-31\n\
         [[suppress]]\nrace = '^bank.Account.y$'\nreason = 'soon mended'\nexpires = 2001-02-28\n\
         [[suppress]]\npackage = 'org.nothing'\nreason = 'theirs'\n",
    );
    let ended = bench.jrace(&["report", directory]);
    let notes: Vec<_> = ended.out.lines().filter(|line| line.starts_with("note")).collect();
    assert_eq!(
        notes,
        [
            "note: the suppression `package:org.nothing` (jrace.toml) matched nothing",
            "note: the suppression `race:^bank.Account.y$` (jrace.toml) expired on 2001-02-28 and suppresses nothing: mend what it is \
             about, or set a later day"
        ]
    );
    assert!(summary(&ended.out).contains("2 races in 2 variables (1 suppressed, 0 in baseline)"), "{ended:?}");
    let json = json(&bench, out.path(), &[]);
    let by = &json["findings"][0]["suppressed_by"][0];
    assert_eq!((&by["reason"], &by["expires"]), (&"counts only".into(), &"9999-12-31".into()));
    assert_eq!(json["expired_suppressions"][0], "race:^bank.Account.y$");

    bench.write("jrace.toml", "[[suppress]]\npackage = 'bank'\nreason = 'theirs'\n");
    let ended = bench.jrace(&["report", directory]);
    assert!(summary(&ended.out).contains("0 races in 0 variables (3 suppressed, 0 in baseline)"), "{ended:?}");
    bench.write("jrace.toml", "[[suppress]]\nrace = 'bank'\n");
    bench.run(&[], "touch was-run").failed_with(
        "in jrace.toml: table 1 of `suppress`: it has no reason: write `reason = \"why this does no harm\"`",
    );
    assert!(!bench.path().join("was-run").exists());
}

#[test]
fn annotations_in_the_code_suppress() {
    let bench = Bench::new();
    let out = found(&bench, "sh ./jvm x 1; sh ./jvm y 2; sh ./jvm z 3");
    let directory = out.path().to_str().unwrap();
    let table = "[[suppress]]\nannotation = 'bank.Benign'\nreason = 'looked at'\n";
    bench.write("jrace.toml", table);
    bench.jrace(&["report", directory]).failed_with(
        "in jrace.toml: table 1 of `suppress`: no class files are known to look for annotations in: say where class files are, \
         `classes = [\"target/classes\"]`",
    );
    bench.write("Benign.java", "package bank; public @interface Benign {}");
    let javac = |account: &str| {
        bench.write("Account.java", account);
        let sources = ["Benign.java", "Account.java"].map(|name| bench.path().join(name));
        Jdk::oldest().compile(&sources, &bench.path().join("target/classes"), &[]).unwrap();
    };
    for (account, expected) in [
        ("class Account { @Benign int x; int y; int z; void write() {} void read() {} }", 1),
        ("class Account { int x; int y; int z; @Benign void write() {} void read() {} }", 3),
        ("@Benign class Account { int x; int y; int z; }", 3),
        ("class Account { int x; int y; int z; void write() {} void read() {} @Benign void other() {} }", 0),
    ] {
        javac(&format!("package bank; {account}"));
        for text in [table.to_owned(), format!("{table}classes = ['target/classes']\n")] {
            bench.write("jrace.toml", &text);
            let ended = bench.jrace(&["report", directory]);
            assert!(summary(&ended.out).contains(&format!("({expected} suppressed,")), "{account} {ended:?}");
        }
    }
}

#[test]
fn what_is_known_or_suppressed_is_in_sarif_when_asked_for() {
    let bench = Bench::new();
    update(&bench, found(&bench, "sh ./jvm x 1; sh ./jvm w 2").path(), &[]);
    let out = found(&bench, "sh ./jvm x 1; sh ./jvm y 2; sh ./jvm z 3");
    bench.write("jrace.toml", "baseline = 'known.json'\n[[suppress]]\nrace = 'Account.z'\nreason = 'counts only'\n");
    let states = |flags: &[&str]| {
        let directory = out.path().to_str().unwrap();
        bench.jrace(&[&["report", directory, "--sarif", "r.sarif"], flags].concat());
        let text = std::fs::read_to_string(bench.path().join("r.sarif")).unwrap();
        let document: Value = serde_json::from_str(&text).unwrap();
        sarif::validate(&document);
        let results = document["runs"][0]["results"].as_array().unwrap().clone();
        let told = results.iter().map(|result| {
            let justification = result["suppressions"][0]["justification"].as_str().unwrap_or("-");
            format!(
                "{} {}: {justification}",
                result["partialFingerprints"]["variable/v1"].as_str().unwrap(),
                result["baselineState"].as_str().unwrap()
            )
        });
        told.collect::<Vec<_>>()
    };
    let counts = "field bank.Account.y (int) new: -";
    assert_eq!(states(&[]), [counts]);
    let all = [
        counts,
        "field bank.Account.x (int) unchanged: It is in the baseline.",
        "field bank.Account.z (int) new: race:Account.z: counts only",
        "field bank.Account.w (int) absent: -",
    ];
    assert_eq!(states(&["--sarif-known"]), all);
}
