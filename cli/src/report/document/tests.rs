//! Reports of runs in every form.

use facts::finding::{Grade, Record, Variable};
use serde_json::Value;

use super::super::baseline::{Baseline, Known};
use super::super::fixtures::{access, conflict, deadlock, field, file, finding, graded, hazard, place};
use super::super::judge::Judges;
use super::super::merge::{Key, Merged};
use super::*;
use crate::formats::{self, html, sarif};

fn told<T>(merged: &Merged, sources: Sources, say: impl FnOnce(&Document<'_>, &mut Locator<'_>) -> T) -> T {
    told_by(&Judges::default(), merged, sources, false, say)
}

fn told_by<T>(
    judges: &Judges,
    merged: &Merged,
    sources: Sources,
    unlikely: bool,
    say: impl FnOnce(&Document<'_>, &mut Locator<'_>) -> T,
) -> T {
    let shown = |path: &std::path::Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    let mut locator = Locator::new(sources, &shown);
    say(&of(&judges.judge(merged), "jrace report", true, unlikely, &mut locator), &mut locator)
}

fn brief(merged: &Merged, sources: Sources) -> String {
    told(merged, sources, |document, _| formats::brief(document))
}

fn race_of(name: &str, grade: Option<Grade>, line: u32) -> Record {
    let pair = conflict(access("write", line, 1, &[]), access("read", line + 1, 2, &[]));
    finding(field(name), vec![graded(grade, pair)])
}

