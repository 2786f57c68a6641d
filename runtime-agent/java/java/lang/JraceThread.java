package java.lang;

import jdk.internal.vm.annotation.ForceInline;

/**
 * Where the words of a thread are: in fields that weaving adds to {@link Thread} when the JVM boots. That is the fastest place, but
 * HotSpot shares no classes then, so that each JVM starts some 50 ms later. {@code locals} has a version of this class without.
 */
final class JraceThread {
    private JraceThread() {}

    /** Makes room for the words of a thread. */
    static void prepare(Thread thread) {}

    /** The complement of the thread's exclusive word; 0 before it has a context. */
    @ForceInline
    static int others(Thread thread) {
        return thread.$jrace$others;
    }

    @ForceInline
    static void others(Thread thread, int others) {
        thread.$jrace$others = others;
    }

    /** The word of its lock set for reads; in type discovery its token. */
    @ForceInline
    static int read(Thread thread) {
        return thread.$jrace$read;
    }

    @ForceInline
    static void read(Thread thread, int read) {
        thread.$jrace$read = read;
    }

    /** The same for writes. */
    @ForceInline
    static int write(Thread thread) {
        return thread.$jrace$write;
    }

    @ForceInline
    static void write(Thread thread, int write) {
        thread.$jrace$write = write;
    }

    /** The entries of the arrays that it accessed last. */
    @ForceInline
    static JraceShadow[] arrays(Thread thread) {
        return thread.$jrace$arrays;
    }

    @ForceInline
    static void arrays(Thread thread, JraceShadow[] arrays) {
        thread.$jrace$arrays = arrays;
    }

    /** What else is kept of it; null before its first event. */
    @ForceInline
    static JraceContext context(Thread thread) {
        return thread.$jrace$context;
    }

    @ForceInline
    static void context(Thread thread, JraceContext context) {
        thread.$jrace$context = context;
    }

    /** Where it records. */
    @ForceInline
    static long lane(Thread thread) {
        return thread.$jrace$lane;
    }

    @ForceInline
    static void lane(Thread thread, long lane) {
        thread.$jrace$lane = lane;
    }

    /** The stamps of its reads and its writes, while it has any. */
    @ForceInline
    static JraceStamp reads(Thread thread) {
        return thread.$jrace$reads;
    }

    @ForceInline
    static JraceStamp writes(Thread thread) {
        return thread.$jrace$writes;
    }

    @ForceInline
    static void stamps(Thread thread, JraceStamp reads, JraceStamp writes) {
        thread.$jrace$reads = reads;
        thread.$jrace$writes = writes;
    }

    /** How much is open of a span that is left out ({@link JraceSpans}). */
    @ForceInline
    static int quiet(Thread thread) {
        return thread.$jrace$quiet;
    }

    @ForceInline
    static void quiet(Thread thread, int quiet) {
        thread.$jrace$quiet = quiet;
    }
}
