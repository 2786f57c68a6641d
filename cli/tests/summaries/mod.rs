//! `jrace races --modular`: its report in both forms, and what it does not go with.

use serde_json::Value;

use super::{Bench, Ended, names, schema};

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

/// Accesses, locks, objects, starts and what libraries get.
const BANK: &str = "package shop;
public class Bank extends Thread {
    static class Entry { Entry next; }
    private final Object lock = new Object();
    private int balance;
    private Entry last;
    synchronized Entry pay() {
        Entry entry = new Entry();
        entry.next = last;
        last = entry;
        return entry;
    }
    void open(java.util.concurrent.Executor pool) {
        synchronized (lock) { balance++; }
        start();
        balance = 0;
        pool.execute(this);
    }
    @Override public void run() { even(3); }
    int even(int n) { return n == 0 ? balance : odd(n - 1); }
    int odd(int n) { return even(n - 1); }
    void pay(int n) { }
    void never() { }
    public static void main(String[] args) { new Bank().open(null); new Bank().pay(); new Bank().pay(1); }
}
";

const PAY: &str = "\
SUMMARY of shop.Bank.pay()
accesses by the thread that calls it:
  reads this.last
    at Bank.java:9, under the lock of this
  writes next of Bank$Entry made at Bank.java:8
    at Bank.java:9, under the lock of this
  writes this.last
    at Bank.java:10, under the lock of this
objects, made by it or by what it calls:
  Bank$Entry made at Bank.java:8: one for each call of it, shown to other threads
puts, by itself or by what it calls:
  Bank$Entry made at Bank.java:8 into this.last
  this.last or Bank$Entry made at Bank.java:8 into next of Bank$Entry made at Bank.java:8
returns Bank$Entry made at Bank.java:8
11 of 2000 entries
";

/// `jrace explain --summary METHOD` of a class.
fn summary(bench: &Bench, name: &str, text: &str, method: &str) -> Ended {
    bench.write(name, text);
    bench.jdk.compile(&[bench.path(name)], &bench.path("classes"), &["--release", "17"]).unwrap();
    bench.jrace(&["explain", "--summary", method, "classes"])
}

#[test]
fn a_summary_says_what_a_method_does() {
    let bench = Bench::new();
    let ended = summary(&bench, "Bank.java", BANK, "shop.Bank.pay()");
    assert_eq!((ended.code, ended.err.as_str(), ended.out.as_str()), (Some(0), "", PAY));
    let open = bench.jrace(&["explain", "--summary", "shop.Bank.open", "classes"]);
    for line in [
        "    at Bank.java:14, under the lock of this.lock, before anything is started\n",
        "    at Bank.java:16, under no lock, perhaps after the start at Bank.java:15\n",
        "starts:\n  the thread started at Bank.java:15: one for each call of it\n",
        "  this or argument 1 or what this holds or 5 more: `run` may be called in other threads, at Bank.java:15\n",
        "  argument 1, if it is the program's own: `java.util.concurrent.Executor.execute` runs in the same thread, at Bank.java:17\n",
    ] {
        assert!(open.out.contains(line), "{line}: {}", open.out);
    }
    let even = bench.jrace(&["explain", "--summary", "shop.Bank.even", "classes"]);
    assert!(even.out.contains("\none for the methods that call each other: this and shop.Bank.odd\n"), "{}", even.out);
}

#[test]
fn a_summary_that_is_not_there_is_told() {
    let bench = Bench::new();
    summary(&bench, "Bank.java", BANK, "shop.Bank.sell")
        .failed_with("no method with code is called `shop.Bank.sell`: write `package.Class.method`, `*` for any part");
    bench
        .jrace(&["explain", "--summary", "shop.Bank.pay", "classes"])
        .failed_with("2 methods are called `shop.Bank.pay`: write which one, `shop.Bank.pay()`, `shop.Bank.pay(int)`");
    bench.jrace(&["explain", "--summary", "shop.Bank.never", "classes"]).failed_with(
        "nothing calls `shop.Bank.never()` from where the program begins (`main` of shop.Bank), so that it has no summary: name another \
         class with --main, or what others call with --api",
    );
    let client = bench.jrace(&["explain", "--summary", "shop.Bank.run", "--api", "shop.Bank", "classes"]);
    assert_eq!(client.code, Some(0), "{client:?}");
}

#[test]
fn a_method_whose_summary_was_collapsed_says_why() {
    let calls =
        (0..=2000).map(|n| format!("    static void m{n}(int n) {{ if (n > 0) m{}(n - 1); }}\n", (n + 1) % 2001));
    let text = format!(
        "class Ring {{\n{}    public static void main(String[] args) {{ m0(9); }}\n}}\n",
        calls.collect::<String>()
    );
    let ended = summary(&Bench::new(), "Ring.java", &text, "Ring.m7");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let rest = "  none: it was collapsed, as 2001 methods call each other, of 2000 at most; it is looked at once for all its callers, with \
                what it calls\n";
    assert!(ended.out.ends_with(rest), "{ended:?}");
    let caller = summary(&Bench::new(), "Ring.java", &text, "Ring.main");
    assert!(
        caller.out.contains("\ncomes to methods whose summaries were collapsed:\n  whoever comes to Ring.m0\n"),
        "{caller:?}"
    );
}

