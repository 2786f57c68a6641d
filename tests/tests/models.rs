//! A user's models in what is found without a run: `jrace check`, `jrace races`, and what `jrace run --focus` has proved.
#![allow(clippy::disallowed_methods, reason = "writes the programs that it checks")]

use std::path::Path;

use anyhow::{Context, Result, ensure};
use facts::focus::FocusSet;
use jrace_tests::jdk::Jdk;
use jrace_tests::run::jrace;
use serde_json::Value;
use tempfile::TempDir;

/// A lock of which jrace knows nothing: `kept` and `tried` are always under it, `glanced` once not, and `handed` comes after `GIVES`.
/// `waiting` is written when the lock was given back.
const PROGRAM: &str = "package app;
import java.util.concurrent.Semaphore;
public final class Main {
    static final RowLock LOCK = new RowLock();
    static int kept;
    static int tried;
    static int glanced;
    static int handed;
    public static void main(String[] arguments) {
        new Thread(Main::work).start();
        work();
        System.out.println(glanced);
    }
    static void work() {
        keep();
        hand();
    }
    static void keep() {
        LOCK.lock();
        kept++;
        glanced++;
        LOCK.unlock();
        if (LOCK.tryLock()) {
            tried++;
            LOCK.unlock();
        }
    }
    static void hand() {
        LOCK.lock();
        GIVES
        handed++;
        LOCK.unlock();
    }
}
interface Held {
    void unlock();
}
class RowLock implements Held {
    private final Semaphore permit = new Semaphore(1);
    int waiting;
    void lock() {
        permit.acquireUninterruptibly();
    }
    boolean tryLock() {
        return permit.tryAcquire();
    }
    public void unlock() {
        permit.release();
        waiting++;
    }
}
";

/// A lock that only looks like one.
const OVERRIDING: &str = "final class VainLock extends RowLock {
    @Override void lock() {
    }
    @Override boolean tryLock() {
        return true;
    }
}
";

const MODELS: &str = "[[model]]\nclass = 'app.RowLock'\n[model.methods]\n\
                      lock = 'acquires this'\ntryLock = 'acquires this if true'\nunlock = 'releases this'\n";

/// Every field, sorted.
const ALL: [&str; 5] = ["glanced", "handed", "kept", "tried", "waiting"];
/// Those that the lock does not guard.
const RACY: [&str; 2] = ["glanced", "waiting"];

struct Bench {
    jdk: Jdk,
    folder: TempDir,
}

