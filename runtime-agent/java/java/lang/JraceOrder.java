package java.lang;

import static java.lang.JraceLayout.Grade.CERTAIN;
import static java.lang.JraceLayout.Grade.POSSIBLE;
import static java.lang.JraceLayout.Grade.UNLIKELY;
import static java.lang.JraceMemory.U;
import static java.lang.JraceMode.PRECISE;
import static java.lang.JraceMode.TASKS;

import java.lang.ref.WeakReference;
import jdk.internal.vm.annotation.DontInline;

/**
 * What a thread knows of the others: two vector clocks, one for happens-before and one for the order of hand-over, which is the same
 * without the edges of mutual exclusion. Only the thread itself uses it, once it runs. A task that it runs may have one of its own, with the
 * thread's times and other moments: happens-before goes by threads, hand-over by tasks.
 *
 * <p>A clock's own value is a time (happens-before) or a moment (hand-over): it grows after what others may learn of, and only if
 * something has happened since it grew last.
 */
final class JraceOrder {
    /**
     * So many times of a moment are told apart: that only locks order an access with one of another thread can be said of them, and else
     * of the first of those with its stamp. Each costs the thread a slow path at every location that it comes to.
     */
    private static final int TIMES = 64;

    /** So many more are told apart from where a thread hands something over under a lock. */
    private static final int HANDED = 4;

    private static final WeakReference<JraceTransitions> NONE = new WeakReference<>(null);

    final int thread;
    /** Whose moments these are: the thread's, or the task's that it runs. */
    final int slot;
    /** Whose times these are: the thread's. */
    final int timeSlot;
    /** Of the thread itself, if this is of a task that it runs; else null. */
    private final JraceOrder outer;
    /** What the thread knew when it was started. */
    private final long[][] born;
    /** What its tasks of pools knew in the end; null if there were none. */
    private JraceClock done;
    /** Whether it is of a request, or of a task or a thread of one. */
    final boolean isOfRequest;
    /**
     * By slot, what is known of requests by what was handed over within them: that orders two requests. How a server comes from one to the
     * next does not, nor that a client waits for an answer. Empty where tasks do not count.
     */
    private long[][] apart;
    /** What came before that which was found under locks: a race with it is unlikely. Never more than what was seen, which locks order, too. */
    private JraceFound found;
    /** Whether the request is in code of the program's own: libraries make sure that requests do not meet in theirs. */
    private boolean isAtOwn;
    private long time;
    private long moment;
    /** By slot, what is known of the others; may be shared with clocks that were published, and is then copied before it changes. */
    private long[][] seen;
    private long[][] known;
    private boolean seenIsShared = true;
    private boolean knownIsShared = true;
    /** Whether something has happened that the latest clock does not have. */
    private boolean isStale = true;
    private JraceClock latest;
    private boolean hasEnded;
    /** How many stamps were made in the moment. */
    private int made;
    /** How often so many were made that they served on, and then told apart again. */
    int era;

    /** Where a clock was published last, which one was there before, and which one is there since; null if there was none to change. */
    private Object published;
    private long publishedAt;
    private JraceClock before;
    private JraceClock since;

    /** The locks that the thread holds. */
    JraceHeld held = new JraceHeld();
    JraceInitializer initializer;
    /** The test that the thread works for; 0 if it is not known. */
    private int test;
    /** Whether a framework runs tests in the thread itself. */
    private boolean runsTests;

    private WeakReference<JraceTransitions> transitions = NONE;

    private JraceOrder(int thread, JraceSlots.Slot slot, long[][] seen, long[][] known, long[][] apart, JraceFound found, boolean isOfRequest) {
        this.thread = thread;
        this.slot = slot.number;
        this.timeSlot = slot.number;
        this.outer = null;
        this.isOfRequest = isOfRequest;
        this.born = known;
        this.time = slot.time + 1;
        this.moment = slot.moment + 1;
        this.seen = seen;
        this.known = known;
        this.apart = apart;
        this.found = found;
    }

