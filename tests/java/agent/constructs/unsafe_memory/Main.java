package unsafe_memory;

import static schedule.Schedule.mark;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.lang.reflect.Field;
import schedule.Program;
import sun.misc.Unsafe;

/** Volatile accesses as lock-free libraries make them. */
final class Memory {
    static final Unsafe U;

    static {
        try {
            Field unsafe = Unsafe.class.getDeclaredField("theUnsafe");
            unsafe.setAccessible(true);
            U = (Unsafe) unsafe.get(null);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private Memory() {}

    static long offset(Class<?> of, String field) {
        try {
            return U.objectFieldOffset(of.getDeclaredField(field));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    static long element(int index) {
        return U.arrayBaseOffset(Object[].class) + (long) index * U.arrayIndexScale(Object[].class);
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
        } while (!Memory.U.compareAndSwapObject(this, TOP, node.next, node));
    }

    private int popAll() {
        int sum = 0;
        for (Node node = (Node) Memory.U.getAndSetObject(this, TOP, null); node != null; node = node.next) {
            sum += node.value;
            node.value = 0;
        }
        return sum;
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

/** A queue for one producer and one consumer: an ordered write, and a volatile read as the language has it. */
final class LinkedQueue implements Program {
    static final class Node {
        int value;
        volatile Node next;
    }

    private static final long NEXT = Memory.offset(Node.class, "next");

    public void run() throws Exception {
        Node head = new Node();
        together(() -> {
            Node tail = head;
            for (int i = 0; i < 50; i++) {
                Node node = new Node();
                node.value = i;
                Memory.U.putOrderedObject(tail, NEXT, node);
                tail = node;
            }
        }, () -> {
            Node first = head;
            for (int i = 0; i < 50; i++) {
                Node next;
                while ((next = first.next) == null) {
                    Thread.onSpinWait();
                }
                next.value++;
                first = next;
            }
        });
    }
}

/** Slots of an array. */
final class Ring implements Program {
    static final class Item {
        int value;
    }

    private final Object[] slots = new Object[8];

    private void put(int index, Item item) {
        Memory.U.putOrderedObject(slots, Memory.element(index), item);
    }

    private Item take(int index) {
        Object item;
        while ((item = Memory.U.getObjectVolatile(slots, Memory.element(index))) == null) {
            Thread.onSpinWait();
        }
        return (Item) item;
    }

    public void run() throws Exception {
        together(() -> {
            for (int i = 0; i < slots.length; i++) {
                Item item = new Item();
                item.value = i;
                put(i, item);
            }
        }, () -> {
            for (int i = 0; i < slots.length; i++) {
                take(i).value++;
            }
        });
    }
}

/** A sequence number that tells how far one has come. */
final class Sequence implements Program {
    private static final long NUMBER = Memory.offset(Sequence.class, "number");
    private long number;
    private int data;

    public void run() throws Exception {
        together(() -> {
            data = 1;
            Memory.U.putLongVolatile(this, NUMBER, 1);
        }, () -> {
            while (Memory.U.getLongVolatile(this, NUMBER) == 0) {
                Thread.onSpinWait();
            }
            data++;
        });
    }
}

/** Counted down by who is done. */
final class Counter implements Program {
    private static final long LEFT = Memory.offset(Counter.class, "left");
    private volatile int left = 2;
    private final int[] sums = new int[1];
    private int first;
    private int second;

    private void done() {
        if (Memory.U.getAndAddInt(this, LEFT, -1) == 1) {
            sums[0] = first + second;
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

/** A field is written as such, and only read in another way. */
final class ReadOfVolatile implements Program {
    private static final long READY = Memory.offset(ReadOfVolatile.class, "ready");
    private volatile int ready;
    private int data;

    public void run() throws Exception {
        together(() -> {
            data = 1;
            ready = 1;
        }, () -> {
            while (Memory.U.getIntVolatile(this, READY) == 0) {
                Thread.onSpinWait();
            }
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
            Memory.U.putOrderedLong(this, NUMBER, 1);
            data = 1;
            mark(this);
        }, () -> {
            until(this);
            if (Memory.U.getLongVolatile(this, NUMBER) == 1) {
                data++;
            }
        });
    }
}

/** Plain writes order nothing. */
final class Plain implements Program {
    private static final long NUMBER = Memory.offset(Plain.class, "number");
    private long number;
    private int data; // race: Plain.data

    public void run() throws Exception {
        together(() -> {
            data = 1;
            Memory.U.putLong(this, NUMBER, 1);
            mark(this);
        }, () -> {
            until(this);
            if (Memory.U.getLong(this, NUMBER) == 1) {
                data++;
            }
        });
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new Stack(), new LinkedQueue(), new Ring(), new Sequence(), new Counter(), new ReadOfVolatile(), new WrittenTooLate(), new Plain());
    }
}
