package java.lang;

import static java.lang.JraceLayout.Word.SHARED_MODIFIED;

import java.lang.JraceLayout.Grade;

/** An access that the agent is told of. */
final class JraceAccessed {
    final JraceStamp stamp;
    final int site;
    final Object object;
    private final int offset;

    JraceAccessed(JraceStamp stamp, int site, Object object, long offset) {
        this.stamp = stamp;
        this.site = site;
        this.object = object;
        this.offset = (int) offset;
    }

    /** It is worth remembering as the earlier access of a race to come. */
    void touched() {
        JraceAgent.touched(stamp.thread, site, key(), offset, locks(stamp, false), locks(stamp, true), stamp.write, stamp.moment);
    }

    /** It races with another; says whether further accesses are wanted. */
    boolean race(JraceStamp other, int grade) {
        name(stamp);
        name(other);
        return JraceAgent.unordered(
                stamp.thread, site, key(), offset, object, locks(stamp, false), locks(stamp, true), stamp.write,
                other.thread, other.moment, locks(other, false), locks(other, true), other.write, other.sites(), grade,
                stamp.test, other.test);
    }

    /** By grade, those of the kept accesses that it races with, as bits; it is kept in a place itself. */
    void pair(long[] races, int place, boolean last) {
        name(stamp);
        JraceAgent.pair(
                stamp.thread, site, key(), offset, locks(stamp, false), locks(stamp, true), stamp.write,
                races[Grade.CERTAIN], races[Grade.POSSIBLE], races[Grade.UNLIKELY], place, last, stamp.test);
    }

    /** Tells objects apart in the history of accesses, well enough for evidence; 0 for static fields. */
    private int key() {
        return object == null ? 0 : System.identityHashCode(object);
    }

    /** Finds out what the locks of an access are called. */
    private void name(JraceStamp stamp) {
        for (JraceShadow lock : stamp.locks.protecting(false)) {
            Object held = lock.object();
            if (held != null) {
                JraceLocks.name(lock, held, object);
            }
        }
    }

    /** The thread word for a lock set. Those that have died meanwhile are left out. */
    private static int locks(JraceStamp stamp, boolean exclusive) {
        int word = SHARED_MODIFIED;
        for (JraceShadow lock : stamp.locks.protecting(exclusive)) {
            Object held = lock.object();
            word = held == null ? word : JraceLocks.asked(word, lock, held);
        }
        return word;
    }
}