    /** That of a task which a thread runs. Its times are the thread's. */
    private JraceOrder(JraceOrder outer, JraceSlots.Slot slot, long[][] known, long[][] apart, JraceFound found, boolean isOfRequest, JraceHeld held) {
        this.thread = outer.thread;
        this.slot = slot.number;
        this.timeSlot = outer.timeSlot;
        this.outer = outer;
        this.isOfRequest = isOfRequest;
        this.born = known;
        this.time = outer.time;
        this.moment = Math.max(slot.moment, outer.moment) + 1;
        this.seen = outer.seen;
        this.known = known;
        this.apart = apart;
        this.found = found;
        this.held = held;
        this.initializer = outer.initializer;
        this.test = outer.test;
        this.runsTests = outer.runsTests;
    }

    /** That of a thread of which nobody knows who started it. */
    static JraceOrder begin(int thread) {
        return new JraceOrder(thread, JraceSlots.take(null), JraceVector.NOTHING, JraceVector.NOTHING, JraceVector.NOTHING, JraceFound.NOTHING, false);
    }

    /** That of a thread that this one is about to start. */
    JraceOrder fork(int child) {
        JraceClock clock = clock();
        JraceSlots.Slot slot = JraceSlots.take(this);
        JraceOrder order = new JraceOrder(child, slot, clock.allSeen(), clock.allKnown(), clock.allApart(), clock.found, isOfRequest);
        order.test = test;
        return order;
    }

    /** The thread has ended: whoever knows of that may have its slot. The JVM goes on a little in its name, which is told to nobody. */
    void end() {
        if (done != null) {
            learn(done);
        }
        latest = lastClock();
        seenIsShared = true;
        knownIsShared = true;
        hasEnded = true;
        JraceSlots.free(new JraceSlots.Slot(slot, time, moment));
    }

    long time() {
        return time;
    }

    long moment() {
        return moment;
    }

    // ---- what is known --------------------------------------------------------------------------------------------

    /** Whether the thread knows of a moment by hand-over. */
    boolean knows(int slot, long moment) {
        return slot == this.slot || JraceVector.at(known, slot) >= moment;
    }

    /** Whether a time of a thread happens before what this one does. */
    boolean hasSeen(int slot, long time) {
        return slot == timeSlot || JraceVector.at(seen, slot) >= time;
    }

    /** Whether the thread knows of all these moments. */
    boolean knows(long[][] moments) {
        return JraceVector.isCovered(moments, known, slot);
    }

    boolean hasSeen(long[][] times) {
        return JraceVector.isCovered(times, seen, timeSlot);
    }

    /** Whether an access comes before what the thread does, by hand-over; what its tasks did comes before what it does by itself. */
    boolean isAfter(JraceStamp access) {
        return (isOfOtherRequest(access) ? JraceVector.at(apart, access.slot) >= access.moment : knows(access.slot, access.moment))
                || access.initializer != null && access.initializer.hasEnded
                || access.thread == thread && outer == null;
    }

    private boolean isOfOtherRequest(JraceStamp access) {
        return isAtOwn && access.isOfRequest && access.slot != slot;
    }

    /** How sure a race with an access is that does not come before by hand-over: one of {@link JraceLayout.Grade}. */
    int grade(JraceStamp access) {
        return mayHaveSeen(access) ? graded(access, access.isLasting ? access.first + 1 : access.first) : CERTAIN;
    }

    /** The same of one that is known to have been made at this time. */
    int grade(JraceStamp access, long time) {
        return hasSeen(access.timeSlot, time) ? graded(access, time) : CERTAIN;
    }

    private int graded(JraceStamp access, long time) {
        return found.has(access, time) && !isOfOtherRequest(access) ? UNLIKELY : POSSIBLE;
    }

    /** This, for an access at a site. */
    JraceOrder at(int site) {
        isAtOwn = isOfRequest && JraceSites.isOwn(site);
        return this;
    }

    boolean knowsApart(long[][] moments) {
        return JraceVector.isCovered(moments, apart, slot);
    }

    /** Whether an access with the stamp may happen before what the thread does. */
    boolean mayHaveSeen(JraceStamp access) {
        return hasSeen(access.timeSlot, access.first);
    }

