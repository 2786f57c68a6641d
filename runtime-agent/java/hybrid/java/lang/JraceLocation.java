package java.lang;

import static java.lang.JraceMemory.U;
import static java.lang.JraceMode.PRECISE;
import static java.lang.JraceMode.TASKS;
import static java.lang.JraceMode.TELLING;
import static java.lang.JraceSites.passes;

import java.lang.JraceLayout.Grade;
import java.lang.reflect.Array;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * What is known of a location, and what an access does to it, by order and locks ({@code checkers::order::hybrid}): a {@link JraceState}. Two
 * accesses race if one of them writes, no hand-over orders them, and no lock protects both.
 */
final class JraceLocation {
    private JraceLocation() {}

    /** The state of a location whose race has all its evidence. */
    private static final JraceState REPORTED = new JraceOpen();

    // ---- where states are -----------------------------------------------------------------------------------------

    /** Where that of an array is, in its entry. */
    static final long ARRAY = U.objectFieldOffset(JraceShadow.class, "state");

    private static final long ORDER = U.objectFieldOffset(JraceShadow.class, "order");
    private static final long DIRECT = U.objectFieldOffset(JraceShadow.class, "direct");
    private static final long INDIRECT = U.objectFieldOffset(JraceShadow.class, "indirect");

    /** Where the state at an index is, in what {@link #newStates} makes. */
    @ForceInline
    static long offset(int index) {
        return JraceMemory.REFERENCES + ((long) index << JraceMemory.REFERENCE_SHIFT);
    }

    static Object newStates(int n) {
        return new Object[n];
    }

    /** The states of the elements of an array. */
    static Object elements(JraceShadow shadow, Object array) {
        return shadow.states(array);
    }

    // ---- what passes ----------------------------------------------------------------------------------------------

    /**
     * Whether a read leaves the state as it is: the latest access of the thread was by its present stamps. The state is read plainly, as
     * by Eraser: compiled code may check a location once for a synchronization-free region.
     */
    @ForceInline
    static boolean mayRead(Object base, long offset, int site) {
        Thread thread = Thread.currentThread();
        Object state = U.getReference(base, offset);
        return passes(isOwn(state, thread), site) || state != null && hasRead(state, thread);
    }

    @ForceInline
    static boolean mayWrite(Object base, long offset, int site) {
        Thread thread = Thread.currentThread();
        Object state = U.getReference(base, offset);
        return passes(state != null && state == JraceThread.writes(thread), site)
                || state != null && hasWritten(state, thread);
    }

    /** The same without a profile. */
    @ForceInline
    static boolean passesRead(Object base, long offset) {
        Thread thread = Thread.currentThread();
        Object state = U.getReference(base, offset);
        return isOwn(state, thread) || state != null && hasRead(state, thread);
    }

    @ForceInline
    static boolean passesWrite(Object base, long offset) {
        Thread thread = Thread.currentThread();
        Object state = U.getReference(base, offset);
        return state != null && (state == JraceThread.writes(thread) || hasWritten(state, thread));
    }

    /** Whether nobody else has accessed the location since. A thread without stamps has null in their place, as an untouched location. */
    @ForceInline
    private static boolean isOwn(Object state, Thread thread) {
        return state != null && (state == JraceThread.writes(thread) || state == JraceThread.reads(thread));
    }

    /** Whether the latest access was a write of the thread by its present stamp. */
    @ForceInline
    static boolean isLatestWrite(Object base, long offset) {
        Object state = U.getReference(base, offset);
        return state != null && state == JraceThread.writes(Thread.currentThread());
    }

    @ForceInline
    private static boolean hasRead(Object state, Thread thread) {
        JraceStamp reads = JraceThread.reads(thread);
        return reads != null && JraceState.has(state, reads, JraceThread.writes(thread)) || state == REPORTED;
    }

    @ForceInline
    private static boolean hasWritten(Object state, Thread thread) {
        JraceStamp writes = JraceThread.writes(thread);
        return writes != null && JraceState.has(state, writes) || state == REPORTED;
    }

    @ForceInline
    static boolean isReported(Object base, long offset) {
        return U.getReference(base, offset) == REPORTED;
    }

