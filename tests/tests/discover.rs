//! `jrace discover`: the owners that runs show, the log that holds them, and `jrace check --types`, which holds code to it.
#![allow(clippy::disallowed_methods, reason = "writes the programs that it observes")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use jrace_tests::demos::Demo;
use jrace_tests::fixture::{compiled, on_every_jdk};
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::root;
use jrace_tests::run::jrace;
use serde_json::Value;
use tempfile::TempDir;

/// A folder to work in, and classes to run.
struct Bench {
    jdk: Jdk,
    folder: TempDir,
    classes: PathBuf,
}

impl Bench {
    fn of(jdk: &Jdk, classes: PathBuf) -> Result<Self> {
        Ok(Self { jdk: jdk.clone(), folder: tempfile::tempdir()?, classes })
    }

    /// The program with a field for each owner, after some changes of its source.
    fn owners(jdk: &Jdk, changes: &[(&str, &str)]) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let mut source = std::fs::read_to_string(owners())?;
        for (from, to) in changes {
            ensure!(source.contains(from), "{from}");
            source = source.replace(from, to);
        }
        let (path, classes) = (folder.path().join("Main.java"), folder.path().join("classes"));
        std::fs::write(&path, source)?;
        jdk.compile(&[path], &classes, &["-g", "--release", "17"])?;
        Ok(Self { jdk: jdk.clone(), folder, classes })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Exit code, standard output and standard error.
    fn jrace(&self, arguments: &[&str]) -> Result<(i32, String, String)> {
        let output = jrace(&self.jdk).current_dir(self.folder.path()).args(arguments).output()?;
        let code = output.status.code().context("a signal")?;
        Ok((code, String::from_utf8(output.stdout)?, String::from_utf8(output.stderr)?))
    }

    /// Observes a run.
    fn discover(&self, options: &[&str], main: &str, arguments: &[&str]) -> Result<(i32, String, String)> {
        let java = self.jdk.home.join("bin/java");
        let command = ["--", &java.to_string_lossy(), "-cp", &self.classes.to_string_lossy(), main].map(str::to_owned);
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        self.jrace(&[&["discover"], options, &command, arguments].concat())
    }

    fn check(&self, log: &str) -> Result<(i32, String, String)> {
        self.jrace(&["check", "--types", log, &self.classes.to_string_lossy()])
    }

    /// What a log shows, by field: the owner as in comments.
    fn owners_in(&self, log: &str) -> Result<BTreeMap<String, String>> {
        let report = self.report(log)?;
        let fields = report["fields"].as_array().context("no fields")?;
        Ok(fields.iter().map(|field| (text(&field["field"]), owner(field))).collect())
    }

    fn report(&self, log: &str) -> Result<Value> {
        let (code, out, err) = self.jrace(&["discover", "--json", "--output", log])?;
        ensure!(code == 0 && err.is_empty(), "{code} {err}");
        Ok(serde_json::from_str(&out)?)
    }
}

fn owners() -> PathBuf {
    root().join("tests/java/discovery/owners/Main.java")
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn owner(field: &Value) -> String {
    let lock = match &field["lock"] {
        Value::Object(lock) => {
            lock.iter().map(|(kind, class)| format!(" {kind} {}", text(class).replace('/', "."))).collect()
        }
        Value::String(lock) => format!(" {lock}"),
        _ => String::new(),
    };
    field["owner"].as_str().unwrap_or("none").to_owned() + &lock
}

/// What the comments of a program say.
fn expected(source: &Path, package: &str) -> Result<BTreeMap<String, String>> {
    let source = std::fs::read_to_string(source)?;
    let comments = source.lines().filter_map(|line| line.split_once("// owner: ")?.1.split_once(' '));
    Ok(comments.map(|(field, owner)| (format!("{package}.{field}"), owner.to_owned())).collect())
}

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or_default()
}