    // ---- stamps ---------------------------------------------------------------------------------------------------

    /** The stamp of an access, from now on that of the thread. */
    JraceStamp stamp(Thread thread, boolean write) {
        if (held.writes == null || !isCurrent(held.writes)) {
            held.reads = new JraceStamp(this, false);
            held.writes = new JraceStamp(this, true);
            made++;
        }
        useStamps(thread);
        return write ? held.writes : held.reads;
    }

    private boolean isCurrent(JraceStamp stamp) {
        return stamp.slot == slot && stamp.moment == moment && stamp.initializer == initializer && stamp.test == test
                && (stamp.isLasting ? stamp.era == era : stamp.first == time);
    }

    private void useStamps(Thread thread) {
        isStale = true;
        JraceThread.stamps(thread, held.reads, held.writes);
    }

    /** The locks, the moment or the initializer have changed, or the thread goes on with this order. */
    void restamp(Thread thread) {
        if (held.writes != null && isCurrent(held.writes)) {
            useStamps(thread);
        } else {
            JraceThread.stamps(thread, null, null);
        }
    }

    /** Those that the thread has made since garbage was collected last. */
    JraceTransitions transitions() {
        JraceTransitions made = transitions.get();
        if (made == null) {
            made = new JraceTransitions();
            transitions = new WeakReference<>(made);
        }
        return made;
    }

    // ---- locks ----------------------------------------------------------------------------------------------------

    /** The thread has taken a lock; gives what it holds from when that is {@linkplain #acquired noted}. */
    JraceHeld acquiring(JraceShadow lock, Object object, boolean shared) {
        lock.tell(this, shared);
        return held.with(lock, object, shared);
    }

    void acquired(Thread thread, JraceHeld inner) {
        if (inner != held) {
            hold(thread, inner);
        }
    }

    /** The thread is about to give up the lock that it took last, and to hold these again. */
    void releasing(Thread thread, JraceHeld outer) {
        if (outer != held) {
            release(held.lock, held.shared);
            held = outer;
            restamp(thread);
        }
    }

    /** What the thread has done happens before what the next owner does. */
    void release(JraceShadow lock, boolean shared) {
        if (shared) {
            lock.leave(clock());
        } else {
            seenIsShared = true;
            lock.leave(timeSlot, time, seen);
        }
        time++;
    }

    /** The thread holds these locks from now on. */
    void hold(Thread thread, JraceHeld locks) {
        held = locks;
        restamp(thread);
    }

    /** Learns what the latest owner of a lock had done and seen. */
    void see(int slot, long time, long[][] seen) {
        if (!hasSeen(slot, time)) {
            mergeSeen(seen);
            seen(JraceVector.put(this.seen, slot, time, seenIsShared));
            isStale = true;
        }
    }

    void see(JraceClock clock) {
        if (!clock.isSeenBy(this)) {
            mergeSeen(clock.allSeen());
            isStale = true;
        }
    }

    // ---- hand-over ------------------------------------------------------------------------------------------------

    /** What the thread has done so far, for others. */
    JraceClock clock() {
        if (isStale && !hasEnded) {
            latest = present();
            seenIsShared = true;
            knownIsShared = true;
            time++;
            moment++;
            made = 0;
            isStale = false;
            JraceThread.stamps(Thread.currentThread(), null, null);
        }
        return latest;
    }

    /** The last clock of a thread that has ended, or of its present moment. */
    JraceClock lastClock() {
        return hasEnded ? latest : present();
    }

    private JraceClock present() {
        if (outer == null) {
            return new JraceClock(slot, time, moment, seen, known, apart, found, isOfRequest, test);
        }
        return JraceClock.of(
                JraceVector.put(seen, timeSlot, time, true), JraceVector.put(known, slot, moment, true),
                JraceVector.put(apart, slot, moment, true), found, isOfRequest, test);
    }

    /** Makes what the thread has done known through a clock in memory. */
    @DontInline
    void publish(Object base, long offset) {
        publish(base, offset, clock());
    }

    /** The same of what it does in the rest of the moment, too. */
    void publishMoment(Object base, long offset) {
        seenIsShared = true;
        knownIsShared = true;
        publish(base, offset, lastClock());
    }

