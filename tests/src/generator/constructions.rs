//! Every way in which an object gets out of its constructor, as a program that surely races then, and as ones that do nearly the
//! same before anybody else has the object.
//!
//! A way is a *position* of the code that lets it out, a *carrier* that leads to it, and a *sink* that others look into. What races
//! is `hits` of class `X`: everybody but constructors takes the lock, so only who overlooks the way takes it for free of races.

use std::fmt::Write as _;

use super::Random;

/// Where code stands in construction: `OUT` for what lets the object out as `it`, `MAKE` for accesses without the lock.
const POSITIONS: &[(&str, &str)] = &[
    ("Constructor", "static class S extends Base {} static class X extends S { X() { Touched it = this; OUT MAKE } BODY }"),
    ("Super", "static abstract class S extends Base { S() { Touched it = this; OUT } } static class X extends S { X() { super(); MAKE } BODY }"),
    (
        "SuperInitializer",
        "static abstract class S extends Base { { Touched it = this; OUT } } static class X extends S { X() { MAKE } BODY }",
    ),
    ("OwnInitializer", "static class S extends Base {} static class X extends S { { Touched it = this; OUT } X() { MAKE } BODY }"),
    (
        "SubInitializer",
        "static abstract class S extends Base { S() { Touched it = this; OUT } } static class X extends S { BODY { MAKE } }",
    ),
    (
        "TwoAbove",
        "static abstract class R extends Base { R() { Touched it = this; OUT } } static abstract class S extends R {}
         static class X extends S { X() { MAKE } BODY }",
    ),
    (
        "Delegated",
        "static class S extends Base {} static class X extends S { X(int n) { Touched it = this; OUT } X() { this(1); MAKE } BODY }",
    ),
    (
        "Helper",
        "static class S extends Base {} static class X extends S { X() { init(); MAKE } private void init() { Touched it = this; OUT } BODY }",
    ),
    (
        "DeepHelper",
        "static class S extends Base {} static class X extends S { X() { init(); MAKE } private void init() { more(); }
         void more() { Touched it = this; OUT } BODY }",
    ),
    (
        "StaticHelper",
        "static class S extends Base {} static class X extends S { X() { launch(this); MAKE } static void launch(Base it) { OUT } BODY }",
    ),
    (
        "Hook",
        "static abstract class S extends Base { S() { hook(); } abstract void hook(); }
         static class X extends S { X() { MAKE } void hook() { Touched it = this; OUT } BODY }",
    ),
    (
        "Default",
        "interface Hooked extends Touched { default void hook() { Touched it = this; OUT } } static class S extends Base {}
         static class X extends S implements Hooked { X() { hook(); MAKE } BODY }",
    ),
    (
        "Handler",
        "static class S extends Base {} static class X extends S { X() { try { Touched it = this; OUT
         throw new IllegalStateException(); } catch (IllegalStateException e) { MAKE } } BODY }",
    ),
    (
        "Branch",
        "static class S extends Base {} static class X extends S { X() { if (Gate.yes()) { Touched it = this; OUT } MAKE } BODY }",
    ),
    (
        "Loop",
        "static class S extends Base {} static class X extends S { X() { for (int n = 0; n < 2; n++) {
         if (n == 1) { MAKE } else { Touched it = this; OUT } } } BODY }",
    ),
    (
        "Task",
        "static class S extends Base {} static class X extends S { X() { Runnable task = () -> { Touched it = this; OUT }; task.run(); MAKE } BODY }",
    ),
    (
        "Maker",
        "static class S extends Base {} static class Maker { Maker(Touched it) { OUT } }
         static class X extends S { X() { new Maker(this); MAKE } BODY }",
    ),
];

