//! Every way in which a second thread comes to run code, and in which two threads come by one array, as programs that surely race.
//!
//! Each is to be typed by itself: what one does may keep all others from being proved.

use std::fmt::Write as _;

/// How another thread comes to run `X.touch()` while this one does: `RUN` of a class with `hits`, and other members.
const STARTS: &[(&str, &str, &str)] = &[
    ("Thread", "new Thread(X::touch).start(); X.touch();", ""),
    ("Subclass", "new T().start(); X.touch();", "static class T extends Thread { public void run() { X.touch(); } }"),
    ("MethodCalledMain", "new Thread(NAME::main).start(); X.touch();", "static void main() { X.touch(); }"),
    (
        "MainByReference",
        "Consumer<String[]> again = X::main; new Thread(() -> again.accept(null)).start(); X.main(null);",
        "",
    ),
    ("Executor", "Executors.newCachedThreadPool(Support::daemon).execute(X::touch); X.touch();", ""),
    ("Timer", "new Timer(true).schedule(new TimerTask() { public void run() { X.touch(); } }, 0); X.touch();", ""),
    ("Future", "CompletableFuture.runAsync(X::touch); X.touch();", ""),
    (
        "Fork",
        "new T().fork(); X.touch();",
        "static class T extends RecursiveAction { protected void compute() { X.touch(); } }",
    ),
    ("Parallel", "Stream.of(1, 2).parallel().forEach(n -> X.touch());", ""),
    ("ParallelInts", "IntStream.range(0, 2).parallel().forEach(n -> X.touch());", ""),
    ("ParallelLongs", "LongStream.range(0, 2).parallel().forEach(n -> X.touch());", ""),
    ("ParallelDoubles", "DoubleStream.of(1, 2).parallel().forEach(n -> X.touch());", ""),
    ("ParallelCollection", "Arrays.asList(1, 2).parallelStream().forEach(n -> X.touch());", ""),
    ("StreamSupport", "StreamSupport.stream(Arrays.asList(1, 2).spliterator(), true).forEach(n -> X.touch());", ""),
    (
        "IntStreamSupport",
        "StreamSupport.intStream(Spliterators.spliterator(new int[2], 0), true).forEach(n -> X.touch());",
        "",
    ),
    ("ParallelSetAll", "Arrays.parallelSetAll(new int[2], n -> { X.touch(); return n; });", ""),
    ("Bulk", "Support.map().forEach(1, (key, value) -> X.touch());", ""),
    ("BulkKeys", "Support.map().forEachKey(1, key -> X.touch());", ""),
    ("BulkReduce", "Support.map().reduceValuesToInt(1, n -> { X.touch(); return n; }, 0, Integer::sum);", ""),
    ("BulkSearch", "Support.map().search(1, (key, value) -> { X.touch(); return null; });", ""),
    (
        "ParallelByReference",
        "Function<Collection<Integer>, Stream<Integer>> open = Collection::parallelStream; open.apply(Arrays.asList(1, 2)).forEach(n -> X.touch());",
        "",
    ),
    (
        "FutureByReference",
        "Consumer<Runnable> begin = CompletableFuture::runAsync; begin.accept(X::touch); X.touch();",
        "",
    ),
    ("StartByReference", "Consumer<Thread> begin = Thread::start; begin.accept(new Thread(X::touch)); X.touch();", ""),
];

