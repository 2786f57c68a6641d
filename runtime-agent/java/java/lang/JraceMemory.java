package java.lang;

import jdk.internal.misc.Unsafe;

/** Memory as the helper classes reach it. */
final class JraceMemory {
    private JraceMemory() {}

    static final Unsafe U = Unsafe.getUnsafe();

    /** Offset of the first element of an {@code int[]}; {@code Unsafe} tells it as an int on JDK 17 and as a long on 25. */
    static final long INTS = intsOffset();

    private static long intsOffset() {
        int[] probe = {0x7ACE_0001, 0x7ACE_0002};
        long offset = 8;
        while (U.getInt(probe, offset) != probe[0] || U.getInt(probe, offset + 4) != probe[1]) {
            offset += 4;
        }
        return offset;
    }
}
