package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Where the words of a thread are: beside its {@code ThreadLocal}s, for programs that are observed and not checked. An access costs two
 * loads and a comparison more than to a field of {@link Thread}, but HotSpot shares its classes, and starts some 50 ms earlier.
 */
final class JraceThread {
    private static final Unsafe U = Unsafe.getUnsafe();
    /** A field that is private on newer JDKs. */
    private static final long LOCALS = U.objectFieldOffset(Thread.class, "threadLocals");

    /** In place of those of a thread that has none. Nothing is written to them. */
    private static final JraceWords NONE = new JraceWords();

    private JraceThread() {}

    /**
     * Makes room for the words of a thread. Pools take the locals of their threads away after each task: what was known is found again.
     * Those of a thread that runs are its own to replace.
     */
    static void prepare(Thread thread) {
        Object present = U.getReference(thread, LOCALS);
        if (!(present instanceof JraceLocals) && (present == null || thread == Thread.currentThread())) {
            U.putReference(thread, LOCALS, new JraceLocals(JraceShadow.of(thread).words(), present));
        }
    }

    @ForceInline
    private static JraceWords words(Thread thread) {
        return U.getReference(thread, LOCALS) instanceof JraceLocals locals ? locals.words : NONE;
    }

    /** The complement of the thread's exclusive word; 0 before it has a context. */
    @ForceInline
    static int others(Thread thread) {
        return words(thread).others;
    }

    static void others(Thread thread, int others) {
        JraceWords words = words(thread);
        if (words != NONE) {
            words.others = others;
        }
    }

    /** The word of its lock set for reads; in type discovery its token. */
    @ForceInline
    static int read(Thread thread) {
        return words(thread).read;
    }

    static void read(Thread thread, int read) {
        JraceWords words = words(thread);
        if (words != NONE) {
            words.read = read;
        }
    }

    /** The same for writes. */
    @ForceInline
    static int write(Thread thread) {
        return words(thread).write;
    }

    static void write(Thread thread, int write) {
        JraceWords words = words(thread);
        if (words != NONE) {
            words.write = write;
        }
    }

    /** The entries of the arrays that it accessed last. */
    @ForceInline
    static JraceShadow[] arrays(Thread thread) {
        return words(thread).arrays;
    }

    static void arrays(Thread thread, JraceShadow[] arrays) {
        JraceWords words = words(thread);
        if (words != NONE) {
            words.arrays = arrays;
        }
    }

    /** What else is kept of it; null before its first event. */
    @ForceInline
    static JraceContext context(Thread thread) {
        return words(thread).context;
    }

    static void context(Thread thread, JraceContext context) {
        JraceWords words = words(thread);
        if (words != NONE) {
            words.context = context;
        }
    }

    /** Where it records. */
    @ForceInline
    static long lane(Thread thread) {
        return words(thread).lane;
    }

    static void lane(Thread thread, long lane) {
        JraceWords words = words(thread);
        if (words != NONE) {
            words.lane = lane;
        }
    }

    /** Nothing is checked, so nothing has stamps. */
    static void stamps(Thread thread, JraceStamp reads, JraceStamp writes) {}

    /** How much is open of a span that is left out ({@link JraceSpans}). */
    @ForceInline
    static int quiet(Thread thread) {
        return words(thread).quiet;
    }

    static void quiet(Thread thread, int quiet) {
        JraceWords words = words(thread);
        if (words != NONE) {
            words.quiet = quiet;
        }
    }
}
