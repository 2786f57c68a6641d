//! Every way in which a second thread comes to run code, and in which two threads come by one object or array, as programs that surely race.
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
    ("Executor", "Executors.newCachedThreadPool(Tools::daemon).execute(X::touch); X.touch();", ""),
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
    ("Bulk", "Filled.map().forEach(1, (key, value) -> X.touch());", ""),
    ("BulkKeys", "Filled.map().forEachKey(1, key -> X.touch());", ""),
    ("BulkReduce", "Filled.map().reduceValuesToInt(1, n -> { X.touch(); return n; }, 0, Integer::sum);", ""),
    ("BulkSearch", "Filled.map().search(1, (key, value) -> { X.touch(); return null; });", ""),
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

/// A type `I` with a method `p`, and what its objects have in its place.
const OVERRIDERS: &[(&str, &str)] = &[
    ("Interface", "interface I { void p(); } static class D implements I { public void p() { X.touch(); } }"),
    ("Default", "interface I { default void p() {} } static class D implements I { public void p() { X.touch(); } }"),
    (
        "DefaultTwice",
        "interface I { default void p() {} } interface K extends I { default void p() { X.touch(); } } static class D implements K {}",
    ),
    ("Class", "static class I { public void p() {} } static class D extends I { public void p() { X.touch(); } }"),
    (
        "Abstract",
        "abstract static class I { public abstract void p(); } static class D extends I { public void p() { X.touch(); } }",
    ),
    (
        "Inherited",
        "static class I { public void p() {} } static class M extends I { public void p() { X.touch(); } } static class D extends M {}",
    ),
    (
        "Beside",
        "interface I { void p(); } static class M { public void p() { X.touch(); } } static class D extends M implements I {}",
    ),
];

/// A task that calls `I.p` of an object `it`, and does not name the method that runs.
const REFERENCES: &[(&str, &str)] = &[
    ("Bound", "it::p"),
    ("Unbound", "Tools.bound(I::p, it)"),
    ("Reflected", "Tools.boldly(() -> I.class.getMethod(\"p\").invoke(it))"),
    (
        "Handle",
        "Tools.boldly(() -> MethodHandles.lookup().findVirtual(I.class, \"p\", MethodType.methodType(void.class)).invoke(it))",
    ),
];