#[test]
fn fields_have_the_owners_that_their_comments_say() -> Result<()> {
    on_every_jdk(|jdk| {
        let bench = Bench::owners(jdk, &[])?;
        let (code, out, err) = bench.discover(&[], "owners.Main", &[])?;
        ensure!(code == 0 && out.is_empty(), "{code} {out}{err}");
        let summary = "SUMMARY: jrace discover: 11 fields in 1 JVM: 5 guarded, 2 read-only, 1 confined, 1 handed over, 2 without \
                       an owner; the log is `.jrace/types.jsonl`";
        ensure!(last_line(&err) == summary, "{err}");
        let found = bench.owners_in(".jrace/types.jsonl")?;
        let mut expected = expected(&owners(), "owners")?;
        expected.insert("owners.Main$Shared.own".to_owned(), "read-only".to_owned());
        ensure!(found == expected, "{found:#?}\nis not {expected:#?}");
        // `add` is always called without the lock, but takes it.
        let report = bench.report(".jrace/types.jsonl")?;
        let methods = report["methods"].as_array().context("no methods")?;
        let add = methods.iter().find(|method| method["method"] == "owners.Main$Shared.add(I)V").context("add")?;
        ensure!(add["accesses"] == 8 && add["own_lock"] == 8, "{add}");
        obstacles_are_weighed(&bench)
    })
}

/// The most accesses first, and what was accessed most for example.
fn obstacles_are_weighed(bench: &Bench) -> Result<()> {
    let classes = bench.classes.to_string_lossy();
    let explain = ["explain", "--why-not", "owners.*", "--types", ".jrace/types.jsonl", "--json", &classes];
    let (code, out, err) = bench.jrace(&explain)?;
    ensure!(code == 0, "{code} {err}");
    let why_not = &serde_json::from_str::<Value>(&out)?["why_not"];
    let all = why_not["accesses"].as_u64().context("no accesses")?;
    for way in why_not["ways"].as_array().context("no ways")? {
        let obstacles = way["obstacles"].as_array().context("no obstacles")?;
        let each: Vec<u64> = obstacles.iter().filter_map(|met| met["accesses"].as_u64()).collect();
        ensure!(each.is_sorted_by(|a, b| a >= b) && each.iter().sum::<u64>() <= all, "{way:#}");
    }
    ensure!(all > 0, "{why_not:#}");
    Ok(())
}

/// The seed chooses among objects beyond the first eight; accesses that repeat others, and objects beside, leave owners as they are.
#[test]
fn samples_show_the_owners_that_every_event_would() -> Result<()> {
    on_every_jdk(|jdk| {
        let often = "run(() -> {\n for (int i = 0; i < 20_000; i++) {\n shared.use();\n }\n });";
        let crowd = "}\n        for (int i = 0; i < 20_000; i++) {\n new Shared(i);\n }\n    }\n}";
        let bench = Bench::owners(jdk, &[("run(shared::use);", often), ("}\n    }\n}", crowd)])?;
        // The first object alone makes the sites run often enough, and on a slow machine the second one would come too late.
        std::fs::write(bench.path("jrace.toml"), "retire = 0\n")?;
        for (log, seed) in [("a", "1"), ("b", "1"), ("c", "2")] {
            let (code, _, err) = bench.discover(&["--output", log, "--seed", seed], "owners.Main", &[])?;
            ensure!(code == 0, "{err}");
        }
        let mut expected = expected(&owners(), "owners")?;
        expected.insert("owners.Main$Shared.own".to_owned(), "read-only".to_owned());
        for log in ["a", "c"] {
            let found = bench.owners_in(log)?;
            ensure!(found == expected, "{found:#?}\nis not {expected:#?}");
        }
        let [one, again, other] = ["a", "b", "c"].map(|log| bench.report(log).map(|report| report["fields"].clone()));
        let (one, again, other) = (one?, again?, other?);
        ensure!(one == again && one != other, "{one}\n{again}\n{other}");
        // 8 + 8 ln(20000 / 8) is 71.
        let settled = one.as_array().into_iter().flatten().find(|field| field["field"] == "owners.Main$Shared.settled");
        let objects = settled.and_then(|field| field["objects"].as_u64()).context("objects")?;
        ensure!((40..110).contains(&objects), "{objects}");
        Ok(())
    })
}

