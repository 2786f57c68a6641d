package java.lang;

import static java.lang.JraceLayout.Word.SHARED_MODIFIED;
import static java.lang.JraceLayout.Word.UNASKED;
import static java.lang.JraceMemory.U;
import static java.lang.JraceMode.COUNTING;
import static java.lang.JraceMode.DISCOVERING;
import static java.lang.JraceMode.HANDING;
import static java.lang.JraceMode.LEAVING_OUT;
import static java.lang.JraceMode.ORDERING;
import static java.lang.JraceMode.OWNING;
import static java.lang.JraceMode.PLACED_OTHERS;
import static java.lang.JraceMode.TRACING;

import java.lang.JraceLayout.LockMode;
import java.lang.JraceLayout.Operation;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.AbstractQueuedLongSynchronizer;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/** Which locks each thread holds. A lock set gets a number only when an access asks for it. */
final class JraceLocks {
    private JraceLocks() {}

    private static final long SYNC = U.objectFieldOffset(ReentrantLock.class, "sync");
    private static final long OWNER = U.objectFieldOffset(AbstractQueuedSynchronizer.ConditionObject.class, "this$0");
    private static final long LONG_OWNER = U.objectFieldOffset(AbstractQueuedLongSynchronizer.ConditionObject.class, "this$0");
    private static final long READ_SYNC = U.objectFieldOffset(ReentrantReadWriteLock.ReadLock.class, "sync");
    private static final long WRITE_SYNC = U.objectFieldOffset(ReentrantReadWriteLock.WriteLock.class, "sync");

    // ---- monitors and synchronized methods ------------------------------------------------------------------------

    @ForceInline
    static void acquire(Object lock, int site, int flags) {
        Thread thread = Thread.currentThread();
        if (!TRACING) {
            acquire(thread, lock, site, flags);
        } else if (!COUNTING || (flags & JraceContext.LIBRARY) != 0 || !JraceSpans.entersLeftOut(thread, site)) {
            acquireTraced(thread, lock, site, flags);
        }
    }

    @DontInline
    private static void acquireTraced(Thread thread, Object lock, int site, int flags) {
        acquire(thread, lock, site, flags);
    }

    @ForceInline
    private static void acquire(Thread thread, Object lock, int site, int flags) {
        JraceContext context = JraceThread.context(thread);
        if (context != null) {
            int depth = context.depth;
            int read = JraceThread.read(thread);
            int write = JraceThread.write(thread);
            if (depth < context.locks.length
                    && context.cached.refersTo(lock)
                    && context.fromRead == read
                    && context.fromWrite == write
                    && context.fromFlags == flags) {
                JraceHeld inner = ORDERING ? ordered(context, context.cached, lock, flags) : null;
                context.push(depth, lock, site, flags, read, write);
                JraceThread.read(thread, context.toRead);
                JraceThread.write(thread, context.toWrite);
                if (ORDERING) {
                    context.order.acquired(thread, inner);
                }
                if (TRACING) {
                    acquired(thread, context.cached, lock, site, flags);
                }
                return;
            }
        }
        slowAcquire(thread, lock, site, flags);
    }

    /** Takes note of what came before the acquisition that is about to be pushed; gives the locks that are then held. */
    private static JraceHeld ordered(JraceContext context, JraceShadow shadow, Object lock, int flags) {
        JraceHeld inner = context.order.acquiring(shadow, lock, (flags & JraceContext.SHARED) != 0);
        context.hold(context.depth, context.order.held);
        return inner;
    }

    private static void acquired(Thread thread, JraceShadow shadow, Object lock, int site, int flags) {
        if ((flags & JraceContext.HOPED) != 0 || LEAVING_OUT && JraceSpans.entersLeftOut(thread, site)) {
            return;
        }
        JraceRecorder.describe(shadow, lock);
        if ((flags & JraceContext.ATOMIC) != 0) {
            JraceRecorder.event(Operation.BEGIN, thread, site, 0);
        }
        boolean isShared = (flags & JraceContext.SHARED) != 0;
        JraceRecorder.event(isShared ? Operation.ACQUIRE_SHARED : Operation.ACQUIRE, thread, site, shadow.id);
    }