/// An expression for one object of `TYPE`, whoever asks, and the members that it needs.
const OBJECTS: &[(&str, &str, &str)] = &[
    ("Static", "KEPT", "static final TYPE KEPT = NEW;"),
    ("OfObject", "KEPT.it", "static class Of { final TYPE it = NEW; } static final Of KEPT = new Of();"),
    ("AsObject", "(TYPE) KEPT", "static final Object KEPT = NEW;"),
    ("Generic", "KEPT.it", "static class Of<E> { E it; Of(E it) { this.it = it; } } static final Of<TYPE> KEPT = new Of<>(NEW);"),
    ("Record", "KEPT.it()", "record Of(TYPE it) {} static final Of KEPT = new Of(NEW);"),
    ("Enum", "Of.ONE.it", "enum Of { ONE; final TYPE it = NEW; }"),
    ("Interface", "KEPT.it()", "interface Of { TYPE it(); } static final Of KEPT = new Of() { final TYPE it = NEW; public TYPE it() { return it; } };"),
    ("Inner", "KEPT.it()", "TYPE it = NEW; class Of { TYPE it() { return it; } } static final Of KEPT = new NAME().new Of();"),
    ("Superclass", "KEPT.it", "static class Above { TYPE it = NEW; } static class Of extends Above {} static final Of KEPT = new Of();"),
    ("OfThread", "KEPT.it", "static class Of extends Thread { TYPE it = NEW; } static final Of KEPT = new Of();"),
    ("Copy", "copied()", "static class Of implements Cloneable { TYPE it = NEW; Of copy() { try { return (Of) clone(); } catch (CloneNotSupportedException e) { throw new Error(e); } } }
        static final Of KEPT = new Of(); static TYPE copied() { return KEPT.copy().it; }"),
    ("List", "KEPT.get(0)", "static final List<TYPE> KEPT = new ArrayList<>(); static { KEPT.add(NEW); }"),
    ("ListOf", "KEPT.get(0)", "static final List<TYPE> KEPT = Arrays.asList(NEW, NEW);"),
    ("ListToArray", "(TYPE) KEPT.toArray()[0]", "static final List<TYPE> KEPT = new ArrayList<>(); static { KEPT.add(NEW); }"),
    ("Iterator", "KEPT.iterator().next()", "static final Set<TYPE> KEPT = new HashSet<>(); static { KEPT.add(NEW); }"),
    ("Map", "KEPT.get(1)", "static final Map<Integer, TYPE> KEPT = new HashMap<>(); static { KEPT.put(1, NEW); }"),
    ("Registry", "TYPE.class.cast(KEPT.get(TYPE.class))", "static final Map<Class<?>, Object> KEPT = new HashMap<>(); static { KEPT.put(TYPE.class, NEW); }"),
    (
        "Computed",
        "KEPT.computeIfAbsent(1, NAME::made)",
        "static final Map<Integer, TYPE> KEPT = new ConcurrentHashMap<>(); static TYPE made(int n) { return NEW; }",
    ),
    ("Atomic", "KEPT.get()", "static final AtomicReference<TYPE> KEPT = new AtomicReference<>(NEW);"),
    ("Supplier", "KEPT.get()", "static final Supplier<TYPE> KEPT; static { TYPE it = NEW; KEPT = () -> it; }"),
    ("Reference", "KEPT.get()", "static class Of { TYPE it = NEW; TYPE it() { return it; } } static final Supplier<TYPE> KEPT = new Of()::it;"),
    ("Returned", "KEPT.apply(1)", "static TYPE it; static TYPE it(int n) { return it == null ? it = NEW : it; } static final Function<Integer, TYPE> KEPT = NAME::it; static { it(1); }"),
    ("ThreadLocal", "KEPT.get()", "static final TYPE ONE = NEW; static final ThreadLocal<TYPE> KEPT = ThreadLocal.withInitial(() -> ONE);"),
    ("Nested", "KEPT[0]", "static final TYPE[] KEPT = { NEW };"),
    ("NestedAsObject", "((TYPE[]) KEPT)[0]", "static final Object KEPT = new TYPE[] { NEW };"),
    ("NestedInArray", "(TYPE) KEPT[0]", "static final Object[] KEPT = { NEW };"),
    ("NestedTwice", "((TYPE[][]) KEPT)[0][0]", "static final Object KEPT = new TYPE[][] { { NEW } };"),
    ("ClonedOuter", "((TYPE[]) KEPT).clone()[0]", "static final Object KEPT = new TYPE[] { NEW };"),
    ("CopiedOuter", "Arrays.copyOf((TYPE[]) KEPT, 1)[0]", "static final Object KEPT = new TYPE[] { NEW };"),
    (
        "CopiedElements",
        "copied()",
        "static final Object[] KEPT = { NEW }; static TYPE copied() { TYPE[] to = { null }; System.arraycopy(KEPT, 0, to, 0, 1); return to[0]; }",
    ),
    ("VarArgs", "first(KEPT)", "static final TYPE KEPT = NEW; static TYPE first(TYPE... all) { return all[0]; }"),
    (
        "Thrown",
        "caught()",
        "static class Thrown extends RuntimeException { final TYPE it = NEW; } static TYPE caught() { try { return thrown(); } catch (Thrown thrown) { return thrown.it; } }
         static final Thrown KEPT = new Thrown(); static TYPE thrown() { throw KEPT; }",
    ),
    ("Covariant", "(TYPE) KEPT", "static final Object KEPT = first(new TYPE[] { NEW }); static Object first(Object[] all) { return all[0]; }"),
    (
        "CopyAsObject",
        "((Of) KEPT).it",
        "static class Of implements Cloneable { TYPE it = NEW; Object copy() { try { return clone(); } catch (CloneNotSupportedException e) { throw new Error(e); } } }
        static final Object KEPT = new Of().copy();",
    ),
    ("Merged", "Support.isSo ? KEPT : NEW", "static final TYPE KEPT = NEW;"),
];

/// The same for an `X` that is of a class which extends it.
const ROWS: &[(&str, &str, &str)] = &[
    (
        "CovariantStore",
        "KEPT[0]",
        "interface K {} interface J extends K {} static class Y extends X implements J {} static Y[] KEPT = { null };
        static void put(K[][] all, K[] it) { all[0] = it; }
        static { J[][] rows = { null }; put(rows, KEPT); rows[0][0] = new Y(); new X(); }",
    ),
    (
        "CovariantCast",
        "KEPT[0]",
        "interface K {} interface J extends K {} static class Y extends X implements J {} static Y[] KEPT = { null };
        static void put(Object all, K[] it) { ((K[][]) all)[0] = it; }
        static { J[][] rows = { null }; put(rows, KEPT); rows[0][0] = new Y(); new X(); }",
    ),
];

/// Arrays of libraries.
const ARRAYS: &[(&str, &str, &str)] = &[
    ("Buffer", "KEPT.array()", "static final IntBuffer KEPT = IntBuffer.allocate(1);"),
    ("BufferAsObject", "(int[]) KEPT.array()", "static final Buffer KEPT = IntBuffer.allocate(1);"),
    (
        "BufferInObject",
        "(int[]) it()",
        "static final Buffer KEPT = IntBuffer.allocate(1); static Object it() { return KEPT.array(); }",
    ),
    (
        "Bytes",
        "KEPT.bytes()",
        "static final Out KEPT = new Out(); static class Out extends ByteArrayOutputStream { byte[] bytes() { return buf; } }",
    ),
];

/// Calls that write or read elements of an array, one thread by the call and the other by itself.
const CALLS: &[(&str, &str)] = &[
    ("Fill", "Arrays.fill(KEPT, 1)"),
    ("FillPart", "Arrays.fill(KEPT, 0, 1, 1)"),
    ("Sort", "Arrays.sort(KEPT)"),
    ("ParallelSort", "Arrays.parallelSort(KEPT)"),
    ("SetAll", "Arrays.setAll(KEPT, n -> n)"),
    ("Prefix", "Arrays.parallelPrefix(KEPT, Integer::sum)"),
    ("CopyTo", "System.arraycopy(new int[1], 0, KEPT, 0, 1)"),
    ("CopyToObject", "System.arraycopy(new int[1], 0, (Object) KEPT, 0, 1)"),
    ("Clone", "KEPT.clone()"),
    ("CopyOf", "Arrays.copyOf(KEPT, 1)"),
    ("CopyOfRange", "Arrays.copyOfRange(KEPT, 0, 1)"),
    ("HashCode", "Arrays.hashCode(KEPT)"),
    ("ToString", "Arrays.toString(KEPT)"),
    ("CopyFrom", "System.arraycopy(KEPT, 0, new int[1], 0, 1)"),
];

/// An array that a library passes to what it calls.
const PASSED: (&str, &str) = (
    "static class In extends InputStream { public int read() { return 1; }
     public int read(byte[] to, int from, int length) { to[from]++; return length; } }
     static final DataInputStream KEPT = new DataInputStream(new In());",
    "Tools.quietly(KEPT::readLong)",
);