    /** Whether another thread may have accessed the location. */
    @ForceInline
    static boolean isForeign(Object base, long offset, Thread thread) {
        Object state = U.getReference(base, offset);
        return state != null && !isOwn(state, thread) && !isOfThread(state, thread);
    }

    private static boolean isOfThread(Object state, Thread thread) {
        return state instanceof JraceStamp && ((JraceStamp) state).thread == JraceThread.context(thread).id;
    }

    /** Takes note of a write by the only thread that knows the object; false if that takes more than a store. */
    @ForceInline
    static boolean initialize(Thread thread, Object object, long offset, int site) {
        JraceStamp writes = JraceThread.writes(thread);
        if (writes == null) {
            return false;
        }
        writes.at(site);
        U.putReference(object, offset, writes);
        return true;
    }

    /** What is kept of a clone, a copy of that of its original: the thread has just written it. A volatile field has a clock. */
    static void renew(Thread thread, Object clone, long offset) {
        Object state = U.getReference(clone, offset);
        if (state != null) {
            JraceStamp stamp = JraceContext.of(thread).order.stamp(thread, true);
            stamp.atUnknown();
            U.putReference(clone, offset, state instanceof JraceState ? stamp : null);
        }
    }

    // ---- arrays ---------------------------------------------------------------------------------------------------

    /** The state of an array of which each element has its own: threads that share no element share nothing. */
    private static final JraceState FINE = new JraceOpen();

    /** So many elements are few. */
    private static final int SMALL = 256;

    /** Whether there is such an array. */
    private static boolean isAnyFine;

    private static final long ELEMENT = U.objectFieldOffset(JraceShadow.class, "element");

    /** Whether each access was to this element, if to others as well, or several were accessed, as by who comes for no certain one. */
    @ForceInline
    static boolean isAt(JraceShadow shadow, int index) {
        int element = shadow.element;
        return element == JraceShadow.MANY || element == reached(index) || index == JraceChecks.ALL && element != 0;
    }

    /** What the entry of an array says when its first access was to an element, to {@linkplain JraceChecks#ANY several} or to each. */
    @ForceInline
    private static int reached(int index) {
        return index >= 0 ? index + 1 : index;
    }

    /** Takes note of an access to an element, before it comes to the state. */
    private static void reach(JraceShadow shadow, Object array, int index) {
        if (isAt(shadow, index)) {
            return;
        }
        boolean isFirst = U.compareAndSetInt(shadow, ELEMENT, 0, reached(index))
                || index >= 0 && U.compareAndSetInt(shadow, ELEMENT, JraceChecks.ALL, reached(index));
        if (!isFirst && !isAt(shadow, index)) {
            reachAnother(shadow, array, index);
        }
    }

    @DontInline
    private static void reachAnother(JraceShadow shadow, Object array, int index) {
        // Of two that come at once, the second one must not take it that nothing is known of the first element.
        synchronized (shadow) {
            int before = U.getIntAcquire(shadow, ELEMENT);
            if (index >= 0 && before > 0) {
                part(shadow, array, before - 1);
            }
            shadow.element = JraceShadow.MANY;
        }
    }

    /**
     * If this is a second thread, which comes to a second element, what is known of the array is known of the first. That other threads may go on
     * with meanwhile, until they see that each element has its own.
     */
    private static void part(JraceShadow shadow, Object array, int element) {
        int thread = JraceContext.of(Thread.currentThread()).id;
        JraceState known = null;
        while (true) {
            JraceState state = (JraceState) U.getReferenceAcquire(shadow, ARRAY);
            boolean isOfSecond = state == null || isOfOthers(state, thread);
            if (!isOfSecond || !U.compareAndSetReference(elements(shadow, array), offset(element), known, state)) {
                return;
            }
            isAnyFine = true;
            if (U.compareAndSetReference(shadow, ARRAY, state, FINE)) {
                JraceAgent.parted(System.identityHashCode(array), (int) ARRAY, (int) offset(element));
                return;
            }
            known = state;
        }
    }

    /** Whether the elements of an array have states of their own. */
    @ForceInline
    static boolean isFine(JraceShadow shadow) {
        return isAnyFine && shadow.state == FINE;
    }

