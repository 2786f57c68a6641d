package java.lang;

import jdk.internal.misc.Unsafe;

/** The {@code ThreadLocal}s of a thread, with its words. */
final class JraceLocals extends ThreadLocal.ThreadLocalMap {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long TABLE = offset("table");
    private static final long SIZE = offset("size");
    private static final long THRESHOLD = offset("threshold");

    final JraceWords words;

    /** Takes the place of those that the thread has already, if there are any. */
    JraceLocals(JraceWords words, Object present) {
        super(new ThreadLocal<>(), null);
        this.words = words;
        if (present != null) {
            U.putReference(this, TABLE, U.getReference(present, TABLE));
            U.putInt(this, SIZE, U.getInt(present, SIZE));
            U.putInt(this, THRESHOLD, U.getInt(present, THRESHOLD));
        }
    }

    private static long offset(String field) {
        return U.objectFieldOffset(ThreadLocal.ThreadLocalMap.class, field);
    }
}