/// What a site does after it was seen often enough goes unseen: a known miss, which is what makes long runs cheap. `retire=0` has it
/// observed to the end.
#[test]
fn sites_that_were_seen_often_enough_are_observed_no_more() -> Result<()> {
    on_every_jdk(|jdk| {
        let source = root().join("tests/java/discovery/hot/Main.java");
        let bench = Bench::of(jdk, compiled(jdk, std::slice::from_ref(&source), &["-g", "--release", "17"])?)?;
        let wanted = expected(&source, "hot")?;
        let (code, _, err) = bench.discover(&["--output", "settled"], "hot.Main", &[])?;
        ensure!(code == 0, "{err}");
        let found = bench.owners_in("settled")?;
        ensure!(found == wanted, "{found:#?}\nis not {wanted:#?}");
        std::fs::write(bench.path("jrace.toml"), "retire = 0\n")?;
        let (code, _, err) = bench.discover(&["--output", "all"], "hot.Main", &[])?;
        ensure!(code == 0, "{err}");
        let found = bench.owners_in("all")?;
        ensure!(found.values().all(|owner| owner == "none"), "{found:#?}");
        Ok(())
    })
}

#[test]
fn runs_join_the_log_and_count_once() -> Result<()> {
    let bench = Bench::owners(&Jdk::oldest(), &[])?;
    for log in ["a", "b", "both", "both"] {
        let (code, _, err) = bench.discover(&["--output", log], "owners.Main", &[])?;
        ensure!(code == 0, "{err}");
    }
    let runs = |log: &str| -> Result<usize> { Ok(bench.report(log)?["runs"].as_array().map_or(0, Vec::len)) };
    ensure!((runs("a")?, runs("b")?, runs("both")?) == (1, 1, 2));
    for (order, name) in [(["a", "b", "a"], "aba"), (["b", "b", "a"], "bba")] {
        let merged: Vec<String> = order.iter().map(|log| format!("--merge={log}")).collect();
        let merged: Vec<&str> = merged.iter().map(String::as_str).collect();
        let (code, out, err) = bench.jrace(&[&["discover", "--output", name], merged.as_slice()].concat())?;
        ensure!(code == 0 && last_line(&out).contains("11 fields in 2 JVMs"), "{out}{err}");
    }
    ensure!(std::fs::read(bench.path("aba"))? == std::fs::read(bench.path("bba"))?);
    ensure!(bench.owners_in("aba")? == bench.owners_in("a")?);
    Ok(())
}

#[test]
fn code_that_no_run_has_reached_is_held_to_the_owners() -> Result<()> {
    let jdk = Jdk::oldest();
    let clean = Bench::owners(&jdk, &[])?;
    let held = "synchronized (shared) {\n            shared.mine = 0;\n        }\n        // Seeded: ";
    let seeded = Bench::owners(&jdk, &[(held, "shared.mine = 0;\n        ")])?;
    for (bench, errors) in [(&clean, 0), (&seeded, 2)] {
        let (code, _, err) = bench.discover(&["--output", "log"], "owners.Main", &[])?;
        ensure!(code == 0, "{err}");
        let (code, out, err) = bench.check("log")?;
        ensure!(code == if errors == 0 { 0 } else { 66 } && err.is_empty(), "{code} {out}{err}");
        ensure!(out.contains(&format!("jrace check: {errors} type errors; 0 fields not always guarded")), "{out}");
    }
    let expected = "\
owners.Main.reset (Main.java:50): [unguarded-access] owners.Main$Shared.mine is written without `this`
  observed: guarded by `this` at 8 accesses to 2 objects in 1 run
owners.Main.reset (Main.java:51): [read-only-write] owners.Main$Shared.settled is written, where runs only read it once it was \
shared
  observed: read-only, 4 accesses once it was shared to 2 objects in 1 run
";
    let (_, out, _) = seeded.check("log")?;
    ensure!(out.starts_with(expected), "{out}");
    // Once a run has come there, the owners are others: the main thread comes last, and does not come back.
    let (code, _, err) = seeded.discover(&["--output", "log"], "owners.Main", &["reset"])?;
    ensure!(code == 0 && err.contains("in 2 JVMs"), "{err}");
    ensure!(seeded.owners_in("log")?["owners.Main$Shared.mine"] == "unique");
    let (_, out, _) = seeded.check("log")?;
    ensure!(out.contains("jrace check: 0 type errors"), "{out}");
    Ok(())
}