    @ForceInline
    static boolean mayBeFine() {
        return isAnyFine;
    }

    /**
     * Takes an access to an array through its state: as long as nothing races, one for all elements. With the first race each element
     * gets its own, since threads often share an array and no element. Of accesses before that, nobody knows to which element they were,
     * unless there was only one, or all were to each: so a race whose elements are accessed once each is missed, or only
     * {@linkplain #isBare possible}. In small arrays elements have their own as soon as a second thread writes.
     */
    @DontInline
    static void checkArray(JraceShadow shadow, Object array, int index, int site, boolean write, boolean isNew) {
        reach(shadow, array, index);
        if (!isFine(shadow)) {
            Thread thread = Thread.currentThread();
            JraceOrder order = JraceContext.of(thread).order.at(site);
            JraceStamp stamp = stamp(order, thread, site, write);
            boolean isSmall = index >= 0 && Array.getLength(array) <= SMALL;
            boolean isWhole = index == JraceChecks.ALL;
            if (isCoarse(shadow, new JraceAccessed(stamp, site, array, ARRAY), order, isNew, isSmall, isWhole)) {
                return;
            }
        }
        if (index >= 0 && index < Array.getLength(array)) {
            checkElement(elements(shadow, array), offset(index), array, site, write, isNew);
        }
    }

    private static void checkElement(Object states, long offset, Object array, int site, boolean write, boolean isNew) {
        if (isNew || !(write ? passesWrite(states, offset) : passesRead(states, offset))) {
            check(states, offset, array, site, write, isNew);
        }
    }

    /**
     * Takes the one state of an array through an access; false if there is none any more.
     *
     * @param isSmall whether elements are to have their own states as soon as two threads access the array and one writes
     * @param isWhole whether the access is to each element: so it is to those that were accessed before
     */
    private static boolean isCoarse(
            JraceShadow shadow, JraceAccessed access, JraceOrder order, boolean isNew, boolean isSmall, boolean isWhole) {
        while (true) {
            JraceState state = (JraceState) U.getReferenceAcquire(shadow, ARRAY);
            if (state == FINE) {
                return false;
            }
            JraceState next = state instanceof JraceOpen ? null : next(state, access.stamp, order, access.site, access.object);
            boolean isDoubtful = false;
            if (next == null) {
                // Who comes for another element has said so before.
                if (isWhole || U.getIntAcquire(shadow, ELEMENT) != JraceShadow.MANY || state == REPORTED) {
                    if (races(shadow, ARRAY, state, access, order)) {
                        return true;
                    }
                    continue;
                }
                isAnyFine = true;
                next = FINE;
                isDoubtful = isBare(state, access.stamp, order);
            }
            if (next == state) {
                return true;
            }
            if (isSmall && access.stamp.write && state != null && isOfOthers(state, access.stamp.thread)) {
                isAnyFine = true;
                next = FINE;
            }
            access.stamp.at(access.site);
            if (U.compareAndSetReference(shadow, ARRAY, state, next)) {
                if (isDoubtful) {
                    mayRace(state, access, order);
                }
                if (isNew && next != FINE) {
                    access.touched();
                }
                return next != FINE;
            }
        }
    }

    private static boolean isOfOthers(JraceState state, int thread) {
        for (JraceStamp other : state.accesses()) {
            if (other.thread != thread) {
                return true;
            }
        }
        return false;
    }

    /** Whether an array is accessed under a lock, and now without any: so threads may well share elements. */
    private static boolean isBare(JraceState state, JraceStamp access, JraceOrder order) {
        if (PRECISE || state instanceof JraceOpen) {
            return false;
        }
        JraceStamp other = JraceHistory.race(state, access, order);
        return other != null && other.locks().length == 0 != (access.locks().length == 0);
    }

    /** Shows a race of which it is not known that both accesses are to the same element. */
    @DontInline
    private static void mayRace(JraceState state, JraceAccessed access, JraceOrder order) {
        JraceStamp other = JraceHistory.race(state, access.stamp, order);
        if (other != null && access.race(other, Math.max(Grade.POSSIBLE, order.grade(other)))) {
            access.pair(new long[Grade.NUMBER], -1, true);
        }
    }

