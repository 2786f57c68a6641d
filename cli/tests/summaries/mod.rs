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
    races(&bench, "Till.java", "class Till { private void none() {} }", &[])
        .failed_with("no class that was named is public, and no public class extends or gives out `Till`: name the public classes that use it, or a class \
         with a `main` with --main");
    bench
        .jrace(&["races", "--modular", "--chord", "classes"])
        .failed_with("the argument '--modular' cannot be used with '--chord': `jrace races --help` explains it");
}

/// A library of two classes, of which the first asks clients for what they implement.
const SHOP: &str = "package shop;
public class Shop {
    public interface Clerk { void work(Shop shop); }
    private int sold, locked;
    public void sell(Clerk clerk) { sold++; clerk.work(this); }
    public synchronized int sold() { return locked++; }
}
class Other { private int count; public void add() { count++; } }
";

/// The part of a report that stands before what was not seen.
fn shown(ended: &Ended) -> &str {
    ended.out.split("\n\n").next().unwrap_or_default()
}

#[test]
fn what_clients_race_on_stands_with_what_they_call() {
    let bench = Bench::new();
    let ended = races(&bench, "Shop.java", SHOP, &["--api", "shop.Shop*"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(66), ""), "{ended:?}");
    for line in [
        "RACE on field shop.Shop.sold (int)",
        "  Write by a client that calls shop.Shop.sell",
        "  On shop.Shop of the client",
    ] {
        assert!(shown(&ended).contains(line), "{line}: {}", ended.out);
    }
    let rest = [
        "not seen: what clients do that implement shop.Shop$Clerk\n",
        "ENTRIES: 4 methods that clients may call, of `shop.Shop*`\n",
    ];
    rest.iter().for_each(|line| assert!(ended.out.contains(line), "{line}: {}", ended.out));
    let document = bench.jrace(&["races", "--modular", "--json", "--api", "shop.Shop*", "classes"]).json();
    assert_eq!(names(&document), ["shop.Shop.sold"]);
    assert_eq!((&document["harness"], document["api"]["public"].as_array().map(Vec::len)), (&true.into(), Some(2)));
}

#[test]
fn what_clients_race_on_is_the_same_with_a_store_and_in_parts() {
    let bench = Bench::new();
    let flags = ["--json", "--api", "shop.*"];
    let plain = races(&bench, "Shop.java", SHOP, &flags);
    for run in ["first", "second"] {
        let kept = bench.jrace(&[&["races", "--modular", "--store", "kept"], &flags[..], &["classes"]].concat());
        assert_eq!((kept.code, &kept.out), (Some(66), &plain.out), "{run}");
    }
    let fewer = bench.jrace(&["races", "--modular", "--store", "kept", "--json", "--api", "shop.Other", "classes"]);
    fewer.failed_with("no class that was named is public, and no public class extends or gives out `shop.Other`: name the public classes that use it, or a \
         class with a `main` with --main");
    assert_eq!(bench.jrace(&["summarize", "--out", "shop.sum", "classes"]).code, Some(0));
    let linked = bench.jrace(&[&["races", "--modular"], &flags[..], &["--link", "shop.sum"]].concat());
    assert_eq!((linked.code, &linked.out), (Some(66), &plain.out));
}

#[test]
fn tests_run_in_one_thread() {
    let bench = Bench::new();
    bench.write("Test.java", "package org.junit.jupiter.api; public @interface Test {}");
    bench.jdk.compile(&[bench.path("Test.java")], &bench.path("junit"), &["--release", "17"]).unwrap();
    let suite = "package shop; import org.junit.jupiter.api.Test;
class Suite {
    static int alone, raced;
    @Test void one() { alone++; raced++; }
    @Test void two() { alone++; new Thread(() -> raced++).start(); }
}
";
    bench.write("Suite.java", suite);
    let path = bench.path("junit");
    let flags = ["--release", "17", "-cp", path.to_str().unwrap()];
    bench.jdk.compile(&[bench.path("Suite.java")], &bench.path("classes"), &flags).unwrap();
    let ended = bench.jrace(&["races", "--modular", "--tests", "--all", "--library", "junit", "classes"]);
    assert_eq!(ended.code, Some(66), "{ended:?}");
    assert!(ended.out.contains("RACE on static field shop.Suite.raced (int)"), "{ended:?}");
    assert!(ended.out.contains("by the thread of the tests\n"), "{ended:?}");
    assert!(ended.out.contains("SUMMARY: jrace races: 1 variable "), "{ended:?}");
}
