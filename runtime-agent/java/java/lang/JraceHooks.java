package java.lang;

import static java.lang.JraceMode.CONTENTS;
import static java.lang.JraceMode.COUNTING;
import static java.lang.JraceMode.HANDING;
import static java.lang.JraceMode.LEAVING_OUT;
import static java.lang.JraceMode.ORDERING;
import static java.lang.JraceMode.RECORDING;
import static java.lang.JraceMode.TELLING;
import static java.lang.JraceMode.TRACING;

import java.lang.JraceLayout.LockMode;
import java.lang.JraceLayout.Member;
import java.lang.JraceLayout.Operation;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountedCompleter;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import jdk.internal.vm.annotation.DontInline;

/**
 * The methods that woven code calls (the hook table of {@code facts::hook}). Those of accesses are inherited from the engine that this
 * JVM was started for ({@link JraceAccess}).
 *
 * <p>The class is defined by the boot loader, so it belongs to java.base and every class of every module and loader can call it.
 *
 * <p>No hook may throw into the program: slow paths give up silently when memory or stack runs out.
 */
public final class JraceHooks extends JraceAccess {
    private JraceHooks() {}

    /** In a trace, what threads have done is published through this when they end. */
    private static final Object ENDS = new Object();

    static {
        // A class that runs out of stack while it is initialized can never be used again: none is left for a hook to initialize.
        Class<?>[] all = {
            JraceMemory.class, JraceMode.class, JraceShadow.class, JraceContext.class, JraceSites.class, JraceLocks.class,
            JraceChecks.class, JraceLane.class, JraceRecordedSites.class, JraceRecorder.class, JraceRegion.class,
            JraceDiscovery.class, JraceSpans.class, JraceKind.class, JraceContents.class, JraceThread.class, JraceLocation.class, JraceOrder.class, JraceClock.class, JraceVector.class,
            JraceState.class, JraceStamp.class, JraceHistory.class, JraceOpen.class, JraceAccessed.class, JraceHeld.class,
            JraceInitializer.class, JraceSlots.class, JraceInternal.class, JraceMembers.class, JraceTransitions.class, JraceReflectedField.class, JraceReflection.class
        };
        for (Class<?> one : all) {
            JraceMemory.U.ensureClassInitialized(one);
        }
        if (HANDING) {
            // The JVM looks for native methods with code of the library, which is about to be woven: it would ask for a context again.
            JraceContext.of(Thread.currentThread());
            JraceAgent.isInternal(false);
            if (TRACING) {
                JraceRecorder.link();
            }
        }
    }

    // ---- locks ----------------------------------------------------------------------------------------------------

    public static void enter(Object lock, int site) {
        if (lock != null) {
            JraceLocks.acquire(lock, site, 0);
        }
    }

    public static void enterAtomic(Object lock, int site) {
        if (lock != null) {
            JraceLocks.acquire(lock, site, JraceContext.ATOMIC);
        }
    }

    public static void exit(Object lock) {
        JraceLocks.release(lock, 0);
    }

    public static void enterMethod(Object lock, int site) {
        JraceLocks.acquire(lock, site, JraceContext.METHOD);
    }

    public static void enterStatic(int site) {
        if (COUNTING && JraceSpans.entersLeftOut(Thread.currentThread(), site)) {
            return;
        }
        Class<?> caller = JraceAgent.caller(site);
        if (caller != null) {
            JraceLocks.acquire(caller, site, JraceContext.METHOD);
        }
    }

    public static void exitMethod() {
        JraceLocks.exitMethod();
    }

    /** The lock is taken already, so a stack overflow here must not reach the program, which would not release it. */
    public static void acquired(Object lock, int mode) {
        try {
            if (!JraceLocks.acquired(lock, mode)) {
                observe(lock);
            }
        } catch (StackOverflowError giveUp) {
            // The lock goes unnoticed.
        }
    }

    public static void acquiredIf(boolean success, Object lock, int mode) {
        if (success) {
            acquired(lock, mode);
        }
    }

    public static void acquiredStamp(long stamp, Object lock, int mode) {
        if (stamp != 0) {
            validated(lock);
            acquired(lock, mode);
        }
    }

    /** Also where a writer has the lock, and the stamp is 0: that is as if one came right afterwards. */
    public static void hoped(long stamp, Object lock) {
        try {
            JraceLocks.hoped(lock);
        } catch (StackOverflowError giveUp) {
            // The lock goes unnoticed.
        }
    }