    /**
     * Shows what may race with a write to an element of a list: others came to elements of which nobody knows which.
     *
     * @param likely whether they may well have come to this one; if not, only where it looks as if a lock was forgotten
     */
    @DontInline
    static void mayRaceAtIndex(Object list, long offset, int site, boolean likely) {
        Thread thread = Thread.currentThread();
        JraceOrder order = JraceContext.of(thread).order.at(site);
        JraceStamp stamp = stamp(order, thread, site, true);
        JraceState state = (JraceState) U.getReferenceAcquire(list, offset);
        if (state != null && !PRECISE && !(state instanceof JraceOpen) && (likely || isBare(state, stamp, order))) {
            mayRace(state, new JraceAccessed(stamp, site, list, offset), order);
        }
    }

    // ---- what does not --------------------------------------------------------------------------------------------

    /**
     * Takes the state at {@code base + offset} through an access.
     *
     * @param object the accessed object or array; null for a static field
     * @param isNew whether the access is worth remembering if it changes the state
     */
    @DontInline
    static void check(Object base, long offset, Object object, int site, boolean write, boolean isNew) {
        Thread thread = Thread.currentThread();
        JraceOrder order = JraceContext.of(thread).order.at(site);
        JraceStamp stamp = stamp(order, thread, site, write);
        while (true) {
            JraceState state = (JraceState) U.getReferenceAcquire(base, offset);
            JraceState next = state instanceof JraceOpen ? null : next(state, stamp, order, site, object);
            if (next == state) {
                return;
            }
            if (next == null) {
                if (races(base, offset, state, new JraceAccessed(stamp, site, object, offset), order)) {
                    return;
                }
                continue;
            }
            stamp.at(site);
            if (U.compareAndSetReference(base, offset, state, next)) {
                if (isNew) {
                    new JraceAccessed(stamp, site, object, offset).touched();
                }
                return;
            }
        }
    }

    private static JraceStamp stamp(JraceOrder order, Thread thread, int site, boolean write) {
        JraceStamp stamp = order.stamp(thread, write);
        return isHandedOver(stamp, site) ? order.handsOver(thread, write) : stamp;
    }

    /** The state after an access; null if it completes a race. */
    private static JraceState next(JraceState state, JraceStamp stamp, JraceOrder order, int site, Object object) {
        if (state == null) {
            return stamp;
        }
        if (isOwn(state, stamp)) {
            stamp.inherit(state);
            return stamp;
        }
        return nextOf(state, stamp, order, site, object);
    }

    /** Whether the only access that counts was one of the same thread before, of which the new one says all. */
    private static boolean isOwn(JraceState state, JraceStamp stamp) {
        return state instanceof JraceStamp before && before.thread == stamp.thread && before.slot == stamp.slot && stamp.replaces(before) && !before.isOfTime(stamp);
    }

    @DontInline
    private static JraceState nextOf(JraceState state, JraceStamp stamp, JraceOrder order, int site, Object object) {
        if (object == null) {
            uses(state, order, site);
        }
        boolean mayFind = mayFind(stamp, object);
        if (mayFind) {
            find(state, stamp, order, JraceSites.handing(site));
        }
        JraceTransitions transitions = order.transitions();
        JraceState next = transitions.get(state, stamp);
        if (next == null) {
            if (mayFind) {
                stamp.inherit(state);
            }
            next = JraceHistory.next(state, stamp, order);
            if (next != null) {
                transitions.put(state, stamp, next);
                if (isOfAnother(state, stamp.thread)) {
                    JraceAgent.shared(site, object);
                }
            }
        }
        return next;
    }

    static boolean isHandedOver(int site, boolean write) {
        Thread thread = Thread.currentThread();
        JraceStamp stamp = write ? JraceThread.writes(thread) : JraceThread.reads(thread);
        return stamp != null && isHandedOver(stamp, site);
    }

    /**
     * Whether another thread may find what this one leaves at a site under a lock, or take what it finds there, and that is not known of its stamp, or it has one
     * that serves on, so that nobody knew when it was.
     */
    private static boolean isHandedOver(JraceStamp stamp, int site) {
        return !PRECISE && stamp.locks().length > 0 && (stamp.isLasting || stamp.handed != stamp)
                && (JraceSites.handing(site) & (stamp.write ? JraceSites.LEAVES : JraceSites.FINDS_ELEMENTS)) != 0;
    }

