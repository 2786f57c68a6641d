package java.lang;

import static java.lang.JraceMode.HANDING;
import static java.lang.JraceMode.ORDERING;
import static java.lang.JraceMode.TASKS;
import static java.lang.JraceMode.TELLING;
import static java.lang.JraceMode.TRACING;

import java.lang.JraceLayout.Operation;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CountedCompleter;
import java.util.concurrent.Phaser;
import java.util.concurrent.ThreadPoolExecutor;

/** The doors of what threads hand each other: who starts and ends, and the objects, members and fields by which one knows of another. */
class JraceHandOver extends JraceAccess {
    /** In a trace, what threads have done is published through this when they end. */
    private static final Object ENDS = new Object();

    static {
        // All classes here, in the class that is initialized before the other doors: one that runs out of stack while it is initialized can
        // never be used again, so none is left for a hook to initialize.
        Class<?>[] all = {
            JraceMemory.class, JraceMode.class, JraceStripe.class, JraceShadow.class, JraceContext.class, JraceSites.class, JraceLocks.class,
            JraceChecks.class, JraceLane.class, JraceRecordedSites.class, JraceRecorder.class, JraceRegion.class,
            JraceDiscovery.class, JraceSpans.class, JraceInherited.class, JraceKind.class, JraceContents.class, JraceThread.class, JraceLocation.class,
            JraceOrder.class, JraceClock.class, JraceFound.class, JraceVector.class, JraceState.class, JraceStamp.class, JraceHistory.class,
            JraceOpen.class, JraceAccessed.class, JraceHeld.class, JraceLockSet.class, JraceInitializer.class, JraceSlots.class, JraceInternal.class,
            JraceMembers.class, JraceViews.class, JraceTask.class, JraceSockets.class, JraceTransitions.class, JraceReflectedField.class, JraceReflection.class, JraceLocking.class,
            JraceHooks.class, JraceFault.class
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

    // ---- threads ---------------------------------------------------------------------------------------------------

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
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
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
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
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
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    public static void ending(Object thread) {
        try {
            JraceContext context = JraceThread.context((Thread) thread);
            // The end of a virtual thread is its carrier's doing.
            if (TELLING && thread == Thread.currentThread()) {
                JraceRecorder.publish(ENDS);
            }
            if (ORDERING && context != null) {
                JraceTask.endAll(context);
                context.order.end();
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // Nobody else gets its slot.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
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
            } catch (RuntimeException fault) {
                JraceFault.tell(fault);
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

    // ---- objects ---------------------------------------------------------------------------------------------------

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
            } catch (RuntimeException fault) {
                JraceFault.tell(fault);
            }
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
            } catch (RuntimeException fault) {
                JraceFault.tell(fault);
            }
        }
    }

    public static void retractIf(boolean isWritten, Object object) {
        if (HANDING && ORDERING && !isWritten) {
            JraceLocation.retract(object);
        }
    }

    public static void retractFieldIf(boolean isWritten, Object object) {
        if (HANDING && ORDERING && !isWritten) {
            JraceLocation.retractIndirectly(object);
        }
    }

    public static void publishIfNull(Object argument, Object object) {
        if (argument == null) {
            publish(object);
        }
    }

    public static void observeIfNull(Object result, Object object) {
        if (result == null) {
            observe(object);
        }
    }

    public static void observeIf(boolean success, Object object) {
        if (success) {
            observe(object);
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
            } catch (RuntimeException fault) {
                JraceFault.tell(fault);
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
            } catch (RuntimeException fault) {
                JraceFault.tell(fault);
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
            } catch (RuntimeException fault) {
                JraceFault.tell(fault);
            }
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

    public static void publishField(Object object) {
        if (HANDING && object != null) {
            try {
                if (ORDERING) {
                    JraceLocation.publishIndirectly(object);
                }
                if (TELLING) {
                    JraceSites.handlesOf(object.getClass());
                    JraceRecorder.publish(object);
                }
            } catch (OutOfMemoryError | StackOverflowError giveUp) {
                // What comes after seems to be unordered.
            } catch (RuntimeException fault) {
                JraceFault.tell(fault);
            }
        }
    }

    /** A field is about to get something that stands for it: the field, its name for a handle, or the class that declares it. */
    public static void handled(Object field) {
        if (HANDING) {
            try {
                Class<?> declaring = JraceReflection.declaring(field);
                if (declaring != null) {
                    JraceSites.handles(declaring);
                }
            } catch (OutOfMemoryError | StackOverflowError giveUp) {
                // The first write by it tells.
            } catch (RuntimeException fault) {
                JraceFault.tell(fault);
            }
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

    public static void meeting(Object object) {
        if (HANDING) {
            try {
                JraceContext.of(Thread.currentThread()).meeting = object;
            } catch (OutOfMemoryError | StackOverflowError giveUp) {
                // What comes after seems to be unordered.
            } catch (RuntimeException fault) {
                JraceFault.tell(fault);
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

    // ---- sockets ---------------------------------------------------------------------------------------------------

    public static void sending(Object socket) {
        if (HANDING) {
            try {
                publish(JraceSockets.sent(socket));
            } catch (OutOfMemoryError | StackOverflowError giveUp) {
                // Who receives it seems to be unordered.
            } catch (RuntimeException fault) {
                JraceFault.tell(fault);
            }
        }
    }

    public static void received(Object socket) {
        if (HANDING) {
            try {
                Object sent = JraceSockets.received(socket);
                if (ORDERING && sent != null) {
                    JraceLocation.receive(sent);
                }
                if (TELLING && sent != null) {
                    JraceRecorder.observe(sent);
                }
            } catch (OutOfMemoryError | StackOverflowError giveUp) {
                // As above.
            } catch (RuntimeException fault) {
                JraceFault.tell(fault);
            }
        }
    }

    // ---- tasks -----------------------------------------------------------------------------------------------------

    /** Tasks of a pool that has but one thread come one after the other. */
    public static void beginTask(Object task, Object pool) {
        if (TASKS && task != null && !JraceTask.isAlone((ThreadPoolExecutor) pool)) {
            try {
                JraceTask.begin(task, pool);
            } catch (OutOfMemoryError | StackOverflowError giveUp) {
                // The task is part of what the thread does.
            } catch (RuntimeException fault) {
                JraceFault.tell(fault);
            }
        }
    }

    public static void beginRequest(Object request) {
        if (TASKS) {
            try {
                JraceTask.beginRequest(request);
            } catch (OutOfMemoryError | StackOverflowError giveUp) {
                // As above.
            } catch (RuntimeException fault) {
                JraceFault.tell(fault);
            }
        }
    }

    public static void hasRun() {
        if (TASKS) {
            try {
                JraceTask.end(Thread.currentThread());
            } catch (OutOfMemoryError | StackOverflowError giveUp) {
                // What comes next is part of the task.
            } catch (RuntimeException fault) {
                JraceFault.tell(fault);
            }
        }
    }

    public static void hasLocal(Object value) {
        if (TASKS && value != null) {
            try {
                JraceTask.uses(value);
            } catch (OutOfMemoryError | StackOverflowError giveUp) {
                // The tasks of a thread that have the value seem to be unordered.
            } catch (RuntimeException fault) {
                JraceFault.tell(fault);
            }
        }
    }

    // ---- members of collections ------------------------------------------------------------------------------------

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
                // Who finds the element seems to be unordered.
            } catch (RuntimeException fault) {
                JraceFault.tell(fault);
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

    /**
     * Elements of the library have no code of the program (a list of keys does, which is left out), and many of them are in several
     * collections, also in those by which the JDK links code.
     */
    public static void ask(Object element) {
        if (HANDING && element != null && element.getClass().getClassLoader0() != null) {
            observe(element);
        }
    }

    /**
     * In sets that are maps, all keys have one value. A constant as key says nothing that another value does not say, too: who has put the
     * value has put it there.
     */
    public static void observeEntry(Object entry, Object map) {
        if (HANDING && entry != null) {
            Object key = ((Map.Entry<?, ?>) entry).getKey();
            Object value = ((Map.Entry<?, ?>) entry).getValue();
            if (value != Boolean.TRUE) {
                found(value, map);
            }
            if (JraceMembers.isConstant(value) || !JraceMembers.isConstant(key)) {
                found(key, map);
            }
        }
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
            } catch (RuntimeException fault) {
                JraceFault.tell(fault);
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

    // ---- barriers --------------------------------------------------------------------------------------------------

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
            } catch (RuntimeException fault) {
                JraceFault.tell(fault);
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

    // ---- tests -----------------------------------------------------------------------------------------------------

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
}
