package addresses;

import static schedule.Schedule.mark;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import jdk.internal.misc.Unsafe;
import schedule.Program;

/** The accesses of the JDK's own class, to which Agrona 2 and its likes open themselves a way. */
final class Memory {
    static final Unsafe U = Unsafe.getUnsafe();

    private Memory() {}

    static long offset(Class<?> of, String field) {
        return U.objectFieldOffset(of, field);
    }

    static long element(int index) {
        return Unsafe.ARRAY_OBJECT_BASE_OFFSET + (long) index * Unsafe.ARRAY_OBJECT_INDEX_SCALE;
    }
}

/** A queue for one producer and one consumer, as a ring. */
final class Ring implements Program {
    static final class Item {
        int value;
    }

    private final Object[] slots = new Object[8];

    public void run() throws Exception {
        together(() -> {
            for (int i = 0; i < 5_000; i++) {
                Item item = new Item();
                item.value = i;
                long slot = Memory.element(i % slots.length);
                while (Memory.U.getReferenceAcquire(slots, slot) != null) {
                    Thread.onSpinWait();
                }
                Memory.U.putReferenceRelease(slots, slot, item);
            }
        }, () -> {
            for (int i = 0; i < 5_000; i++) {
                long slot = Memory.element(i % slots.length);
                Object item;
                while ((item = Memory.U.getReferenceVolatile(slots, slot)) == null) {
                    Thread.onSpinWait();
                }
                ((Item) item).value++;
                Memory.U.putReferenceVolatile(slots, slot, null);
            }
        });
    }
}

/** A stack whose top is set by comparison, and emptied at once. */
final class Stack implements Program {
    static final class Node {
        int value;
        Node next;
    }

    private static final long TOP = Memory.offset(Stack.class, "top");
    private volatile Node top;

    private void push(int value) {
        Node node = new Node();
        node.value = value;
        do {
            node.next = top;
        } while (!Memory.U.compareAndSetReference(this, TOP, node.next, node));
    }

    private void popAll() {
        for (Node node = (Node) Memory.U.getAndSetReference(this, TOP, null); node != null; node = node.next) {
            node.value++;
        }
    }

    public void run() throws Exception {
        push(0);
        together(() -> {
            for (int i = 0; i < 50; i++) {
                push(i);
            }
        }, () -> {
            for (int i = 0; i < 50; i++) {
                popAll();
            }
        });
        popAll();
    }
}

/** A lock that threads spin on. */
final class SpinLock implements Program {
    private static final long STATE = Memory.offset(SpinLock.class, "state");
    private int state;
    private int count;

    private boolean acquire(int round) {
        return round % 2 == 0
                ? Memory.U.weakCompareAndSetIntAcquire(this, STATE, 0, 1)
                : Memory.U.compareAndExchangeIntAcquire(this, STATE, 0, 1) == 0;
    }

    private void add() {
        for (int i = 0; i < 1_000; i++) {
            while (!acquire(i)) {
                Thread.onSpinWait();
            }
            count++;
            Memory.U.putIntRelease(this, STATE, 0);
        }
    }

    public void run() throws Exception {
        together(this::add, this::add);
    }
}

/** Counted down by who is done. */
final class Counter implements Program {
    private static final long LEFT = Memory.offset(Counter.class, "left");
    private volatile long left = 2;
    private int sum;
    private int first;
    private int second;

    private void done() {
        if (Memory.U.getAndAddLong(this, LEFT, -1) == 1) {
            sum = first + second;
        }
    }

    public void run() throws Exception {
        together(() -> {
            first = 1;
            done();
        }, () -> {
            second = 2;
            done();
        });
    }
}

/** Opaque accesses with fences beside them. */
final class Fenced implements Program {
    private static final long READY = Memory.offset(Fenced.class, "ready");
    private int ready;
    private int data;

    public void run() throws Exception {
        together(() -> {
            data = 1;
            Memory.U.storeFence();
            Memory.U.putIntOpaque(this, READY, 1);
        }, () -> {
            int seen;
            do {
                seen = Memory.U.getIntOpaque(this, READY);
                Memory.U.loadFence();
            } while (seen == 0);
            data++;
        });
    }
}

/** What comes after the write that publishes. */
final class WrittenTooLate implements Program {
    private static final long NUMBER = Memory.offset(WrittenTooLate.class, "number");
    private long number;
    private int data; // race: WrittenTooLate.data

    public void run() throws Exception {
        together(() -> {
            Memory.U.putLongRelease(this, NUMBER, 1);
            data = 1;
            mark(this);
        }, () -> {
            until(this);
            if (Memory.U.getLongAcquire(this, NUMBER) == 1) {
                data++;
            }
        });
    }
}

/** Plain and opaque accesses order nothing, and neither does an update that only acquires for what came before it. */
final class Weak implements Program {
    private static final long NUMBER = Memory.offset(Weak.class, "number");
    private int number;
    private int plain; // race: Weak.plain
    private int opaque; // race: Weak.opaque
    private int acquired; // race: Weak.acquired
    private int released; // race: Weak.released

    public void run() throws Exception {
        together(() -> {
            plain = 1;
            Memory.U.putInt(this, NUMBER, 1);
            mark(this, 1);
            until(this, 2);
            opaque = 1;
            Memory.U.putIntOpaque(this, NUMBER, 2);
            mark(this, 3);
            until(this, 4);
            acquired = 1;
            Memory.U.getAndAddIntAcquire(this, NUMBER, 1);
            mark(this, 5);
            until(this, 6);
            released = 1;
            Memory.U.getAndAddIntRelease(this, NUMBER, 1);
            mark(this, 7);
        }, () -> {
            until(this, 1);
            plain += Memory.U.getInt(this, NUMBER);
            mark(this, 2);
            until(this, 3);
            opaque += Memory.U.getIntOpaque(this, NUMBER);
            mark(this, 4);
            until(this, 5);
            acquired += Memory.U.getIntAcquire(this, NUMBER);
            mark(this, 6);
            until(this, 7);
            released += Memory.U.weakCompareAndSetIntRelease(this, NUMBER, 4, 5) ? 1 : 0;
        });
    }
}

/** Memory outside the heap: no object stands for the edge. */
final class OutsideTheHeap implements Program {
    private int data; // false-alarm: OutsideTheHeap.data -- no object stands for the memory

    public void run() throws Exception {
        long address = Memory.U.allocateMemory(8);
        Memory.U.putLong(address, 0);
        together(() -> {
            data = 1;
            Memory.U.putLongRelease(null, address, 1);
        }, () -> {
            while (Memory.U.getLongAcquire(null, address) == 0) {
                Thread.onSpinWait();
            }
            data++;
        });
        Memory.U.freeMemory(address);
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new Ring(), new Stack(), new SpinLock(), new Counter(), new Fenced(), new WrittenTooLate(), new Weak(), new OutsideTheHeap());
    }
}
