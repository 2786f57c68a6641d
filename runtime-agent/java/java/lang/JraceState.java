package java.lang;

import jdk.internal.vm.annotation.ForceInline;

/** What is known of the accesses to a location. Most states are immutable, so that locations share them. */
abstract class JraceState {
    static final JraceStamp[] NONE = {};
    private static final int[] LAST_HASH = {0};

    /** At its slot, modulo the length, the latest access of a thread: by the same stamp it may access the location again. */
    final JraceStamp[] latest;
    /** Tells states apart, well enough to remember transitions. Threads may lose each other's steps. */
    final int hash = LAST_HASH[0] += 0x9E3779B9;

    JraceState(JraceStamp[] latest) {
        this.latest = latest;
    }

    /** Whether another access by a stamp changes nothing; false also where that is not known at once. */
    @ForceInline
    final boolean has(JraceStamp stamp) {
        return latest[stamp.slot & latest.length - 1] == stamp;
    }

    /** The accesses that can race with one to come. */
    abstract JraceStamp[] accesses();
}