/// Another thread does the same.
const BOTH: &str = "new Thread(X::touch).start(); X.touch();";

/// What all of them share, which knows no threads, and what some do: a program that refers to no class with threads has none but those
/// that it starts itself.
const SHARED: &str = "package reach;
import java.io.*; import java.lang.invoke.*; import java.nio.*; import java.util.*; import java.util.concurrent.*; import java.util.concurrent.atomic.*; import java.util.function.*;
import java.util.stream.*;
final class Support {
    static volatile boolean isSo = true;
    private static volatile int come, gone;
    static synchronized int next(boolean isGone) { return isGone ? ++gone : ++come; }
    static void meet() { if (next(false) <= 2) while (come < 2) Thread.yield(); }
    static void part() { next(true); }
    private static boolean isTaken;
    static synchronized boolean isFirst() { boolean is = !isTaken; isTaken = true; return is; }
    static void begin() { come = gone = 0; isTaken = false; }
    static void settle() { while (gone < 2) Thread.yield(); }
}
final class Filled {
    static ConcurrentHashMap<Integer, Integer> map() { ConcurrentHashMap<Integer, Integer> made = new ConcurrentHashMap<>();
        for (int n = 0; n < 64; n++) made.put(n, n); return made; }
}
@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) @interface Called {}
final class Tools {
    static Thread daemon(Runnable task) { Thread made = new Thread(task); made.setDaemon(true); return made; }
    static <T> Runnable bound(Consumer<T> method, T it) { return () -> method.accept(it); }
    static java.lang.reflect.Method annotated(Class<?> of) {
        for (java.lang.reflect.Method method : of.getDeclaredMethods()) if (method.isAnnotationPresent(Called.class)) return method;
        throw new Error();
    }
    interface Bold { void run() throws Throwable; }
    static Runnable boldly(Bold task) { return () -> { try { task.run(); } catch (Throwable e) { throw new Error(e); } }; }
    static void quietly(Callable<?> call) { try { call.call(); } catch (Exception e) { throw new Error(e); } }
}
";

