package java.lang;

import static java.lang.JraceMode.PRECISE;

import jdk.internal.vm.annotation.ForceInline;

/**
 * What tells the accesses of a thread apart: all reads that it makes between two hand-overs under the same locks have one stamp, and so
 * have all writes. A stamp is also the state of a location of which one access says all.
 */
final class JraceStamp extends JraceState {
    /** Whose clock counts the moment, whose counts the time, and the number of the thread. */
    final int slot;
    final int timeSlot;
    final int thread;
    /** Its value in the order of hand-over. */
    final long moment;
    /** Its value in happens-before when the stamp was first used: the access was made then or later. */
    final long first;
    final boolean write;
    final JraceLockSet locks;
    /** The highest number of a lock that keeps other accesses away from this one. */
    final int highestLock;
    /** The class initializer that ran; null if none did. */
    final JraceInitializer initializer;
    /** Whether the thread handled a request, or worked for one. */
    final boolean isOfRequest;
    /** The test that the thread worked for. */
    final int test;
    /** What the thread knew of others by hand-over, and had found under locks; null of what it does without locks. */
    final long[][] known;
    JraceFound found;
    /**
     * The latest stamp of the thread with which it has left something in a variable, or of reads has found elements in it: this one, or one that it has
     * replaced. Which variable that was is not told apart. Null if it has not.
     */
    JraceStamp handed;
    /** Whether it may serve on when locks were given up: then nobody knows which of its accesses came before that. */
    final boolean isLasting;
    /** Until when it does ({@link JraceOrder#era}). */
    final int era;

    /** So many sites are kept of a stamp at most; a power of two. */
    private static final int SITES = 64;
    private static final int[] NO_SITES = {0};
    /** So many places are looked at for one: where sites of a few bits each have to be told apart, arrays are far from full. */
    private static final int PROBES = 4;

    /** Where its accesses were made, each site at the place that its last bits say, or soon after it: a power of two of them, 0 where there is none. */
    private int[] sites = NO_SITES;
    /** Whether other accesses have it, too, of which no site is kept. */
    private boolean hasOthers;

    /** The offset in a state at which this may be. */
    final int place;

    /** That of reads or writes from now on. */
    JraceStamp(JraceOrder order, boolean write) {
        this.slot = order.slot;
        this.timeSlot = order.timeSlot;
        this.thread = order.thread;
        this.moment = order.moment();
        this.first = order.time();
        this.write = write;
        this.locks = order.held.locks;
        this.highestLock = JraceLockSet.highest(locks());
        this.initializer = order.initializer;
        this.isOfRequest = order.isOfRequest;
        this.test = order.test();
        boolean mayHandOver = !PRECISE && locks().length > 0;
        this.known = mayHandOver ? order.shareKnown() : null;
        this.found = mayHandOver ? order.found() : null;
        this.isLasting = order.isLastPrecise();
        this.era = order.era;
        this.place = (int) place(slot);
        put(this);
    }

    /** The locks that keep other accesses away from this one. */
    JraceShadow[] locks() {
        return locks.protecting(write);
    }

    /** Whether one of the accesses writes, and no lock keeps them apart. */
    boolean conflicts(JraceStamp other) {
        return (write || other.write) && JraceLockSet.areDisjoint(locks(), other.locks());
    }

    /** Whether what races with the other access by its kind and locks races with this one. */
    boolean isBarer(JraceStamp other) {
        return (write || !other.write) && JraceLockSet.isSubset(locks(), other.locks());
    }

    /** Whether a later access by the same thread, before others can have learnt of this one, adds nothing: it races with no more, and leaves nothing. */
    boolean saysAllOf(JraceStamp later) {
        return isOfTime(later) && isBarer(later) && (!later.hasLeft() || hasLeft());
    }

    /** Whether all that races with the other access, which comes before this one, races with this one. */
    boolean replaces(JraceStamp other) {
        return (write || !other.write) && endsWith(other) && (locks == other.locks || isBarer(other));
    }

    /** Whether both are of one kind, under the same locks, of which there are some. */
    boolean isLike(JraceStamp other) {
        return write == other.write && locks().length > 0 && (locks == other.locks || JraceLockSet.isSame(locks(), other.locks()));
    }

    /** Whether both are of one kind and thread. */
    boolean isOfThread(JraceStamp other) {
        return thread == other.thread && write == other.write;
    }

    /** Whether it has no lock in common with any of the first of these accesses, but those of one more. */
    boolean isApart(JraceStamp[] others, int n, JraceStamp but) {
        for (int i = 0; i < n; i++) {
            if (JraceLockSet.meet(locks(), others[i].locks(), but.locks())) {
                return false;
            }
        }
        return true;
    }

    boolean isOfTime(JraceStamp other) {
        return slot == other.slot && moment == other.moment && first == other.first && initializer == other.initializer;
    }

    /** Whether this access does not come before others, by the end of a class initializer, that the other one does not come before. */
    boolean endsWith(JraceStamp other) {
        return initializer == null || initializer == other.initializer;
    }

    /** An access is about to have the stamp. */
    @ForceInline
    void at(int site) {
        int[] sites = this.sites;
        if (sites[site & sites.length - 1] != site) {
            keep(site);
        }
    }

    /** An access of which the site is not known has the stamp. */
    void atUnknown() {
        hasOthers = true;
    }

    /** The sites of all accesses that have the stamp, among zeros; null if not all are known. */
    int[] sites() {
        return hasOthers ? null : sites;
    }

    /** Whether the thread has left something by it, which others find. */
    boolean hasLeft() {
        return handed == this;
    }

    /** The stamp is about to come into the place of others in a state. */
    void inherit(JraceState state) {
        if (hasLeft()) {
            return;
        }
        if (state instanceof JraceStamp other) {
            inherit(other);
        } else {
            for (JraceStamp other : state.accesses()) {
                inherit(other);
            }
        }
    }

    private void inherit(JraceStamp other) {
        if (other.handed != null && other.isOfThread(this) && (handed == null || handed.first < other.handed.first)) {
            handed = other.handed;
        }
    }

    private void keep(int site) {
        // Of others, no site is asked for any more.
        if (hasOthers || sites != NO_SITES && isPut(sites, site)) {
            return;
        }
        int[] grown = grown(sites, site);
        if (grown == null) {
            hasOthers = true;
            return;
        }
        // Who races reads them.
        JraceMemory.U.storeFence();
        sites = grown;
    }

    /** These and one more; null if there is no room. */
    private static int[] grown(int[] sites, int site) {
        for (int n = 2 * sites.length; n <= SITES; n *= 2) {
            int[] grown = new int[n];
            if (areAllPut(grown, sites) && isPut(grown, site)) {
                return grown;
            }
        }
        return null;
    }

    private static boolean areAllPut(int[] grown, int[] sites) {
        for (int site : sites) {
            if (site != 0 && !isPut(grown, site)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isPut(int[] sites, int site) {
        for (int probe = 0; probe < PROBES; probe++) {
            int at = site + probe & sites.length - 1;
            if (sites[at] == 0 || sites[at] == site) {
                sites[at] = site;
                return true;
            }
        }
        return false;
    }

    @Override
    JraceStamp[] accesses() {
        return new JraceStamp[] {this};
    }

    @Override
    JraceStamp latestWrite() {
        return write ? this : null;
    }
}
