package atomics;

import static schedule.Schedule.mark;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.*;
import schedule.Program;

final class Counter implements Program {
    final AtomicInteger count = new AtomicInteger();
    final LongAdder adder = new LongAdder();
    final LongAccumulator max = new LongAccumulator(Math::max, 0);
    long sum;

    void add() {
        count.incrementAndGet();
        adder.increment();
        max.accumulate(count.get());
    }

    public void run() throws Exception {
        together(this::add, this::add);
        sum = count.get() + adder.sum() + max.get();
        if (sum != 6) {
            System.out.println(sum);
        }
    }
}

/** The last of the workers sums up. */
final class LastOfAll implements Program {
    final AtomicInteger left = new AtomicInteger(2);
    int a;
    int b;
    int sum;

    void finish() {
        if (left.decrementAndGet() == 0) {
            sum = a + b;
            a = 0;
            b = 0;
        }
    }

    public void run() throws Exception {
        together(() -> {
            a = 1;
            finish();
        }, () -> {
            b = 2;
            finish();
        });
    }
}

/** A counter that is no barrier: the first goes on as well. */
final class NotTheLast implements Program {
    final AtomicInteger left = new AtomicInteger(2);
    int sum; // race: NotTheLast.sum

    public void run() throws Exception {
        together(() -> {
            left.decrementAndGet();
            sum++;
            mark(this);
        }, () -> {
            until(this);
            left.decrementAndGet();
            sum++;
        });
    }
}

/** Treiber's stack. */
final class Stack implements Program {
    static final class Node {
        int value;
        Node next;
    }

    final AtomicReference<Node> top = new AtomicReference<>();

    void push(int value) {
        Node node = new Node();
        node.value = value;
        Node seen;
        do {
            seen = top.get();
            node.next = seen;
        } while (!top.compareAndSet(seen, node));
    }

    Node pop() {
        Node seen;
        do {
            seen = top.get();
            if (seen == null) {
                return null;
            }
        } while (!top.compareAndSet(seen, seen.next));
        return seen;
    }

    public void run() throws Exception {
        together(() -> {
            for (int i = 0; i < 20; i++) {
                push(i);
            }
            mark(this);
        }, () -> {
            until(this);
            for (int i = 0; i < 20; i++) {
                Node node = pop();
                if (node != null) {
                    node.value++;
                }
            }
        }, () -> push(1));
    }
}

/** The node is still changed after the push. */
final class StackTooEarly implements Program {
    static final class Link {
        int value; // race: Link.value
        Link next;
    }

    final AtomicReference<Link> top = new AtomicReference<>();

    public void run() throws Exception {
        together(() -> {
            Link link = new Link();
            link.next = top.get();
            top.compareAndSet(link.next, link);
            link.value = 1;
            mark(this);
        }, () -> {
            until(this);
            top.getAndSet(null).value++;
        });
    }
}

/** An immutable state is replaced as a whole. */
final class Immutable implements Program {
    static final class State {
        final int low;
        int high;

        State(int low, int high) {
            this.low = low;
            this.high = high;
        }
    }

    final AtomicReference<State> state = new AtomicReference<>(new State(0, 9));

    public void run() throws Exception {
        together(() -> state.updateAndGet(old -> new State(old.low + 1, old.high)),
                () -> state.accumulateAndGet(new State(0, 1), (old, other) -> new State(old.low, old.high + other.high)),
                () -> state.getAndUpdate(old -> new State(old.low, old.high - 1)));
    }
}

/** Both get the same object, and change it. */
final class SharedState implements Program {
    static final class Box {
        int value; // race: Box.value
    }

    final AtomicReference<Box> box = new AtomicReference<>(new Box());

    public void run() throws Exception {
        together(() -> {
            box.get().value++;
            mark(this);
        }, () -> {
            until(this);
            box.get().value++;
        });
    }
}

final class SpinLock implements Program {
    final AtomicBoolean locked = new AtomicBoolean();
    int count;

