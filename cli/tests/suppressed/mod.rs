//! Suppressions, which the searches and `jrace check` heed as reports of runs do.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Bench, schema};

const APP: &str = "package app;
import java.lang.annotation.*;
public class App {
    @Retention(RetentionPolicy.CLASS) @interface Benign { }
    int counted, audited, mixed;
    @Benign int noted;
    synchronized void count() { counted++; counted++; counted++; audited++; audited++; mixed++; mixed++; mixed++; noted++; noted++; noted++; }
    void add() { counted++; mixed++; noted++; }
    void audit() { mixed++; audited++; }
    public static void main(String[] arguments) {
        App app = new App();
        Runnable all = () -> { app.count(); app.add(); app.audit(); };
        new Thread(all).start();
        new Thread(all).start();
    }
}
";

const COMMANDS: [&[&str]; 3] = [&["races"], &["races", "--modular"], &["check"]];

fn app() -> Bench {
    let bench = Bench::new();
    bench.write("App.java", APP);
    std::fs::create_dir(bench.path("classes")).unwrap();
    bench.jdk.compile(&[bench.path("App.java")], &bench.path("classes"), &[]).unwrap();
    bench
}

/// The fields of a document that count, and those that are suppressed; `!` before a name is an exit code that does not fit.
fn told(ended: &super::Ended, command: &str) -> [BTreeSet<String>; 2] {
    let report = schema::valid(command, &ended.out);
    let listed = ["variables", "fields"].into_iter().filter_map(|list| report[list].as_array()).flatten();
    let (counting, suppressed): (Vec<&Value>, Vec<&Value>) = listed.partition(|one| one["suppressed_by"].is_null());
    let name = |one: &Value| one["name"].as_str().unwrap().trim_start_matches("app.App.").to_owned();
    let expected = if counting.is_empty() { 0 } else { 66 };
    assert_eq!(ended.code, Some(expected), "{ended:?}");
    [counting, suppressed].map(|list| list.into_iter().map(name).collect())
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn every_search_heeds_what_runs_heed() {
    let bench = app();
    let all = ["audited", "counted", "mixed", "noted"];
    for (toml, suppressed) in [
        ("", &[][..]),
        ("race = 'App.counted'", &["counted"]),
        ("race = '^app.App.add$'", &["counted", "noted"]),
        ("race = 'app/App.java'", &all),
        ("package = 'app'", &all),
        ("package = 'ap'", &[]),
        ("annotation = 'app.App$Benign'\nclasses = ['classes']", &["noted"]),
        ("atomicity = 'App.*'", &[]),
        ("race = 'App.counted'\nexpires = 2001-01-31", &[]),
    ] {
        let table = if toml.is_empty() { String::new() } else { format!("[[suppress]]\nreason = 'a test'\n{toml}\n") };
        bench.write("jrace.toml", &table);
        for command in COMMANDS {
            let ended = bench.jrace(&[command, &["--json", "classes"]].concat());
            let of: Vec<&str> = all.into_iter().filter(|name| !suppressed.contains(name)).collect();
            assert_eq!(told(&ended, command[0]), [set(&of), set(suppressed)], "{toml} {command:?}");
            let over = "the suppression `race:App.counted` (jrace.toml) expired on 2001-01-31 and suppresses nothing";
            assert_eq!(ended.err.contains(over), toml.contains("expires"), "{ended:?}");
        }
    }
}

#[test]
fn what_is_left_of_a_variable_is_reported() {
    let bench = app();
    bench.write("known", "race:^app.App.audit$\n");
    for command in COMMANDS {
        let ended = bench.jrace(&[command, &["--json", "--suppressions", "known", "classes"]].concat());
        assert_eq!(told(&ended, command[0]), [set(&["counted", "mixed", "noted"]), set(&["audited"])], "{command:?}");
        let (before, after) = (bench.jrace(&[command, &["--json", "classes"]].concat()).out, ended.out);
        let audits = |text: &str| {
            let report: Value = serde_json::from_str(text).unwrap();
            let listed = ["variables", "fields"].into_iter().filter_map(|list| report[list].as_array()).flatten();
            let mixed = listed.into_iter().find(|one| one["name"] == "app.App.mixed").unwrap();
            let (races, unguarded) = (mixed["races"].as_array(), mixed["unguarded"].as_array());
            let only_audits = |race: &&Value| {
                race["accesses"].as_array().unwrap().iter().all(|access| {
                    let places = access["path"][0]["method"].as_str().into_iter();
                    let alike = access["alike"].as_array().unwrap().iter().filter_map(|one| one["method"].as_str());
                    places.chain(alike).all(|method| method == "app.App.audit")
                })
            };
            let of_races = races.into_iter().flatten().filter(only_audits).count();
            of_races + unguarded.into_iter().flatten().filter(|access| access["place"]["method"] == "audit").count()
        };
        assert!(audits(&after) == 0 && (command[0] == "races" || audits(&before) > 0), "{command:?}");
    }
}

#[test]
fn every_form_tells_it() {
    let bench = app();
    bench.write("jrace.toml", "[[suppress]]\nrace = 'App.noted'\nreason = 'a <note>'\nexpires = 9999-12-31\n");
    for command in COMMANDS {
        let forms = ["--sarif", "out.sarif", "--sarif-known", "--html", "out.html"];
        let ended = bench.jrace(&[command, &forms[..], &["classes"]].concat());
        assert!(ended.out.contains("; 1 suppressed") && !ended.out.contains("noted"), "{ended:?}");
        let sarif: Value = serde_json::from_str(&bench.read("out.sarif")).unwrap();
        let results = sarif["runs"][0]["results"].as_array().unwrap();
        let suppressed: Vec<&Value> = results.iter().filter(|result| result["suppressions"][0].is_object()).collect();
        let said = &suppressed[0]["suppressions"][0];
        assert_eq!((suppressed.len(), &said["justification"]), (1, &Value::from("race:App.noted: a <note>")));
        let page = bench.read("out.html");
        assert!(page.contains("Suppressed") && page.contains("noted: a &lt;note&gt;)"), "{command:?}");
        let json = bench.jrace(&[command, &["--json", "--only-new", "classes"]].concat());
        assert!(!json.out.contains("app.App.noted (") && !json.out.contains("suppressed_by"), "{json:?}");
    }
}

#[test]
fn what_is_suppressed_is_neither_known_nor_gone() {
    let bench = app();
    let suppress = "[[suppress]]\nrace = 'App.noted'\nreason = 'a test'\n";
    for command in [COMMANDS[0], COMMANDS[2]] {
        let json = || bench.jrace(&[command, &["--json", "--since", "known.json", "classes"]].concat());
        bench.write("jrace.toml", "");
        bench.write("known.json", &bench.jrace(&[command, &["--json", "classes"]].concat()).out);
        bench.write("jrace.toml", suppress);
        let report: Value = serde_json::from_str(&json().out).unwrap();
        assert_eq!(report["gone"]["claims"], Value::Array(Vec::new()), "it is still there");
        bench.write("known.json", &bench.jrace(&[command, &["--json", "classes"]].concat()).out);
        bench.write("jrace.toml", "");
        let ended = json();
        assert_eq!(ended.code, Some(66), "nobody has taken it over: {ended:?}");
    }
}
