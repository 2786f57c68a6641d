//! `jrace races --modular --store DIR`: every form of the report is the same with a store, and what is new since is told.

use std::fs;

use super::{Bench, Ended};

/// Two threads write some fields; each of these may have its lock.
fn source(racy: &[&str]) -> String {
    let write = |field: &str| {
        let lock = if racy.contains(&field) { "" } else { "synchronized (Till.class)" };
        format!("{lock} {{ {field}++; }}")
    };
    format!(
        "package shop;\npublic class Till extends Thread {{\n    static int sold, shown, counted;\n    \
         void sell() {{ {} }}\n    void show() {{ {} }}\n    void count() {{ {} }}\n    \
         @Override public void run() {{ sell(); show(); count(); }}\n    \
         public static void main(String[] args) {{ new Till().start(); new Till().start(); }}\n}}\n",
        write("sold"),
        write("shown"),
        write("counted")
    )
}

fn compile(bench: &Bench, racy: &[&str]) {
    bench.write("Till.java", &source(racy));
    bench.jdk.compile(&[bench.path("Till.java")], &bench.path("classes"), &["--release", "17"]).unwrap();
}

fn races(bench: &Bench, flags: &[&str]) -> Ended {
    bench.jrace(&[&["races", "--modular"], flags, &["classes"]].concat())
}

#[test]
fn a_store_changes_no_byte_of_any_form() {
    let bench = Bench::new();
    for racy in [&["sold", "shown"][..], &["shown"], &[]] {
        compile(&bench, racy);
        for form in [&["--json"][..], &["--all"], &["--brief"]] {
            let plain = races(&bench, form);
            for _ in 0..2 {
                let stored = races(&bench, &[form, &["--store", "kept/summaries"]].concat());
                assert_eq!((stored.code, &stored.out, &stored.err), (plain.code, &plain.out, &plain.err));
            }
        }
    }
}

#[test]
fn what_is_new_and_gone_since_a_store_is_told() {
    let bench = Bench::new();
    compile(&bench, &["sold", "shown"]);
    assert_eq!(races(&bench, &["--store", "before"]).code, Some(66));
    let unchanged = races(&bench, &["--since", "before"]);
    assert_eq!(unchanged.code, Some(0), "{unchanged:?}");
    assert!(unchanged.out.contains("; 2 in baseline, 0 gone"), "{unchanged:?}");
    compile(&bench, &["shown", "counted"]);
    for _ in 0..2 {
        // A store that is compared with stays what it is.
        let ended = races(&bench, &["--since", "before", "--json"]);
        assert_eq!(ended.code, Some(66), "{ended:?}");
        let report = ended.json();
        let names: Vec<_> = report["variables"]
            .as_array()
            .unwrap()
            .iter()
            .map(|variable| {
                (variable["name"].as_str().unwrap().to_owned(), variable["baseline"].as_str().unwrap().to_owned())
            })
            .collect();
        let names: Vec<_> = names.iter().map(|(name, news)| (name.as_str(), news.as_str())).collect();
        assert!(names.contains(&("shop.Till.counted", "new")), "{names:?}");
        assert!(names.contains(&("shop.Till.shown", "unchanged")), "{names:?}");
        assert!(report["gone"]["claims"][0]["name"].as_str().unwrap().contains("shop.Till.sold"), "{report}");
    }
    // With both, the next look is compared with this one.
    assert_eq!(races(&bench, &["--since", "before", "--store", "before"]).code, Some(66));
    assert_eq!(races(&bench, &["--since", "before"]).code, Some(0));
}

#[test]
fn what_is_wrong_with_a_store_is_one_sentence() {
    let bench = Bench::new();
    compile(&bench, &["sold"]);
    let plain = races(&bench, &[]);
    bench.write("file", "");
    let ended = races(&bench, &["--store", "file"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.err.ends_with(": give --store a folder that can be written and has room\n"), "{ended:?}");
    races(&bench, &["--store", "kept"]);
    let file = bench.path("kept/summaries.redb");
    let mut bytes = fs::read(&file).unwrap();
    bytes.truncate(5000);
    fs::write(&file, bytes).unwrap();
    let ended = races(&bench, &["--store", "kept"]);
    assert_eq!((ended.code, &ended.out), (plain.code, &plain.out));
    assert_eq!(ended.err, "jrace: the store `kept` is damaged: summaries are made anew\n");
    assert_eq!(races(&bench, &["--store", "kept"]).err, "");
    fs::remove_file(bench.path("kept/findings.json")).unwrap();
    let ended = races(&bench, &["--since", "kept"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.err.contains("findings.json"), "{ended:?}");
    let ended = bench.jrace(&["races", "--store", "kept", "classes"]);
    assert!(ended.code == Some(2) && ended.err.contains("--modular"), "{ended:?}");
}