/// Two locks were held at every access. The one for which less speaks is taken if code that did not run holds only that; where it
/// holds neither, the error tells of both.
#[test]
fn a_runner_up_is_taken_for_an_owner_that_code_refutes() -> Result<()> {
    let jdk = Jdk::oldest();
    let both = (
        "synchronized (Main.class) {\n                byClass++;",
        "synchronized (this) { synchronized (key()) {\n                byClass++; }",
    );
    // What types do not see: else they would prove the field.
    let key = ("/** No run", "static Object key() { return counted < 0 ? new Object() : Main.class; } /** No run");
    let reset = |text: &'static str| ("// Seeded: shared.settled = 0;", text);
    let checked = |text| {
        let bench = Bench::owners(&jdk, &[both, key, reset(text)])?;
        let (code, _, err) = bench.discover(&["--output", "log"], "owners.Main", &[])?;
        ensure!(code == 0 && bench.owners_in("log")?["owners.Main$Shared.byClass"] == "lock this", "{err}");
        bench.check("log")
    };
    let (code, out, err) = checked("synchronized (Main.class) { shared.byClass = 0; }")?;
    let taken = "owners.Main$Shared.byClass: observed: guarded by `owners.Main.class` at ";
    ensure!(code == 0 && out.contains(taken), "{code} {out}{err}");
    ensure!(out.contains("\n  not: guarded by `this` at "), "{out}");
    ensure!(out.contains(" in 1 run, to which owners.Main.reset (Main.java:53) does not keep\n"), "{out}");
    let (code, out, err) = checked("shared.byClass = 0;")?;
    let broken =
        "[unguarded-access] owners.Main$Shared.byClass is written without `this`\n  observed: guarded by `this` at ";
    ensure!(code == 66 && out.contains(broken), "{code} {out}{err}");
    ensure!(out.contains("\n  or: guarded by `owners.Main.class` at "), "{out}");
    ensure!(out.contains(" in 1 run, not held at 1 access in code that did not run\n"), "{out}");
    Ok(())
}

/// A method that callers of all runs held the lock for asks for it in code that no run has reached, and nowhere else.
#[test]
fn calls_that_no_run_has_made_are_held_to_the_locks_of_those_that_were() -> Result<()> {
    let jdk = Jdk::oldest();
    let method = ("void use() {", "void bare() { mine++; } void use() { synchronized (this) { bare(); }");
    let checked = |seeded: &str, ran: &str| {
        let (reset, main) = (("// Seeded: shared.settled = 0;", seeded), ("int n) {\n            mine += n;", ran));
        let bench = Bench::owners(&jdk, &[method, reset, main])?;
        let (code, out, err) = bench.discover(&["--output", "log"], "owners.Main", &[])?;
        ensure!(code == 0 && out.is_empty(), "{out}{err}");
        let (_, shown, _) = bench.jrace(&["discover", "--output", "log"])?;
        ensure!(shown.contains("owners.Main$Shared.bare  `this`  "), "{shown}");
        Ok::<_, anyhow::Error>(bench.check("log")?.1)
    };
    let ran = "int n) {\n            mine += n;";
    let out = checked("shared.bare();", ran)?;
    let expected = "owners.Main.reset (Main.java:53): [unheld-call] owners.Main$Shared.bare is called without `this`, which callers \
                    held in runs\n  observed: callers held `this` at all its ";
    ensure!(out.contains(expected) && out.contains("jrace check: 1 type error;"), "{out}");
    let out = checked("synchronized (shared) { shared.bare(); }", ran)?;
    ensure!(!out.contains("unheld-call"), "{out}");
    let out = checked("", "int n) {\n            mine += n;\n            if (n > 9) new Thread(this::bare).start();")?;
    ensure!(!out.contains("unheld-call"), "{out}");
    Ok(())
}