    /**
     * What one thread leaves under a lock, another finds under it. That goes by the site, too: a state that the thread has come to so before may have been
     * that of a variable which hands nothing over.
     */
    private static void find(JraceState state, JraceStamp stamp, JraceOrder order, int handing) {
        if ((handing & JraceSites.FINDS_LATEST) != 0) {
            order.findsLatest(state, stamp);
        }
        if ((handing & JraceSites.FINDS_ALL) != 0) {
            order.finds(state, stamp);
        }
        if ((handing & JraceSites.TAKES) != 0) {
            order.takes(state, stamp);
        }
    }

    private static boolean mayFind(JraceStamp stamp, Object object) {
        return !PRECISE && stamp.locks().length > 0 && !isOfNumbers(object);
    }

    /** Of calls that go over an array, the type of its elements is not known at the site. */
    private static boolean isOfNumbers(Object object) {
        Class<?> element = object == null ? null : object.getClass().getComponentType();
        return element != null && element.isPrimitive();
    }

    /** Whether one thread has made all accesses that count, and not this one. */
    private static boolean isOfAnother(JraceState state, int thread) {
        if (state instanceof JraceStamp before) {
            return before.thread != thread;
        }
        JraceStamp[] accesses = state.accesses();
        for (JraceStamp access : accesses) {
            if (access.thread == thread || access.thread != accesses[0].thread) {
                return false;
            }
        }
        return true;
    }

    /** The thread accesses a static field. */
    private static void uses(JraceState state, JraceOrder order, int site) {
        JraceShadow declaring = JraceSites.declaring(site);
        if (order.uses(declaring, state) && TELLING) {
            JraceRecorder.observe(declaring.object());
        }
    }

    /** Shows a race that an access completes, or another that it has; false if another access came first. */
    @DontInline
    private static boolean races(Object base, long offset, JraceState state, JraceAccessed access, JraceOrder order) {
        if (state instanceof JraceOpen open) {
            witness(base, offset, open, access, order);
            return true;
        }
        JraceStamp other = JraceHistory.race(state, access.stamp, order);
        JraceOpen open = new JraceOpen();
        synchronized (open) {
            if (!U.compareAndSetReference(base, offset, state, open)) {
                return false;
            }
            if (!PRECISE) {
                open.follows(state);
                open.notes(access.stamp, order);
            }
            if (!open.begin(access, other, order)) {
                close(base, offset, open);
            }
        }
        return true;
    }

    /** All evidence is there. A location where threads hand something over goes on. */
    private static void close(Object base, long offset, JraceOpen open) {
        if (!open.hasLeft()) {
            U.putReferenceRelease(base, offset, REPORTED);
        }
    }

    @DontInline
    private static void witness(Object base, long offset, JraceOpen open, JraceAccessed access, JraceOrder order) {
        if (open == REPORTED) {
            return;
        }
        synchronized (open) {
            if (U.getReferenceAcquire(base, offset) != open) {
                return;
            }
            goOn(open, access, order);
            if (!open.add(access, order)) {
                close(base, offset, open);
            }
        }
    }

    /** Threads find what others have left, and come after a class initializer, as if there were no race. */
    private static void goOn(JraceOpen open, JraceAccessed access, JraceOrder order) {
        JraceState state = open.history();
        if (state == null) {
            return;
        }
        if (access.object == null) {
            uses(state, order, access.site);
        }
        if (mayFind(access.stamp, access.object)) {
            find(state, access.stamp, order, JraceSites.handing(access.site));
            access.stamp.inherit(state);
        }
        open.notes(access.stamp, order);
    }

    /** An access to a volatile static field, whose clock is there: after a read, and before a write; with its class, if that is known. */
    static void synchronizeStatic(Object base, long offset, Object declaring, boolean write) {
        JraceOrder order = JraceContext.of(Thread.currentThread()).order;
        if (write) {
            order.publish(base, offset);
        } else {
            order.observe(base, offset, countsApart(declaring));
        }
    }

