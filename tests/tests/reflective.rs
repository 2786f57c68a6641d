//! What a program reaches by reflection, handles and the like, no proof overlooks: by constants, by what runs have noted, or as the agent
//! comes upon it.
#![allow(clippy::disallowed_methods, reason = "writes the programs that it tries")]

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use facts::focus::FocusSet;
use jrace_tests::fixture::{compiled_text, on_oldest_and_newest};
use jrace_tests::generator::reflective::{self, Program};
use jrace_tests::jdk::Jdk;
use jrace_tests::launch::Launch;
use jrace_tests::run::{Run, jrace};
use tempfile::TempDir;

use crate::focus::Focused;

/// The programs, compiled.
struct Programs {
    all: Vec<Program>,
    folder: TempDir,
}

impl Programs {
    fn new(constant: bool, again: bool) -> Result<Self> {
        let (folder, made) = (tempfile::tempdir()?, reflective::programs(constant, again));
        compiled_text(folder.path(), "Main.java", &made.source)?;
        Ok(Self { all: made.all, folder })
    }

    fn classes(&self) -> PathBuf {
        self.folder.path().join("classes")
    }

    fn names(&self) -> Vec<&str> {
        self.all.iter().map(|program| program.class.as_str()).collect()
    }

    fn launch(&self, jdk: &Jdk, programs: &[&str], options: &str) -> Result<Run> {
        Launch::main(jdk, &self.classes(), "reflective.Main").args(programs).checked(options).run()?.succeeded()
    }

    /// What types prove without a run.
    fn prove(&self, jdk: &Jdk) -> Result<(PathBuf, FocusSet)> {
        let file = self.folder.path().join("set");
        let mut command = jrace(jdk);
        let output =
            command.arg("check").arg(self.classes()).args(["--focus=field", "--focus-set"]).arg(&file).output()?;
        ensure!(output.status.code().is_some_and(|code| code != 2), "{}", String::from_utf8_lossy(&output.stderr));
        let set = read(&file)?;
        Ok((file, set))
    }

    /// The programs of whose racy fields a set says that they have no race.
    fn proved<'a>(&'a self, set: &FocusSet) -> Vec<&'a Program> {
        let proved = |program: &&Program| {
            let class = format!("reflective/{}$Box", program.class);
            set.get(&class).is_some_and(|known| known.is_race_free(&class, &format!("hits{}", program.class), "I"))
        };
        self.all.iter().filter(proved).collect()
    }

    /// The programs of which a run has not found the race.
    fn missed(&self, run: &Run) -> Vec<&str> {
        self.all.iter().filter(|program| !has_found(run, program)).map(|program| program.class.as_str()).collect()
    }
}

/// Arrays are named after the method that accesses them first.
fn has_found(run: &Run, program: &Program) -> bool {
    let is_array = |name: &str| name.strip_prefix(&*program.class).is_some_and(|rest| rest.starts_with('.'));
    run.racy().iter().any(|name| *name == program.variable || program.is_of_array && is_array(name))
}

fn read(file: &Path) -> Result<FocusSet> {
    Ok(FocusSet::read(BufReader::new(File::open(file)?))?)
}

#[test]
fn constants_at_look_ups_tell_of_what_is_accessed() -> Result<()> {
    let programs = Programs::new(true, false)?;
    on_oldest_and_newest(|jdk| {
        let full = programs.launch(jdk, &programs.names(), "")?;
        ensure!(programs.missed(&full).is_empty(), "without a focus: {:?}", programs.missed(&full));
        let (_, set) = programs.prove(jdk)?;
        let proved: Vec<_> = programs.proved(&set).into_iter().filter(|program| program.is_told).collect();
        ensure!(proved.is_empty(), "proved: {proved:?}");
        Ok(())
    })
}

/// The plain side is over before reflection accesses anything: what comes upon it in that run is too late.
#[test]
fn what_a_run_has_accessed_is_known_to_the_next_one() -> Result<()> {
    let programs = Programs::new(false, false)?;
    on_oldest_and_newest(|jdk| {
        let (_, set) = programs.prove(jdk)?;
        ensure!(programs.proved(&set).len() > 55, "there is little to overlook: {}", programs.proved(&set).len());
        let arguments = [&["reflective.Main"][..], &programs.names()].concat();
        let by_fields = Focused::by_fields(jdk)?;
        for focused in [&by_fields, &Focused::new(jdk)?] {
            let run = focused.run(&[], &[&programs.classes()], &arguments)?;
            ensure!(programs.missed(&run).is_empty(), "{:?} {}", programs.missed(&run), run.stderr());
        }
        let set = by_fields.set()?;
        ensure!(programs.proved(&set).is_empty(), "proved: {:?}", programs.proved(&set));
        Ok(())
    })
}

