//! Alias sets of method headers: `jrace races --modular` reports calls that pass to two parameters what may be one object.

use jrace_tests::root;
use serde_json::Value;

use super::{Bench, Ended, sarif};

const BANK: &str = "package bank;
import jrace.annotations.AliasSets;
public class Bank {
    static class Account { int balance; }
    @AliasSets(\"from, to, _\") static void transfer(Account from, Account to, int amount) { from.balance -= amount; }
    @AliasSets(\"a, a\") static void compare(Account a, Account b) { }
    @AliasSets(\"_, b\") static void any(Account a, Account b) { }
    @AliasSets(\"other\") void merge(Bank other) { }
    @AliasSets(\"this\") void visit(Bank other) { }
    static void plain(Account a, Account b) { }
    class Inner {
        @AliasSets(\"a, b\") Inner(Account a, Account b) { a.balance = 0; }
    }
    static final Account ALL = new Account();
    enum Kind { ONE(new Account(), new Account()); @AliasSets(\"a, b\") Kind(Account a, Account b) { a.balance = 1; } }
    enum Both { ONE(ALL, ALL); @AliasSets(\"a, b\") Both(Account a, Account b) { a.balance = 1; } }
    static Account[] made(int n) {
        Account[] all = new Account[n];
        for (int i = 0; i < n; i++) all[i] = new Account();
        return all;
    }
    static void forward(Account a, Account b) { Bank.pass(a, b); }
    static void pass(Account a, Account b) { transfer(a, b, 1); }
    static void many(Account x) {
        Account a = new Account();
        forward(x, a);
        forward(a, x);
        MORE
    }
    static void again(Account a, Account b, int n) {
        if (n > 0) {
            again(b, a, n - 1);
            transfer(a, b, n);
        }
    }
    public static void main(String[] args) {
        Account first = new Account(), second = new Account();
        Bank bank = new Bank();
        CALLS
    }
}
";

fn bench(calls: &str) -> Bench {
    let bench = Bench::new();
    let annotation = root().join("annotations/src/main/java/jrace/annotations/AliasSets.java");
    bench.jdk.compile(&[annotation], &bench.path("jar"), &["--release", "8"]).unwrap();
    let (calls, more) = calls.split_once("MORE").unwrap_or((calls, ""));
    bench.write("Bank.java", &BANK.replace("CALLS", calls).replace("MORE", more));
    let path = bench.path("jar");
    let flags = ["--release", "17", "-cp", path.to_str().unwrap()];
    bench.jdk.compile(&[bench.path("Bank.java")], &bench.path("classes"), &flags).unwrap();
    bench
}

fn races(bench: &Bench, flags: &[&str]) -> Ended {
    bench.jrace(&[&["races", "--modular", "--json"], flags, &["classes"]].concat())
}

/// The methods and arguments that are broken, and how often.
fn broken(ended: &Ended) -> Vec<(String, usize)> {
    let report = ended.json();
    let of = |sets: &Value| {
        let [a, b] = [0, 1].map(|n| sets["arguments"][n].as_str().unwrap());
        let method = sets["method"].as_str().unwrap().split('(').next().unwrap();
        (format!("{method}: {a}, {b}"), sets["calls"].as_array().unwrap().len())
    };
    report["broken_sets"].as_array().into_iter().flatten().map(of).collect()
}

fn broken_by(calls: &str) -> Vec<(String, usize)> {
    broken(&races(&bench(calls), &[]))
}

const TRANSFER: &str = "bank.Bank.transfer: argument 1, argument 2";

#[test]
fn calls_with_one_object_are_reported() {
    let once = |name: &str| vec![(name.to_owned(), 1)];
    assert_eq!(broken_by("transfer(first, first, 1);"), once(TRANSFER));
    assert_eq!(broken_by("transfer(first, second, 1);"), []);
    assert_eq!(broken_by("compare(first, first); any(first, first); plain(first, first); bank.visit(bank);"), []);
    assert_eq!(broken_by("bank.merge(bank);"), once("bank.Bank.merge: the object, argument 1"));
    assert_eq!(broken_by("bank.merge(new Bank());"), []);
    // Two that are made at one place may be one.
    assert_eq!(broken_by("Account[] all = made(2); transfer(all[0], all[1], 1);"), once(TRANSFER));
    assert_eq!(
        broken_by("transfer(args.length > 0 ? first : second, second, 1); transfer(null, null, 1);"),
        once(TRANSFER)
    );
}

/// Compilers give constructors more parameters than their source has.
#[test]
fn what_compilers_add_to_constructors_is_not_named() {
    assert_eq!(broken_by("bank.new Inner(first, second); Kind.ONE.name();"), []);
    let once = |name: &str| vec![(name.to_owned(), 1)];
    assert_eq!(broken_by("bank.new Inner(first, first);"), once("bank.Bank$Inner.<init>: argument 2, argument 3"));
    assert_eq!(broken_by("Both.ONE.name();"), once("bank.Bank$Both.<init>: argument 3, argument 4"));
    let local = |second: &str| {
        broken_by(&format!(
            "int n = args.length;
             class Local {{ @AliasSets(\"a, b\") Local(Account a, Account b) {{ a.balance = n; }} }}
             new Local(first, {second});"
        ))
    };
    assert_eq!(local("second"), []);
    assert_eq!(local("first"), once("bank.Bank$1Local.<init>: argument 1, argument 2"));
}

#[test]
fn callers_decide_what_parameters_are() {
    assert_eq!(broken_by("forward(first, second); forward(second, first);"), []);
    let bench = bench("forward(first, second);\nforward(second, second);");
    let ended = races(&bench, &["--exitcode", "5"]);
    assert_eq!((ended.code, broken(&ended)), (Some(5), vec![(TRANSFER.to_owned(), 1)]), "{ended:?}");
    let call = &ended.json()["broken_sets"][0]["calls"][0];
    let lines: Vec<u64> =
        call["path"].as_array().unwrap().iter().map(|frame| frame["line"].as_u64().unwrap()).collect();
    let line = |text: &str| BANK.lines().position(|line| line.contains(text)).unwrap() as u64 + 1;
    assert_eq!(lines, [line("static void pass"), line("static void forward")]);
    assert!(call["objects"][0].as_str().unwrap().starts_with("bank.Bank$Account made at Bank.java:"), "{call}");
    // What calls itself is not told apart.
    assert_eq!(broken_by("again(first, second, 3);"), [(TRANSFER.to_owned(), 1)]);
}

#[test]
fn of_many_calls_that_look_alike_what_they_pass_is_not_told_apart() {
    let with = |n: usize| broken_by(&format!("many(first);MORE{}", "forward(x, new Account());".repeat(n)));
    assert_eq!(with(6), []);
    assert_eq!(with(7), [(TRANSFER.to_owned(), 1)]);
}

#[test]
fn they_stand_in_every_form_and_in_baselines() {
    let bench = bench("transfer(first, first, 1);");
    let text = bench.jrace(&["races", "--modular", "classes"]);
    assert_eq!(text.code, Some(66), "{text:?}");
    let subject = "argument 1 and argument 2 of bank.Bank.transfer(bank.Bank$Account, bank.Bank$Account, int)";
    let expected = format!("ALIAS SETS: {subject} may be the same object\n  Called\n    at bank.Bank.main(Bank.java:");
    assert!(text.out.contains(&expected), "{text:?}");
    assert!(
        text.out.contains("\n  Hint: pass different objects, or give both parameters one name in @AliasSets"),
        "{text:?}"
    );
    assert!(text.out.contains("; 1 pair of arguments not kept apart;"), "{text:?}");
    let flags = ["races", "--modular", "--html", "r.html", "--sarif", "r.sarif", "--brief", "classes"];
    let brief = bench.jrace(&flags);
    assert!(brief.out.contains("argument 1 and argument 2 of bank.Bank.transfer"), "{brief:?}");
    let sarif: Value = serde_json::from_str(&bench.read("r.sarif")).unwrap();
    sarif::validate(&sarif);
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "alias-sets");
    assert!(bench.read("r.html").contains("may be the same object"));

    let first = races(&bench, &[]);
    bench.write("known.json", &first.out);
    let again = races(&bench, &["--baseline", "known.json"]);
    assert_eq!((again.code, &again.json()["broken_sets"][0]["baseline"]), (Some(0), &"unchanged".into()), "{again:?}");
}

#[test]
fn a_store_has_what_a_run_without_it_has() {
    let bench = bench("forward(first, first);");
    let plain = races(&bench, &[]);
    for _ in 0..2 {
        assert_eq!(races(&bench, &["--store", "store"]).out, plain.out);
    }
    // Another header makes another program of it.
    bench.write("sets", "bank.Bank.pass @AliasSets(\"a, b\")\n");
    let with_line = races(&bench, &["--store", "store", "--annotations", "sets"]);
    assert_eq!(broken(&with_line).len(), 2, "{with_line:?}");
    assert_eq!(with_line.out, races(&bench, &["--annotations", "sets"]).out);
    let parts = [&["summarize", "--out", "part", "classes"][..], &["races", "--modular", "--json", "--link", "part"]];
    let ended = parts.map(|flags| bench.jrace(flags));
    assert_eq!(broken(&ended[1]), broken(&plain), "{ended:?}");
}

#[test]
fn lines_of_a_file_say_it_too_and_mistakes_are_told() {
    let bench = bench("plain(first, first);");
    bench.write("sets", "bank.Bank.plain @AliasSets(\"a, b\") # by hand\n");
    let ended = races(&bench, &["--annotations", "sets"]);
    assert_eq!(broken(&ended), [("bank.Bank.plain: argument 1, argument 2".to_owned(), 1)], "{ended:?}");
    bench
        .jrace(&["races", "--annotations", "sets", "classes"])
        .failed_with("`@AliasSets` is for --modular: leave these lines out of the file of --annotations");
    bench.write("sets", "bank.Bank.plain @AliasSets(\"a, b, c\")\n");
    let ended = races(&bench, &["--annotations", "sets"]);
    assert!(
        ended.err.contains("sets:1: bank.Bank.plain @AliasSets(\"a, b, c\"): no method with so many parameters"),
        "{ended:?}"
    );
    bench.write("sets", "bank.Bank.transfer @AliasSets(\"a, b, c\")\n");
    let ended = races(&bench, &["--annotations", "sets"]);
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.err.contains("`@AliasSets(\"a, b, c\")` names parameter 3, which is no object: write `_` for it"),
        "{ended:?}"
    );
    bench.write("sets", "bank.Bank.transfer @AliasSets\n");
    let ended = races(&bench, &["--annotations", "sets"]);
    assert!(
        ended.err.contains("`@AliasSets` has a name for each parameter: write `@AliasSets(\"from, to\")`"),
        "{ended:?}"
    );
}