/// What leads to `it`: `K(…)` is for the sink.
const CARRIERS: &[(&str, &str)] = &[
    ("This", "K(it)"),
    ("Lambda", "K(() -> it.touch())"),
    ("Reference", "K(it::touch)"),
    ("Anonymous", "K(new Touched() { public void touch() { it.touch(); } })"),
    ("Member", "K(new Box(it))"),
    ("Box", "Box box = new Box(null); box.of = it; K(box)"),
    ("LateBox", "Box box = new Box(null); K(box) box.of = it;"),
    ("SetBox", "Box box = new Box(null); K(box) box.set(it);"),
    ("GotBox", "Box box = new Box(null); box.in = new Box(null); K(box) box.in().of = it;"),
    ("KeptBox", "Box box = new Box(null); Box in = new Box(null); box.in = in; K(in) box.in.of = it;"),
    ("Array", "Touched[] all = { it }; K(() -> all[0].touch())"),
    ("List", "List<Touched> all = new ArrayList<>(); all.add(it); K(() -> all.get(0).touch())"),
    (
        "LateList",
        "List<Touched> all = new ArrayList<>(); K(() -> { while (all.isEmpty()) Thread.yield(); all.get(0).touch(); }) all.add(it);",
    ),
    ("Returned", "K(Gate.same(it))"),
    ("Variable", "K(Gate.last(null, it))"),
    ("Chosen", "K(Gate.yes() ? it : null)"),
    ("Cast", "Object any = it; K((Touched) any)"),
    ("Thrown", "try { throw new Carrier(it); } catch (Carrier carrier) { K(carrier.of) }"),
    ("Nested", "Runnable task = () -> it.touch(); K(() -> task.run())"),
    ("Stream", "java.util.stream.Stream.of(it).forEach(one -> { K(one) });"),
    ("Record", "Pair pair = new Pair(it, 1); K(pair.it())"),
    ("Supplier", "Supplier<Touched> source = () -> it; K(source.get())"),
];

/// Where what is kept may be taken for given away: exceptions, what tasks have captured and the JDK's streams are not followed so far.
const VAGUE: &[&str] = &["Task", "Thrown", "Stream", "Supplier"];

/// Where others look: a declaration, the code that gives `GIFT` away, and what they find, unless they are begun with it.
const SINKS: &[(&str, &str, &str, &str)] = &[
    ("Static", "static volatile Touched kept;", "kept = GIFT;", "kept"),
    ("Holder", "static final Holder HOLDER = new Holder();", "HOLDER.it = GIFT;", "HOLDER.it"),
    (
        "Got",
        "static final Holder HOLDER = new Holder(); static Holder holder() { return HOLDER; }",
        "holder().it = GIFT;",
        "HOLDER.it",
    ),
    ("Setter", "static final Holder HOLDER = new Holder();", "HOLDER.set(GIFT);", "HOLDER.it"),
    (
        "OfBase",
        "static final Holder HOLDER = new Holder();",
        "((Base) it).holder = HOLDER; ((Base) it).holder.it = GIFT;",
        "HOLDER.it",
    ),
    (
        "List",
        "static final List<Touched> LIST = new CopyOnWriteArrayList<>();",
        "LIST.add(GIFT);",
        "LIST.isEmpty() ? null : LIST.get(0)",
    ),
    (
        "Synchronized",
        "static final List<Touched> LIST = Collections.synchronizedList(new ArrayList<>());",
        "LIST.add(GIFT);",
        "LIST.isEmpty() ? null : LIST.get(0)",
    ),
    (
        "Queue",
        "static final BlockingQueue<Touched> QUEUE = new LinkedBlockingQueue<>();",
        "QUEUE.add(GIFT);",
        "QUEUE.poll()",
    ),
    (
        "Map",
        "static final Map<String, Touched> MAP = new ConcurrentHashMap<>();",
        "MAP.put(\"it\", GIFT);",
        "MAP.get(\"it\")",
    ),
    ("Array", "static final Touched[] ARRAY = new Touched[1];", "ARRAY[0] = GIFT;", "ARRAY[0]"),
    (
        "Atomic",
        "static final AtomicReference<Touched> ATOMIC = new AtomicReference<>();",
        "ATOMIC.set(GIFT);",
        "ATOMIC.get()",
    ),
    (
        "Future",
        "static final CompletableFuture<Touched> FUTURE = new CompletableFuture<>();",
        "FUTURE.complete(GIFT);",
        "FUTURE.getNow(null)",
    ),
    (
        "Consumer",
        "static volatile Touched kept; static final Consumer<Touched> TAKES = given -> kept = given;",
        "TAKES.accept(GIFT);",
        "kept",
    ),
    ("Thread", "", "Touched given = GIFT; Gate gate = Gate.now; new Thread(() -> gate.serve(given)).start();", ""),
    (
        "Subclass",
        "static class T extends Thread { final Gate gate = Gate.now; Touched of; public void run() { gate.serve(of); } }",
        "T t = new T(); t.of = GIFT; t.start();",
        "",
    ),
    ("Executor", "", "Touched given = GIFT; Gate gate = Gate.now; Gate.POOL.execute(() -> gate.serve(given));", ""),
    ("Submit", "", "Touched given = GIFT; Gate gate = Gate.now; Gate.POOL.submit(() -> gate.serve(given));", ""),
    (
        "Async",
        "",
        "Touched given = GIFT; Gate gate = Gate.now; CompletableFuture.runAsync(() -> gate.serve(given));",
        "",
    ),
];

