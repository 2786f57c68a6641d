//! `jrace check` and `jrace explain` on jars and directories, sound and damaged: what they say, and how they exit.
#![allow(clippy::disallowed_methods, reason = "writes the program that it checks")]

use std::path::Path;

use anyhow::{Context, Result, ensure};
use jrace_tests::fixture::jar;
use jrace_tests::jdk::Jdk;
use jrace_tests::run::jrace;
use serde_json::Value;
use tempfile::TempDir;

/// `balance` is read once without its lock, `visits` never; `mood` has no lock; `Helper` can be left out of a jar.
const PROGRAM: &str = "package bank;
public final class Bank {
    static final Account ACCOUNT = new Account();
    public static void main(String[] names) {
        new Thread(() -> ACCOUNT.pay(1)).start();
        ACCOUNT.pay(Helper.twice(1));
        ACCOUNT.mood = 2;
        System.out.println(ACCOUNT.glance() + ACCOUNT.visits());
    }
}
final class Account {
    private final Object lock = new Object();
    private int balance;
    private int visits;
    int mood;
    void pay(int n) {
        synchronized (lock) {
            balance += n;
            visits++;
        }
        mood = n;
    }
    int glance() {
        return balance;
    }
    int visits() {
        synchronized (lock) {
            return visits;
        }
    }
}
final class Helper {
    static int twice(int n) {
        return 2 * n;
    }
}
";

const BALANCE: &str = "\
bank.Account.balance: not always guarded by `this.lock`
  read  at bank.Account.glance (Bank.java:24) with no lock
  guarded at 2 of 3 accesses: bank.Account.pay (Bank.java:18)
";
/// What is said of it where not all is listed.
const MOOD_TOO: &str = "note: 1 field more may race, without a usual lock: --all lists all\n";

const MOOD: &str = "\
bank.Account.mood: race-unsafe, as its accesses have no lock in common
  write at bank.Account.pay (Bank.java:21) with no lock
  write at bank.Bank.main (Bank.java:7) with no lock
";
const OF_MAIN: &str = "ENTRIES: `main` of bank.Bank\n";
const OF_CLIENTS: &str = "ENTRIES: 2 methods that clients may call, of all public classes\n";
const SUMMARY: &str = "\
SUMMARY: jrace check: 0 type errors; 1 field not always guarded; 3 of 5 fields race-free (2 final, 0 volatile, 0 unique, 0 \
read-only, 1 guarded, 0 confined); 0 of 0 array accesses race-free; 3 of 5 methods atomic
";
const ATOMIC: &str = "\
bank.Account.glance(): atomic
bank.Account.visits(): atomic
bank.Helper.twice(int): const
";

const METHODS: &str = "\
bank.Account.pay(int): cmpd
  first reads bank.Account.balance at bank.Account.pay (Bank.java:18) (atomic)
  then  writes bank.Account.balance at bank.Account.pay (Bank.java:18) (atomic)
bank.Account.glance(): atomic
bank.Account.visits(): atomic
  by the locks that its caller holds: `this.lock` ? mover : atomic
";

/// A folder with the program in the directory `classes` and in `bank.jar`.
struct Bench {
    jdk: Jdk,
    folder: TempDir,
}

