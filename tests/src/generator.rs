//! Random concurrent Java programs, as an oracle for proofs: what a program does under the agent must not contradict what the
//! static types say about it.
//!
//! Threads run one after the other, so that no program can deadlock or behave differently from run to run. Who started a thread
//! polls for its end: nothing that a checker knows of orders what the thread did before what follows, unless it is [`joined`].

pub mod constructions;
pub mod generated;
pub mod leaks;
pub mod lists;
pub mod locks;
pub mod loops;
pub mod made;
mod owned;
pub mod reach;
pub mod reflective;
pub mod tasks;

use std::fmt::Write as _;
use std::ops::Range;

/// How many classes a program has.
const N_CLASSES: usize = 4;
/// How many methods a class has.
const N_METHODS: usize = 4;
/// How many methods a class has for itself.
const N_HELPERS: usize = 2;
/// How deep statements nest.
const MAX_DEPTH: usize = 3;

/// Fields of objects: many, so that some are used in few places.
const FIELDS: &[&str] = &["a", "b", "c", "d", "e", "f"];

/// What programs share: `Support`, which is not to be checked, ends recursion and runs code on other threads. `Later` is to be
/// checked, so that tasks are known to be handed over in order.
pub const SUPPORT: &str = "package support;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
public final class Support {
    private static int fuel;
    public static void refuel() { fuel = 100; }
    public static boolean spend() { return fuel-- > 0; }
    public static void later(Runnable task) { Later.add(task); }
    public static void start(Runnable task) { refuel(); join(new Thread(task)); }
    public static void join(Thread thread) {
        thread.start();
        while (thread.getThreadGroup() != null) {
            LockSupport.parkNanos(1);
        }
    }
    public static void drain() {
        List<Runnable> tasks = Later.take();
        tasks.forEach(Support::start);
        Later.take();
    }
}
final class Later {
    private static final ConcurrentLinkedQueue<Runnable> TASKS = new ConcurrentLinkedQueue<>();
    static void add(Runnable task) { TASKS.add(task); }
    static List<Runnable> take() {
        List<Runnable> tasks = new ArrayList<>();
        for (Runnable task = TASKS.poll(); task != null; task = TASKS.poll()) tasks.add(task);
        return tasks;
    }
}
";

/// [`SUPPORT`] with threads that are joined, so that all is in order.
#[must_use]
pub fn joined() -> String {
    const POLLED: &str = "while (thread.getThreadGroup() != null) {
            LockSupport.parkNanos(1);
        }";
    const JOINED: &str =
        "try { thread.join(); } catch (InterruptedException e) { throw new IllegalStateException(e); }";
    assert!(SUPPORT.contains(POLLED));
    SUPPORT.replace(POLLED, JOINED)
}

/// A pseudo-random sequence (SplitMix64), the same on every machine.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of some values.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// The numbers of the random programs of a test: these, or those that `JRACE_PROGRAMS=FROM..TO` names.
#[must_use]
pub fn seeds(default: Range<u64>) -> Range<u64> {
    let given = std::env::var("JRACE_PROGRAMS").ok();
    let range = given.as_deref().and_then(|text| text.split_once(".."));
    range.and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?)).unwrap_or(default)
}

/// The end of a class `Main`, of which one thread does something, and another one then does. No checker knows of the file by which it waits.
fn in_turn(class: &str, first: &str, second: &str) -> String {
    format!(
        "{class}static void first() {{\n{first}}}\nstatic void second() {{\n{second}}}
public static void main(String[] arguments) throws Exception {{
    java.io.File done = new java.io.File(arguments[0]);
    Thread first = new Thread(() -> {{
        first();
        try {{ done.createNewFile(); }} catch (java.io.IOException e) {{ throw new IllegalStateException(e); }}
    }});
    Thread second = new Thread(() -> {{
        while (!done.exists()) {{ java.util.concurrent.locks.LockSupport.parkNanos(1000000); }}
        second();
    }});
    first.start(); second.start(); first.join(); second.join();
}} }}
"
    )
}

/// The source of a program: package `g<seed>`, with a class `Main` that has a method `run`.
#[must_use]
pub fn program(seed: u64) -> String {
    let mut random = Random(seed);
    // Objects of the first two classes are handed to threads anyway.
    let published = std::array::from_fn(|class| class < 2 || random.one_in(2));
    let mut writer = Writer {
        random,
        published,
        text: format!("package g{seed};\nimport support.Support;\nimport java.util.concurrent.locks.ReentrantLock;\n"),
        names: 0,
        habits: [owned::Habit::NONE; owned::N_NODES],
    };
    writer.habits = writer.new_habits();
    writer.nodes();
    (0..N_CLASSES).for_each(|class| writer.class(class));
    writer.thread();
    writer.main();
    writer.text
}

struct Writer {
    random: Random,
    /// Whether code makes objects of a class known to others on purpose.
    published: [bool; N_CLASSES],
    text: String,
    /// How nodes are treated.
    habits: [owned::Habit; owned::N_NODES],
    /// Local variables so far: each gets a name of its own.
    names: usize,
}

