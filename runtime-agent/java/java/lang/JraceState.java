package java.lang;

import static java.lang.JraceMemory.U;

import jdk.internal.vm.annotation.ForceInline;

/** What is known of the accesses to a location. Most states are immutable, so that locations share them. */
abstract class JraceState {
    static final JraceStamp[] NONE = {};
    private static final int[] LAST_HASH = {0};

    /**
     * The latest access of each thread, at its slot modulo the number of these: by the same stamp it may access the location again. They
     * are fields, not elements, since most checks that pass look here.
     */
    private JraceStamp latest0;
    private JraceStamp latest1;
    private JraceStamp latest2;
    private JraceStamp latest3;
    private JraceStamp latest4;
    private JraceStamp latest5;
    private JraceStamp latest6;
    private JraceStamp latest7;

    private static final long[] LATEST = {
        U.objectFieldOffset(JraceState.class, "latest0"),
        U.objectFieldOffset(JraceState.class, "latest1"),
        U.objectFieldOffset(JraceState.class, "latest2"),
        U.objectFieldOffset(JraceState.class, "latest3"),
        U.objectFieldOffset(JraceState.class, "latest4"),
        U.objectFieldOffset(JraceState.class, "latest5"),
        U.objectFieldOffset(JraceState.class, "latest6"),
        U.objectFieldOffset(JraceState.class, "latest7"),
    };

    /** Tells states apart, well enough to remember transitions. Threads may lose each other's steps. */
    final int hash = LAST_HASH[0] += 0x9E3779B9;

    JraceState() {}

    /** One with the same latest accesses. */
    JraceState(JraceState other) {
        latest0 = other.latest0;
        latest1 = other.latest1;
        latest2 = other.latest2;
        latest3 = other.latest3;
        latest4 = other.latest4;
        latest5 = other.latest5;
        latest6 = other.latest6;
        latest7 = other.latest7;
    }

    /** Where a state has the latest access of who has a slot, if no other slot shares the place. */
    static long place(int slot) {
        return LATEST[slot & LATEST.length - 1];
    }

    /** Takes note of an access, of which the state is made. */
    final void put(JraceStamp access) {
        U.putReference(this, access.place, access);
    }

    /** Every thread has to look again. */
    final void forget() {
        for (long place : LATEST) {
            U.putReference(this, place, null);
        }
    }

    /** What stands at the place of who makes an access; null if nothing does. */
    final JraceStamp latest(JraceStamp access) {
        return (JraceStamp) U.getReference(this, access.place);
    }

    /** Whether the thread's latest access was by one of these stamps; false also where that is not known at once. */
    @ForceInline
    static boolean has(Object state, JraceStamp reads, JraceStamp writes) {
        Object latest = U.getReference(state, reads.place);
        return latest == reads || latest == writes;
    }

    @ForceInline
    static boolean has(Object state, JraceStamp writes) {
        return U.getReference(state, writes.place) == writes;
    }

    /** The accesses that can race with one to come. */
    abstract JraceStamp[] accesses();

    /** The last of them that writes; null if none does. */
    JraceStamp latestWrite() {
        JraceStamp[] accesses = accesses();
        for (int at = accesses.length - 1; at >= 0; at--) {
            if (accesses[at].write) {
                return accesses[at];
            }
        }
        return null;
    }
}