/// A program, and its classes that race.
#[derive(Clone, Default, Debug)]
pub struct Reach {
    /// The source of package `reach`, with a class `Main`.
    pub source: String,
    /// Classes in which `X.hits` races.
    pub fields: Vec<String>,
    /// Classes in which an array that code of `X` accesses does.
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
    for (overrider, members) in OVERRIDERS {
        let by_annotation = ("Annotated", "Tools.boldly(() -> Tools.annotated(I.class).invoke(it))");
        for (reference, task) in REFERENCES.iter().chain([&by_annotation]) {
            let name = format!("{reference}{overrider}Start");
            let run = format!("I it = new D(); new Thread({task}).start(); it.p();");
            // What is annotated is called anyway, so the others are not.
            let is_annotated = *reference == by_annotation.0;
            let members = members.replacen("void p()", if is_annotated { "@Called void p()" } else { "void p()" }, 1);
            made.source += &class(&name, &run, ("static int hits;", "hits++"), &members);
            made.fields.push(name);
        }
    }
    for (name, object, members) in OBJECTS {
        let typed = |ty: &str, new: &str| members.replace("TYPE", ty).replace("NEW", new);
        let object = |ty: &str, new: &str| object.replace("TYPE", ty).replace("NEW", new);
        let (of_class, of_array) = (format!("{name}Object"), format!("{name}Array"));
        let hit = ("int hits;", &*format!("({}).hits++", object("X", "new X()")));
        made.source += &class(&of_class, BOTH, hit, &typed("X", "new X()"));
        made.fields.push(of_class);
        let hit = ("", &*format!("({})[0]++", object("int[]", "new int[1]")));
        made.source += &class(&of_array, BOTH, hit, &typed("int[]", "new int[1]"));
        made.arrays.push(of_array);
    }
    for (name, object, members) in ROWS {
        let name = format!("{name}Object");
        made.source += &class(&name, BOTH, ("int hits;", &format!("({object}).hits++")), members);
        made.fields.push(name);
    }
    for (name, array, members) in ARRAYS {
        let name = format!("{name}Array");
        made.source += &class(&name, BOTH, ("", &format!("({array})[0]++")), members);
        made.arrays.push(name);
    }
    for (name, call) in CALLS {
        let name = format!("{name}Array");
        let hit = format!("if (Support.isFirst()) KEPT[0] = 1; else {call}");
        made.source += &class(&name, BOTH, ("", &hit), "static final int[] KEPT = { 0 };");
        made.arrays.push(name);
    }
    let (name, (declared, hit)) = ("PassedArray", PASSED);
    made.source += &class(name, BOTH, (declared, hit), "");
    made.arrays.push(name.to_owned());
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
    let [run, members, hit] = [run, members, hit].map(|code| code.replace("NAME", name));
    format!(
        "final class {name} {{ {members}
            static class X {{ {declared} static void touch() {{ Support.meet(); {hit}; Support.part(); }}
                public static void main(String[] given) {{ touch(); }} }}
            static void run() {{ Support.begin(); {run} Support.settle(); }}
        }}\n"
    )
}