impl Writer {
    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn class(&mut self, class: usize) {
        let peer = self.random.below(N_CLASSES);
        self.line(&format!("class K{class} {{"));
        self.line("int a; int b; int c; int d; int e; int f; static int s; static int t; int[] cells = new int[4];");
        self.line(&format!("K{peer} peer;"));
        if self.published[class] {
            self.line(&format!("static K{class} kept;"));
        }
        self.line("final Object lock = new Object(); static final Object LOCK = new Object();");
        self.line("final ReentrantLock re = new ReentrantLock();");
        self.line(&format!("K{class}(int n) {{ a = n;"));
        if self.random.one_in(3) {
            self.line("if (Support.spend()) {");
            self.block(class, peer, "null", MAX_DEPTH - 1);
            self.line("}");
        }
        self.line("b = n; }");
        self.keeper(class);
        (0..N_METHODS).for_each(|method| self.method(class, peer, method));
        (0..N_HELPERS).for_each(|helper| self.helper(class, peer, helper));
        self.line("}");
    }

    /// A method that only its own class calls: what its callers hold, it holds.
    fn helper(&mut self, class: usize, peer: usize, helper: usize) {
        self.line(&format!("private void h{helper}(int n) {{ if (!Support.spend()) return;"));
        self.block(class, peer, "null", MAX_DEPTH - 1);
        self.line("}");
        let (first, second) = (self.random.pick(FIELDS), self.random.pick(FIELDS));
        self.line(&format!("static void init{helper}(K{class} k, int n) {{ k.{first} = n; k.{second}++; }}"));
    }

    fn method(&mut self, class: usize, peer: usize, method: usize) {
        let other = parameter(class, method);
        let modifier = self.random.pick(&["", "", "synchronized", "private", "final", "private synchronized"]);
        self.line(&format!("{modifier} void m{method}(K{other} other, int n) {{ if (!Support.spend()) return;"));
        self.block(class, peer, "other", 0);
        self.line("}");
    }

    /// Statements in a class whose field `peer` is of class `peer`; `other` is an expression of another object, or `null`.
    fn block(&mut self, class: usize, peer: usize, other: &str, depth: usize) {
        for _ in 0..=self.random.below(3) {
            self.statement(class, peer, other, depth);
        }
    }

    fn statement(&mut self, class: usize, peer: usize, other: &str, depth: usize) {
        let helper = self.random.below(N_HELPERS);
        if depth < MAX_DEPTH && self.random.one_in(2) {
            return self.nested(class, peer, other, depth);
        }
        let field = self.random.pick(FIELDS);
        match self.random.below(16) {
            12.. => self.use_nodes(class, peer),
            10 => self.line(&format!("h{helper}(n);")),
            11 => self.line(&format!("if (peer != null) K{peer}.init{helper}(peer, n);")),
            0 | 1 => self.line(&format!("{field} = {field} + n;")),
            2 => self.line("if (n < 3) s = s + 1; else t = n;"),
            3 => self.line(&format!("if ({field} > 100) {field} = 0;")),
            4 if other != "null" => self.line(&format!("if (other != null) other.{field} = n;")),
            5 => self.line(&format!("if (peer != null) peer.{field}++;")),
            6 => self.line("cells[n & 3] += 1;"),
            7 => self.call(class, peer),
            8 => self.fresh(peer),
            _ => self.escape(class),
        }
    }

    /// Calls a method of this object, or of its peer.
    fn call(&mut self, class: usize, peer: usize) {
        let method = self.random.below(N_METHODS);
        let argument = parameter(class, method);
        let argument = match self.random.below(3) {
            0 => "null".to_owned(),
            1 if self.published[argument] => format!("K{argument}.kept"),
            _ => format!("new K{argument}(n)"),
        };
        if self.random.one_in(2) {
            self.line(&format!("m{method}({argument}, n - 1);"));
        } else if let Some(method) = (0..N_METHODS).find(|method| parameter(peer, *method) == class) {
            self.line(&format!("if (peer != null) Calls.k{peer}m{method}(peer, this, n - 1);"));
        }
    }

    /// An object that nobody else knows, at first.
    fn fresh(&mut self, peer: usize) {
        let helper = self.random.below(N_HELPERS);
        self.names += 1;
        let name = format!("t{}", self.names);
        let (first, second, third) = (self.random.pick(FIELDS), self.random.pick(FIELDS), self.random.pick(FIELDS));
        self.line(&format!(
            "K{peer} {name} = new K{peer}(n); {name}.{first} = {name}.{second} + 1; {name}.cells[0] = n;"
        ));
        if self.random.one_in(3) {
            self.line(&format!("Calls.k{peer}m0({name}, null, n); {name}.{third}++;"));
        }
        match self.random.below(7) {
            0 => self.line(&format!("peer = {name};")),
            1 | 2 if !self.published[peer] => {}
            3 => self.line(&format!("if (peer != null) {{ {name} = peer; }} {name}.{third}++;")),
            4 => self.line(&format!("for (K{peer} old = null; Support.spend(); {name} = new K{peer}(n)) {{ if (old != null) old.{first} = 1; {name}.{third}++; old = {name}; }}")),
            1 => self.line(&format!("K{peer}.kept = {name}; {name}.{third} = 1;")),
            2 => self.line(&format!("{{ K{peer} same = {name}; Support.later(() -> same.{third}++); }} {name}.{second} = n;")),
            5 => self.line(&format!("K{peer}.init{helper}({name}, n);")),
            _ => {}
        }
    }

