package java.lang;

import static java.lang.JraceMemory.U;

import java.lang.ref.WeakReference;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * A task of a pool, or a request, that a thread runs as if it had a thread of its own: another thread might have run it beside those that came
 * before. So its accesses have moments of its own ({@link JraceOrder#begin}).
 */
final class JraceTask {
    private static final long QUEUE = U.objectFieldOffset(ThreadPoolExecutor.class, "workQueue");
    private static final long CORE = U.objectFieldOffset(ThreadPoolExecutor.class, "corePoolSize");
    private static final long MOST = U.objectFieldOffset(ThreadPoolExecutor.class, "maximumPoolSize");
    /** So many locals are told apart. */
    static final int LOCALS = 32;
    private static final String DELAYED = "java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue";

    /** What the thread does besides; null if that is no task. */
    private final JraceTask outer;
    /** With what the thread goes on afterwards; null if the task has no order of its own. */
    private final JraceOrder resumed;
    /** Which of the locals it has asked for. */
    private long used;

    private JraceTask(JraceTask outer, JraceOrder resumed) {
        this.outer = outer;
        this.resumed = resumed;
    }

    /** A value that the tasks of a thread keep for each other by a {@code ThreadLocal}: who finds it again comes after who has had it. */
    static final class Local extends WeakReference<Object> {
        /** What the last task knew in the end that had it; null before one has ended. */
        JraceClock last;

        Local(Object value) {
            super(value);
        }
    }

    /** Whether a pool has one thread, so that no task ever runs beside another. With a queue that has room, it makes no more than its core. */
    static boolean isAlone(ThreadPoolExecutor pool) {
        if (U.getInt(pool, MOST) <= 1) {
            return true;
        }
        Object queue = U.getReference(pool, QUEUE);
        boolean hasRoom = queue instanceof LinkedBlockingQueue || queue instanceof LinkedTransferQueue
                || queue instanceof PriorityBlockingQueue || queue.getClass().getName().equals(DELAYED);
        return hasRoom && U.getInt(pool, CORE) <= 1;
    }

    /** The thread is about to run a task of a pool. */
    static void begin(Object work) {
        JraceClock clock = JraceLocation.clock(work);
        Thread thread = Thread.currentThread();
        JraceContext context = JraceContext.of(thread);
        begin(thread, context, clock == null ? null : context.order.begin(clock));
    }

    static void beginRequest() {
        Thread thread = Thread.currentThread();
        JraceContext context = JraceContext.of(thread);
        begin(thread, context, context.order.begin(null));
    }

    private static void begin(Thread thread, JraceContext context, JraceOrder order) {
        context.task = new JraceTask(context.task, order == null ? null : context.order);
        if (order != null) {
            context.order = order;
            order.resume(thread);
        }
    }

    /** The task that the thread has begun last is over, if there is one. */
    static void end(Thread thread) {
        JraceContext context = JraceThread.context(thread);
        JraceTask task = context == null ? null : context.task;
        if (task != null) {
            end(context, task);
            context.order.resume(thread);
        }
    }

    /** The thread ends. */
    static void endAll(JraceContext context) {
        while (context.task != null) {
            end(context, context.task);
        }
    }

    private static void end(JraceContext context, JraceTask task) {
        context.task = task.outer;
        if (task.resumed != null) {
            JraceClock last = context.order.lastClock();
            for (long left = task.used; left != 0; left &= left - 1) {
                context.locals[Long.numberOfTrailingZeros(left)].last = last;
            }
            context.order.endTask();
            context.order = task.resumed;
        }
    }

    /** The thread has asked for a value that it has for itself. */
    static void uses(Object value) {
        JraceContext context = JraceThread.context(Thread.currentThread());
        JraceTask task = context == null ? null : context.task;
        if (task == null || JraceMembers.isConstant(value) || isOfJdk(value)) {
            return;
        }
        int at = at(context, value);
        if (at >= 0) {
            task.used |= 1L << at;
            JraceClock last = context.locals[at].last;
            if (last != null) {
                context.order.learn(last);
            }
        }
    }

    /** Where a value is among the locals of a thread; -1 if there is no room for it. */
    private static int at(JraceContext context, Object value) {
        int free = -1;
        for (int at = LOCALS - 1; at >= 0; at--) {
            Local local = context.locals[at];
            if (local == null || local.refersTo(null)) {
                free = at;
            } else if (local.refersTo(value)) {
                return at;
            }
        }
        if (free >= 0) {
            context.locals[free] = new Local(value);
        }
        return free;
    }

    /** What the JDK keeps for itself. */
    private static boolean isOfJdk(Object value) {
        String name = value.getClass().getName();
        return name.startsWith("sun.") || name.startsWith("jdk.");
    }
}