    void add() {
        while (locked.getAndSet(true)) {
            Thread.onSpinWait();
        }
        count++;
        locked.lazySet(false);
    }

    public void run() throws Exception {
        together(this::add, this::add);
    }
}

/** Opens the lock with a plain write. */
final class SpinLockPlain implements Program {
    final AtomicBoolean locked = new AtomicBoolean();
    int count; // race: SpinLockPlain.count

    public void run() throws Exception {
        together(() -> {
            while (!locked.compareAndSet(false, true)) {
                Thread.onSpinWait();
            }
            count++;
            locked.setPlain(false);
            mark(this);
        }, () -> {
            until(this);
            while (!locked.compareAndSet(false, true)) {
                Thread.onSpinWait();
            }
            count++;
        });
    }
}

final class TicketLock implements Program {
    final AtomicInteger next = new AtomicInteger();
    final AtomicInteger serving = new AtomicInteger();
    int count;

    void add() {
        int mine = next.getAndIncrement();
        while (serving.get() != mine) {
            Thread.onSpinWait();
        }
        count++;
        serving.set(mine + 1);
    }

    public void run() throws Exception {
        together(this::add, this::add, this::add);
    }
}

/** Serves two at a time. */
final class WrongTicket implements Program {
    final AtomicInteger serving = new AtomicInteger(1);
    int count; // race: WrongTicket.count

    void add(int mine) {
        while (serving.get() < mine) {
            Thread.onSpinWait();
        }
        count++;
    }

    public void run() throws Exception {
        together(() -> {
            add(0);
            mark(this);
        }, () -> {
            until(this);
            add(1);
        });
    }
}

/** Modes of AtomicInteger. */
final class ReleaseAcquire implements Program {
    final AtomicInteger flag = new AtomicInteger();
    int data;

    public void run() throws Exception {
        together(() -> {
            data = 1;
            flag.setRelease(1);
        }, () -> {
            while (flag.getAcquire() == 0) {
                Thread.onSpinWait();
            }
            data++;
        });
    }
}

final class Opaque implements Program {
    final AtomicInteger flag = new AtomicInteger();
    int data; // race: Opaque.data

    public void run() throws Exception {
        together(() -> {
            data = 1;
            flag.setOpaque(1);
        }, () -> {
            while (flag.getOpaque() == 0) {
                Thread.onSpinWait();
            }
            data++;
        });
    }
}

final class Plain implements Program {
    final AtomicReference<String> flag = new AtomicReference<>();
    int data; // race: Plain.data

    public void run() throws Exception {
        together(() -> {
            data = 1;
            flag.setPlain("x");
            mark(this);
        }, () -> {
            until(this);
            if (flag.getPlain() != null) {
                data++;
            }
        });
    }
}

/** A failed compareAndSet still reads. */
final class FailedCas implements Program {
    final AtomicInteger flag = new AtomicInteger();
    int data;

    public void run() throws Exception {
        together(() -> {
            data = 1;
            flag.set(1);
        }, () -> {
            while (flag.compareAndExchange(5, 6) == 0) {
                Thread.onSpinWait();
            }
            data++;
        });
    }
}

final class Arrays implements Program {
    final AtomicReferenceArray<int[]> cells = new AtomicReferenceArray<>(2);
    final AtomicLongArray counts = new AtomicLongArray(2);
    int data;

    public void run() throws Exception {
        together(() -> {
            cells.set(0, new int[] {1});
            data = 1;
            counts.addAndGet(1, 5);
        }, () -> {
            while (cells.get(0) == null) {
                Thread.onSpinWait();
            }
            cells.get(0)[0]++;
            while (counts.get(1) == 0) {
                Thread.onSpinWait();
            }
            data++;
        });
    }
}

/** Another element is no edge by the specification. */
final class OtherElement implements Program {
    final AtomicIntegerArray flags = new AtomicIntegerArray(2);
    int data; // missed: OtherElement.data -- an atomic array has one clock for all its elements

