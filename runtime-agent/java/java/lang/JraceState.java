package java.lang;

/** What is known of the accesses to a location. Most states are immutable, so that locations share them. */
abstract class JraceState {
    static final JraceStamp[] NONE = {};
    private static final int[] LAST_HASH = {0};

    /** The stamp of the latest access if it was a read, else that of reads at the same moment: who has it may read. */
    JraceStamp reads;
    /** Tells states apart, well enough to remember transitions. Threads may lose each other's steps. */
    final int hash = LAST_HASH[0] += 0x9E3779B9;

    /** The accesses that can race with one to come. */
    abstract JraceStamp[] accesses();
}