    private void publish(Object base, long offset, JraceClock own) {
        while (true) {
            JraceClock old = (JraceClock) U.getReferenceAcquire(base, offset);
            JraceClock next = old == null || old.isKnownTo(this) ? own : old.join(own);
            if (old == own || U.compareAndSetReference(base, offset, old, next)) {
                published = old == own ? null : base;
                publishedAt = offset;
                before = old;
                since = next;
                return;
            }
        }
    }

    /** What was published last is as it was, if it was this and nobody else has published there since. */
    void retract(Object base, long offset) {
        if (published == base && publishedAt == offset) {
            U.compareAndSetReference(base, offset, since, before);
        }
        published = null;
    }

    @DontInline
    void observe(Object base, long offset, boolean countsApart) {
        JraceClock clock = (JraceClock) U.getReferenceAcquire(base, offset);
        if (clock != null && countsApart) {
            learn(clock);
        } else if (clock != null) {
            receive(clock);
        }
    }

    void learn(JraceClock clock) {
        if (!clock.isKnownTo(this)) {
            merge(clock, true);
        }
    }

    /** Learns what orders no requests. */
    void receive(JraceClock clock) {
        if (!clock.isKnownButFor(this)) {
            merge(clock, false);
        }
    }

    @DontInline
    private void merge(JraceClock clock, boolean countsApart) {
        mergeSeen(clock.allSeen());
        long[][] more = JraceVector.merge(known, clock.allKnown(), knownIsShared);
        knownIsShared &= more == known;
        known = more;
        if (TASKS && countsApart) {
            apart = JraceVector.merge(apart, clock.allApart(), true);
        }
        found = found.with(clock.found);
        isStale = true;
    }

    @DontInline
    private void mergeSeen(long[][] other) {
        seen(JraceVector.merge(seen, other, seenIsShared));
    }

    private void seen(long[][] more) {
        seenIsShared &= more == seen;
        seen = more;
    }

    // ---- what is found under locks --------------------------------------------------------------------------------

    /**
     * The thread reads, under a lock, a reference or a flag that another has left there under it: whatever the schedule, if it is found, that
     * one was done with what it did under the lock.
     */
    void findsLatest(JraceState state, JraceStamp access) {
        JraceStamp left = state.latestWrite();
        if (left != null) {
            find(left, access);
        }
    }

    /**
     * The same where several may have left something. Who takes an element out of a collection comes after those who have found it there, too, but not after
     * those who have taken others, or asked whether there are any.
     */
    void finds(JraceState state, JraceStamp access) {
        for (JraceStamp other : state.accesses()) {
            if (other.handed != null && (other.write || access.write)) {
                find(other.handed, access);
            }
        }
    }

    /**
     * The thread puts another reference in the place of one that it has just read under a lock: who has found that there before, under the lock, was
     * done with it.
     */
    void takes(JraceState state, JraceStamp access) {
        JraceStamp[] accesses = state.accesses();
        for (JraceStamp own : accesses) {
            if (own.thread == thread && !own.write && own.isOfTime(access)) {
                findReads(accesses, access);
            }
        }
    }

    private void findReads(JraceStamp[] accesses, JraceStamp access) {
        for (JraceStamp other : accesses) {
            if (!other.write) {
                find(other, access);
            }
        }
    }

    /** Who calls a wrapper that locks is about to take its lock, which orders nothing yet. */
    private void find(JraceStamp left, JraceStamp access) {
        boolean isOfTask = left.slot != left.timeSlot || outer != null || isOfRequest;
        // Nearly all are known by hand-over.
        if (isAfter(left) || isOfTask || left.isLasting || !mayHaveSeen(left) || found.has(left, left.first)) {
            return;
        }
        if (!JraceLockSet.areDisjoint(access.locks(), left.locks())) {
            found = found.with(left);
            held.finds(found);
        }
    }

