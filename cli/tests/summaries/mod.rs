//! `jrace races --modular`: its report in both forms, and what it does not go with.

use super::{Bench, Ended, names};

/// A write that two threads of a kind make, a field of two threads, and one that a lock guards.
const TILL: &str = "package shop;
public class Till extends Thread {
    private static final Object LOCK = new Object();
    private static int sold, shown, counted;
    @Override public void run() {
        sold = 1;
        System.out.println(shown);
        synchronized (LOCK) { counted++; }
    }
    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            new Till().start();
        }
        shown = 1;
    }
}
";

/// The same with the lock held everywhere.
fn guarded() -> String {
    ["sold = 1;", "System.out.println(shown);", "    shown = 1;"]
        .iter()
        .fold(TILL.to_owned(), |text, line| text.replace(line, &format!("synchronized (LOCK) {{ {line} }}")))
}

/// `jrace races --modular FLAGS` of a class.
fn races(bench: &Bench, name: &str, text: &str, flags: &[&str]) -> Ended {
    bench.write(name, text);
    bench.jdk.compile(&[bench.path(name)], &bench.path("classes"), &["--release", "17"]).unwrap();
    bench.jrace(&[&["races", "--modular"], flags, &["classes"]].concat())
}

const REPORT: &str = "\
==================== jrace races =====================
RACE on static field shop.Till.sold (int)
  Rank 1: a static field; by a thread that the program starts; both write
  Write by threads started at Till.java:12
    locks held: none
    at shop.Till.run(Till.java:6)
    at shop.Till.main(Till.java:12)
  Write by threads started at Till.java:12
    locks held: none
    at shop.Till.run(Till.java:6)
    at shop.Till.main(Till.java:12)

RACE on static field shop.Till.shown (int)
  Rank 2: a static field; by a thread that the program starts
  Write by the thread of shop.Till.main
    locks held: none
    at shop.Till.main(Till.java:14)
  Read by threads started at Till.java:12
    locks held: none
    at shop.Till.run(Till.java:7)
    at shop.Till.main(Till.java:12)
";

#[test]
fn races_stand_with_both_accesses_and_the_start_of_their_threads() {
    let ended = races(&Bench::new(), "Till.java", TILL, &[]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(66), ""), "{ended:?}");
    let (report, rest) = ended.out.split_at(REPORT.len().min(ended.out.len()));
    assert_eq!(report, REPORT);
    for line in ["\nnot seen: reflection, native methods, ", "\nENTRIES: `main` of shop.Till\n"] {
        assert!(rest.contains(line), "{rest}");
    }
    let last = rest.lines().last().unwrap();
    assert!(last.starts_with("SUMMARY: jrace races: 2 variables with races "), "{last}");
    assert!(last.ends_with("pairs: 1 multiple-write, 1 conflicting-access, exit 66"), "{last}");
}

#[test]
fn documents_name_the_kind_of_each_race_and_are_the_same_twice() {
    let bench = Bench::new();
    let ended = races(&bench, "Till.java", TILL, &["--json"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(66), ""), "{ended:?}");
    let report = ended.json();
    assert_eq!(names(&report), ["shop.Till.sold", "shop.Till.shown"]);
    let warnings = [0, 1].map(|n| report["variables"][n]["races"][0]["warning"].as_str().unwrap());
    assert_eq!(warnings, ["multiple-write", "conflicting-access"]);
    let again = bench.jrace(&["races", "--modular", "--json", "classes"]);
    assert_eq!((again.code, again.out), (ended.code, ended.out));
}

#[test]
fn what_a_lock_guards_is_no_race() {
    let bench = Bench::new();
    let ended = races(&bench, "Till.java", &guarded(), &[]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{ended:?}");
    let last = ended.out.lines().last().unwrap();
    assert!(last.ends_with("pairs: 0 multiple-write, 0 conflicting-access, exit 0"), "{last}");
    let document = bench.jrace(&["races", "--modular", "--json", "classes"]);
    assert_eq!((document.code, names(&document.json())), (Some(0), Vec::new()), "{document:?}");
}

#[test]
fn what_summaries_are_not_for_is_told() {
    let bench = Bench::new();
    let library = "package shop; public class Till { int n; public void add() { n++; } }";
    races(&bench, "Till.java", library, &[]).failed_with(
        "--modular begins with `main`, and there is none: name a class that has one with --main, or leave --modular out",
    );
    bench
        .jrace(&["races", "--modular", "--chord", "classes"])
        .failed_with("the argument '--modular' cannot be used with '--chord': `jrace races --help` explains it");
}