/// Each way alone, as the first one would void the proofs for all. Two races are found by the next run only: a method that runs when it
/// is found out that it gives back a lock by reflection ends unchecked, and once another lock is in a final field, all hold that one.
#[test]
fn what_is_accessed_unexpectedly_voids_the_proofs_from_then_on() -> Result<()> {
    let programs = Programs::new(false, true)?;
    let jdk = Jdk::oldest();
    let (set, proved) = programs.prove(&jdk)?;
    let proved: Vec<&str> = programs.proved(&proved).into_iter().map(|program| program.class.as_str()).collect();
    let comes_late = |program: &&Program| ["Unlocked", "FinalLock"].contains(&&*program.class);
    let alone = programs.all.iter().filter(|program| proved.contains(&program.class.as_str()));
    for program in alone.filter(|program| !comes_late(program)) {
        let run = programs.launch(&jdk, &[&program.class], &format!("focus_set={}", set.display()))?;
        ensure!(has_found(&run, program), "{} {:?}\n{}", program.class, run.racy(), run.stderr());
        // A class that is made for a proxy names others, which voids the proofs, too.
        let is_said =
            [" by reflection, which ", "$Proxy0 uses typed classes"].iter().any(|said| run.stderr().contains(said));
        ensure!(is_said, "{}: {}", program.class, run.stderr());
    }
    Ok(())
}

/// A field that reflection accesses leaves the others of its class proved, and what is said names it.
#[test]
fn only_the_field_that_is_accessed_is_checked() -> Result<()> {
    let (folder, jdk) = (tempfile::tempdir()?, Jdk::oldest());
    let (classes, set) = (compiled_text(folder.path(), "Two.java", TWO)?, folder.path().join("set"));
    let mut command = jrace(&jdk);
    command.arg("check").arg(&classes).args(["--focus=field", "--focus-set"]).arg(&set).output()?;
    let options = format!("focus_set={}", set.display());
    let run = |name: &str| -> Result<Run> {
        Launch::main(&jdk, &classes, "Two").args([name]).checked(&options).run()?.succeeded()
    };
    let (one, none) = (run("one")?, run("")?);
    ensure!(none.racy().is_empty() && none.stderr().is_empty(), "{:?} {}", none.racy(), none.stderr());
    ensure!(one.racy() == ["Two.one"], "{:?}", one.racy());
    let sentence =
        "jrace: Two.one is accessed by reflection, which its proof does not know, so it is checked from now on";
    ensure!(one.stderr().starts_with(sentence), "{}", one.stderr());
    let sites = |run: &Run| run.summaries().1.first().map(|summary| summary.sites).context("no summary");
    // Two accesses are woven, and what stands beside them is woven again; the accesses to the other fields are six more.
    ensure!(sites(&one)? < sites(&none)? + 6, "{} {}", sites(&one)?, sites(&none)?);
    Ok(())
}