    /**
     * The thread leaves something under a lock, or finds elements there: gives the stamp of the access, which is of this time only from now on. So of stamps
     * that had served on, those that began before the time of one that does not are not used any more.
     */
    JraceStamp handsOver(Thread thread, boolean write) {
        if (held.writes.isLasting) {
            made = TIMES - HANDED;
            era++;
            time++;
        }
        JraceStamp stamp = stamp(thread, write);
        stamp.handed = stamp;
        return stamp;
    }

    long[][] shareKnown() {
        knownIsShared = true;
        return known;
    }

    JraceFound found() {
        return found;
    }

    /** Whether a stamp that is made now serves on when locks are given up, as so many were made in the moment. */
    boolean isLastPrecise() {
        return !PRECISE && made + 1 >= TIMES;
    }

    // ---- tasks ----------------------------------------------------------------------------------------------------

    /**
     * The thread is about to run a task that was handed over with a clock. Another thread might have run it: so it knows what was done before
     * that, and what the thread did by itself. Null if so many run that there is no slot for one more.
     */
    JraceOrder begin(JraceClock work) {
        JraceSlots.Slot free = JraceSlots.takeForTask();
        if (free == null) {
            return null;
        }
        long[][] known = JraceVector.put(JraceVector.merge(born, work.allKnown(), true), slot, moment, true);
        return new JraceOrder(this, free, known, work.allApart(), work.found, work.isOfRequest, held);
    }

    /**
     * The same of a request: it knows what the thread does, and nothing of other requests, and holds no lock of the server, which has
     * one for each connection.
     */
    JraceOrder beginRequest() {
        JraceSlots.Slot free = JraceSlots.takeForTask();
        if (free == null) {
            return null;
        }
        knownIsShared = true;
        return new JraceOrder(this, free, JraceVector.put(known, slot, moment, true), JraceVector.NOTHING, found, true, new JraceHeld());
    }

    /**
     * The task has ended, after which the thread goes on. What a request knew in the end is known to what the thread does next, but for other
     * requests; what a task of a pool knew, to who waits for the thread.
     */
    void endTask(boolean isOfPool) {
        JraceClock last = lastClock();
        outer.time = time;
        outer.seen = seen;
        outer.seenIsShared = true;
        outer.moment = moment + 1;
        outer.made = 0;
        outer.isStale = true;
        outer.hasRun(last, !isOfPool || outer.outer != null);
        JraceSlots.freeOfTask(new JraceSlots.Slot(slot, 0, moment));
    }

    private void hasRun(JraceClock last, boolean goesOn) {
        if (goesOn) {
            receive(last);
        } else {
            done = done == null ? last : done.join(last);
        }
    }

    // ---- tests ----------------------------------------------------------------------------------------------------

    int test() {
        return test;
    }

    /** A framework has begun a test in the thread, or one has ended: what is left is what it was part of. */
    void runs(Thread thread, int test, boolean hasEnded) {
        runsTests = !hasEnded;
        worksFor(thread, test);
    }

    /** The thread has taken work that was handed over with a clock. */
    void takes(Thread thread, JraceClock work) {
        learn(work);
        if (!runsTests) {
            worksFor(thread, work.test);
        }
    }

    private void worksFor(Thread thread, int test) {
        if (this.test != test) {
            this.test = test;
            isStale = true;
            restamp(thread);
        }
    }

    /** The thread accesses a static field of a class, and so comes after its initializer; says whether that is news. */
    boolean uses(JraceShadow declaring, JraceState field) {
        for (JraceStamp access : field.accesses()) {
            JraceInitializer initializer = access.initializer;
            boolean isOfClass = initializer != null && initializer.of == declaring && declaring != null;
            if (isOfClass && initializer.hasEnded && !knows(access.slot, access.moment)) {
                learn(initializer.end);
                return true;
            }
        }
        return false;
    }

    // ---- class initializers ---------------------------------------------------------------------------------------

    void initializes(Thread thread, JraceShadow declaring) {
        initializer = new JraceInitializer(declaring, initializer);
        restamp(thread);
    }

    void hasInitialized(Thread thread) {
        if (initializer != null) {
            initializer.end = clock();
            initializer.hasEnded = true;
            initializer = initializer.outer;
            restamp(thread);
        }
    }
}