#[test]
fn a_document_has_the_graph_and_who_accesses_it() {
    let bench = Bench::new();
    summary(&bench, "Bank.java", BANK, "shop.Bank.pay()");
    let ended = bench.jrace(&["explain", "--summary", "shop.Bank.pay()", "--json", "classes"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{ended:?}");
    let document = schema::valid("summary", &ended.out);
    assert_eq!(
        (&document["method"], &document["size"], &document["limit"]),
        (&"shop.Bank.pay()".into(), &11.into(), &2000.into())
    );
    let nodes = document["nodes"].as_array().unwrap();
    let text = |number: &Value| nodes[number.as_u64().unwrap() as usize]["text"].as_str().unwrap();
    let all = |numbers: &Value| numbers.as_array().unwrap().iter().map(text).collect::<Vec<_>>().join(" or ");
    let accesses = document["accesses"].as_array().unwrap().iter().map(|access| {
        assert_eq!((&access["thread"], all(&access["lock_nodes"])), (&Value::Null, "this".to_owned()));
        let [kind, part] = ["kind", "part"].map(|name| access[name].as_str().unwrap());
        format!("{kind} {part} of {} at {}", all(&access["nodes"]), access["place"]["line"])
    });
    let mut accesses: Vec<String> = accesses.collect();
    accesses.sort();
    let made = "Bank$Entry made at Bank.java:8";
    assert_eq!(
        accesses,
        [
            "read last of this at 9".to_owned(),
            "write last of this at 10".to_owned(),
            format!("write next of {made} at 9")
        ]
    );
    let object = nodes.iter().find(|node| node["kind"] == "object").unwrap();
    assert_eq!(
        (&object["type"], &object["shared"], &object["count"]),
        (&"shop.Bank$Entry".into(), &true.into(), &"one for each call of it".into())
    );
    let required = nodes.iter().find(|node| node["kind"] == "required").unwrap();
    assert_eq!((required["of"]["part"].as_str(), text(&required["of"]["node"])), (Some("last"), "this"));
    let puts = document["contents"].as_array().unwrap().iter().map(|contents| {
        let part = &contents["parts"][0];
        format!("{} of {}: {}", part["part"].as_str().unwrap(), text(&part["node"]), all(&contents["nodes"]))
    });
    let mut puts: Vec<String> = puts.collect();
    puts.sort();
    assert_eq!(puts, [format!("last of this: {made}"), format!("next of {made}: {made} or this.last")]);
    assert_eq!(all(&document["returns"]), made);

    let open = bench.jrace(&["explain", "--summary", "shop.Bank.open", "--json", "classes"]);
    let open = schema::valid("summary", &open.out);
    let after = open["accesses"].as_array().unwrap().iter().find(|access| access["place"]["line"] == 16).unwrap();
    let [thread] = &after["after_start_of"].as_array().unwrap()[..] else { panic!("{after}") };
    let started = &open["threads"][thread.as_u64().unwrap() as usize];
    assert_eq!(
        (&started["text"], &started["started_by"]),
        (&"the thread started at Bank.java:15".into(), &serde_json::json!([null]))
    );
}

#[test]
fn a_page_draws_it_and_says_it_in_tables() {
    let bench = Bench::new();
    summary(&bench, "Bank.java", BANK, "shop.Bank.pay()");
    let ended = bench.jrace(&["explain", "--summary", "shop.Bank.pay()", "--html", "pay.html", "classes"]);
    assert_eq!((ended.code, ended.out.as_str()), (Some(0), PAY), "{ended:?}");
    let page = bench.read("pay.html");
    let picture = page.split("<svg").nth(1).unwrap().split("</svg>").next().unwrap();
    for text in [
        ">the thread that calls it</text>",
        ">writes next at Bank.java:9, lock: this</text>",
        ">this</text>",
        ">last</text>",
        ">last, as callers left it</text>",
        ">Bank$Entry made at Bank.java:8</text>",
        ">open: callers decide</text>",
    ] {
        assert!(picture.contains(text), "{text}: {picture}");
    }
    let arrows =
        ["strong", "dashed", "plain"].map(|class| picture.matches(&format!("<path class=\"{class}\"")).count());
    // Two writes; what callers left; the read, what is put, and that into which it is put twice.
    assert_eq!(arrows, [2, 1, 4], "{picture}");
    assert!(page.contains("<td>write next of Bank$Entry made at Bank.java:8</td>"), "{page}");
    assert!(!page.contains("<script"), "{page}");
    let none = bench.jrace(&["explain", "--summary", "shop.Bank.pay()", "--html", "none/pay.html", "classes"]);
    assert_eq!(none.code, Some(2), "{none:?}");
}