#[test]
fn each_finding_is_a_line() {
    let records = vec![
        race_of("a", Some(Grade::Possible), 10),
        race_of("d", Some(Grade::Unlikely), 50),
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
    let first = "Teller.java:5: race on bank.Account.b: read in pay() against write in log() (Log.java:4) [ungraded]";
    assert_eq!(text.lines().next(), Some(first));
}

#[test]
fn all_that_is_known_is_kept_without_colours() {
    let merged = file(1, vec![race_of("a", Some(Grade::Possible), 10), hazard("transfer", 40, 1)]);
    let first = |finding: &Finding<'_>| finding.full.lines().next().unwrap().to_owned();
    let facts: Vec<_> = told(&merged, Sources::default(), |document, _| {
        document.findings.iter().map(|finding| (finding.level, finding.fails, first(finding))).collect()
    });
    let expected = [
        (Level::Warning, true, "ATOMICITY VIOLATION of method bank.Account.transfer".to_owned()),
        (Level::Warning, false, "POSSIBLE RACE on field bank.Account.a (int)".to_owned()),
    ];
    assert_eq!(facts, expected);
}

fn results(records: Vec<Record>) -> Vec<Value> {
    let merged = file(1, records);
    let text = told(&merged, Sources::default(), |document, _| sarif::document(document, None, false).unwrap());
    let document: Value = serde_json::from_str(&text).unwrap();
    document["runs"][0]["results"].as_array().unwrap().clone()
}

fn sides_of(name: &str, grade: Option<Grade>) -> Record {
    let pair = conflict(access("write", 10, 1, &["o5"]), access("read", 20, 2, &[]));
    finding(field(name), vec![graded(grade, pair)])
}

#[test]
fn levels_go_by_grade() {
    let records = vec![
        sides_of("a", Some(Grade::Possible)),
        sides_of("b", None),
        sides_of("c", Some(Grade::Certain)),
        hazard("transfer", 20, 1),
        deadlock(),
    ];
    let told: Vec<_> = results(records)
        .iter()
        .map(|result| {
            let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
            [text(&result["ruleId"]), text(&result["level"]), text(&result["properties"]["grade"])].join(" ")
        })
        .collect();
    let expected = [
        "race error certain",
        "race error ungraded",
        "atomicity warning foreseen",
        "deadlock warning foreseen",
        "possible-race warning possible",
    ];
    assert_eq!(told, expected);
}

/// Where nothing can be folded, unlikely races are told if that is asked for, or if they make the command fail.
#[test]
fn unlikely_races_are_told_if_that_is_asked_for() {
    let merged = file(1, vec![race_of("d", Some(Grade::Unlikely), 50)]);
    let line = "bank/Account.java:50: unlikely race on bank.Account.d: write in write() against read in read() (Account.java:51) [unlikely]\n";
    let failing = Judges::failing_on(Grade::Unlikely);
    for (judges, unlikely, expected) in
        [(&Judges::default(), false, ""), (&Judges::default(), true, line), (&failing, false, line)]
    {
        let of = |say: fn(&Document<'_>) -> String| {
            told_by(judges, &merged, Sources::default(), unlikely, |document, _| say(document))
        };
        assert_eq!(of(formats::brief), expected);
        let scanned: Value =
            serde_json::from_str(&of(|document| sarif::document(document, None, false).unwrap())).unwrap();
        let results = scanned["runs"][0]["results"].as_array().unwrap();
        assert!(results.iter().all(|result| result["level"] == "note"), "{scanned}");
        assert_eq!(results.len(), usize::from(!expected.is_empty()));
        assert!(of(|document| document.findings[0].full.clone()).starts_with("UNLIKELY RACE on field bank.Account.d"));
    }
}

#[test]
fn a_result_has_both_threads() {
    let result = &results(vec![sides_of("x", Some(Grade::Certain))])[0];
    assert_eq!(
        result["message"]["text"],
        "Race on field bank.Account.x (int). Write by thread T1 \"worker-1\", locks held: bank.Lock (o5). Read by thread T2 \
         \"worker-2\", locks held: none. Hint: hold bank.Lock (o5) also at bank.Account.read(Account.java:20)."
    );
    let line = |location: &Value| location["physicalLocation"]["region"]["startLine"].as_u64();
    assert_eq!((line(&result["locations"][0]), line(&result["relatedLocations"][0])), (Some(10), Some(20)));
    let flows = result["codeFlows"][0]["threadFlows"].as_array().unwrap();
    let ends: Vec<_> = flows.iter().map(|flow| line(&flow["locations"][3]["location"])).collect();
    assert_eq!(ends, [Some(10), Some(20)]);
    assert_eq!(result["partialFingerprints"]["variable/v1"], "field bank.Account.x (int)");
}

#[test]
fn what_was_not_kept_is_left_out() {
    let mut pair = conflict(access("write", 10, 1, &[]), access("read", 20, 2, &[]));
    pair.current.stack.clear();
    let half = results(vec![finding(field("x"), vec![pair.clone()])]);
    assert_eq!(half[0]["codeFlows"][0]["threadFlows"].as_array().map(Vec::len), Some(1));
    pair.previous.stack.clear();
    let none = results(vec![finding(field("x"), vec![pair])]);
    assert_eq!((&none[0]["locations"], &none[0]["codeFlows"]), (&Value::Array(vec![]), &Value::Array(vec![])));
}

#[test]
fn a_finding_stands_in_the_program() {
    let mut pair = conflict(access("write", 10, 1, &[]), access("read", 20, 2, &[]));
    pair.current.stack.insert(0, place("java/util/ArrayList", "add", 454));
    let list = Variable::Object { class: "java/util/ArrayList".into() };
    let location = &results(vec![finding(list, vec![pair])])[0]["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "bank/Account.java");
}

fn fingerprints(records: Vec<Record>) -> Vec<String> {
    results(records).iter().map(|result| result["partialFingerprints"].to_string()).collect()
}

#[test]
fn fingerprints_survive_moved_lines() {
    let moved = |name: &str, by: u32| {
        let pair = conflict(access("write", 10 + by, 1, &["o5"]), access("read", 20 + 2 * by, 2, &[]));
        vec![finding(field(name), vec![pair]), hazard("transfer", 20 + by, 1)]
    };
    assert_eq!(fingerprints(moved("x", 0)), fingerprints(moved("x", 7)));
    assert_ne!(fingerprints(moved("x", 0)), fingerprints(moved("y", 0)));
}

fn page_of(records: Vec<Record>) -> String {
    let merged = file(1, records);
    told(&merged, Sources::default(), html::document)
}

fn page() -> String {
    let directory = tempfile::tempdir().unwrap();
    let account: String = (1..=30).map(|line| format!("line {line} <&>\n")).collect();
    std::fs::create_dir(directory.path().join("bank")).unwrap();
    std::fs::write(directory.path().join("bank/Account.java"), format!("package bank;\n{account}")).unwrap();
    let mut evil = access("write", 10, 1, &["o5"]);
    evil.thread.name = "<b>worker</b>".into();
    let race = finding(field("balance"), vec![conflict(evil, access("read", 20, 2, &[]))]);
    let merged = file(1, vec![race, hazard("transfer", 20, 3), deadlock()]);
    told(&merged, Sources::new(directory.path(), &[]), html::document)
}

#[test]
fn every_finding_has_its_steps_locks_and_advice() {
    let page = page();
    assert_eq!(page.matches("<details class=\"variable\"").count(), 3);
    assert_eq!(page.matches("<li class=\"own\">").count(), 2 + 2, "{page}");
    assert_eq!(page.matches("<li class=\"other\">").count(), 1 + 2);
    assert_eq!(page.matches("class=\"advice\"").count(), 3);
    for text in ["two reads differ", "R W' R", "bank.<wbr>Lock (o5)", "waits for bank.<wbr>Lock (o6)", "no lock"] {
        assert!(page.contains(text), "{text}: {page}");
    }
}

#[test]
fn possible_races_come_last_and_apart() {
    let pair = |grade, line| graded(grade, conflict(access("write", line, 1, &[]), access("read", 20, 2, &[])));
    let [certain, possible, unlikely] = [Grade::Certain, Grade::Possible, Grade::Unlikely].map(Some);
    let sure = finding(field("sure"), vec![pair(certain, 10), pair(possible, 11)]);
    let page = page_of(vec![
        finding(field("hardly"), vec![pair(unlikely, 10)]),
        finding(field("maybe"), vec![pair(possible, 10)]),
        sure,
    ]);
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text}: {page}"));
    let possible = ["<h2>Possible races</h2>", "Of large arrays", "<wbr>maybe"];
    let order = [&["<wbr>sure"], &possible[..], &["<h2>Unlikely races</h2>", "<wbr>hardly"]].concat();
    let order: Vec<usize> = order.into_iter().map(at).collect();
    assert!(order.is_sorted(), "{order:?} {page}");
    let number = |text: &str| page.matches(text).count();
    assert_eq!((number("data-rule=\"race\""), number("data-rule=\"possible-race\"")), (1, 1));
    assert_eq!((number("badge doubtful"), number("this pair is only possible.")), (2, 1));
    assert_eq!(number("data-rule=\"unlikely-race\""), 1);
    assert!(!page_of(vec![finding(field("sure"), vec![pair(certain, 10)])]).contains("Possible races"));
}

#[test]
fn own_code_comes_first_and_libraries_are_closed() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir(directory.path().join("bank")).unwrap();
    std::fs::write(directory.path().join("bank/Account.java"), "package bank;\n".repeat(30)).unwrap();
    let mut lib = conflict(access("write", 10, 1, &[]), access("read", 20, 2, &[]));
    for side in [&mut lib.current, &mut lib.previous] {
        side.stack[0].class = "org/lib/Cache".into();
        side.test = Some("bank.AccountTest.pays".into());
    }
    let cache = Variable::Field { class: "org/lib/Cache".into(), name: "a".into(), descriptor: "I".into() };
    let own = finding(field("z"), vec![conflict(access("write", 10, 1, &[]), access("read", 20, 2, &[]))]);
    let mut merged = file(1, vec![finding(cache, vec![lib]), own]);
    merged.jvms.values_mut().for_each(|facts| facts.jvm.command = "app.jar <x>".into());
    let page = told(&merged, Sources::new(directory.path(), &[]), html::document);
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text}: {page}"));
    let order = [
        "<dt>JVMs</dt>",
        "<h3>Your code</h3>",
        "data-grade=\"ungraded\" open>",
        "<h3>Libraries</h3>",
        "pays\">\n",
        "<h2>Tests in whose work",
    ];
    assert!(order.map(at).is_sorted(), "{page}");
    for text in [
        "<select name=\"package\">",
        "bank.<wbr>AccountTest.<wbr>pays: org.<wbr>lib.<wbr>Cache.<wbr>a",
        "app.<wbr>jar &lt;x&gt;",
    ] {
        at(text);
    }
    assert!(!page_of(vec![finding(field("z"), vec![])]).contains("<h2>Tests"));
}

