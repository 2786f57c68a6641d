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
    /** So many locals are told apart; of more, those are forgotten that were not asked for longest. */
    static final int LOCALS = Long.SIZE;
    private static final String DELAYED = "java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue";

    /** What the thread does besides; null if that is no task. */
    private final JraceTask outer;
    /** With what the thread goes on afterwards; null if the task has no order of its own. */
    private final JraceOrder resumed;
    private final boolean isOfPool;
    /** The request of which this may be a part; null if there is none. */
    private final Object request;
    /** Which of the locals it has asked for. */
    private long used;

    private JraceTask(JraceTask outer, JraceOrder resumed, boolean isOfPool, Object request) {
        this.outer = outer;
        this.resumed = resumed;
        this.isOfPool = isOfPool;
        this.request = request;
    }

    /** A value that the tasks of a thread keep for each other by a {@code ThreadLocal}: who finds it again comes after who has had it. */
    static final class Local extends WeakReference<Object> {
        /** Whether the JDK has asked for it, for itself; else, whether it was the program itself, and not a library. */
        final boolean isOfJdk = JraceAgent.isLocalOfJdk();
        final boolean isOwn = !isOfJdk && JraceAgent.isCallerOwn();
        /** What the last task knew in the end that had it; null before one has ended. */
        JraceClock last;
        /** When it was asked for last. */
        long asked;

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

    /** The thread is about to run a task of a pool. A queue by priority compares tasks while others may still change them. */
    static void begin(Object work, Object pool) {
        JraceClock clock = JraceLocation.clock(work);
        Object queue = U.getReference(pool, QUEUE);
        JraceClock compared = queue instanceof PriorityBlockingQueue ? JraceLocation.clock(queue) : null;
        clock = clock == null || compared == null ? clock : clock.join(compared);
        Thread thread = Thread.currentThread();
        JraceContext context = JraceContext.of(thread);
        begin(thread, context, clock == null ? null : context.order.begin(clock), true, null);
    }

    /** What was done before for the same request comes before. */
    static void beginRequest(Object request) {
        Thread thread = Thread.currentThread();
        JraceContext context = JraceContext.of(thread);
        JraceClock clock = request == null ? null : JraceLocation.clock(request);
        begin(thread, context, context.order.beginRequest(), false, request);
        if (clock != null) {
            context.order.learn(clock);
        }
    }

    private static void begin(Thread thread, JraceContext context, JraceOrder order, boolean isOfPool, Object request) {
        context.task = new JraceTask(context.task, order == null ? null : context.order, isOfPool, request);
        if (order != null) {
            context.order = order;
            order.restamp(thread);
        }
    }

    /** The task that the thread has begun last is over, if there is one. */
    static void end(Thread thread) {
        JraceContext context = JraceThread.context(thread);
        JraceTask task = context == null ? null : context.task;
        if (task != null) {
            end(context, task);
            context.order.restamp(thread);
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
            if (task.request != null) {
                JraceLocation.publish(task.request);
            }
            context.order.endTask(task.isOfPool);
            context.order = task.resumed;
        }
    }

    /** The thread has asked for a value that it has for itself. */
    static void uses(Object value) {
        JraceContext context = JraceThread.context(Thread.currentThread());
        JraceTask task = context == null ? null : context.task;
        if (task == null || JraceMembers.isConstant(value)) {
            return;
        }
        int at = at(context.locals, value);
        Local local = context.locals[at];
        local.asked = ++context.asked;
        task.used |= 1L << at;
        if (local.last != null && local.isOwn) {
            context.order.learn(local.last);
        } else if (local.last != null && !local.isOfJdk) {
            context.order.receive(local.last);
        }
    }

    /** Where a value is among the locals of a thread. */
    private static int at(Local[] locals, Object value) {
        int oldest = 0;
        for (int at = 0; at < LOCALS; at++) {
            if (locals[at] == null) {
                oldest = at;
                break;
            }
            if (locals[at].refersTo(value)) {
                return at;
            }
            oldest = locals[at].asked < locals[oldest].asked ? at : oldest;
        }
        locals[oldest] = new Local(value);
        return oldest;
    }
}
