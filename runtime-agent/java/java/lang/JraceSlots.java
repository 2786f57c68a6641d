package java.lang;

import java.util.ArrayDeque;
import jdk.internal.vm.annotation.DontInline;

/**
 * The places of threads in clocks. A thread gets that of one that has ended if it is known that what the other did came before;
 * so clocks grow with the threads that live at once, not with all that ever lived.
 */
final class JraceSlots {
    private JraceSlots() {}

    /** A slot, and the last values of who had it. */
    static final class Slot {
        final int number;
        final long time;
        final long moment;

        Slot(int number, long time, long moment) {
            this.number = number;
            this.time = time;
            this.moment = moment;
        }
    }

    /** Clocks are not longer than that, if threads end: then a slot is taken although its last owner may race with the heir. */
    private static final int MOST = 1 << 12;
    /** So many that have ended are looked at. */
    private static final int TRIES = 16;

    /** So many tasks may run at once as such. */
    private static final int TASKS = 64;

    private static final ArrayDeque<Slot> FREE = new ArrayDeque<>();
    private static final ArrayDeque<Slot> FREE_OF_TASKS = new ArrayDeque<>();
    private static int usedForTasks;
    private static int used;
    /** A slot for a thread that knows what this one knows; null if that is nothing. */
    @DontInline
    static synchronized Slot take(JraceOrder order) {
        for (int i = Math.min(FREE.size(), TRIES); order != null && i > 0; i--) {
            Slot slot = FREE.poll();
            if (order.knows(slot.number, slot.moment) && order.hasSeen(slot.number, slot.time)) {
                return slot;
            }
            FREE.add(slot);
        }
        if (used >= MOST && !FREE.isEmpty()) {
            JraceAgent.displaces();
            return FREE.poll();
        }
        return new Slot(used++, 0, 0);
    }

    /**
     * The slot of moments for a task, of the one that ended first: a task may not be known to race with one so long ago. Null if all are
     * taken.
     */
    static synchronized Slot takeForTask() {
        if (usedForTasks == TASKS) {
            return FREE_OF_TASKS.poll();
        }
        usedForTasks++;
        return new Slot(used++, 0, 0);
    }

    static synchronized void freeOfTask(Slot slot) {
        FREE_OF_TASKS.add(slot);
    }

    /** Tells a thread what those have done that have ended. */
    static synchronized void tell(JraceOrder order) {
        tell(order, FREE);
        tell(order, FREE_OF_TASKS);
    }

    private static void tell(JraceOrder order, ArrayDeque<Slot> ended) {
        for (Slot slot : ended) {
            order.learn(new JraceClock(slot.number, slot.time, slot.moment, JraceVector.NOTHING, JraceVector.NOTHING, JraceVector.NOTHING, JraceFound.NOTHING, false, 0));
        }
    }

    static synchronized void free(Slot slot) {
        FREE.add(slot);
    }
}
