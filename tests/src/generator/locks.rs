//! Right and wrong uses of every kind of lock, as programs that surely race, each with a twin that does not.
//!
//! A lock of some *kind* is kept at some *place*; a *gap* is code that does without it, where a *releaser* gives it back; or two *names* of
//! locks mean different ones; or a *helper* takes and gives it back for its caller; or what looks like a lock is too *weak*. What races is `hits` of class `X`.

mod gaps;
mod helpers;
mod kinds;
mod names;

use std::fmt::Write as _;

use super::Random;
use gaps::{ACCESSES, BALANCING, GAPS, Gap, NESTED, RELEASERS};
use helpers::{HELPERS, Helper, OWN};
use kinds::{KINDS, Kind, PLACES, Place, WEAK};
use names::{NAMES, Name};

/// A use of a lock, by numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Way {
    /// Kind, place, gap, releaser, access.
    Gap([usize; 5]),
    /// Name, how it is locked.
    Name(usize, usize),
    /// Weak kind, place.
    Weak(usize, usize),
    /// Helper, kind.
    Helper(usize, usize),
}

/// How names are locked: a type, what makes one, and the code around `BODY`.
const STYLES: &[(&str, &str, &str, &str)] = &[
    ("Monitor", "Object", "new Object()", "synchronized (NAMED) { BODY }"),
    (
        "Explicit",
        "ReentrantLock",
        "new ReentrantLock()",
        "{ ReentrantLock taken = NAMED; taken.lock(); try { BODY } finally { taken.unlock(); } }",
    ),
    (
        "Abstract",
        "Lock",
        "new ReentrantLock()",
        "{ Lock taken = NAMED; taken.lock(); try { BODY } finally { taken.unlock(); } }",
    ),
    (
        "Written",
        "ReentrantReadWriteLock",
        "new ReentrantReadWriteLock()",
        "{ ReentrantReadWriteLock taken = NAMED; taken.writeLock().lock(); try { BODY } finally { taken.writeLock().unlock(); } }",
    ),
];

/// What all of them share.
const SHARED: &str = "package locks;
import java.util.*; import java.util.concurrent.*; import java.util.concurrent.atomic.*; import java.util.concurrent.locks.*; import java.util.function.*;
final class Mutex { private final ReentrantLock in = new ReentrantLock(); void lock() { in.lock(); } void unlock() { in.unlock(); }
    boolean tryLock() { return in.tryLock(); } }
final class Counting extends ReentrantLock { int n; public void lock() { super.lock(); n++; } }
final class Nothing implements Lock { public void lock() {} public void lockInterruptibly() {} public boolean tryLock() { return true; }
    public boolean tryLock(long time, TimeUnit unit) { return true; } public void unlock() {} public Condition newCondition() { return null; } }
final class Overridden extends ReentrantLock { public void lock() {} public void unlock() {} }
final class NewEachTime implements ReadWriteLock { public Lock readLock() { return new Nothing(); } public Lock writeLock() { return new Nothing(); } }
final class NewHalves extends ReentrantReadWriteLock { public WriteLock writeLock() { return new Free(this); }
    static final class Free extends WriteLock { Free(ReentrantReadWriteLock of) { super(of); } public void lock() {} public void unlock() {} } }