#[test]
fn what_came_back_and_what_is_gone_is_said() {
    let known = |name| {
        (Key { variable: field(name), rule: finding::Rule::Race }, Known { whole: Some(None), ..Known::default() })
    };
    let races = [known("known"), known("missing")].into();
    let baseline = Baseline { races, gone: [known("back")].into(), ..Baseline::default() };
    let pair = || vec![conflict(access("write", 10, 1, &[]), access("read", 20, 2, &[]))];
    let merged = file(1, vec![finding(field("known"), pair()), finding(field("back"), pair())]);
    let judges = Judges::default().with_baseline(Some(baseline));
    let page = told_by(&judges, &merged, Sources::default(), false, html::document);
    for text in
        ["has come back.", "<h2>In the baseline and not seen this time</h2>", "<li>bank.<wbr>Account.<wbr>missing</li>"]
    {
        assert!(page.contains(text), "{text}: {page}");
    }
}

#[test]
fn names_and_sources_are_escaped_and_nothing_is_loaded() {
    let page = page();
    assert!(page.contains("line 19 &lt;&amp;&gt;") && page.contains("&lt;b&gt;worker"), "{page}");
    for word in ["<&>", "<b>", "http:", "https:", "src=", "@import", "url(", "<link"] {
        assert!(!page.contains(word), "{word}");
    }
}
