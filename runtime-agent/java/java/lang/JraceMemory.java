package java.lang;

import jdk.internal.misc.Unsafe;

/** Memory as the helper classes reach it. */
final class JraceMemory {
    private JraceMemory() {}

    static final Unsafe U = Unsafe.getUnsafe();

    /** Offset of the first element of an {@code int[]}; {@code Unsafe} tells it as an int on JDK 17 and as a long on 25. */
    static final long INTS = intsOffset();

    /** In an {@code Object[]}, how many bytes from one element to the next, as a shift; and the offset of the first. */
    static final int REFERENCE_SHIFT = 31 - Integer.numberOfLeadingZeros(U.arrayIndexScale(Object[].class));
    static final long REFERENCES = referencesOffset();

    /** In place of an offset: there is no such field. */
    static final int NOWHERE = -1;

    /** Where threads have what they have bound to scoped values, from JDK 21 on. */
    private static final long BINDINGS = offset(Thread.class, "scopedValueBindings", NOWHERE);

    /** Where the objects of a class have a field, by its name; {@link #NOWHERE} if the class declares none. */
    static long offset(Class<?> declaring, String field) {
        return offset(declaring, field, BINDINGS);
    }

    /** The JVM takes an {@link InternalError} for the end of the thread's scopes, and clears what is bound there. */
    private static long offset(Class<?> declaring, String field, long bindings) {
        Thread thread = Thread.currentThread();
        Object bound = bindings == NOWHERE ? null : U.getReference(thread, bindings);
        try {
            return U.objectFieldOffset(declaring, field);
        } catch (InternalError noSuchField) {
            if (bound != null) {
                U.putReference(thread, bindings, bound);
            }
            return NOWHERE;
        }
    }

    private static final class Probe {
        Object held;
    }

    /** The bits of a reference in an array are those in a field; they are read as numbers, as they may be none. */
    private static long referencesOffset() {
        Probe probe = new Probe();
        probe.held = probe;
        Object[] array = {probe, probe};
        long field = U.objectFieldOffset(Probe.class, "held");
        long offset = INTS;
        long step = 1L << REFERENCE_SHIFT;
        while (bits(array, offset) != bits(probe, field) || bits(array, offset + step) != bits(probe, field)) {
            // Should the collector have moved the object in between, the search begins again.
            offset = offset < INTS + 16 ? offset + 4 : INTS;
        }
        return offset;
    }

    private static long bits(Object base, long offset) {
        return REFERENCE_SHIFT == 2 ? U.getInt(base, offset) : U.getLongUnaligned(base, offset);
    }

    private static long intsOffset() {
        int[] probe = {0x7ACE_0001, 0x7ACE_0002};
        long offset = 8;
        while (U.getInt(probe, offset) != probe[0] || U.getInt(probe, offset + 4) != probe[1]) {
            offset += 4;
        }
        return offset;
    }
}