    public void run() throws Exception {
        together(() -> {
            data = 1;
            flags.set(0, 1);
            mark(this);
        }, () -> {
            until(this);
            flags.get(1);
            data++;
        });
    }
}

final class Stamped implements Program {
    final AtomicStampedReference<int[]> latest = new AtomicStampedReference<>(new int[1], 0);
    final AtomicMarkableReference<int[]> marked = new AtomicMarkableReference<>(new int[1], false);

    public void run() throws Exception {
        together(() -> {
            int[] stamp = new int[1];
            int[] old = latest.get(stamp);
            latest.compareAndSet(old, new int[] {7}, stamp[0], stamp[0] + 1);
            marked.set(new int[] {8}, true);
        }, () -> {
            while (latest.getStamp() == 0) {
                Thread.onSpinWait();
            }
            latest.getReference()[0]++;
            while (!marked.isMarked()) {
                Thread.onSpinWait();
            }
            marked.getReference()[0]++;
        });
    }
}

final class Updaters implements Program {
    static final class Connection {
        volatile int state;
        volatile Connection next;
        volatile long bytes;
        int port;
        int address;
        int size;
    }

    static final AtomicIntegerFieldUpdater<Connection> STATE = AtomicIntegerFieldUpdater.newUpdater(Connection.class, "state");
    static final AtomicLongFieldUpdater<Connection> BYTES = AtomicLongFieldUpdater.newUpdater(Connection.class, "bytes");
    static final AtomicReferenceFieldUpdater<Connection, Connection> NEXT =
            AtomicReferenceFieldUpdater.newUpdater(Connection.class, Connection.class, "next");

    public void run() throws Exception {
        Connection connection = new Connection();
        together(() -> {
            connection.port = 1;
            STATE.set(connection, 1);
            connection.address = 1;
            NEXT.compareAndSet(connection, null, new Connection());
            connection.size = 1;
            BYTES.addAndGet(connection, 5);
        }, () -> {
            while (STATE.get(connection) == 0) {
                Thread.onSpinWait();
            }
            connection.port++;
            while (connection.next == null) {
                Thread.onSpinWait();
            }
            connection.address++;
            while (BYTES.get(connection) == 0) {
                Thread.onSpinWait();
            }
            connection.size++;
        });
    }
}

/** A field is written as such, and read by an updater by which nothing was written. */
final class ReadByUpdater implements Program {
    static final AtomicIntegerFieldUpdater<ReadByUpdater> STATE = AtomicIntegerFieldUpdater.newUpdater(ReadByUpdater.class, "state");
    static final AtomicLongFieldUpdater<ReadByUpdater> BYTES = AtomicLongFieldUpdater.newUpdater(ReadByUpdater.class, "bytes");
    volatile int state;
    volatile long bytes;
    int data;
    int more;

    public void run() throws Exception {
        together(() -> {
            data = 1;
            state = 1;
            more = 1;
            bytes = 1;
        }, () -> {
            while (STATE.get(this) == 0) {
                Thread.onSpinWait();
            }
            data++;
            while (BYTES.get(this) == 0) {
                Thread.onSpinWait();
            }
            more++;
        });
    }
}

final class ReferenceByUpdater implements Program {
    static final AtomicReferenceFieldUpdater<ReferenceByUpdater, int[]> LATEST =
            AtomicReferenceFieldUpdater.newUpdater(ReferenceByUpdater.class, int[].class, "latest");
    volatile int[] latest;
    int data;

    public void run() throws Exception {
        together(() -> {
            data = 1;
            latest = new int[1];
        }, () -> {
            while (LATEST.get(this) == null) {
                Thread.onSpinWait();
            }
            data++;
        });
    }
}

/** The updater is no lock for what else the object has. */
final class UpdaterTooLate implements Program {
    volatile int state;
    int data; // race: UpdaterTooLate.data
    static final AtomicIntegerFieldUpdater<UpdaterTooLate> STATE = AtomicIntegerFieldUpdater.newUpdater(UpdaterTooLate.class, "state");