    /**
     * A stack overflow here goes through to the program, as if its own call had overflowed: the lock is neither taken nor
     * entered, for what changes the context comes last and calls nothing that needs more stack than what came before.
     */
    @DontInline
    private static void slowAcquire(Thread thread, Object lock, int site, int flags) {
        try {
            JraceContext context = JraceContext.of(thread);
            if (context.isFull()) {
                dropStale(thread, context, 0);
            }
            int read = JraceThread.read(thread);
            int write = JraceThread.write(thread);
            boolean shared = (flags & JraceContext.SHARED) != 0;
            JraceShadow shadow = JraceShadow.of(lock);
            if (OWNING) {
                shadow.take(context.id);
            }
            int toRead = with(read, shadow, lock);
            int toWrite = shared ? write : read == write ? toRead : with(write, shadow, lock);
            context.reserve();
            JraceHeld inner = ORDERING ? ordered(context, shadow, lock, flags) : null;
            context.push(context.depth, lock, site, flags, read, write);
            context.cache(shadow, flags, read, write, toRead, toWrite);
            JraceThread.read(thread, toRead);
            JraceThread.write(thread, toWrite);
            if (ORDERING) {
                context.order.acquired(thread, inner);
            }
            if (TRACING) {
                acquired(thread, shadow, lock, site, flags);
            }
        } catch (OutOfMemoryError giveUp) {
            // The lock goes unnoticed.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    @ForceInline
    static void release(Object lock, int flags) {
        Thread thread = Thread.currentThread();
        if (!TRACING) {
            release(thread, lock, flags);
        } else if (!COUNTING || (flags & JraceContext.LIBRARY) != 0 || !JraceSpans.leavesLeftOut(thread)) {
            releaseTraced(thread, lock, flags);
        }
    }

    @DontInline
    private static void releaseTraced(Thread thread, Object lock, int flags) {
        release(thread, lock, flags);
    }

    @ForceInline
    private static void release(Thread thread, Object lock, int flags) {
        JraceContext context = JraceThread.context(thread);
        if (context != null) {
            int top = context.depth - 1;
            if (isUnrecorded(thread) && top >= 0 && context.locks[top] == lock && context.flags(top) == flags) {
                leaveLeftOut(thread);
                if (ORDERING) {
                    context.order.releasing(thread, context.held(top));
                }
                JraceThread.read(thread, context.savedRead(top));
                JraceThread.write(thread, context.savedWrite(top));
                context.pop(top);
                return;
            }
            slowRelease(thread, context, lock, flags);
        }
    }

    /** Whether what the thread does with locks is not recorded. */
    @ForceInline
    private static boolean isUnrecorded(Thread thread) {
        return !TRACING || LEAVING_OUT && JraceSpans.isLeftOut(thread);
    }

    @ForceInline
    private static void leaveLeftOut(Thread thread) {
        if (LEAVING_OUT) {
            JraceSpans.leavesLeftOut(thread);
        }
    }

    static void exitMethod() {
        Thread thread = Thread.currentThread();
        if (!TRACING) {
            exitMethod(thread);
        } else if (!COUNTING || !JraceSpans.leavesLeftOut(thread)) {
            exitMethodTraced(thread);
        }
    }

    /** In a trace, what is not left out is out of line: most is, and the compilers have less to do. */
    @DontInline
    private static void exitMethodTraced(Thread thread) {
        exitMethod(thread);
    }

    @ForceInline
    private static void exitMethod(Thread thread) {
        JraceContext context = JraceThread.context(thread);
        if (context != null) {
            int top = context.depth - 1;
            if (isUnrecorded(thread) && top >= 0 && context.flags(top) == JraceContext.METHOD) {
                leaveLeftOut(thread);
                if (ORDERING) {
                    context.order.releasing(thread, context.held(top));
                }
                JraceThread.read(thread, context.savedRead(top));
                JraceThread.write(thread, context.savedWrite(top));
                context.pop(top);
                return;
            }
            while (top >= 0 && (context.flags(top) & ~JraceContext.ANNOUNCED) != JraceContext.METHOD) {
                top--;
            }
            if (top >= 0) {
                dropStale(thread, context, top + 1);
                remove(thread, context, top);
            }
        }
    }

    @DontInline
    private static void slowRelease(Thread thread, JraceContext context, Object lock, int flags) {
        int at = context.find(lock, ~(JraceContext.ATOMIC | JraceContext.ANNOUNCED), flags);
        if (at >= 0) {
            if ((flags & JraceContext.LIBRARY) == 0) {
                dropStale(thread, context, at + 1);
            }
            remove(thread, context, at);
        }
    }

    /** Takes one entry off the stack of held locks, wherever it lies, and works out the sets of those above it anew. */
    @DontInline
    private static void remove(Thread thread, JraceContext context, int at) {
        try {
            boolean isHoped = (context.flags(at) & JraceContext.HOPED) != 0;
            if (isHoped || LEAVING_OUT && JraceSpans.leavesLeftOut(thread)) {
                // Its acquisition was left out, too.
            } else if (TRACING || (context.flags(at) & JraceContext.ANNOUNCED) != 0) {
                boolean shared = (context.flags(at) & JraceContext.SHARED) != 0;
                // Hooks of releases have no site, and to walk over the stack takes longer than all the rest.
                int site = PLACED_OTHERS ? context.site(at) : 0;
                int operation = shared ? Operation.RELEASE_SHARED : Operation.RELEASE;
                JraceRecorder.event(operation, thread, site, number(context, context.locks[at]));
                if ((context.flags(at) & JraceContext.ATOMIC) != 0) {
                    JraceRecorder.event(Operation.END, thread, context.site(at), 0);
                }
            }
            int n = context.depth - 1 - at;
            if (ORDERING) {
                reorder(thread, context, at);
            }
            if (n == 0) {
                JraceThread.read(thread, context.savedRead(at));
                JraceThread.write(thread, context.savedWrite(at));
                context.pop(at);
                return;
            }
            int[] words = new int[2 * n + 2];
            words[0] = context.savedRead(at);
            words[1] = context.savedWrite(at);
            for (int i = 0; i < n; i++) {
                Object lock = context.locks[at + 1 + i];
                boolean shared = (context.flags(at + 1 + i) & JraceContext.SHARED) != 0;
                JraceShadow shadow = JraceShadow.of(lock);
                words[2 * i + 2] = with(words[2 * i], shadow, lock);
                words[2 * i + 3] = shared ? words[2 * i + 1] : with(words[2 * i + 1], shadow, lock);
            }
            context.remove(at, words);
            JraceThread.read(thread, words[2 * n]);
            JraceThread.write(thread, words[2 * n + 1]);
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // Nothing has changed; the entry is dropped as a stale one later.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    /** The same for what is known of order, before the entry goes. */
    private static void reorder(Thread thread, JraceContext context, int at) {
        JraceOrder order = context.order;
        JraceHeld held = context.held(at);
        for (int i = at + 1; i < context.depth; i++) {
            context.hold(i, held);
            held = held.with(JraceShadow.of(context.locks[i]), context.locks[i], (context.flags(i) & JraceContext.SHARED) != 0);
        }
        JraceShadow lock = JraceShadow.of(context.locks[at]);
        boolean shared = (context.flags(at) & JraceContext.SHARED) != 0;
        // Who goes on as a reader lets other readers in.
        if ((context.flags(at) & JraceContext.HOPED) == 0 && !JraceLockSet.contains(held.locks.protecting(!shared), lock)) {
            order.release(lock, shared);
        }
        order.hold(thread, held);
    }

    /**
     * Takes the entries of monitors that are no longer held off the stack, from one place upwards. A stack overflow in the hook
     * of an exception handler leaves such entries.
     */
    private static void dropStale(Thread thread, JraceContext context, int from) {
        for (int i = context.depth - 1; i >= from; i--) {
            if ((context.flags(i) & JraceContext.LIBRARY) == 0 && !Thread.holdsLock(context.locks[i])) {
                remove(thread, context, i);
            }
        }
    }

    /** A thread gives up a lock for a while, takes it again, or tells others to. */
    static void waits(Thread thread, Object lock, int operation) {
        try {
            JraceOrder order = JraceContext.of(thread).order;
            JraceShadow shadow = JraceShadow.of(lock);
            if (operation == Operation.WAIT_BEGIN) {
                order.release(shadow, false);
            } else if (operation == Operation.WAIT_END) {
                shadow.tell(order, false);
                JraceLocation.observe(lock);
                order.hold(thread, order.held);
            } else {
                JraceLocation.publish(lock);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // What comes after seems to be unordered.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    /** The number of a lock that is held. */
    private static int number(JraceContext context, Object lock) {
        JraceShadow latest = context.cached;
        return latest.refersTo(lock) ? latest.id : JraceShadow.of(lock).id;
    }

    // ---- locks of libraries ---------------------------------------------------------------------------------------

    /** False if the lock is known to be given up by other threads than have taken it: it is no lock then, but tells others to go on. */
    static boolean acquired(Object lock, int mode) {
        if (HANDING && (mode & LockMode.VIEW) == 0 && JraceShadow.of(lock).signals()) {
            // Also what was taken before that was known.
            while (drop(lock)) {
            }
            return false;
        }
        acquire(identity(lock, mode), 0, library(mode));
        return true;
    }

    /** False if the thread does not hold the lock, of a kind that another thread may give up. */
    static boolean releasing(Object lock, int mode) {
        if (HANDING && (mode & LockMode.VIEW) == 0 && !isHeld(lock)) {
            JraceShadow.of(lock).isSignalled();
            return false;
        }
        release(identity(lock, mode), library(mode));
        return true;
    }

    /** Whether the thread holds a lock of a library, in whatever mode. */
    private static boolean isHeld(Object lock) {
        JraceContext context = JraceThread.context(Thread.currentThread());
        return context != null && context.find(lock, JraceContext.LIBRARY | JraceContext.HOPED, JraceContext.LIBRARY) >= 0;
    }

    /** Gives up the latest hold of a lock of a library, in whatever mode; false if there is none. */
    static boolean drop(Object lock) {
        Thread thread = Thread.currentThread();
        JraceContext context = JraceThread.context(thread);
        int at = context == null ? -1 : context.find(lock, JraceContext.LIBRARY, JraceContext.LIBRARY);
        if (at >= 0) {
            remove(thread, context, at);
        }
        return at >= 0;
    }

    /** The thread reads as if it held the lock, and then asks whether that was so. Others are kept from nothing, so a trace has none of it. */
    static void hoped(Object lock) {
        validated(lock);
        acquire(lock, 0, JraceContext.LIBRARY | JraceContext.SHARED | JraceContext.HOPED);
    }

    /** The thread has begun to, in a method by which it ends at the latest. */
    static void hoping(int method) {
        JraceContext context = JraceThread.context(Thread.currentThread());
        int top = context == null ? -1 : context.depth - 1;
        if (top >= 0 && (context.flags(top) & JraceContext.HOPED) != 0) {
            context.site(top, method);
        }
    }

    /** Such a method ends: some return what they have read and ask nothing. */
    static void hopesEnd(int method) {
        Thread thread = Thread.currentThread();
        JraceContext context = JraceThread.context(thread);
        int top = context == null ? -1 : context.depth - 1;
        for (int at = top; at >= 0; at--) {
            if (context.site(at) == method && (context.flags(at) & JraceContext.HOPED) != 0) {
                remove(thread, context, at);
            }
        }
    }

    static void validated(Object lock) {
        Thread thread = Thread.currentThread();
        JraceContext context = JraceThread.context(thread);
        int at = context == null ? -1 : context.find(lock, JraceContext.HOPED, JraceContext.HOPED);
        if (at >= 0) {
            remove(thread, context, at);
        }
    }

    /** Who holds all permits of a semaphore keeps others out; who holds some of them does not. */
    static void tookPermits(Semaphore semaphore, int n) {
        JraceShadow shadow = JraceShadow.of(semaphore);
        if (shadow.signals()) {
            // Also what was taken before that was known.
            while (drop(semaphore)) {
            }
            return;
        }
        boolean excludes = shadow.areAll(n, semaphore);
        acquire(semaphore, 0, excludes ? JraceContext.LIBRARY : JraceContext.LIBRARY | JraceContext.SHARED);
    }

    /** What stands for the lock that a condition belongs to. */
    static Object lockOf(Object condition) {
        boolean isLong = condition instanceof AbstractQueuedLongSynchronizer.ConditionObject;
        return U.getReference(condition, isLong ? LONG_OWNER : OWNER);
    }

    /** What stands for a lock that may have conditions. */
    static Object withConditions(Object lock) {
        if (lock instanceof ReentrantLock) {
            return U.getReference(lock, SYNC);
        }
        return lock instanceof ReentrantReadWriteLock.WriteLock ? U.getReference(lock, WRITE_SYNC) : lock;
    }

    private static int library(int mode) {
        return JraceContext.LIBRARY | (mode & JraceContext.SHARED);
    }

    /** What stands for a lock: see {@link LockMode#VIEW}. */
    private static Object identity(Object lock, int mode) {
        if ((mode & LockMode.VIEW) == 0) {
            return lock;
        }
        if (lock instanceof ReentrantLock) {
            return U.getReference(lock, SYNC);
        }
        return U.getReference(lock, lock instanceof ReentrantReadWriteLock.ReadLock ? READ_SYNC : WRITE_SYNC);
    }

    // ---- lock sets ------------------------------------------------------------------------------------------------

    /**
     * The thread word for the lock set of {@code word} with the lock added, if that is known. A lock gets its first set when an
     * access under it asks for one: numbers of sets are never used again, and a program may enter millions of short-lived
     * locks under which nothing is shared. For type discovery it is a token instead.
     */
    private static int with(int word, JraceShadow shadow, Object lock) {
        if (DISCOVERING) {
            return JraceThread.context(Thread.currentThread()).newToken();
        }
        if (word == UNASKED || shadow.lone == 0) {
            return UNASKED;
        }
        return asked(word, shadow, lock);
    }

    static int asked(int word, JraceShadow shadow, Object lock) {
        if (shadow.lone == 0) {
            shadow.lone = JraceAgent.withLock(SHARED_MODIFIED, shadow.id, lock);
            if (shadow.isCarried) {
                JraceStripe.watch(shadow);
            }
        }
        return word == SHARED_MODIFIED ? shadow.lone : JraceAgent.withLock(word, shadow.id, lock);
    }

    /** So often the name of a lock is looked for, and that of all together. */
    private static final int ENOUGH = 3;
    private static int unnamed = 1 << 13;

    /** Finds out which field refers to a lock, where that is not known yet; it is looked for in an object, among others. */
    static void name(JraceShadow shadow, Object lock, Object object) {
        if (shadow.searches < ENOUGH && unnamed > 0) {
            unnamed--;
            int word = asked(SHARED_MODIFIED, shadow, lock);
            shadow.searches = word != SHARED_MODIFIED && JraceAgent.nameLock(shadow.id, lock, object) ? ENOUGH : shadow.searches + 1;
        }
    }

    /** Works out the lock sets of the thread, from the first entry on whose set is not known. */
    static void ask(Thread thread, JraceContext context) {
        int at = context.firstUnasked(UNASKED);
        int read = context.savedRead(at);
        int write = context.savedWrite(at);
        for (; at < context.depth; at++) {
            context.save(at, read, write);
            Object lock = context.locks[at];
            JraceShadow shadow = JraceShadow.of(lock);
            read = asked(read, shadow, lock);
            write = (context.flags(at) & JraceContext.SHARED) != 0 ? write : asked(write, shadow, lock);
        }
        JraceThread.read(thread, read);
        JraceThread.write(thread, write);
        context.cached = JraceContext.NOTHING;
    }
}