final class Support {
    static final ExecutorService POOL = Executors.newCachedThreadPool(task -> { Thread made = new Thread(task); made.setDaemon(true); return made; });
    interface Quiet extends AutoCloseable { void close(); }
    static volatile boolean isDone;
    private static volatile int step;
    static boolean yes() { return step >= 0; }
    static boolean no() { return step < 0; }
    static void fail() { if (yes()) throw new IllegalStateException(); }
    static boolean timed(ReentrantLock lock) { try { return lock.tryLock(1, TimeUnit.MILLISECONDS); } catch (InterruptedException e) { throw new Error(e); } }
    static void interruptibly(ReentrantLock lock) { try { lock.lockInterruptibly(); } catch (InterruptedException e) { throw new Error(e); } }
    static void reflect(Object of, String name) { try { of.getClass().getMethod(name).invoke(of); } catch (ReflectiveOperationException e) { throw new Error(e); } }
    private static void until(BooleanSupplier isSo) { for (long end = System.nanoTime() + 20_000_000_000L; !isSo.getAsBoolean(); Thread.yield())
        if (System.nanoTime() > end) { new Error(\"stuck\").printStackTrace(); System.exit(1); } }
    static void settle() { until(() -> isDone); isDone = false; }
    private static void begin(Thread thread) { thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((of, thrown) -> { thrown.printStackTrace(); System.exit(1); }); thread.start(); }
    static void start(Runnable task) { Thread thread = new Thread(task); begin(thread); until(() -> thread.getThreadGroup() == null); }
    static void during(Runnable take, Runnable give, Runnable task) { step = 0;
        Thread holder = new Thread(() -> { take.run(); step = 1; until(() -> step == 2); give.run(); }); begin(holder);
        until(() -> step == 1); start(task); step = 2; until(() -> holder.getThreadGroup() == null); }
}
";

/// A program, and its classes in which `X.hits` races, and in which it does not.
#[derive(Clone, Default, Debug)]
pub struct Locks {
    /// The source of package `locks`, with a class `Main`.
    pub source: String,
    /// Classes, each with a class `X`.
    pub racy: Vec<String>,
    /// Their twins.
    pub clean: Vec<String>,
}

impl Way {
    /// Each kind, place, gap, releaser, access, name and weak kind at least once.
    #[must_use]
    pub fn each() -> Vec<Self> {
        let n_releasers = RELEASERS.len() + BALANCING.len();
        let n_gaps = GAPS.len() + NESTED.len();
        let kinds = (0..KINDS.len()).flat_map(|kind| [[kind, 0, 0, 0, 0], [kind, 0, 1, 0, 0], [kind, 0, 10, 0, 0]]);
        let places = (0..PLACES.len()).flat_map(|place| [[0, place, 0, 0, 0], [1, place, 5, 0, 0]]);
        let gaps = (0..n_gaps).flat_map(|gap| [[0, 0, gap, 0, 0], [0, 5, gap, 0, 0]]);
        let releasers = (0..n_releasers).flat_map(|releaser| [[0, 0, 0, releaser, 0], [0, 1, 0, releaser, 0]]);
        let accesses = (0..ACCESSES.len()).flat_map(|access| [[0, 0, 0, 0, access], [0, 0, 0, 11, access]]);
        let mixed = (0..n_releasers).map(|n| [n % KINDS.len(), n % PLACES.len(), n % n_gaps, n, n % ACCESSES.len()]);
        let ways = kinds.chain(places).chain(gaps).chain(releasers).chain(accesses).chain(mixed).map(Self::Gap);
        let names = (0..NAMES.len()).flat_map(|name| (0..STYLES.len()).map(move |style| Self::Name(name, style)));
        let weak = (0..WEAK.len()).flat_map(|kind| (0..PLACES.len()).map(move |place| Self::Weak(kind, place)));
        let helpers = (0..HELPERS.len() + OWN.len()).flat_map(|helper| {
            let n_kinds = if helper < HELPERS.len() { KINDS.len() } else { 1 };
            (0..n_kinds).map(move |kind| Self::Helper(helper, kind))
        });
        sorted(ways.chain(names).chain(weak).chain(helpers).collect())
    }

    /// So many gaps at random.
    #[must_use]
    pub fn random(seed: u64, count: usize) -> Vec<Self> {
        let mut random = Random(seed);
        let sizes =
            [KINDS.len(), PLACES.len(), GAPS.len() + NESTED.len(), RELEASERS.len() + BALANCING.len(), ACCESSES.len()];
        sorted((0..count).map(|_| Self::Gap(sizes.map(|size| random.below(size)))).collect())
    }

    fn is_possible(&self) -> bool {
        match *self {
            Self::Gap([kind, _, gap, releaser, _]) => {
                KINDS[kind].is_reentrant || gap < GAPS.len() && releaser < RELEASERS.len()
            }
            Self::Name(name, style) => style == 0 || !NAMES[name].is_of_monitors,
            Self::Weak(..) => true,
            Self::Helper(_, kind) => KINDS[kind].is_reentrant,
        }
    }

    fn add_to(self, made: &mut Locks) {
        match self {
            Self::Gap([kind, place, gap, releaser, access]) => {
                Use { kind: &KINDS[kind], place: &PLACES[place] }.add_gap(
                    nth(GAPS, NESTED, gap),
                    nth(RELEASERS, BALANCING, releaser),
                    &ACCESSES[access],
                    made,
                );
            }
            Self::Weak(kind, place) => Use { kind: &WEAK[kind], place: &PLACES[place] }.add_weak(made),
            Self::Name(name, style) => add_name(&NAMES[name], STYLES[style], made),
            Self::Helper(helper, kind) => add_helper(nth(HELPERS, OWN, helper), &KINDS[kind], made),
        }
    }
}

fn sorted(mut ways: Vec<Way>) -> Vec<Way> {
    ways.retain(Way::is_possible);
    ways.sort_unstable();
    ways.dedup();
    ways
}

/// Of one list and another.
fn nth<'a, T>(first: &'a [T], then: &'a [T], n: usize) -> &'a T {
    first.get(n).unwrap_or_else(|| &then[n - first.len()])
}

/// A kind of lock at a place.
struct Use {
    kind: &'static Kind,
    place: &'static Place,
}

impl Use {
    fn add_gap(&self, gap: &Gap, releaser: &(&str, &str, &str), access: &(&str, &str, &str), made: &mut Locks) {
        let name = format!("{}{}{}{}{}", gap.name, releaser.0, self.kind.name, self.place.name, access.0);
        let members = format!("{} {} {}", self.place.members, releaser.1, access.1);
        let run = |code: &str| {
            let code = self.here(&code.replace("FREE", releaser.2).replace("HIT", access.2));
            if gap.is_contended {
                let (take, give) = (self.here("TAKE"), self.here("GIVE"));
                format!("void begin() {{ {take} }} void end() {{ {give} }} void wrong() {{ {code} }}")
            } else {
                format!("void wrong() {{ {code} }}")
            }
        };
        let start =
            if gap.is_contended { "Support.during(x::begin, x::end, x::wrong)" } else { "Support.start(x::wrong)" };
        let right = self.here(&format!("TAKE {} GIVE", access.2));
        for (code, suffix, list) in [(gap.racy, "Gap", &mut made.racy), (gap.clean, "Whole", &mut made.clean)] {
            let class = format!("{name}{suffix}");
            let members = format!("{} void right() {{ {right} }} {}", self.elsewhere(&members), run(code));
            made.source += &source(
                &class,
                &self.elsewhere(self.place.above),
                &members,
                &["Support.start(x::right)", start, "Support.start(x::right)"],
            );
            list.push(class);
        }
    }

    fn add_weak(&self, made: &mut Locks) {
        let class = format!("Weak{}{}", self.kind.name, self.place.name);
        let members =
            format!("{} void right() {{ {} }}", self.elsewhere(self.place.members), self.here("TAKE hits++; GIVE"));
        made.source += &source(&class, &self.elsewhere(self.place.above), &members, &["Support.start(x::right)"; 3]);
        made.racy.push(class);
    }

    /// Code of a method that begins with what the place says.
    fn here(&self, code: &str) -> String {
        format!("{} {}", self.typed(self.place.prefix), self.expanded(code, self.place.here))
    }

    /// Members, which have names of their own for the lock.
    fn elsewhere(&self, code: &str) -> String {
        self.expanded(code, self.place.elsewhere)
    }

    fn expanded(&self, code: &str, lock: &str) -> String {
        let on = |text: &str, lock: &str| text.replace('$', lock);
        let Kind { take, give, tries, .. } = *self.kind;
        let code = code.replace("PASSED", &on(give, "given")).replace("OFKEPT", &on(give, "kept"));
        let code =
            code.replace("TAKE", &on(take, lock)).replace("GIVE", &on(give, lock)).replace("TRY", &on(tries, lock));
        self.typed(&code.replace("LOCK", lock))
    }

    fn typed(&self, code: &str) -> String {
        code.replace("TYPE", self.kind.ty).replace("NEW", self.kind.new)
    }
}

fn add_name(name: &Name, (style, ty, new, around): (&str, &str, &str, &str), made: &mut Locks) {
    let typed = |code: &str| locked(code, around).replace("TYPE", ty).replace("NEW", new);
    let above = typed("final TYPE above = NEW; TYPE it() { return above; }");
    for (two, suffix, list) in [(name.racy, "Two", &mut made.racy), (name.clean, "One", &mut made.clean)] {
        if !two.is_empty() {
            let class = format!("{}{style}{suffix}", name.name);
            let methods = format!("void one() {{ {} }} void two() {{ {} }}", typed(name.one), typed(two));
            let members = format!("{} {methods}", typed(name.members));
            made.source += &source(
                &class,
                &above,
                &members,
                &["Support.start(x::one)", "Support.start(x::two)", "Support.start(x::one)"],
            );
            list.push(class);
        }
    }
}

fn add_helper(helper: &Helper, kind: &Kind, made: &mut Locks) {
    let typed = |code: &str| {
        let with = [("TAKE(", kind.take), ("GIVE(", kind.give), ("TRY(", kind.tries)];
        let code = with.iter().fold(code.to_owned(), |code, (call, means)| called(&code, call, means));
        code.replace("TYPE", kind.ty).replace("NEW", kind.new)
    };
    for (two, suffix, list) in [(helper.racy, "Wrong", &mut made.racy), (helper.clean, "Right", &mut made.clean)] {
        let class = format!("Helper{}{}{suffix}", helper.name, kind.name);
        let methods = format!("void one() {{ {} }} void two() {{ {} }}", typed(helper.one), typed(two));
        made.source += &source(
            &class,
            "",
            &format!("{} {} {methods}", helper.before, typed(helper.members)),
            &["Support.start(x::one)", "Support.start(x::two)", "Support.start(x::one)"],
        );
        list.push(class);
    }
}

/// Code with calls like `TAKE(lock)` written out.
fn called(code: &str, call: &str, means: &str) -> String {
    let Some((before, rest)) = code.split_once(call) else { return code.to_owned() };
    let end = super::constructions::closing(rest, ('(', ')'));
    format!("{before}{}{}", means.replace('$', &rest[..end]), called(&rest[end + 1..], call, means))
}

/// Code with `LOCKED(lock){body}` written out.
fn locked(code: &str, around: &str) -> String {
    let Some((before, rest)) = code.split_once("LOCKED(") else { return code.to_owned() };
    let end = super::constructions::closing(rest, ('(', ')'));
    let (lock, rest) = (&rest[..end], &rest[end + 2..]);
    let end = super::constructions::closing(rest, ('{', '}'));
    let (body, rest) = (&rest[..end], &rest[end + 1..]);
    format!("{before}{}{}", around.replace("NAMED", lock).replace("BODY", body), locked(rest, around))
}

fn source(class: &str, above: &str, members: &str, run: &[&str]) -> String {
    format!(
        "final class {class} {{
            static class S {{ {above} }}
            static class X extends S {{ int hits; {members} }}
            static void run() {{ X x = new X(); {}; }}
        }}\n",
        run.join("; ")
    )
}

/// The source of some ways.
#[must_use]
pub fn program(ways: &[Way]) -> Locks {
    let mut made = Locks { source: SHARED.to_owned(), ..Locks::default() };
    ways.iter().for_each(|way| way.add_to(&mut made));
    let mut main = String::new();
    for class in made.racy.iter().chain(&made.clean) {
        // Writing to a string cannot fail.
        let _ = writeln!(main, "{class}.run();");
    }
    let _ = writeln!(
        made.source,
        "public final class Main {{ public static void main(String[] arguments) {{ {main} System.exit(0); }} }}"
    );
    made
}
