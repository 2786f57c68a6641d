//! Classes that a program makes in each run under other names: once two runs have shown that, a focus knows them, and loses no race.
#![allow(clippy::disallowed_methods, reason = "writes the programs that it tries")]

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use jrace_tests::fixture::{folder, on_oldest_and_newest};
use jrace_tests::generator::generated::{self, Program};
use jrace_tests::jdk::Jdk;
use jrace_tests::maven;
use jrace_tests::run::Run;
use tempfile::TempDir;

use crate::focus::Focused;

/// The programs, compiled.
struct Programs {
    all: Vec<Program>,
    folder: TempDir,
}

impl Programs {
    fn new() -> Result<Self> {
        let (folder, (text, all)) = (tempfile::tempdir()?, generated::programs());
        let source = folder.path().join("Main.java");
        std::fs::write(&source, text)?;
        Jdk::oldest().compile(&[source], &folder.path().join("classes"), &["--release", "17"])?;
        Ok(Self { all, folder })
    }

    fn classes(&self) -> PathBuf {
        self.folder.path().join("classes")
    }

    /// A run finds the race, and only then; without what comes late, nothing is new any more after the first ones.
    fn run(&self, focused: &Focused, program: &Program, late: bool, turn: usize) -> Result<Run> {
        let (when, turn) = (if late { "late" } else { "early" }, turn.to_string());
        let run = focused.run(&[], &[&self.classes()], &["generated.Main", program.name, when, &turn])?;
        let is_found = run.racy().iter().any(|name| program.is_racy(name));
        ensure!(is_found == (late || program.is_early), "{when} {turn}: {:?}\n{}", run.racy(), run.stderr());
        Ok(run)
    }

    /// Runs one program until it is known, and then with what comes late.
    fn try_out(&self, focused: &Focused, program: &Program) -> Result<()> {
        let n_first = if program.name == "Proxies" || program.name == "Hides" { 2 } else { 1 };
        for turn in 0..n_first {
            self.run(focused, program, false, turn)?;
        }
        for turn in n_first..n_first + 2 {
            let known = self.run(focused, program, false, turn)?;
            ensure!(!known.stderr().contains("everything is checked"), "{turn}: {}", known.stderr());
        }
        for turn in 0..2 {
            let late = self.run(focused, program, true, turn)?;
            let is_void = late.stderr().contains("everything is checked");
            ensure!(program.is_strange || !is_void, "{turn}: {}", late.stderr());
        }
        let is_typed = |class| focused.set().map(|set| set.has(class));
        ensure!(program.name != "Alike" || is_typed("generated/AlikeTwo")?, "what others name is taken for a copy");
        Ok(())
    }
}

#[test]
fn no_race_of_generated_classes_is_lost() -> Result<()> {
    let programs = Programs::new()?;
    on_oldest_and_newest(|jdk| {
        let mut failed = Vec::new();
        for program in &programs.all {
            for (mode, focused) in [("field", Focused::by_fields(jdk)?), ("combined", Focused::new(jdk)?)] {
                let tried = programs.try_out(&focused, program);
                failed.extend(tried.err().map(|error| format!("{} {mode}: {error:#}", program.name)));
            }
        }
        ensure!(failed.is_empty(), "{}", failed.join("\n\n"));
        Ok(())
    })
}

/// A program whose threads each have classes made by a library, which names them and their methods at random.
const SUBCLASSES: &str = "import java.util.concurrent.Callable;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import net.bytebuddy.implementation.MethodDelegation;
import net.bytebuddy.implementation.bind.annotation.SuperCall;
import net.bytebuddy.matcher.ElementMatchers;
public class Subclasses {
    public static class Box { int own; public synchronized void add() { own++; } }
    static int hits;
    public static Object around(@SuperCall Callable<?> call) throws Exception { hits++; return call.call(); }
    static void run() {
        try {
            Class<? extends Box> made = new ByteBuddy().subclass(Box.class).method(ElementMatchers.named(\"add\"))
                .intercept(MethodDelegation.to(Subclasses.class)).make()
                .load(Subclasses.class.getClassLoader(), ClassLoadingStrategy.Default.INJECTION).getLoaded();
            made.getDeclaredConstructor().newInstance().add();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
    public static void main(String[] arguments) {
        Thread thread = new Thread(Subclasses::run);
        thread.start();
        while (thread.getThreadGroup() != null) Thread.yield();
        run();
    }
}";

#[test]
fn classes_that_a_library_makes_are_known_after_the_first_run() -> Result<()> {
    let (folder, jars) = (tempfile::tempdir()?, maven::jars(&folder().join("neighbours"))?);
    let (source, classes) = (folder.path().join("Subclasses.java"), folder.path().join("classes"));
    std::fs::write(&source, SUBCLASSES)?;
    let library = std::fs::read_dir(&jars)?.flatten().map(|jar| jar.path());
    let is_it = |jar: &PathBuf| {
        let name = jar.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.starts_with("byte-buddy-") && !name.contains("agent")
    };
    let library = library.into_iter().find(is_it).context("no library")?;
    let with = format!("{}", library.display());
    Jdk::oldest().compile(&[source], &classes, &["--release", "17", "-cp", &with])?;
    on_oldest_and_newest(|jdk| {
        for focused in [Focused::by_fields(jdk)?, Focused::new(jdk)?] {
            let run = || focused.run(&[], &[&classes, &library], &["Subclasses"]);
            let first = run()?;
            ensure!(first.racy() == ["Subclasses.hits"], "{:?}", first.racy());
            let mut sets = Vec::new();
            for _ in 0..3 {
                let known = run()?;
                ensure!(known.racy() == ["Subclasses.hits"], "{:?}", known.racy());
                ensure!(!known.stderr().contains("everything is checked"), "{}", known.stderr());
                sets.push(focused.written()?);
            }
            ensure!(sets[0] == sets[1] && sets[1] == sets[2], "typed anew: {sets:?}");
            let proved = focused
                .set()?
                .get("Subclasses$Box")
                .is_some_and(|known| known.is_race_free("Subclasses$Box", "own", "I"));
            ensure!(proved, "nothing is proved");
        }
        Ok(())
    })
}