/// A known false alarm: of calls it is not known which have run, only which methods have accessed fields. A method that ran, accessed
/// none, and whose callers held the lock, is taken for one that no run has reached.
#[test]
fn a_method_that_only_calls_is_a_false_alarm_of_requires() -> Result<()> {
    let method = (
        "void use() {",
        "void bare() { mine++; } public void relay() { bare(); } void use() { synchronized (this) { relay(); }",
    );
    // Clients could call it without the lock: types do not prove that it is held.
    let open = ("    static final class Shared {", "    public static final class Shared {");
    let bench = Bench::owners(&Jdk::oldest(), &[method, open])?;
    let (code, _, err) = bench.discover(&["--output", "log"], "owners.Main", &[])?;
    ensure!(code == 0, "{err}");
    let (_, out, _) = bench.check("log")?;
    let alarm =
        "owners.Main$Shared.relay (Main.java:31): [unheld-call] owners.Main$Shared.bare is called without `this`";
    ensure!(out.contains(alarm) && out.contains("jrace check: 1 type error;"), "{out}");
    Ok(())
}

#[test]
fn classes_that_have_changed_are_named_once_and_not_used() -> Result<()> {
    let jdk = Jdk::oldest();
    let before = Bench::owners(&jdk, &[])?;
    let (code, _, err) = before.discover(&["--output", "log"], "owners.Main", &[])?;
    ensure!(code == 0, "{err}");
    let after = Bench::owners(&jdk, &[("        // Seeded: ", "        ")])?;
    let (code, out, err) = after.check(&before.path("log").to_string_lossy())?;
    let sentence = "jrace: the type log is of another version of owners.Main, so what it says of them is not used: run \
                    `jrace discover` again\n";
    // The class of `settled` is the same.
    ensure!(
        code == 66 && err == sentence && out.contains("[read-only-write] owners.Main$Shared.settled"),
        "{out}{err}"
    );
    ensure!(out.contains("OBSERVED: 10 fields of classes that are the same"), "{out}");
    Ok(())
}

#[test]
fn what_is_no_log_is_one_sentence() -> Result<()> {
    let bench = Bench::owners(&Jdk::oldest(), &[])?;
    let (code, _, err) = bench.discover(&["--output", "log"], "owners.Main", &[])?;
    ensure!(code == 0, "{err}");
    let log = std::fs::read(bench.path("log"))?;
    std::fs::write(bench.path("cut"), &log[..log.len() / 2])?;
    std::fs::write(bench.path("other"), "{\"focus_set\":3,\"hash\":1}\n")?;
    std::fs::create_dir(bench.path("folder"))?;
    let classes = bench.classes.to_string_lossy().into_owned();
    for (file, reason) in [
        ("cut", "it is cut short or damaged"),
        ("other", "it is no type log of this version of jrace"),
        ("none", "No such file or directory (os error 2)"),
        ("folder", "Is a directory (os error 21)"),
    ] {
        let sentence = format!("jrace: cannot use the type log `{file}`; write one with `jrace discover`: {reason}\n");
        let merge = format!("--merge={file}");
        let show = ["discover", "--output", file];
        for arguments in
            [show.as_slice(), &["discover", "--output", "new", &merge], &["check", "--types", file, &classes]]
        {
            let (code, out, err) = bench.jrace(arguments)?;
            let absent = "jrace: there is no type log `none`: `jrace discover -- COMMAND` makes one, and --output names another\n";
            let sentence = if arguments == ["discover", "--output", "none"] { absent } else { &sentence };
            ensure!((code, out.as_str(), err.as_str()) == (2, "", sentence), "{arguments:?}: {code} {out}{err}");
        }
    }
    // A log that cannot be used is not written over, and nothing runs.
    let (code, _, err) = bench.discover(&["--output", "cut"], "owners.Main", &[])?;
    ensure!(
        code == 2 && err.lines().count() == 1 && std::fs::read(bench.path("cut"))? == log[..log.len() / 2],
        "{err}"
    );
    let (code, _, err) = bench.discover(&["--output", "log/in/a/file"], "owners.Main", &[])?;
    ensure!(code == 2 && err.starts_with("jrace: cannot write the type log `log/in/a/file`"), "{err}");
    Ok(())
}