impl Bench {
    /// A program that does something under the lock, with other classes beside it.
    fn new(gives: &str, beside: &str) -> Result<Self> {
        let bench = Self { jdk: Jdk::oldest(), folder: tempfile::tempdir()? };
        let source = bench.path().join("Main.java");
        std::fs::write(&source, PROGRAM.replace("GIVES", gives) + beside)?;
        bench.jdk.compile(&[source], &bench.path().join("classes"), &["--release", "17"])?;
        bench.write("models.toml", MODELS)?;
        Ok(bench)
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn write(&self, file: &str, text: &str) -> Result<()> {
        Ok(std::fs::write(self.path().join(file), text)?)
    }

    /// How it ends, what it writes to standard output and what to standard error.
    fn jrace(&self, arguments: &[&str]) -> Result<(i32, String, String)> {
        let output = jrace(&self.jdk).current_dir(self.path()).args(arguments).output()?;
        let code = output.status.code().context("a signal")?;
        Ok((code, String::from_utf8(output.stdout)?, String::from_utf8(output.stderr)?))
    }

    /// The simple names of the fields that a command reports under a key of its document.
    fn fields(&self, command: &[&str], key: &str, name: &str) -> Result<Vec<String>> {
        let (_, out, err) = self.jrace(command)?;
        let document: Value = serde_json::from_str(&out).with_context(|| format!("{command:?}: {out}{err}"))?;
        let rows = document[key].as_array().context("rows")?;
        let names = rows.iter().filter_map(|row| row[name].as_str());
        let fields = names.filter_map(|name| name.split([' ', '(']).next()?.rsplit('.').next());
        let mut fields: Vec<String> = fields.map(str::to_owned).collect();
        fields.sort();
        Ok(fields)
    }

    /// What types do not prove.
    fn unsafe_fields(&self, more: &[&str]) -> Result<Vec<String>> {
        self.fields(&[&["check", "--all", "--json", "classes"], more].concat(), "fields", "name")
    }

    /// What a search finds.
    fn racy(&self, more: &[&str]) -> Result<Vec<String>> {
        self.fields(&[&["races", "--json", "classes"], more].concat(), "variables", "variable")
    }
}

const TOLD: [&str; 2] = ["--models", "models.toml"];

/// What is always under the lock is proved, and nothing besides.
#[test]
fn locks_of_the_user_s_guard_fields() -> Result<()> {
    let bench = Bench::new("", "")?;
    let modular = [&TOLD[..], &["--modular"]].concat();
    ensure!(bench.unsafe_fields(&[])? == ALL && bench.racy(&[])? == ALL && bench.racy(&["--modular"])? == ALL);
    ensure!(bench.unsafe_fields(&["--models", "models.toml"])? == RACY, "{:?}", bench.unsafe_fields(&TOLD)?);
    ensure!(bench.racy(&TOLD)? == RACY, "{:?}", bench.racy(&TOLD)?);
    ensure!(bench.racy(&modular)? == RACY, "{:?}", bench.racy(&modular)?);
    bench.write("jrace.toml", "models = 'models.toml'\n")?;
    ensure!(bench.unsafe_fields(&[])? == RACY && bench.racy(&[])? == RACY && bench.racy(&["--modular"])? == RACY);
    Ok(())
}

/// Whoever gives the lock back through an interface, holds it no longer.
#[test]
fn locks_of_the_user_s_are_given_back_through_interfaces() -> Result<()> {
    let bench = Bench::new("Held held = LOCK; held.unlock();", "")?;
    let modular = bench.racy(&[&TOLD[..], &["--modular"]].concat())?;
    ensure!(bench.unsafe_fields(&TOLD)? == ["glanced", "handed", "waiting"], "{:?}", bench.unsafe_fields(&TOLD)?);
    ensure!(bench.racy(&TOLD)? == ["glanced", "handed", "waiting"], "{:?}", bench.racy(&TOLD)?);
    ensure!(modular.iter().any(|field| field == "handed"), "{modular:?}");
    Ok(())
}

/// A class that overrides what takes the lock, and has no row itself, may not take it.
#[test]
fn what_overrides_a_lock_of_the_user_s_is_none() -> Result<()> {
    let bench = Bench::new("", OVERRIDING)?;
    ensure!(bench.unsafe_fields(&TOLD)? == ALL && bench.racy(&TOLD)? == ALL, "{:?}", bench.racy(&TOLD)?);
    Ok(())
}

/// Nothing is proved by a row that is wrong: it is refused before anything begins.
#[test]
fn rows_that_fit_nothing_are_refused() -> Result<()> {
    let bench = Bench::new("", "")?;
    let nothing = "the class declares no method with code that can have this effect; correct the name, the form or the effect, or \
                   leave the row out";
    for (rows, sentence) in [
        ("lock = 'acquires this'\nunlok = 'releases this'", format!("`app.RowLock.unlok`: {nothing}")),
        ("lock = 'acquires this if true'\nunlock = 'releases this'", format!("`app.RowLock.lock`: {nothing}")),
        (
            "lock = 'acquires this'\nunlock = 'releases this shared'",
            "`app.RowLock.lock()V` takes a lock that no row of its class gives back in the same mode: add one with `releases`"
                .to_owned(),
        ),
    ] {
        bench.write("models.toml", &format!("[[model]]\nclass = 'app.RowLock'\n[model.methods]\n{rows}\n"))?;
        for command in [&["check"][..], &["races"], &["races", "--modular"], &["explain", "*"]] {
            let (code, out, err) = bench.jrace(&[command, &["classes"], &TOLD].concat())?;
            let told = format!("jrace: the models of models.toml cannot be used: {sentence}\n");
            ensure!((code, out.as_str(), err.as_str()) == (2, "", told.as_str()), "{command:?} {rows}: {code} {out}{err}");
        }
    }
    Ok(())
}

/// What an earlier run has proved by models does not hold without them.
#[test]
fn a_focus_counts_on_the_models_of_its_run() -> Result<()> {
    let bench = Bench::new("", "")?;
    let java = bench.jdk.home.join("bin/java").display().to_string();
    let run = |more: &[&str]| -> Result<String> {
        let options = ["run", "--focus=field"];
        let command = [&options[..], more, &["--", &java, "-cp", "classes", "app.Main"]].concat();
        Ok(bench.jrace(&command)?.2)
    };
    let sets = || -> Result<Vec<FocusSet>> {
        let mut proved = Vec::new();
        for folder in std::fs::read_dir(bench.path().join(".jrace"))? {
            let set = folder?.path().join("focus-set-field");
            if set.exists() {
                proved.push(FocusSet::read(std::fs::read(set)?.as_slice())?);
            }
        }
        Ok(proved)
    };
    let is_kept_proved =
        |set: &FocusSet| set.get("app/Main").is_some_and(|class| class.is_race_free("app/Main", "kept", "I"));
    run(&TOLD)?;
    let told = sets()?;
    run(&[])?;
    let untold: Vec<FocusSet> = sets()?.into_iter().filter(|set| !told.contains(set)).collect();
    ensure!(told.len() == 1 && is_kept_proved(&told[0]), "{told:?}");
    ensure!(untold.len() == 1 && !is_kept_proved(&untold[0]), "{untold:?}");
    Ok(())
}