    public void run() throws Exception {
        together(() -> {
            STATE.set(this, 1);
            data = 1;
            mark(this);
        }, () -> {
            while (STATE.get(this) == 0) {
                Thread.onSpinWait();
            }
            until(this);
            data++;
        });
    }
}

/** Sums of an adder are no edge by themselves: it is read while others add. */
final class AdderAsFlag implements Program {
    final LongAdder adder = new LongAdder();
    int data; // race: AdderAsFlag.data

    public void run() throws Exception {
        together(() -> {
            data = 1;
            adder.increment();
            mark(this);
        }, () -> {
            until(this);
            if (adder.sum() > 0) {
                data++;
            }
        });
    }
}

/** Random numbers are no edge. */
final class Randoms implements Program {
    final java.util.Random random = new java.util.Random(1);
    int data; // race: Randoms.data

    public void run() throws Exception {
        together(() -> {
            data = 1;
            random.nextInt();
            ThreadLocalRandom.current().nextInt();
            mark(this);
        }, () -> {
            until(this);
            random.nextInt();
            data++;
        });
    }
}

/** Who only acquires tells nobody what came before. */
final class AcquireOnly implements Program {
    final AtomicInteger exchanged = new AtomicInteger();
    final AtomicInteger set = new AtomicInteger();
    int data; // race: AcquireOnly.data
    int other; // race: AcquireOnly.other

    public void run() throws Exception {
        together(() -> {
            data = 1;
            exchanged.compareAndExchangeAcquire(0, 1);
            other = 1;
            while (!set.weakCompareAndSetAcquire(0, 1)) {
                Thread.onSpinWait();
            }
            mark(this);
        }, () -> {
            until(this);
            exchanged.get();
            data++;
            set.get();
            other++;
        });
    }
}

/** Who only releases learns nothing of what came before. */
final class ReleaseOnly implements Program {
    final AtomicInteger exchanged = new AtomicInteger();
    final AtomicInteger set = new AtomicInteger();
    int data; // race: ReleaseOnly.data
    int other; // race: ReleaseOnly.other

    public void run() throws Exception {
        together(() -> {
            data = 1;
            exchanged.set(1);
            other = 1;
            set.set(1);
            mark(this);
        }, () -> {
            until(this);
            exchanged.compareAndExchangeRelease(1, 2);
            data++;
            while (!set.weakCompareAndSetRelease(1, 2)) {
                Thread.onSpinWait();
            }
            other++;
        });
    }
}

/** Each side does its part. */
final class BothHalves implements Program {
    final AtomicInteger exchanged = new AtomicInteger();
    final AtomicInteger set = new AtomicInteger();
    int data;
    int other;

    public void run() throws Exception {
        together(() -> {
            data = 1;
            exchanged.compareAndExchangeRelease(0, 1);
            other = 1;
            while (!set.weakCompareAndSetRelease(0, 1)) {
                Thread.onSpinWait();
            }
            mark(this);
        }, () -> {
            until(this);
            if (exchanged.compareAndExchangeAcquire(1, 2) == 1) {
                data++;
            }
            while (!set.weakCompareAndSetAcquire(1, 2)) {
                Thread.onSpinWait();
            }
            other++;
        });
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new Counter(), new LastOfAll(), new NotTheLast(), new Stack(), new StackTooEarly(), new Immutable(),
                new SharedState(), new SpinLock(), new SpinLockPlain(), new TicketLock(), new WrongTicket(), new ReleaseAcquire(),
                new Opaque(), new Plain(), new FailedCas(), new Arrays(), new OtherElement(), new Stamped(), new Updaters(),
                new ReadByUpdater(), new ReferenceByUpdater(), new UpdaterTooLate(), new AdderAsFlag(), new Randoms(), new AcquireOnly(), new ReleaseOnly(), new BothHalves());
    }
}