#[test]
fn commands_keep_their_exit_code_and_their_log() -> Result<()> {
    let bench = Bench::owners(&Jdk::oldest(), &[])?;
    let (code, _, err) = bench.discover(&["--output", "log"], "owners.None", &[])?;
    ensure!(code == 1 && err.contains("0 fields in 1 JVM"), "{code} {err}");
    let (code, out, err) = bench.jrace(&["discover", "--output", "log", "--", "echo", "hello"])?;
    ensure!(
        (code, out.as_str()) == (2, "hello\n") && err.starts_with("jrace: no JVM loaded the agent"),
        "{code} {out}{err}"
    );
    let (code, ..) = bench.jrace(&["discover", "--allow-none", "--output", "log", "--", "echo", "hello"])?;
    ensure!(code == 0);
    let limits = ["--output", "log", "--option", "record_limit=1"];
    let (code, _, err) = bench.discover(&limits, "owners.Main", &[])?;
    ensure!(code == 0 && err.contains("in 2 JVMs") && !err.contains("cut short"), "{err}");
    Ok(())
}

/// Two demos, whose locks are known.
#[test]
fn demos_show_their_owners() -> Result<()> {
    let jdk = Jdk::oldest();
    for (name, field, owner) in [
        ("elevator", "elevator.Floor.called", "lock this"),
        ("bank", "bank.Bank.transfers", "lock this"),
        ("bank", "bank.Account.balance", "none"),
    ] {
        let demo = Demo::all()?.into_iter().find(|demo| demo.name == name).context("no such demo")?;
        let bench =
            Bench::of(&jdk, compiled(&jdk, &sources(&root().join("demo-apps").join(name))?, &["--release", "17"])?)?;
        let arguments: Vec<&str> = demo.args.iter().map(String::as_str).collect();
        let (code, _, err) = bench.discover(&["--output", "log"], &demo.main, &arguments)?;
        ensure!(code == 0, "{err}");
        let owners = bench.owners_in("log")?;
        ensure!(owners.get(field).is_some_and(|found| found == owner), "{field}: {owners:?}");
        let (_, out, err) = bench.check("log")?;
        ensure!(out.contains("SUMMARY: jrace check: 0 type errors"), "{name}: {out}{err}");
    }
    Ok(())
}

/// The words of a thread lie beside its `ThreadLocal`s, which a pool takes away after each task.
const LOCALS: &str = "import java.util.concurrent.*;
public final class Locals {
    static final ThreadLocal<Integer> kept = ThreadLocal.withInitial(() -> 0);
    static final class Box { int value; }
    static int started;
    static void work(Box box) { box.value++; kept.set(kept.get() + 1); }
    public static void main(String[] args) throws Exception {
        ThreadLocal<Integer>[] many = new ThreadLocal[40];
        for (int i = 0; i < many.length; i++) (many[i] = new ThreadLocal<>()).set(i);
        started++;
        for (int i = 0; i < many.length; i++) if (many[i].get() != i) System.exit(3);
        Thread thread = new Thread(() -> { kept.set(5); started++; if (kept.get() != 5) System.exit(4); });
        thread.start();
        thread.join();
        Box[] boxes = new Box[1];
        run(() -> boxes[0] = new Box());
        for (int i = 0; i < 5; i++) run(() -> work(boxes[0]));
    }
    static void run(Runnable task) throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        ForkJoinPool.commonPool().execute(() -> { task.run(); done.countDown(); });
        done.await();
    }
}";

#[test]
fn a_thread_stays_the_same_and_keeps_its_locals() -> Result<()> {
    on_every_jdk(|jdk| {
        let (folder, source) = (tempfile::tempdir()?, tempfile::tempdir()?);
        std::fs::write(source.path().join("Locals.java"), LOCALS)?;
        jdk.compile(&[source.path().join("Locals.java")], folder.path(), &["-nowarn", "--release", "17"])?;
        let bench = Bench::of(jdk, folder.path().to_owned())?;
        let one = ["--jvm-option", "-Djava.util.concurrent.ForkJoinPool.common.parallelism=1"];
        let (code, _, err) = bench.discover(&[&["--output", "log"], &one[..]].concat(), "Locals", &[])?;
        ensure!(code == 0, "{code} {err}");
        let owners = bench.owners_in("log")?;
        let owner = owners.get("Locals$Box.value").map(String::as_str);
        ensure!(owner == Some("this-thread"), "{owners:?}");
        Ok(())
    })
}
