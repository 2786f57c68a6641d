//! Classes that a program makes in each run under other names: once two runs have shown that, a focus knows them, and loses no race.
#![allow(clippy::disallowed_methods, reason = "writes the programs that it tries")]

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use jrace_tests::fixture::{compiled_text, folder, on_oldest_and_newest};
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
        compiled_text(folder.path(), "Main.java", &text)?;
        Ok(Self { all, folder })
    }

    fn classes(&self) -> PathBuf {
        self.folder.path().join("classes")
    }

    /// One run of some programs finds the race of each, and only then.
    fn run(&self, focused: &Focused, programs: &[&Program], late: bool, turn: usize) -> Result<Run> {
        let (when, turn) = (if late { "late" } else { "early" }, turn.to_string());
        let mut arguments = vec!["generated.Main", when, &turn];
        arguments.extend(programs.iter().map(|program| program.name));
        let run = focused.run(&[], &[&self.classes()], &arguments)?;
        let racy = run.racy();
        for program in programs {
            let is_found = racy.iter().any(|name| program.is_racy(name));
            ensure!(
                is_found == (late || program.is_early),
                "{} {when} {turn}: {racy:?}\n{}",
                program.name,
                run.stderr()
            );
        }
        Ok(run)
    }

    /// The same, and everything has a form that is known.
    fn run_known(&self, focused: &Focused, programs: &[&Program], late: bool, turn: usize) -> Result<()> {
        let run = self.run(focused, programs, late, turn)?;
        ensure!(!run.stderr().contains("everything is checked"), "late: {late}, {turn}: {}", run.stderr());
        Ok(())
    }

    /// Runs all until they are known, and then with what comes late: copies together, and what is none alone, as it voids the proofs.
    fn try_out(&self, focused: &Focused) -> Result<()> {
        let all: Vec<_> = self.all.iter().collect();
        let (strange, copies): (Vec<_>, Vec<_>) = all.iter().partition(|program| program.is_strange);
        // Proxies and hidden classes are numbered: it takes two runs to see that.
        for turn in 0..2 {
            self.run(focused, &all, false, turn)?;
        }
        self.run_known(focused, &all, false, 2)?;
        self.run_known(focused, &copies, true, 3)?;
        for program in &strange {
            self.run(focused, &[program], true, 4)?;
        }
        self.run(focused, &all, true, 5)?;
        let alike: Vec<_> = all.into_iter().filter(|program| program.name == "Alike").collect();
        self.run_known(focused, &alike, true, 6)?;
        ensure!(focused.set()?.has("generated/AlikeTwo"), "what others name is taken for a copy");
        Ok(())
    }
}

#[test]
fn no_race_of_generated_classes_is_lost() -> Result<()> {
    let programs = Programs::new()?;
    on_oldest_and_newest(|jdk| {
        for (mode, focused) in [("field", Focused::by_fields(jdk)?), ("combined", Focused::new(jdk)?)] {
            programs.try_out(&focused).context(mode)?;
        }
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

/// A hidden class with another name in each run, of which another thread writes a field by reflection if that is asked for.
const HIDDEN: &str = "import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
class Hidden00000000 implements Runnable {
    static int hits;
    static final Object LOCK = new Object();
    public void run() { if (Main.isLate) set(); else add(); }
    static void add() { synchronized (LOCK) { hits++; } }
    static void set() {
        try {
            MethodHandles.lookup().lookupClass().getDeclaredField(new String(\"hits\")).setInt(null, 7);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
public class Main {
    static volatile boolean isLate;
    static void other(Runnable task) {
        Thread thread = new Thread(task);
        thread.start();
        while (thread.getThreadGroup() != null) Thread.yield();
    }
    public static void main(String[] arguments) throws Exception {
        String text = new String(Main.class.getResourceAsStream(\"Hidden00000000.class\").readAllBytes(), StandardCharsets.ISO_8859_1);
        String digits = String.format(\"%08d\", ThreadLocalRandom.current().nextInt(20_000_000, 100_000_000));
        byte[] bytes = text.replace(\"00000000\", digits).getBytes(StandardCharsets.ISO_8859_1);
        Class<?> hidden = MethodHandles.lookup().defineHiddenClass(bytes, true).lookupClass();
        Runnable one = (Runnable) hidden.getDeclaredConstructor().newInstance();
        isLate = arguments.length > 0;
        other(one);
        isLate = false;
        one.run();
    }
}";

/// The JVM lets no agent weave such a class again, so the run that comes upon it misses the race, and says so.
#[test]
fn what_reflection_accesses_of_a_hidden_class_is_known_to_the_next_run() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let classes = compiled_text(folder.path(), "Main.java", HIDDEN)?;
    on_oldest_and_newest(|jdk| {
        let focused = Focused::by_fields(jdk)?;
        let run = |arguments: &[&str]| focused.run(&[], &[&classes], arguments);
        for _ in 0..2 {
            run(&["Main"])?;
        }
        let known = run(&["Main"])?;
        ensure!(!known.stderr().contains("is checked"), "{}", known.stderr());
        let unforeseen = run(&["Main", "late"])?.stderr();
        let is_told =
            ["is accessed by reflection", "1 class could not be woven again"].map(|what| unforeseen.contains(what));
        ensure!(is_told == [true; 2], "{unforeseen}");
        let next = run(&["Main", "late"])?;
        let racy = next.racy();
        ensure!(racy.len() == 1 && racy[0].ends_with(".hits"), "{racy:?}\n{}", next.stderr());
        Ok(())
    })
}

/// Proxies of the JDK's own package, numbered as they come; with so many methods, these stand in another order in nearly each run.
const PROXIES: &str = "
    import java.lang.reflect.InvocationHandler;
    import java.lang.reflect.Proxy;

    public class Main {
        static int called; // race

        METHODS

        static Object proxy(Class<?> type) {
            InvocationHandler handler = (object, method, arguments) -> called++;
            return Proxy.newProxyInstance(Main.class.getClassLoader(), new Class<?>[] {type}, handler);
        }

        public static void main(String[] names) throws InterruptedException {
            Class<?>[] known = {First.class, Second.class};
            for (String name : names) {
                Runnable call = name.equals(\"First\") ? ((First) proxy(First.class))::first0 : ((Second) proxy(Second.class))::second0;
                Thread thread = new Thread(call);
                thread.start();
                call.run();
                thread.join();
            }
        }
    }
";

#[test]
fn proxies_are_known_by_their_interfaces() -> Result<()> {
    let declared = |interface: &str, method: &str| {
        let methods: String = (0..40).map(|n| format!("int {method}{n}();")).collect();
        format!("public interface {interface} {{ {methods} }}")
    };
    let text = PROXIES.replace("METHODS", &(declared("First", "first") + &declared("Second", "second")));
    let folder = tempfile::tempdir()?;
    let classes = compiled_text(folder.path(), "Main.java", &text)?;
    on_oldest_and_newest(|jdk| {
        let focused = Focused::by_fields(jdk)?;
        let run = |names: &[&str]| -> Result<_> {
            let run = focused.run(&[], &[&classes], &[&["Main"], names].concat())?;
            ensure!(run.racy() == ["Main.called"], "{}", run.stderr());
            ensure!(!run.stderr().contains("everything is checked"), "{}", run.stderr());
            focused.written()
        };
        run(&["First"])?;
        // What comes under the number of another one does not take its place.
        run(&["Second", "First"])?;
        let made = run(&["First", "Second"])?;
        for names in [["First", "Second"], ["Second", "First"], ["First", "Second"]] {
            ensure!(run(&names)? == made, "all is proved anew");
        }
        Ok(())
    })
}