/// Where nobody looks before `start`: code that takes `GIFT`.
const KEPT: &[(&str, &str)] = &[
    ("Field", "((Base) it).own = GIFT;"),
    ("List", "((Base) it).all.add(GIFT);"),
    ("Local", "Holder local = new Holder(); local.it = GIFT;"),
    ("Setter", "((Base) it).mine.set(GIFT);"),
];

/// What all of them share.
const SHARED: &str = "package constructions;
import java.util.*; import java.util.concurrent.*; import java.util.concurrent.atomic.*; import java.util.function.*;
interface Touched { void touch(); }
abstract class Base implements Touched { Object own; Holder holder; final Holder mine = new Holder(); final List<Object> all = new ArrayList<>();
    public void touch() {} }
final class Holder { volatile Touched it; void set(Touched given) { it = given; } }
final class Box implements Touched { volatile Touched of; volatile Box in; Box(Touched of) { this.of = of; } Box in() { return in; }
    void set(Touched given) { of = given; } public void touch() { Touched to; while ((to = of != null ? of : in) == null) Thread.yield(); to.touch(); } }
final class Carrier extends Exception { final Touched of; Carrier(Touched of) { this.of = of; } }
record Pair(Touched it, int n) {}
final class Gate {
    static final ExecutorService POOL = Executors.newCachedThreadPool(task -> { Thread made = new Thread(task); made.setDaemon(true); return made; });
    private static final int ROUNDS = 2;
    static volatile Gate now = new Gate();
    private volatile int asked, answered;
    private volatile boolean isOver;
    static boolean yes() { return now.asked >= 0; }
    static <T> T same(T it) { return it; }
    @SafeVarargs static <T> T last(T... all) { return all[all.length - 1]; }
    static void begin() { now.isOver = true; now = new Gate(); }
    static void turn() { Gate gate = now; gate.asked++; for (long end = System.nanoTime() + 20_000_000_000L; gate.answered < gate.asked; ) {
        if (System.nanoTime() > end) throw new IllegalStateException(\"nobody touches it\"); Thread.yield(); } }
    void serve(Touched it) { for (int n = 1; n <= ROUNDS; n++) { while (asked < n) { if (isOver) return; Thread.yield(); } it.touch(); answered = n; } }
    static Thread watch(Supplier<Touched> where) { Gate gate = now; Thread made = new Thread(() -> { Touched found;
        while ((found = where.get()) == null) { if (gate.isOver) return; Thread.yield(); } gate.serve(found); }); made.setDaemon(true); made.start(); return made; }
    static void join(Thread thread) { try { thread.join(); } catch (InterruptedException e) { throw new IllegalStateException(e); } }
}
";
/// Others come in between.
const SEEN: &str = "hits++; Gate.turn(); hits++; Gate.turn(); hits++;";
/// Nobody does.
const UNSEEN: &str = "hits++; hits++;";

/// A way out, by numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Way {
    position: usize,
    carrier: usize,
    sink: usize,
}

/// A program, and its classes in which `X.hits` races, and in which it does not.
#[derive(Clone, Default, Debug)]
pub struct Constructions {
    /// The source of package `constructions`, with a class `Main`.
    pub source: String,
    /// Classes, each with a class `X`.
    pub racy: Vec<String>,
    /// The same, as far as that is known to be seen.
    pub clean: Vec<String>,
}

impl Way {
    /// Each position, each carrier and each sink at least once.
    #[must_use]
    pub fn each() -> Vec<Self> {
        let n = POSITIONS.len().max(CARRIERS.len()).max(SINKS.len());
        let simple = |position, carrier, sink| Self { position, carrier, sink };
        let positions = (0..POSITIONS.len()).map(|position| simple(position, 0, 0));
        let carriers = (0..CARRIERS.len()).map(|carrier| simple(0, carrier, 1));
        let sinks = (0..SINKS.len()).map(|sink| simple(1, 0, sink));
        let mixed = (0..n).map(|n| simple(n % POSITIONS.len(), (n + 1) % CARRIERS.len(), (n + 2) % SINKS.len()));
        let mut all: Vec<Self> = positions.chain(carriers).chain(sinks).chain(mixed).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// So many at random.
    #[must_use]
    pub fn random(seed: u64, count: usize) -> Vec<Self> {
        let mut random = Random(seed);
        let mut all: Vec<Self> = (0..count)
            .map(|_| Self {
                position: random.below(POSITIONS.len()),
                carrier: random.below(CARRIERS.len()),
                sink: random.below(SINKS.len()),
            })
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn name(self) -> String {
        format!("{}{}{}", POSITIONS[self.position].0, CARRIERS[self.carrier].0, SINKS[self.sink].0)
    }

    fn is_vague(self) -> bool {
        VAGUE.contains(&POSITIONS[self.position].0) || VAGUE.contains(&CARRIERS[self.carrier].0)
    }

    fn carried(self, to: &str) -> String {
        let carrier = CARRIERS[self.carrier].1;
        let (before, rest) = carrier.split_once("K(").unwrap_or(("", carrier));
        let end = closing(rest, ('(', ')'));
        let (given, after) = (&rest[..end], &rest[end + 1..]);
        format!("{before} {{ Touched gift = {given}; {} }} {after};", to.replace("GIFT", "gift"))
    }
}

/// Where the bracket closes that was opened before the text.
pub(super) fn closing(text: &str, (opens, closes): (char, char)) -> usize {
    let mut depth = 1;
    for (at, c) in text.char_indices() {
        depth += i32::from(c == opens) - i32::from(c == closes);
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// The source of some ways: each as it races, with what it gives away kept instead, and given away at the end.
#[must_use]
pub fn program(ways: &[Way]) -> Constructions {
    let mut made = Constructions { source: SHARED.to_owned(), ..Constructions::default() };
    let (mut main, mut classes) = (String::new(), Vec::new());
    for (n, way) in ways.iter().enumerate() {
        let (name, (_, declared, gives, found)) = (way.name(), SINKS[way.sink]);
        let out = way.carried(gives);
        made.source += &class(&format!("{name}Leaks"), POSITIONS[way.position].1, (declared, &out, SEEN), found);
        classes.push(format!("{name}Leaks"));
        made.racy.push(format!("{name}Leaks"));
        let (kept, keeps) = KEPT[n % KEPT.len()];
        let stays = format!("{name}Stays{kept}");
        made.source += &class(&stays, POSITIONS[way.position].1, ("", &way.carried(keeps), UNSEEN), "");
        classes.push(stays.clone());
        if !way.is_vague() {
            made.clean.push(stays);
        }
        let late = format!("{name}Late");
        let position =
            "static class S extends Base {} static class X extends S { X() { MAKE Touched it = this; OUT } BODY }";
        made.source += &class(&late, position, (declared, &out, UNSEEN), "");
        classes.push(late.clone());
        made.clean.push(late);
    }
    for class in classes {
        // Writing to a string cannot fail.
        let _ = writeln!(main, "{class}.run();");
    }
    let _ = writeln!(
        made.source,
        "public final class Main {{ public static void main(String[] arguments) {{ {main} System.exit(0); }} }}"
    );
    made
}

fn class(name: &str, position: &str, (declared, out, accesses): (&str, &str, &str), found: &str) -> String {
    let body = "int hits; public synchronized void touch() { hits++; }";
    let code = position.replace("OUT", out).replace("MAKE", accesses).replace("BODY", body);
    let watch = if found.is_empty() { String::new() } else { format!("Gate.watch(() -> {found});") };
    // Who is started here has all that the constructor has done.
    let share = if accesses == UNSEEN { "Gate.join(started); " } else { "" };
    let start = if accesses == UNSEEN { "Thread started = new Thread(made::touch); started.start();" } else { "" };
    format!(
        "final class {name} {{ {declared}
            {code}
            static void run() {{ Gate.begin(); {watch} X made = new X(); {start} {share}}}
        }}\n"
    )
}
