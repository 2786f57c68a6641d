package java.lang;

import java.util.Arrays;

/**
 * Vectors of clock values by slot, in pieces that never change: where many threads are alive, most of what a thread learns is one value,
 * and all but one piece of its new vector is that of the old one. An array of pieces changes in place only while nobody else has it.
 */
final class JraceVector {
    private JraceVector() {}

    static final long[][] NOTHING = {};
    private static final int BITS = 4;
    private static final int PIECE = 1 << BITS;
    private static final long[] ZEROS = new long[PIECE];

    static long at(long[][] vector, int slot) {
        int high = slot >>> BITS;
        return high < vector.length ? vector[high][slot & PIECE - 1] : 0;
    }

    /** The vector with a value, if it is greater than the one it has. */
    static long[][] put(long[][] vector, int slot, long value, boolean isShared) {
        if (at(vector, slot) >= value) {
            return vector;
        }
        int high = slot >>> BITS;
        long[][] next = isShared || high >= vector.length ? grown(vector, high + 1) : vector;
        long[] piece = next[high].clone();
        piece[slot & PIECE - 1] = value;
        next[high] = piece;
        return next;
    }

    /** The greater values of two vectors; the first one if it has them all. */
    static long[][] merge(long[][] vector, long[][] other, boolean isShared) {
        long[][] next = vector;
        for (int i = 0; i < other.length; i++) {
            long[] own = i < vector.length ? vector[i] : ZEROS;
            long[] most = greatest(own, other[i]);
            if (most != own) {
                next = next != vector || !isShared && i < vector.length ? next : grown(vector, other.length);
                next[i] = most;
            }
        }
        return next;
    }

    private static long[] greatest(long[] a, long[] b) {
        if (a == b || isCovered(b, a)) {
            return a;
        }
        if (isCovered(a, b)) {
            return b;
        }
        long[] most = a.clone();
        for (int i = 0; i < PIECE; i++) {
            most[i] = Math.max(most[i], b[i]);
        }
        return most;
    }

    private static boolean isCovered(long[] piece, long[] by) {
        for (int i = 0; i < PIECE; i++) {
            if (piece[i] > by[i]) {
                return false;
            }
        }
        return true;
    }

    private static long[][] grown(long[][] vector, int length) {
        long[][] next = Arrays.copyOf(vector, Math.max(vector.length, length));
        Arrays.fill(next, vector.length, next.length, ZEROS);
        return next;
    }

    /** Whether each value of the first one is that of the other at most, or is at the slot of who asks. */
    static boolean isCovered(long[][] vector, long[][] by, int except) {
        for (int i = 0; i < vector.length; i++) {
            long[] piece = vector[i];
            long[] own = i < by.length ? by[i] : ZEROS;
            for (int j = 0; piece != own && j < PIECE; j++) {
                if (piece[j] > own[j] && (i << BITS | j) != except) {
                    return false;
                }
            }
        }
        return true;
    }
}