/// An expression for one array, whoever asks, and the members that it needs.
const ARRAYS: &[(&str, &str, &str)] = &[
    ("Static", "KEPT", "static final int[] KEPT = new int[1];"),
    ("OfObject", "KEPT.cells", "static class Box { final int[] cells = new int[1]; } static final Box KEPT = new Box();"),
    ("AsObject", "(int[]) KEPT", "static final Object KEPT = new int[1];"),
    ("Generic", "KEPT.it", "static class Of<E> { final E it; Of(E it) { this.it = it; } } static final Of<int[]> KEPT = new Of<>(new int[1]);"),
    ("Record", "KEPT.it()", "record Of(int[] it) {} static final Of KEPT = new Of(new int[1]);"),
    ("Enum", "Of.ONE.it", "enum Of { ONE; final int[] it = new int[1]; }"),
    ("List", "KEPT.get(0)", "static final List<int[]> KEPT = new ArrayList<>(Arrays.asList(new int[1], new int[1]));"),
    ("ListToArray", "KEPT.toArray(new int[0][])[0]", "static final List<int[]> KEPT = new ArrayList<>(Arrays.asList(new int[1], new int[1]));"),
    ("Map", "KEPT.get(1)", "static final Map<Integer, int[]> KEPT = new HashMap<>(); static { KEPT.put(1, new int[1]); }"),
    ("Atomic", "KEPT.get()", "static final AtomicReference<int[]> KEPT = new AtomicReference<>(new int[1]);"),
    ("Supplier", "KEPT.get()", "static final Supplier<int[]> KEPT; static { int[] it = new int[1]; KEPT = () -> it; }"),
    ("Interface", "KEPT.it()", "interface Of { int[] it(); } static final Of KEPT = new Of() { final int[] it = new int[1]; public int[] it() { return it; } };"),
    ("ThreadLocal", "KEPT.get()", "static final int[] ONE = new int[1]; static final ThreadLocal<int[]> KEPT = ThreadLocal.withInitial(() -> ONE);"),
    ("Nested", "KEPT[0]", "static final int[][] KEPT = new int[1][1];"),
    ("NestedAsObject", "((int[][]) KEPT)[0]", "static final Object KEPT = new int[1][1];"),
    ("NestedInArray", "(int[]) KEPT[0]", "static final Object[] KEPT = { new int[1] };"),
    ("ClonedOuter", "((int[][]) KEPT).clone()[0]", "static final Object KEPT = new int[1][1];"),
    ("CopiedOuter", "Arrays.copyOf((int[][]) KEPT, 1)[0]", "static final Object KEPT = new int[1][1];"),
    ("CopiedElements", "copy()[0]", "static final Object[] KEPT = { new int[1] }; static int[][] copy() { int[][] to = new int[1][]; System.arraycopy(KEPT, 0, to, 0, 1); return to; }"),
    ("VarArgs", "first(KEPT.cells)", "static class Box { final int[] cells = new int[1]; } static final Box KEPT = new Box(); static int[] first(int[]... all) { return all[0]; }"),
    ("Thrown", "caught()", "static class Thrown extends RuntimeException { final int[] it = new int[1]; } static final Thrown KEPT = new Thrown(); static int[] caught() { try { throw KEPT; } catch (Thrown thrown) { return thrown.it; } }"),
    ("Buffer", "KEPT.array()", "static final IntBuffer KEPT = IntBuffer.allocate(1);"),
    ("BufferAsObject", "(int[]) KEPT.array()", "static final Buffer KEPT = IntBuffer.allocate(1);"),
    ("BufferInObject", "(int[]) it()", "static final Buffer KEPT = IntBuffer.allocate(1); static Object it() { return KEPT.array(); }"),
    ("Bytes", "KEPT.bytes()", "static final Out KEPT = new Out(); static class Out extends ByteArrayOutputStream { byte[] bytes() { return buf; } }"),
    ("Passed", "KEPT.filled()", "static final In KEPT = new In(); static class In extends InputStream { byte[] last; public int read() { return 1; }
        public int read(byte[] to, int from, int length) { last = to; return length; }
        byte[] filled() { if (last == null) try { new DataInputStream(this).readLong(); } catch (IOException e) { throw new Error(e); } return last; } }
        static { KEPT.filled(); }"),
];

/// What all of them share.
const SHARED: &str = "package reach;
import java.io.*; import java.nio.*; import java.util.*; import java.util.concurrent.*; import java.util.concurrent.atomic.*; import java.util.function.*;
import java.util.stream.*;
final class Support {
    private static volatile int come, gone;
    static Thread daemon(Runnable task) { Thread made = new Thread(task); made.setDaemon(true); return made; }
    static ConcurrentHashMap<Integer, Integer> map() { ConcurrentHashMap<Integer, Integer> made = new ConcurrentHashMap<>();
        for (int n = 0; n < 64; n++) made.put(n, n); return made; }
    static synchronized int next(boolean isGone) { return isGone ? ++gone : ++come; }
    static void meet() { if (next(false) <= 2) while (come < 2) Thread.yield(); }
    static void part() { next(true); }
    static void begin() { come = gone = 0; }
    static void settle() { while (gone < 2) Thread.yield(); }
}
";

/// A program, and its classes that race.
#[derive(Clone, Default, Debug)]
pub struct Reach {
    /// The source of package `reach`, with a class `Main`.
    pub source: String,
    /// Classes in which `X.hits` races.
    pub fields: Vec<String>,
    /// Classes in which an array that `X.touch` accesses does.
    pub arrays: Vec<String>,
}

/// The source of all of them.
#[must_use]
pub fn program() -> Reach {
    let mut made = Reach { source: SHARED.to_owned(), ..Reach::default() };
    let mut main = String::new();
    for (name, run, members) in STARTS {
        let name = format!("{name}Start");
        made.source += &class(&name, run, ("static int hits;", "hits++"), members);
        made.fields.push(name);
    }
    for (name, array, members) in ARRAYS {
        let name = format!("{name}Array");
        let run = "new Thread(X::touch).start(); X.touch();";
        made.source += &class(&name, run, ("", &format!("({array})[0]++")), members);
        made.arrays.push(name);
    }
    for class in made.fields.iter().chain(&made.arrays) {
        // Writing to a string cannot fail.
        let _ = writeln!(main, "{class}.run();");
    }
    let _ = writeln!(
        made.source,
        "public final class Main {{ public static void main(String[] arguments) {{ {main} System.exit(0); }} }}"
    );
    made
}

/// The accesses of two threads have nothing in common that would order them.
fn class(name: &str, run: &str, (declared, hit): (&str, &str), members: &str) -> String {
    let run = run.replace("NAME", name);
    format!(
        "final class {name} {{ {members}
            static class X {{ {declared} static void touch() {{ Support.meet(); {hit}; Support.part(); }}
                public static void main(String[] given) {{ touch(); }} }}
            static void run() {{ Support.begin(); {run} Support.settle(); }}
        }}\n"
    )
}