    public static void validated(Object lock) {
        try {
            JraceLocks.validated(lock);
        } catch (StackOverflowError giveUp) {
            // The thread seems to go on reading.
        }
    }

    public static void converted(long stamp, Object lock, int mode) {
        if (stamp != 0) {
            JraceLocks.drop(lock);
            if (mode != LockMode.NONE) {
                acquired(lock, mode);
            }
        }
    }

    public static void releasing(Object lock, int mode) {
        try {
            if (!JraceLocks.releasing(lock, mode)) {
                publish(lock);
            }
        } catch (StackOverflowError giveUp) {
            // The lock must be released all the same.
        }
    }

    // ---- threads --------------------------------------------------------------------------------------------------

    public static void starting(Object started) {
        try {
            Thread thread = (Thread) started;
            JraceContext.of(Thread.currentThread());
            JraceContext child = JraceContext.begin(thread, true);
            if (TRACING) {
                JraceRecorder.event(Operation.FORK, Thread.currentThread(), 0, child.id);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // The thread gets its context at its first event.
        }
    }

    public static void joined(Object ended) {
        if (ORDERING && !((Thread) ended).isAlive()) {
            hasSeenEnd((Thread) ended);
        }
        if (TRACING && !((Thread) ended).isAlive()) {
            recordEnd((Thread) ended);
        }
    }

    private static void recordEnd(Thread thread) {
        try {
            JraceContext other = JraceThread.context(thread);
            if (other != null) {
                JraceRecorder.event(Operation.JOIN, Thread.currentThread(), 0, other.id);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // The trace does not know of the end.
        }
    }

    private static void hasSeenEnd(Thread thread) {
        try {
            JraceContext other = JraceThread.context(thread);
            if (other != null) {
                JraceContext.of(Thread.currentThread()).order.learn(other.order.lastClock());
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // What the thread has done seems to be unordered.
        }
    }

    public static void ending(Object thread) {
        try {
            JraceContext context = JraceThread.context((Thread) thread);
            if (TELLING) {
                JraceRecorder.publish(ENDS);
            }
            if (ORDERING && context != null) {
                context.order.end();
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // Nobody else gets its slot.
        }
    }

    // ---- hand-over ------------------------------------------------------------------------------------------------

    public static void publish(Object object) {
        if (HANDING && object != null) {
            try {
                if (ORDERING) {
                    JraceLocation.publish(object);
                }
                if (TELLING) {
                    JraceRecorder.publish(object);
                }
            } catch (OutOfMemoryError | StackOverflowError giveUp) {
                // What comes after seems to be unordered.
            }
        }
    }

    /** Another object with a finalizer is made: what is done from now on is not known to the finalizers of those made so far. */
    public static void constructing() {
        if (HANDING && ORDERING) {
            try {
                JraceLocation.constructing();
            } catch (OutOfMemoryError | StackOverflowError giveUp) {
                // The finalizers seem to come after more than they do.
            }
        }
    }

    /** The end of a constructor comes before the finalizer (JLS 17.4.5). */
    public static void constructed(Object object) {
        if (HANDING) {
            try {
                if (ORDERING) {
                    JraceLocation.constructed(object);
                }
                if (TELLING) {
                    JraceRecorder.publish(object);
                }
            } catch (OutOfMemoryError | StackOverflowError giveUp) {
                // The finalizer seems to be unordered.
            }
        }
    }

    /** An object of the program is handed over by collections of the JDK's own, too: it may have been registered. */
    public static void put(Object element, Object collection) {
        if (HANDING && element != null) {
            try {
                JraceShadow shadow = JraceShadow.of(collection);
                if (JraceInternal.isOfProgram(element) || !shadow.isInternal(collection)) {
                    publish(element);
                    if (JraceMembers.isConstant(element)) {
                        publish(shadow.standsFor(element));
                    }
                }
            } catch (OutOfMemoryError | StackOverflowError giveUp) {
                // As above.
            }
        }
    }

    /** A method has returned an element of a collection, which is null if that is not known. */
    public static void found(Object element, Object collection) {
        if (HANDING && element != null) {
            observe(collection == null ? element : JraceMembers.found(element, collection));
        }
    }

    /** The same where it is work to do. */
    public static void taken(Object element, Object collection) {
        if (HANDING && element != null) {
            take(collection == null ? element : JraceMembers.found(element, collection));
        }
    }

    public static void observe(Object object) {
        if (HANDING && object != null) {
            try {
                if (ORDERING) {
                    JraceLocation.observe(object);
                }
                if (TELLING) {
                    JraceRecorder.observe(object);
                }
            } catch (OutOfMemoryError | StackOverflowError giveUp) {
                // As above.
            }
        }
    }

    public static void observeIfNull(Object result, Object object) {
        if (result == null) {
            observe(object);
        }
    }

    public static void publishIfNull(Object argument, Object object) {
        if (argument == null) {
            publish(object);
        }
    }

    public static void arrive(Object barrier) {
        if (HANDING) {
            publish(root(barrier));
        }
    }

    /** Not through the barrier itself: who passes it late must not know of those who have come to it again meanwhile. */
    public static void open(Object barrier) {
        if (HANDING) {
            try {
                publish(JraceShadow.of(root(barrier)).passage());
            } catch (OutOfMemoryError | StackOverflowError giveUp) {
                // Who passes it seems to be unordered.
            }
        }
    }

    public static void passed(Object barrier) {
        if (HANDING) {
            JraceMembers members = members(root(barrier));
            if (members != null) {
                observe(members.passage());
            }
        }
    }

    /** Phasers of a tree advance together. */
    private static Object root(Object barrier) {
        return barrier instanceof Phaser ? ((Phaser) barrier).getRoot() : barrier;
    }

    private static JraceMembers members(Object object) {
        JraceShadow shadow = JraceShadow.known(object);
        return shadow == null ? null : shadow.members();
    }

    public static void removing(Object key, Object map) {
        if (HANDING) {
            try {
                JraceShadow shadow = JraceShadow.of(map);
                if (!shadow.isInternal(map)) {
                    publish(shadow.gone(key));
                }
            } catch (OutOfMemoryError | StackOverflowError giveUp) {
                // What comes after seems to be unordered.
            }
        }
    }

    public static void missed(Object result, Object key, Object map) {
        if (HANDING && result == null) {
            JraceMembers members = members(map);
            if (members != null) {
                observe(members.gone(key));
                observe(members.gone(null));
            }
        }
    }

    /** Work that is taken is done for the test for which it was handed over. */
    public static void take(Object object) {
        observe(object);
        if (ORDERING && object != null) {
            try {
                JraceLocation.take(object);
            } catch (OutOfMemoryError | StackOverflowError giveUp) {
                // What is done seems to be for another test.
            }
        }
    }

    public static void beginTest(Object test) {
        runs(test, false);
    }

    public static void endTest(Object test) {
        runs(test, true);
    }

    private static void runs(Object test, boolean hasEnded) {
        if (ORDERING && test != null) {
            try {
                Thread thread = Thread.currentThread();
                JraceContext.of(thread).order.runs(thread, JraceAgent.test(test, test.toString(), hasEnded), hasEnded);
            } catch (Throwable giveUp) {
                // Findings do not name the test.
            }
        }
    }

    /** In sets that are maps, all keys have one value. */
    public static void observeEntry(Object entry) {
        if (HANDING && entry != null) {
            Object value = ((Map.Entry<?, ?>) entry).getValue();
            observe(((Map.Entry<?, ?>) entry).getKey());
            if (value != Boolean.TRUE) {
                observe(value);
            }
        }
    }

    /**
     * Elements of the library have no code of the program (a list of keys does, which is left out), and many of them are in several
     * collections, also in those by which the JDK links code.
     */
    public static void ask(Object element) {
        if (HANDING && element != null && element.getClass().getClassLoader0() != null) {
            observe(element);
        }
    }

    /** What a completer has done is known to all that wait for it, as who completes the last of them goes on. */
    public static void publishChain(Object completer) {
        if (HANDING) {
            for (CountedCompleter<?> each = (CountedCompleter<?>) completer; each != null; each = each.getCompleter()) {
                publish(each);
            }
        }
    }

    /** Collections of the program are left alone: to go over one is to run its code. */
    public static void putEach(Object elements, Object collection) {
        if (HANDING && elements instanceof Collection && elements.getClass().getClassLoader() == null) {
            for (Object each : (Collection<?>) elements) {
                put(each, collection);
            }
        }
    }

    public static void meeting(Object object) {
        if (HANDING) {
            try {
                JraceContext.of(Thread.currentThread()).meeting = object;
            } catch (OutOfMemoryError | StackOverflowError giveUp) {
                // What comes after seems to be unordered.
            }
        }
    }

    public static void met() {
        JraceContext context = JraceThread.context(Thread.currentThread());
        if (context != null) {
            Object object = context.meeting;
            context.meeting = null;
            observe(object);
        }
    }

    public static void cloned(Object clone) {
        JraceClones.cloned(clone, false);
    }

    public static void clonedOwn(Object clone) {
        JraceClones.cloned(clone, true);
    }

    public static void readingReflected(Object handle, Object object, int call) {
        if (handle != null) {
            try {
                JraceReflectedField field = JraceReflectedField.by(handle);
                JraceContext context = JraceContext.of(Thread.currentThread());
                context.reflecting = field.site(call, object, false);
                context.reflected = object;
                context.reflectsStatic = field.isStatic;
            } catch (Throwable giveUp) {
                // The access goes unnoticed.
            }
        }
    }

    public static void hasReadReflected() {
        JraceContext context = JraceThread.context(Thread.currentThread());
        if (context != null && context.reflecting != 0) {
            int site = context.reflecting;
            Object object = context.reflected;
            context.reflecting = 0;
            context.reflected = null;
            if (context.reflectsStatic) {
                readStatic(site);
            } else {
                readField(object, site);
            }
        }
    }

    public static void writingReflected(Object handle, Object object, int call) {
        if (handle != null) {
            try {
                JraceReflectedField field = JraceReflectedField.by(handle);
                int site = field.site(call, object, true);
                if (site == 0) {
                    return;
                }
                if (field.isStatic) {
                    publishStatic(site);
                    writeStatic(site);
                } else {
                    writeField(object, site);
                }
            } catch (Throwable giveUp) {
                // The access goes unnoticed.
            }
        }
    }

    public static void readElement(Object array, int index, int site) {
        if (array != null && array.getClass().isArray()) {
            readArray(array, index, site);
        }
    }

    public static void writeElement(Object array, int index, int site) {
        if (array != null && array.getClass().isArray()) {
            writeArray(array, index, site);
        }
    }

    public static void makingHandle() {
        if (HANDING) {
            JraceLocation.isIndirect = true;
        }
    }

    public static void publishField(Object object) {
        if (HANDING) {
            JraceLocation.isIndirect = true;
            publish(object);
        }
    }

    public static void readState(Object synchronizer) {
        if (isOfProgram(synchronizer)) {
            observe(synchronizer);
        }
    }

    public static void writeState(Object synchronizer) {
        if (isOfProgram(synchronizer)) {
            publish(synchronizer);
        }
    }

    private static boolean isOfProgram(Object synchronizer) {
        return HANDING && synchronizer.getClass().getClassLoader() != null;
    }

    /** Without asking again, which would come here again. */
    public static void seenAlive(boolean alive, Object thread) {
        if (!alive) {
            ended((Thread) thread);
        }
    }

    public static void seenState(Object state, Object thread) {
        if (state == Thread.State.TERMINATED) {
            ended((Thread) thread);
        }
    }

    private static void ended(Thread thread) {
        if (ORDERING) {
            hasSeenEnd(thread);
        }
        if (TELLING) {
            recordEnd(thread);
        }
    }

    public static void seenEnds() {
        if (HANDING) {
            try {
                if (ORDERING) {
                    JraceSlots.tell(JraceContext.of(Thread.currentThread()).order);
                }
                if (TELLING) {
                    JraceRecorder.observe(ENDS);
                }
            } catch (OutOfMemoryError | StackOverflowError giveUp) {
                // What the threads have done seems to be unordered.
            }
        }
    }

    public static void interrupted() {
        observe(Thread.currentThread());
    }

    public static void interruptedIf(boolean isInterrupted) {
        if (isInterrupted) {
            interrupted();
        }
    }

    public static void hasPermits(Object semaphore) {
        if (HANDING) {
            try {
                JraceShadow.of(semaphore).isMadeWith(((Semaphore) semaphore).availablePermits());
            } catch (OutOfMemoryError | StackOverflowError giveUp) {
                // They are counted when one is taken.
            }
        }
    }

    public static void tookPermits(int n, Object semaphore) {
        if (HANDING) {
            try {
                observe(semaphore);
                JraceLocks.tookPermits((Semaphore) semaphore, n);
            } catch (OutOfMemoryError | StackOverflowError giveUp) {
                // The permits go unnoticed.
            }
        }
    }

    public static void tookPermitsIf(boolean success, int n, Object semaphore) {
        if (success) {
            tookPermits(n, semaphore);
        }
    }

    /** Who holds permits gives them back, as a lock; who holds none tells others to go on. */
    public static void handingPermits(Object semaphore) {
        if (HANDING) {
            try {
                if (!JraceLocks.drop(semaphore)) {
                    JraceShadow.of(semaphore).isSignalled();
                    publish(semaphore);
                }
            } catch (OutOfMemoryError | StackOverflowError giveUp) {
                // As above.
            }
        }
    }

    public static void awaiting(Object condition) {
        if (HANDING) {
            waits(Thread.currentThread(), JraceLocks.lockOf(condition), Operation.WAIT_BEGIN);
        }
    }

    public static void awaited(Object condition) {
        if (HANDING) {
            waits(Thread.currentThread(), JraceLocks.lockOf(condition), Operation.WAIT_END);
            observe(condition);
        }
    }

    private static void waits(Thread thread, Object lock, int operation) {
        try {
            if (ORDERING) {
                JraceLocks.waits(thread, lock, operation);
            }
            if (TELLING) {
                JraceRecorder.event(operation, thread, 0, JraceShadow.of(lock).id);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // As above.
        }
    }

    public static void publishStatic(int site) {
        if (ORDERING) {
            JraceChecks.publishStatic(site);
        }
        if (TELLING) {
            JraceRecorder.publishStatic(site);
        }
    }

    public static void observeIf(boolean success, Object object) {
        if (success) {
            observe(object);
        }
    }

    // ---- transactions, for traces ---------------------------------------------------------------------------------

    public static void begin(int site) {
        if (!LEAVING_OUT || !JraceSpans.entersLeftOut(Thread.currentThread(), site)) {
            transaction(Operation.BEGIN, site);
        }
    }

    public static void end(int site) {
        if (!LEAVING_OUT || !JraceSpans.leavesLeftOut(Thread.currentThread())) {
            transaction(Operation.END, site);
        }
    }

    @DontInline
    private static void transaction(int operation, int site) {
        try {
            if (RECORDING) {
                JraceRecorder.event(operation, Thread.currentThread(), site, 0);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // A lost end is noticed at that of the transaction around it.
        }
    }

    /** A member is about to be accessed by reflection or a handle. */
    public static void reflected(Object member) {
        if (member != null) {
            JraceReflection.reflected(member);
        }
    }

    /** A method runs that the proofs of the focus set know no call of, or that they know one thread to run. */
    public static void unreached(int site) {
        JraceAgent.unreached(site);
    }

    // ---- objects of the library -----------------------------------------------------------------------------------

    public static void readContents(Object object, int site) {
        if (TRACING && object instanceof ConcurrentMap) {
            JraceRecorder.contents(object, site, false);
        } else if (CONTENTS) {
            JraceContents.access(object, site, false);
        }
    }

    public static void lookUpContents(Object map, int site) {
        if (TRACING && map instanceof ConcurrentMap) {
            JraceRecorder.contents(map, site, false);
        } else if (CONTENTS) {
            JraceContents.lookUp(map, site);
        }
    }

    public static void writeContents(Object object, int site) {
        if (TRACING && object instanceof ConcurrentMap) {
            JraceRecorder.contents(object, site, true);
        } else if (CONTENTS) {
            JraceContents.access(object, site, true);
        }
    }

    public static void readOwnContents(Object object, int site) {
        if (CONTENTS) {
            JraceContents.accessOwn(object, site, false);
        }
    }

    public static void writeOwnContents(Object object, int site) {
        if (CONTENTS) {
            JraceContents.accessOwn(object, site, true);
        }
    }

    public static void readElements(Object array, int site) {
        JraceContents.elements(array, site, false);
    }

    public static void writeElements(Object array, int site) {
        JraceContents.elements(array, site, true);
    }

    public static void range(int from, int until) {
        JraceContents.range(from, until);
    }

    public static void readPart(Object array, int site) {
        JraceContents.part(array, site, false);
    }

    public static void writePart(Object array, int site) {
        JraceContents.part(array, site, true);
    }

    public static void copyElements(
            Object from, int fromIndex, Object to, int toIndex, int length, int readSite, int writeSite) {
        JraceContents.elements(from, fromIndex, length, readSite, false);
        JraceContents.elements(to, toIndex, length, writeSite, true);
        System.arraycopy(from, fromIndex, to, toIndex, length);
    }

    // ---- other synchronization, for traces ------------------------------------------------------------------------

    public static void classInitBegin(int site) {
        classInit(Operation.CLASS_INIT_BEGIN, site);
    }

    public static void classInitEnd(int site) {
        classInit(Operation.CLASS_INIT_END, site);
    }

    private static void classInit(int operation, int site) {
        boolean begins = operation == Operation.CLASS_INIT_BEGIN;
        Class<?> caller = RECORDING || ORDERING && begins ? JraceAgent.caller(site) : null;
        if (ORDERING) {
            initializes(begins, caller);
        }
        if (RECORDING && caller != null) {
            JraceRecorder.event(operation, Thread.currentThread(), site, JraceShadow.of(caller).id);
            if (TELLING && !begins) {
                JraceRecorder.publish(caller);
            }
        }
    }

    private static void initializes(boolean begins, Class<?> declaring) {
        try {
            Thread thread = Thread.currentThread();
            JraceOrder order = JraceContext.of(thread).order;
            if (begins) {
                order.initializes(thread, declaring == null ? null : JraceShadow.of(declaring));
            } else {
                order.hasInitialized(thread);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // What the initializer does seems to be unordered.
        }
    }

    public static void waitOn(Object lock) throws InterruptedException {
        waitOn(lock, 0L);
    }

    public static void waitOn(Object lock, long millis) throws InterruptedException {
        waiting(Operation.WAIT_BEGIN, lock);
        try {
            lock.wait(millis);
        } finally {
            waiting(Operation.WAIT_END, lock);
        }
    }

    public static void waitOn(Object lock, long millis, int nanos) throws InterruptedException {
        waiting(Operation.WAIT_BEGIN, lock);
        try {
            lock.wait(millis, nanos);
        } finally {
            waiting(Operation.WAIT_END, lock);
        }
    }

    public static void notifyOne(Object lock) {
        waiting(Operation.NOTIFY, lock);
    }

    public static void notifyEvery(Object lock) {
        waiting(Operation.NOTIFY_ALL, lock);
    }

    public static void mayWait(Object lock) {
        observe(held(lock));
    }

    public static void mayTell(Object lock) {
        publish(held(lock));
    }

    /** What stands for a lock that has conditions, or for the monitor of another object; null if that is not held. */
    private static Object held(Object lock) {
        if (!HANDING || lock == null) {
            return null;
        }
        Object meant = JraceLocks.withConditions(lock);
        return meant != lock || Thread.holdsLock(lock) ? meant : null;
    }

    public static void signalling(Object condition) {
        if (HANDING) {
            publish(condition);
            publish(JraceLocks.lockOf(condition));
        }
    }

    private static void waiting(int operation, Object lock) {
        Thread thread = Thread.currentThread();
        if (ORDERING && lock != null && Thread.holdsLock(lock)) {
            JraceLocks.waits(thread, lock, operation);
        }
        if (RECORDING && lock != null && !(LEAVING_OUT && JraceSpans.isLeftOut(thread))) {
            JraceRecorder.tell(operation, thread, lock);
        }
    }

    // ---- reflection -----------------------------------------------------------------------------------------------

    public static Field[] filterFields(Field[] fields) {
        int kept = 0;
        for (Field field : fields) {
            if (!woven(field)) {
                kept++;
            }
        }
        if (kept == fields.length) {
            return fields;
        }
        Field[] filtered = new Field[kept];
        int next = 0;
        for (Field field : fields) {
            if (!woven(field)) {
                filtered[next++] = field;
            }
        }
        return filtered;
    }

    private static boolean woven(Field field) {
        return field.isSynthetic() && field.getName().startsWith(Member.PREFIX);
    }

    // ---- hidden classes -------------------------------------------------------------------------------------------

    public static byte[] weaveHidden(byte[] bytes, Object lookup) {
        try {
            Class<?> host = ((MethodHandles.Lookup) lookup).lookupClass();
            byte[] woven = bytes == null ? null : JraceAgent.weave(bytes, host.getClassLoader());
            return woven == null ? bytes : woven;
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            return bytes;
        }
    }
}