impl Bench {
    fn new() -> Result<Self> {
        let bench = Self { jdk: Jdk::oldest(), folder: tempfile::tempdir()? };
        let source = bench.path().join("Bank.java");
        std::fs::write(&source, PROGRAM)?;
        bench.jdk.compile(&[source], &bench.path().join("classes"), &["--release", "17"])?;
        bench.jar("bank.jar")?;
        Ok(bench)
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A jar of the classes as they are now.
    fn jar(&self, name: &str) -> Result<()> {
        jar(&self.jdk, &self.path().join(name), None, &self.path().join("classes"))
    }

    fn class(&self, name: &str) -> std::path::PathBuf {
        self.path().join("classes/bank").join(name)
    }

    fn jrace(&self, arguments: &[&str]) -> Result<(i32, String, String)> {
        let output = jrace(&self.jdk).current_dir(self.path()).args(arguments).output()?;
        let code = output.status.code().context("a signal")?;
        Ok((code, String::from_utf8(output.stdout)?, String::from_utf8(output.stderr)?))
    }

    /// What it writes to standard output and to standard error, and how it exits.
    fn gives(&self, arguments: &[&str], code: i32, out: &str, err: &str) -> Result<()> {
        let ended = self.jrace(arguments)?;
        ensure!(ended == (code, out.to_owned(), err.to_owned()), "{arguments:?}: {}\n{}{}", ended.0, ended.1, ended.2);
        Ok(())
    }

    fn fails(&self, arguments: &[&str], sentence: &str) -> Result<()> {
        self.gives(arguments, 2, "", &format!("jrace: {sentence}\n"))
    }
}

#[test]
fn a_missing_lock_is_shown() -> Result<()> {
    let bench = Bench::new()?;
    let missing = |entries: &str| format!("{BALANCE}{MOOD_TOO}{entries}{SUMMARY}");
    bench.gives(&["check", "bank.jar"], 66, &missing(OF_CLIENTS), "")?;
    bench.gives(&["check", "--main", "bank.Bank", "bank.jar"], 66, &missing(OF_MAIN), "")?;
    bench.gives(&["check", "classes", "--exitcode", "0"], 0, &missing(OF_MAIN), "")?;
    bench.gives(
        &["check", "bank.jar", "--exitcode=7", "--all"],
        7,
        &format!("{BALANCE}{MOOD}{ATOMIC}{OF_CLIENTS}{SUMMARY}"),
        "",
    )?;
    std::fs::write(bench.path().join("Bank.java"), PROGRAM.replace("return balance", "return 0"))?;
    bench.jdk.compile(&[bench.path().join("Bank.java")], &bench.path().join("classes"), &[])?;
    let (code, out, err) = bench.jrace(&["check", "classes"])?;
    ensure!(
        code == 0
            && out.starts_with(&format!(
                "{MOOD_TOO}{OF_MAIN}SUMMARY: jrace check: 0 type errors; 0 fields not always guarded;"
            )),
        "{code} {out}{err}"
    );
    Ok(())
}

/// `main` uses `Used`, and `Named` by its name; a client of `Lib` uses `Lib` and `Deep`; nothing uses `Dead`.
const REACHED: &str = "package open;
public final class Main {
    public static void main(String[] names) throws Exception {
        new Used().hits++;
        Class.forName(\"open.Named\").getDeclaredConstructor().newInstance();
    }
}
class Used extends Base { int hits; }
class Base { int below; }
class Named { int found; }
class Dead { int never; final int last = names().length; String[] names() { return null; } }
";
const LIB: &str = "package open;
public final class Lib {
    private int count;
    public void add() { count++; new Deep().value++; }
}
class Deep { int value; }
";

/// Fields of classes that no entry reaches are counted apart, and what an entry is decides for types as for the search.
#[test]
fn what_no_entry_reaches_is_not_proved() -> Result<()> {
    let bench = Bench::new()?;
    let files = [("Main.java", REACHED), ("Lib.java", LIB)].map(|(name, text)| (bench.path().join(name), text));
    for (path, text) in &files {
        std::fs::write(path, text)?;
    }
    bench.jdk.compile(&files.map(|(path, _)| path), &bench.path().join("open"), &["--release", "17"])?;
    let check = |arguments: &[&str]| -> Result<(String, Value)> {
        let (_, text, _) = bench.jrace(&[arguments, &["open"]].concat())?;
        let (_, json, err) = bench.jrace(&[arguments, &["--json", "open"]].concat())?;
        Ok((text, serde_json::from_str(&json).with_context(|| err)?))
    };
    let (text, report) = check(&["check", "--all"])?;
    ensure!(text.contains("ENTRIES: `main` of open.Main\n"), "{text}");
    ensure!(text.contains(" 3 of 7 fields race-free ") && text.contains(" confined), 4 not reached; "), "{text}");
    let dead = ["open.Dead.never", "open.Dead.last", "open.Deep.value", "open.Lib.count"];
    ensure!(report["not_reached"] == serde_json::json!(dead), "{report:#}");
    ensure!(dead.iter().all(|field| text.contains(&format!("{field}: not reached by any entry\n"))), "{text}");
    ensure!(report["summary"]["fields"]["not_reached"] == 4, "{report:#}");
    let (text, report) = check(&["check", "--api", "open.Lib", "--all"])?;
    ensure!(text.contains("ENTRIES: 2 methods that clients may call, of `open.Lib`\n"), "{text}");
    ensure!(text.contains("open.Lib.count: race-unsafe") && report["summary"]["fields"]["race_free"] == 1, "{text}");
    let dead = ["open.Base.below", "open.Dead.never", "open.Dead.last", "open.Named.found", "open.Used.hits"];
    ensure!(report["not_reached"] == serde_json::json!(dead), "{report:#}");
    let (races, report) = check(&["races", "--api", "open.Lib"])?;
    ensure!(races.contains("ENTRIES: 2 methods that clients may call, of `open.Lib`\n"), "{races}");
    ensure!(
        races.contains("RACE on field open.Lib.count")
            && report["entries"] == "2 methods that clients may call, of `open.Lib`"
    );
    let (code, out, _) = bench.jrace(&["explain", "open.Lib.count", "open"])?;
    ensure!(code == 0 && out == "open.Lib.count: not reached by any entry: `main` of open.Main\n", "{out}");
    bench.jrace(&["check", "--all", "--html", "page.html", "open"])?;
    let page = std::fs::read_to_string(bench.path().join("page.html"))?;
    ensure!(
        page.contains("Entries: <code>main</code> of open.<wbr>Main.") && page.contains("open.<wbr>Dead.<wbr>never"),
        "{page}"
    );
    bench.fails(
        &["check", "--main", "open.Lib", "open"],
        "`open.Lib` has no `main` method that `java` would start: name another class with --main",
    )
}

/// A file of annotations is held against the code like annotations in it; its bad lines are refused.
#[test]
fn annotations_may_stand_in_a_file() -> Result<()> {
    let bench = Bench::new()?;
    let with = |text: &str| {
        std::fs::write(bench.path().join("locks"), text)?;
        bench.jrace(&["check", "bank.jar", "--annotations", "locks"])
    };
    let (code, out, err) = with("bank.Account.balance @GuardedBy(\"lock\")\nbank.Acount @ThreadSafe # misspelt\n")?;
    let glance = "bank.Account.glance (Bank.java:24): [unguarded-access] bank.Account.balance is accessed without `lock`, \
                  which is said to guard it\n";
    ensure!(
        code == 66 && out.contains(glance) && out.contains("SUMMARY: jrace check: 1 type error; 0 fields"),
        "{out}"
    );
    ensure!(err == "jrace: locks:2: bank.Acount @ThreadSafe: no class has this name\n", "{err}");
    let (_, _, err) = with("bank.Account.balance @Atomic\nbank.Account @AliasSets(\"a\")\n")?;
    let kinds = "jrace: locks:1: bank.Account.balance @Atomic: no class or method has this name\n\
                 jrace: locks:2: bank.Account @AliasSets(\"a\"): no method has this name\n";
    ensure!(err == kinds, "{err}");
    let (code, out, _) = with("\u{feff}bank.Account.balance @NoWarn")?;
    let nothing = format!("{MOOD_TOO}{OF_CLIENTS}SUMMARY: jrace check: 0 type errors; 0 fields not always guarded");
    ensure!(code == 0 && out.starts_with(&nothing), "{out}");
    let (code, out, err) = with("bank.Account.balance @Guarded")?;
    let sentence = "jrace: locks:1: `@Guarded` is not known: write one of @GuardedBy, @Requires, @Holds, ";
    ensure!(code == 2 && out.is_empty() && err.starts_with(sentence), "{code} {err}");
    bench.fails(
        &["check", "bank.jar", "--annotations", "none"],
        "cannot read the annotations file `none`; correct or leave out --annotations: No such file or directory (os error 2)",
    )
}

#[test]
fn a_field_is_explained() -> Result<()> {
    let bench = Bench::new()?;
    let visits = "bank.Account.visits: guarded by `this.lock`\n";
    let getter = "bank.Account.visits(): atomic\n  by the locks that its caller holds: `this.lock` ? mover : atomic\n";
    bench.gives(&["explain", "bank.Account.visits", "bank.jar"], 0, &format!("{visits}{getter}"), "")?;
    let all = format!("bank.Account.lock: final\n{BALANCE}{visits}{MOOD}{METHODS}");
    bench.gives(&["explain", "bank.Account.*", "bank.jar"], 0, &all, "")?;
    bench.fails(
        &["explain", "bank.Account.visit", "bank.jar"],
        "no field or method is called `bank.Account.visit`: write `package.Class.field`, `*` for any part",
    )
}

/// Nodes that a list owns.
const OWNED: &str = "package owned;
public final class Main {
    static final Stack STACK = new Stack();
    public static void main(String[] names) {
        new Thread(() -> STACK.push()).start();
        STACK.push();
        STACK.touch();
    }
}
final class Stack {
    private Node top;
    synchronized void push() {
        Node node = new Node();
        node.below = top;
        top = node;
        top.hits++;
    }
    void touch() {
        Node node;
        synchronized (this) {
            node = top;
        }
        node.hits++;
    }
}
final class Node {
    int hits;
    Node below;
}
";

/// A program in the folder `owned`.
fn owned(source: &str) -> Result<Bench> {
    let bench = Bench::new()?;
    let path = bench.path().join("Main.java");
    std::fs::write(&path, source)?;
    bench.jdk.compile(&[path], &bench.path().join("owned"), &["--release", "17"])?;
    Ok(bench)
}

/// Lock parameters may stand in a file too.
#[test]
fn a_file_may_say_which_lock_of_its_owner_guards_an_object() -> Result<()> {
    let bench = owned(OWNED)?;
    let with = |argument: &str| {
        let lines = "owned.Node @LockParam(\"stack\")\nowned.Node.hits @GuardedBy(\"stack\")\nowned.Node.below @LockArgs(\"stack\")\n";
        std::fs::write(bench.path().join("locks"), format!("{lines}owned.Stack.top @LockArgs(\"{argument}\")\n"))?;
        bench.jrace(&["check", "owned", "--annotations", "locks"])
    };
    let (code, out, err) = with("this")?;
    let touch = "owned.Stack.touch (Main.java:23): [unguarded-access] owned.Node.hits is accessed without `stack`, which is said to \
                 guard it\n";
    ensure!(
        code == 66 && out.contains(touch) && out.contains("SUMMARY: jrace check: 1 type error;"),
        "{code} {out}{err}"
    );
    ensure!(err.is_empty(), "{err}");
    let (_, out, _) = with("none")?;
    ensure!(out.contains("[lock-argument] owned.Stack.top gives the lock parameter of its class `none`"), "{out}");
    Ok(())
}

/// The first place that lets an object go from its owner.
#[test]
fn a_leak_is_explained() -> Result<()> {
    let kept = owned(OWNED)?;
    let explained = |bench: &Bench| bench.jrace(&["explain", "owned.Node.hits", "owned"]);
    let (code, out, _) = explained(&kept)?;
    ensure!(code == 0 && out.contains("race-unsafe") && !out.contains("no one owner"), "{out}");
    let bench =
        owned(&OWNED.replace("        node.hits++;", "        System.out.println(node);\n        node.hits++;"))?;
    let (code, out, _) = explained(&bench)?;
    let leak = "\n  its objects have no one owner: owned.Stack.touch (Main.java:23)\n";
    ensure!(code == 0 && out.contains(leak), "{out}");
    Ok(())
}

/// What stands in the way of types, as text, in JSON and on a page.
#[test]
fn obstacles_are_counted() -> Result<()> {
    let bench =
        owned(&OWNED.replace("        node.hits++;", "        System.out.println(node);\n        node.hits++;"))?;
    let (code, out, err) = bench.jrace(&["explain", "--why-not", "*", "owned"])?;
    ensure!(code == 0 && err.is_empty(), "{code} {err}");
    let rows = [
        "go to a library that may keep them              1     100%       0           0 + 0  owned.Node.hits: owned.Stack.touch (Main.java:23)\n",
        "a lambda or what a reference calls                     1     100%       0           1 + 0  owned.Node.hits: ",
        "SUMMARY: jrace explain: 1 of 3 fields neither final nor volatile, and 0 of 0 array accesses, are not proved\n",
    ];
    ensure!(rows.iter().all(|row| out.contains(row)), "{out}");
    let (_, json, _) = bench.jrace(&["explain", "--why-not", "*", "--json", "--html", "page.html", "owned"])?;
    let document: Value = serde_json::from_str(&json)?;
    ensure!(document["why_not"]["fields"] == serde_json::json!({"all": 3, "race_free": 2, "unproved": 1}), "{json}");
    let page = std::fs::read_to_string(bench.path().join("page.html"))?;
    ensure!(page.contains("go to a library that may keep them"), "{page}");
    let (_, part, _) = bench.jrace(&["explain", "--why-not", "owned.Stack.*", "owned"])?;
    ensure!(part.contains("0 of 1 fields"), "{part}");
    Ok(())
}

#[test]
fn classes_that_cannot_be_read_are_one_sentence() -> Result<()> {
    let bench = Bench::new()?;
    let whole = std::fs::read(bench.path().join("bank.jar"))?;
    std::fs::write(bench.path().join("cut.jar"), &whole[..whole.len() / 2])?;
    std::fs::create_dir(bench.path().join("empty"))?;
    for command in [&["check"][..], &["explain", "bank.Bank.x"]] {
        let fails = |path: &str, sentence: &str| bench.fails(&[command, &[path]].concat(), sentence);
        fails("no.jar", "there is no `no.jar`: name jars or directories of classes")?;
        fails(
            "cut.jar",
            "cut.jar is not a jar that can be read: invalid Zip archive: Could not find EOCD; name jars or directories of classes",
        )?;
        fails("empty", "no class was found in `empty`: name jars or directories of classes")?;
        let (path, jdk) = ("bank.jar", "--jdk=empty");
        let sentence = "empty is no JDK whose classes can be read (it has no lib/modules): give the home directory of a \
                        JDK 17 or later";
        bench.fails(&[command, &[path, jdk]].concat(), sentence)?;
    }
    let sentence = "cannot write the focus set to `no/set`; choose another file with --focus-set: No such file or directory (os error 2)";
    bench.fails(&["check", "bank.jar", "--focus-set=no/set"], sentence)
}

#[test]
fn what_is_damaged_is_left_out_and_named_once() -> Result<()> {
    let bench = Bench::new()?;
    let helper = std::fs::read(bench.class("Helper.class"))?;
    std::fs::write(bench.class("Helper.class"), &helper[..helper.len() / 2])?;
    bench.jar("damaged.jar")?;
    let (code, out, err) = bench.jrace(&["check", "damaged.jar"])?;
    ensure!(code == 66 && out.starts_with(BALANCE), "{code} {out}");
    ensure!(err == "jrace: a class in damaged.jar is left out: unexpected end\n", "{err}");
    // Damage in the jar itself, where the class file is.
    let mut bytes = std::fs::read(bench.path().join("bank.jar"))?;
    let at = bytes.windows(17).position(|name| name == b"bank/Helper.class").context("an entry")?;
    bytes[at + 30..at + 40].fill(0x55);
    std::fs::write(bench.path().join("bytes.jar"), bytes)?;
    let (code, out, err) = bench.jrace(&["check", "bytes.jar"])?;
    ensure!(err.lines().filter(|line| line.contains("bytes.jar")).count() == 1, "{code} {out}{err}");
    Ok(())
}

#[test]
fn what_is_missing_is_listed_once() -> Result<()> {
    let bench = Bench::new()?;
    std::fs::remove_file(bench.class("Helper.class"))?;
    bench.jar("part.jar")?;
    let missing = "jrace: bank.Helper cannot be found, so less is proved: add jars with --library\n";
    let (code, _, err) = bench.jrace(&["check", "part.jar"])?;
    ensure!((code, err.as_str()) == (66, missing), "{code} {err}");
    let (code, _, err) = bench.jrace(&["check", "part.jar", "--library", "*"])?;
    ensure!((code, err.as_str()) == (66, ""), "{code} {err}");
    bench.fails(
        &["check", "part.jar", "--library", "no.jar"],
        "the library `no.jar` does not exist: correct it, or leave it out of --library",
    )?;
    let libraries = ["--library", "Bank.java", "--library", "Bank.java", "--library", "bank.jar"];
    let (code, _, err) = bench.jrace(&[&["check", "part.jar"], &libraries[..]].concat())?;
    let expected = "jrace: Bank.java is not a jar that can be read: invalid Zip archive: Could not find EOCD\n";
    ensure!((code, err.as_str()) == (66, expected), "{code} {err}");
    Ok(())
}

/// Claims of annotations are held to, with the events that break them.
#[test]
fn wrong_claims_are_errors() -> Result<()> {
    let bench = Bench::new()?;
    let claimed = PROGRAM
        .replace("return balance", "return 0")
        .replace("    void pay(", "    @Atomic void pay(")
        .replace("    int visits()", "    @Atomic int visits()")
        + "@interface Atomic {}\n";
    std::fs::write(bench.path().join("Bank.java"), claimed)?;
    bench.jdk.compile(&[bench.path().join("Bank.java")], &bench.path().join("classes"), &[])?;
    let (code, out, err) = bench.jrace(&["check", "classes"])?;
    let expected = "\
bank.Account.pay (Bank.java:21): [not-atomic] bank.Account.pay(int) is said to be atomic
  first gives back a monitor at bank.Account.pay (Bank.java:20) (left mover)
  then  writes bank.Account.mood at bank.Account.pay (Bank.java:21) (atomic)
";
    ensure!(code == 66 && out.starts_with(expected) && err.is_empty(), "{code} {out}{err}");
    ensure!(out.contains("SUMMARY: jrace check: 1 type error;"), "{out}");
    Ok(())
}

/// What types and runs say of one method stands together; a method that nobody said to be atomic needs a run to be named.
#[test]
fn runs_and_types_say_one_thing_of_a_method() -> Result<()> {
    let bench = Bench::new()?;
    let source =
        PROGRAM.replace("    int visits()", "    int twice() { return visits() + visits(); }\n    int visits()");
    let source = source.replace("ACCOUNT.visits())", "ACCOUNT.twice())");
    let file = bench.path().join("bank/Bank.java");
    std::fs::create_dir_all(bench.path().join("bank"))?;
    std::fs::write(&file, source)?;
    bench.jdk.compile(&[file], &bench.path().join("classes"), &[])?;
    let java = bench.jdk.home.join("bin/java");
    let java = java.to_str().context("a path")?;
    let run = ["run", "--check", "none", "--atomicity", "--", java, "-cp", "classes", "bank.Bank"];
    let (code, _, err) = bench.jrace(&run)?;
    ensure!(code == 66, "{code} {err}");
    let (code, out, err) = bench.jrace(&["check", "classes", "--observed", ".jrace"])?;
    let expected = "\
bank.Account.twice (Bank.java:26): [not-atomic] bank.Account.twice() can be broken, as runs have shown
  first calls bank.Account.visits at bank.Account.twice (Bank.java:26) (atomic)
  then  calls bank.Account.visits at bank.Account.twice (Bank.java:26) (atomic)
  runs  R at bank.Account.visits(Bank.java:29), W' at bank.Account.pay(Bank.java:19), R at bank.Account.visits(Bank.java:29): \
two reads differ
  hint  hold ";
    ensure!(code == 66 && out.contains(expected) && err.is_empty(), "{code} {out}{err}");
    joined_for_programs_and_browsers(&bench)?;
    std::fs::remove_file(bench.path().join("classes/bank/Account.class"))?;
    let (_, _, err) = bench.jrace(&["check", "classes", "--observed", ".jrace"])?;
    ensure!(
        err.contains("runs have broken 2 methods besides those of the classes that are checked: bank.Account.pay, bank.Account.twice"),
        "{err}"
    );
    let (code, _, err) = bench.jrace(&["check", "classes", "--observed", "nothing"])?;
    ensure!(code == 2 && err.contains("cannot read findings in `nothing`"), "{code} {err}");
    Ok(())
}

/// The same in JSON and on pages.
fn joined_for_programs_and_browsers(bench: &Bench) -> Result<()> {
    let (code, out, err) =
        bench.jrace(&["check", "classes", "--observed", ".jrace", "--json", "--html", "check.html"])?;
    let report: Value = serde_json::from_str(&out).with_context(|| err.clone())?;
    let errors = report["errors"].as_array().context("errors")?;
    ensure!(
        (code, &report["exit"], &report["summary"]["errors"]) == (66, &66.into(), &errors.len().into()),
        "{report:#}"
    );
    let error = errors.iter().find(|error| error["name"] == "bank.Account.twice()").context("not among the errors")?;
    ensure!(error["rule"] == "not-atomic", "{error:#}");
    let roles: Vec<&Value> = error["events"].as_array().into_iter().flatten().map(|event| &event["role"]).collect();
    ensure!(roles == ["first", "then"] && error["events"][0]["place"]["line"] == 26, "{error:#}");
    let run = &error["runs"][0];
    ensure!(run["hint"].as_str().is_some_and(|hint| hint.starts_with("hold ")), "{error:#}");
    let scenario = &run["scenarios"][0];
    let other = &scenario["steps"][1];
    ensure!(scenario["pattern"] == "R W' R" && other["actor"] == 1 && other["operation"] == "write", "{scenario:#}");
    ensure!(other["access"]["stack"][0]["method"] == "pay" && other["access"]["thread"]["id"].is_u64(), "{scenario:#}");
    let (_, _, err) = bench.jrace(&["report", "--html", "report.html"])?;
    for (page, name) in
        [("check.html", "bank.<wbr>Account.<wbr>twice()"), ("report.html", "method bank.<wbr>Account.<wbr>twice")]
    {
        let page = std::fs::read_to_string(bench.path().join(page)).with_context(|| err.clone())?;
        let texts = [
            name,
            "two reads differ",
            "<li class=\"other\">",
            "class=\"advice\"",
            "class=\"lock\">",
            "class=\"line\">",
        ];
        ensure!(texts.iter().all(|text| page.contains(text)), "{page}");
        ensure!(["src=", "http:", "https:", "@import"].iter().all(|text| !page.contains(text)), "{page}");
    }
    Ok(())
}