    fn escape(&mut self, class: usize) {
        let field = self.random.pick(FIELDS);
        let published = self.published[class];
        match self.random.below(4) {
            0 if published => self.line(&format!("K{class}.kept = this;")),
            1 if published => self.line(&format!("Support.later(() -> {{ {field} = {field} + 1; }});")),
            2 => self.line(&format!("{{ Runnable r = () -> {{ {field} = n; }}; r.run(); }}")),
            _ => self.line(&format!("{{ int[] t = new int[4]; t[0] = n; {field} = t[0]; if (n > 3) cells = t; }}")),
        }
    }

    fn nested(&mut self, class: usize, peer: usize, other: &str, depth: usize) {
        let lock = match self.random.below(8) {
            0..=2 => "this".to_owned(),
            3 => "lock".to_owned(),
            4 => "LOCK".to_owned(),
            5 => format!("K{class}.class"),
            6 => format!("K{peer}.LOCK"),
            _ => format!("({other} == null ? this : {other})"),
        };
        self.names += 1;
        let name = format!("l{}", self.names);
        let (before, after) = match self.random.below(7) {
            0..=2 => (format!("synchronized ({lock}) {{"), "}"),
            3 => (format!("{{ Object {name} = {lock}; synchronized ({name}) {{"), "} }"),
            4 => ("re.lock(); try {".to_owned(), "} finally { re.unlock(); }"),
            5 => (
                "if (re.tryLock()) { try { if (n == 2) throw new RuntimeException();".to_owned(),
                "} catch (RuntimeException e) { b++; } finally { re.unlock(); } }",
            ),
            _ => (format!("for (int {name} = 0; {name} < 2; {name}++) {{"), "}"),
        };
        self.line(&before);
        self.block(class, peer, other, depth + 1);
        self.line(after);
    }

    fn thread(&mut self) {
        self.line("class Worker extends Thread { int done; K0 own = new K0(1); final K1 given; Worker(K1 given) { this.given = given; }");
        self.line("public void run() { Calls.k0m0(own, Main.argument(0), 1); Calls.k1m1(given, null, 2); done++; } }");
        self.line("final class Calls {");
        for class in 0..N_CLASSES {
            for method in 0..N_METHODS {
                let other = parameter(class, method);
                self.line(&format!(
                    "static void k{class}m{method}(K{class} k, K{other} other, int n) {{ if (k != null) k.enter{method}(other, n); }}"
                ));
            }
        }
        self.line("}");
        self.enterable();
    }

    /// Private methods are called from outside by way of one that is not.
    fn enterable(&mut self) {
        for class in 0..N_CLASSES {
            let doors: String = (0..N_METHODS).fold(String::new(), |mut doors, method| {
                let other = parameter(class, method);
                // Writing to a string cannot fail.
                let _ = writeln!(doors, "void enter{method}(K{other} other, int n) {{ m{method}(other, n); }}");
                doors
            });
            let at = self
                .text
                .find(&format!("class K{class} {{\n"))
                .map_or(0, |at| at + format!("class K{class} {{\n").len());
            self.text.insert_str(at, &doors);
        }
    }

    /// An object that several threads get, if its class has any.
    fn argument(&mut self, class: usize) -> String {
        match self.random.below(5) {
            0 => "null".to_owned(),
            1 => format!("new K{class}(1)"),
            _ if self.published[class] => ["shared0", "shared1", "k2", "k3"][class].to_owned(),
            _ => format!("new K{class}(2)"),
        }
    }

    fn main(&mut self) {
        self.line("public final class Main {");
        self.line("static K0 shared0 = new K0(1); static K1 shared1 = new K1(2);");
        self.line(&format!(
            "static K{} argument(int n) {{ return n > 5 ? null : new K{}(n); }}",
            parameter(0, 0),
            parameter(0, 0)
        ));
        self.line("public static void run() { Support.refuel();");
        self.line("K2 k2 = new K2(3); K3 k3 = new K3(4); shared0.a = 7;");
        for task in 0..3 * N_CLASSES * N_METHODS {
            let (class, method) = (task % N_CLASSES, task / N_CLASSES % N_METHODS);
            let object = self.argument(class);
            let other = self.argument(parameter(class, method));
            let n = self.random.below(5);
            let call = format!("Calls.k{class}m{method}({object}, {other}, {n})");
            let in_main = self.random.one_in(4);
            let text =
                if in_main { format!("{call}; Support.refuel();") } else { format!("Support.start(() -> {call});") };
            self.line(&text);
        }
        self.line(
            "Support.refuel(); Worker worker = new Worker(shared1); Support.join(worker); shared0.b += worker.done;",
        );
        self.line("Support.drain(); } }");
    }
}

/// The class of the other object that a method takes.
fn parameter(class: usize, method: usize) -> usize {
    (class + method) % N_CLASSES
}