    /**
     * The same of a field of an object. If it may be accessed by what stands for it, which tells of the object and not of the field, accesses to the
     * field tell that, and learn of it.
     */
    static void synchronize(Object object, long offset, int site, boolean write) {
        JraceOrder order = JraceContext.of(Thread.currentThread()).order;
        boolean hasHandles = JraceSites.hasHandles(object, site);
        if (write) {
            order.publish(object, offset);
            if (hasHandles) {
                publish(object, DIRECT);
            }
        } else {
            boolean countsApart = countsApart(object.getClass());
            order.observe(object, offset, countsApart);
            JraceShadow shadow = hasHandles ? JraceShadow.known(object) : null;
            if (shadow != null) {
                order.observe(shadow, INDIRECT, countsApart);
            }
        }
    }

    private static boolean countsApart(Object declaring) {
        return !TASKS || declaring == null || !JraceShadow.of(declaring).isOfLibrary(declaring);
    }

    /** Makes what the thread has done known to who will meet the object. */
    static void publish(Object object) {
        publish(object, ORDER);
    }

    /**
     * The same to who will read a volatile field of it: one is about to be written, but not as such. If nobody has seen that a handle was made, what was
     * written before is not seen by the first read with it.
     */
    static void publishIndirectly(Object object) {
        JraceShadow shadow = JraceShadow.of(object);
        if (shadow.indirect == null && !shadow.isInternal(object)) {
            JraceSites.handlesOf(object.getClass());
        }
        publish(shadow, object, INDIRECT);
    }

    private static void publish(Object object, long clock) {
        publish(JraceShadow.of(object), object, clock);
    }

    @DontInline
    private static void publish(JraceShadow shadow, Object object, long clock) {
        JraceOrder order = JraceContext.of(Thread.currentThread()).order;
        if (!shadow.isInternal(object)) {
            order.publish(shadow, clock);
            if (TASKS) {
                shadow.isOfLibrary(object);
            }
        }
    }

    /** What the thread has made known last, if that was through this object, is known to nobody who meets the object from now on. */
    static void retract(Object object) {
        retract(object, ORDER);
    }

    static void retractIndirectly(Object object) {
        retract(object, INDIRECT);
    }

    private static void retract(Object object, long clock) {
        JraceShadow shadow = JraceShadow.known(object);
        JraceContext context = JraceThread.context(Thread.currentThread());
        if (shadow != null && context != null) {
            context.order.retract(shadow, clock);
        }
    }

    static void constructing() {
        JraceContext.of(Thread.currentThread()).order.clock();
    }

    /** Constructors of subclasses go on: what they do is known, too, as it is of the same moment. */
    static void constructed(Object object) {
        JraceContext.of(Thread.currentThread()).order.publishMoment(JraceShadow.of(object), ORDER);
    }

    @DontInline
    static void observe(Object object) {
        JraceOrder order = JraceContext.of(Thread.currentThread()).order;
        JraceShadow shadow = JraceShadow.known(object);
        if (shadow != null) {
            boolean countsApart = !TASKS || !shadow.isOfLibrary(object);
            order.observe(shadow, ORDER, countsApart);
            if (shadow.direct != null) {
                order.observe(shadow, DIRECT, countsApart);
            }
            if (shadow.indirect != null) {
                order.observe(shadow, INDIRECT, countsApart);
            }
        }
    }

    /** The same of what was sent, which orders no requests. */
    @DontInline
    static void receive(Object sent) {
        JraceClock clock = clock(sent);
        if (clock != null) {
            JraceContext.of(Thread.currentThread()).order.receive(clock);
        }
    }

    @DontInline
    static void take(Object object) {
        Thread thread = Thread.currentThread();
        JraceClock clock = clock(object);
        if (clock != null) {
            JraceContext.of(thread).order.takes(thread, clock);
        }
    }

    /** What was done before an object was made known; null if it was not. */
    static JraceClock clock(Object object) {
        JraceShadow shadow = JraceShadow.known(object);
        return shadow == null ? null : (JraceClock) U.getReferenceAcquire(shadow, ORDER);
    }

    /** Holds an access without the monitor of its object to the owner, which is the object. */
    static void conform(Object object, int offset, int site, boolean write, boolean isNew) {
        check(object, offset, object, site, write, isNew);
    }
}