/// `one` and `two` are the main thread's, but for what reflection does.
const TWO: &str = "public final class Two {
    static int one, two, three, four;
    static void add() { one++; two++; three++; four++; }
    public static void main(String[] names) throws Exception {
        add();
        Thread thread = new Thread(() -> {
            try {
                if (!names[0].isEmpty()) Class.forName(new String(\"Two\")).getDeclaredField(names[0]).setInt(null, 7);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        });
        thread.start();
        while (thread.getThreadGroup() != null) Thread.yield();
        add();
    }
}";

/// A member is accessed where there is stack enough for that, and not for telling which one it is: its type has a long name.
const DEEP: &str = "import java.lang.reflect.Field;
public final class Deep {
    static final class Box { TYPE hits; synchronized void add() { hits = null; } }
    static final class Warm { TYPE warm; }
    static final Field[] mirrors = new Field[5000];
    static final Box box = new Box();
    static int next;
    static Field used;
    static String text(String text) { return new StringBuilder(text).reverse().toString(); }
    static Field field(String type, String name) throws Exception { return Class.forName(text(type)).getDeclaredField(text(name)); }
    static void dive() {
        try { dive(); } catch (StackOverflowError deepest) { }
        if (used != null || next == mirrors.length) return;
        Field mirror = mirrors[next++];
        try { mirror.set(box, null); used = mirror; } catch (StackOverflowError tooDeep) { } catch (IllegalAccessException never) { }
    }
    static void other(Runnable task) {
        Thread thread = new Thread(null, task, \"other\", 1 << 20);
        thread.start();
        while (thread.getThreadGroup() != null) Thread.yield();
    }
    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < mirrors.length; i++) mirrors[i] = field(\"xoB$peeD\", \"stih\");
        field(\"mraW$peeD\", \"mraw\").set(new Warm(), null);
        other(Deep::dive);
        other(() -> { try { used.set(box, null); } catch (IllegalAccessException never) { } });
        box.add();
    }
}";

#[test]
fn what_cannot_be_told_for_want_of_stack_voids_the_proofs() -> Result<()> {
    let (folder, jdk) = (tempfile::tempdir()?, Jdk::oldest());
    let text = DEEP.replace("TYPE", &format!("int{}", "[]".repeat(200)));
    let (classes, set) = (compiled_text(folder.path(), "Deep.java", &text)?, folder.path().join("set"));
    let mut command = jrace(&jdk);
    command.arg("check").arg(&classes).args(["--focus=field", "--focus-set"]).arg(&set).output()?;
    let boxed = read(&set)?.get("Deep$Box").context("no box")?.clone();
    ensure!(!boxed.fields.is_empty(), "nothing is proved");
    let options = format!("focus_set={}", set.display());
    let run = Launch::main(&jdk, &classes, "Deep").short().checked(&options).run()?.succeeded()?;
    let sentence =
        "jrace: a member is accessed by reflection, and memory or stack ran out before it was known which one";
    ensure!(run.stderr().contains(sentence), "{}", run.stderr());
    ensure!(run.racy() == ["Deep$Box.hits"], "{:?}", run.racy());
    Ok(())
}

/// A method is called by reflection so often that the JVM of JDK 17 makes a class for that, which another run makes for another method.
const OFTEN: &str = "import java.lang.reflect.Method;
public class Often {
    static class Box { int hits; synchronized void one() { hits++; } synchronized void two() { hits++; } }
    public static void main(String[] names) throws Exception {
        Box box = new Box();
        for (String name : names) {
            Method method = Box.class.getDeclaredMethod(name);
            for (int i = 0; i < 20; i++) method.invoke(box);
        }
        Thread thread = new Thread(box::one);
        thread.start();
        box.two();
        thread.join();
    }
}";

#[test]
fn what_the_jdk_makes_for_mirrors_is_not_typed() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let classes = compiled_text(folder.path(), "Often.java", OFTEN)?;
    on_oldest_and_newest(|jdk| {
        let focused = Focused::new(jdk)?;
        let run = |names: [&str; 2]| focused.run(&[], &[&classes], &["Often", names[0], names[1]]);
        run(["one", "two"])?;
        run(["one", "two"])?;
        let written = focused.written()?;
        let other = run(["two", "one"])?;
        ensure!(!other.stderr().contains("everything is checked"), "{}", other.stderr());
        run(["two", "one"])?;
        ensure!(focused.written()? == written, "typed anew");
        Ok(())
    })
}

/// Each way alone: a handle or a mirror of which no constant tells sets back a flag, or moves an object.
const BESIDE: &str = "import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.concurrent.atomic.AtomicBoolean;
public final class Beside {
    interface Step { void run() throws Exception; }
    static String text(String text) { return new StringBuilder(text).reverse().toString(); }
    static Class<?> type(String name) throws Exception { return Class.forName(\"Beside$\" + text(name)); }
    static final class ByHandle {
        volatile int ready; int hits; static VarHandle handle;
        void set() { synchronized (this) { if (ready == 0) { hits = 1; ready = 1; } } }
        int get() { return ready == 0 ? 0 : hits; }
    }
    static final class ByField {
        volatile boolean ready; int hits; static Field field;
        void set() { synchronized (this) { if (!ready) { hits = 1; ready = true; } } }
        int get() { return ready ? hits : 0; }
    }
    static final class ByWinner {
        static final AtomicBoolean FLAG = new AtomicBoolean(); static int hits; static VarHandle handle;
        static void win() { if (FLAG.compareAndSet(false, true)) hits++; }
    }
    static final class Moved { int hits; }
    static final class OfVolatile { volatile Moved moved; static VarHandle handle; }
    static final class Also { int hits; }
    static final class OfPlain { Also also; static VarHandle handle; }
    static void other(Step task) throws Exception {
        Thread thread = new Thread(() -> {
            try { task.run(); } catch (Exception e) { throw new IllegalStateException(e); }
        });
        thread.start();
        while (thread.getThreadGroup() != null) Thread.yield();
    }
    static void byHandle() throws Exception {
        ByHandle.handle = MethodHandles.lookup().findVarHandle(type(\"eldnaHyB\"), text(\"ydaer\"), int.class);
        ByHandle box = new ByHandle();
        other(() -> { box.set(); box.get(); });
        other(() -> { ByHandle.handle.set(box, 0); box.set(); });
    }
    static void byField() throws Exception {
        ByField.field = type(\"dleiFyB\").getDeclaredField(text(\"ydaer\"));
        ByField.field.setBoolean(new ByField(), false);
        ByField box = new ByField();
        other(() -> { box.set(); box.get(); });
        other(() -> { ByField.field.setBoolean(box, false); box.set(); });
    }
    static void byWinner() throws Exception {
        ByWinner.handle = MethodHandles.lookup().findStaticVarHandle(type(\"renniWyB\"), text(\"GALF\"), AtomicBoolean.class);
        other(() -> ByWinner.win());
        other(() -> { ((AtomicBoolean) ByWinner.handle.get()).setPlain(false); ByWinner.win(); });
    }
    static void ofVolatile() throws Exception {
        OfVolatile.handle = MethodHandles.lookup().findVarHandle(type(\"elitaloVfO\"), text(\"devom\"), type(\"devoM\"));
        OfVolatile box = new OfVolatile();
        box.moved = new Moved();
        Moved moved = new Moved();
        OfVolatile.handle.setVolatile(box, moved);
        other(() -> box.moved.hits++);
        moved.hits++;
    }
    static void ofPlain() throws Exception {
        OfPlain.handle = MethodHandles.lookup().findVarHandle(type(\"nialPfO\"), text(\"osla\"), type(\"oslA\"));
        OfPlain box = new OfPlain();
        box.also = new Also();
        Also also = new Also();
        OfPlain.handle.set(box, also);
        other(() -> box.also.hits++);
        also.hits++;
    }
    public static void main(String[] ways) throws Exception {
        for (String way : ways) {
            if (way.equals(\"byHandle\")) byHandle();
            if (way.equals(\"byField\")) byField();
            if (way.equals(\"byWinner\")) byWinner();
            if (way.equals(\"ofVolatile\")) ofVolatile();
            if (way.equals(\"ofPlain\")) ofPlain();
        }
    }
}";

/// What is accessed is volatile or final, and races on something else follow: the proofs of that are void, and the next run knows.
#[test]
fn flags_and_objects_are_followed_through_handles() -> Result<()> {
    const WAYS: [(&str, &str); 5] = [
        ("byHandle", "ByHandle.hits"),
        ("byField", "ByField.hits"),
        ("byWinner", "ByWinner.hits"),
        ("ofVolatile", "Moved.hits"),
        ("ofPlain", "Also.hits"),
    ];
    let folder = tempfile::tempdir()?;
    let (classes, set) = (compiled_text(folder.path(), "Beside.java", BESIDE)?, folder.path().join("set"));
    on_oldest_and_newest(|jdk| {
        let mut command = jrace(jdk);
        command.arg("check").arg(&classes).args(["--focus=combined", "--focus-set"]).arg(&set).output()?;
        for (way, name) in WAYS {
            let racy = format!("Beside${name}");
            let run = |options: &str| -> Result<Run> {
                Launch::main(jdk, &classes, "Beside").args([way]).checked(options).run()?.succeeded()
            };
            ensure!(run("")?.racy() == [racy.clone()], "{way} without a focus: {:?}", run("")?.racy());
            let unforeseen = run(&format!("focus_set={}", set.display()))?;
            // What `main` is in ends unchecked.
            let is_late = way.starts_with("of") && unforeseen.racy().is_empty();
            ensure!(is_late || unforeseen.racy() == [racy.clone()], "{way}: {:?}", unforeseen.racy());
            let said = " is accessed by reflection, which its proof does not know";
            ensure!(unforeseen.stderr().contains(said), "{way}: {}", unforeseen.stderr());
            let learnt = Focused::new(jdk)?.run(&[], &[&classes], &["Beside", way])?;
            ensure!(learnt.racy() == [racy], "{way}, learnt: {:?}\n{}", learnt.racy(), learnt.stderr());
        }
        Ok(())
    })
}

/// Objects that the JDK makes by reflection, of classes whose methods the program calls, too.
const SERVED: &str = "import java.io.ByteArrayInputStream;
import java.util.Enumeration;
import java.util.ResourceBundle;
import java.util.logging.Handler;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
public final class Served {
    interface Step { void run() throws Exception; }
    static int logged, found, digested;
    public static final class Log extends Handler {
        public void publish(LogRecord record) { logged++; }
        public void flush() { }
        public void close() { }
    }
    public static final class Texts extends ResourceBundle {
        public Enumeration<String> getKeys() { return null; }
        protected Object handleGetObject(String key) { found++; return key; }
    }
    public static final class Digest extends java.security.MessageDigestSpi {
        protected void engineUpdate(byte one) { }
        protected void engineUpdate(byte[] some, int from, int to) { }
        protected byte[] engineDigest() { digested++; return new byte[0]; }
        protected void engineReset() { }
    }
    static final class Provider extends java.security.Provider {
        Provider() { super(\"P\", \"1\", \"\"); put(\"MessageDigest.OWN\", \"Served$Digest\"); }
    }
    static void other(Step task) throws Exception {
        Thread thread = new Thread(() -> {
            try { task.run(); } catch (Exception e) { throw new IllegalStateException(e); }
        });
        thread.start();
        while (thread.getThreadGroup() != null) Thread.yield();
    }
    static void twice(Step task) throws Exception { other(task); other(task); }
    static void log() throws Exception {
        Log log = new Log();
        log.publish(null); log.flush(); log.close();
        LogManager.getLogManager().readConfiguration(new ByteArrayInputStream(\"handlers=Served$Log\".getBytes()));
        Logger.getLogger(\"served\").info(\"first\");
        twice(() -> Logger.getLogger(\"served\").info(\"more\"));
    }
    static void find() throws Exception {
        Texts texts = new Texts();
        texts.getKeys(); texts.handleGetObject(\"first\");
        ResourceBundle bundle = ResourceBundle.getBundle(\"Served$Texts\");
        twice(() -> bundle.getString(\"more\"));
    }
    static void digest() throws Exception {
        Digest digest = new Digest();
        digest.engineUpdate((byte) 1); digest.engineUpdate(null, 0, 0); digest.engineDigest(); digest.engineReset();
        Provider provider = new Provider();
        twice(() -> java.security.MessageDigest.getInstance(\"OWN\", provider).digest(new byte[1]));
    }
    public static void main(String[] ways) throws Exception {
        for (String way : ways) {
            if (way.equals(\"log\")) log();
            if (way.equals(\"find\")) find();
            if (way.equals(\"digest\")) digest();
        }
    }
}";

#[test]
fn what_the_jdk_makes_and_calls_is_not_taken_for_known() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let classes = compiled_text(folder.path(), "Served.java", SERVED)?;
    on_oldest_and_newest(|jdk| {
        for (way, name) in [("log", "logged"), ("find", "found"), ("digest", "digested")] {
            let racy = [format!("Served.{name}")];
            let full = Launch::main(jdk, &classes, "Served").args([way]).checked("").run()?.succeeded()?;
            ensure!(full.racy() == racy, "{way} without a focus: {:?}", full.racy());
            let learnt = Focused::new(jdk)?.run(&[], &[&classes], &["Served", way])?;
            ensure!(learnt.racy() == racy, "{way}: {:?}\n{}", learnt.racy(), learnt.stderr());
        }
        Ok(())
    })
}
