package monitors;

import static schedule.Schedule.mark;
import static schedule.Schedule.start;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.Queue;
import schedule.Program;

final class Locked implements Program {
    private int count;

    synchronized void add() {
        count++;
    }

    int get() {
        synchronized (this) {
            return count;
        }
    }

    public void run() throws Exception {
        together(this::add, this::get, this::add);
    }
}

final class UnlockedReader implements Program {
    private int count; // race: UnlockedReader.count

    synchronized void add() {
        count++;
    }

    int get() {
        return count;
    }

    public void run() throws Exception {
        together(() -> {
            add();
            mark(this);
            until(this, 2);
            add();
        }, () -> {
            until(this);
            get();
            mark(this, 2);
        });
    }
}

final class DifferentLocks implements Program {
    private int count; // race: DifferentLocks.count
    private final Object a = new Object();
    private final Object b = new Object();

    public void run() throws Exception {
        together(() -> {
            synchronized (a) {
                count++;
            }
            mark(this);
            until(this, 2);
            synchronized (a) {
                count++;
            }
        }, () -> {
            until(this);
            synchronized (b) {
                count++;
            }
            mark(this, 2);
        });
    }
}

/** One locks the object, the other the class. */
final class ClassAndObject implements Program {
    static int shared; // race: ClassAndObject.shared

    static synchronized void viaClass() {
        shared++;
    }

    synchronized void viaObject() {
        shared++;
    }

    public void run() throws Exception {
        together(() -> {
            viaClass();
            mark(this);
            until(this, 2);
            viaClass();
        }, () -> {
            until(this);
            viaObject();
            mark(this, 2);
        });
    }
}

/** Each call locks a new object. */
final class FreshLock implements Program {
    private int count; // race: FreshLock.count

    void add() {
        synchronized (new Object()) {
            count++;
        }
    }

    public void run() throws Exception {
        together(() -> {
            add();
            mark(this);
        }, () -> {
            until(this);
            add();
        });
    }
}

/** The lock changes with the value. */
final class BoxedLock implements Program {
    private volatile Integer count = 1000;
    private int changes; // race: BoxedLock.changes

    void add() {
        synchronized (count) {
            count = Integer.valueOf(count + 1000);
            changes++;
        }
    }

    public void run() throws Exception {
        together(() -> {
            Integer lock = count;
            synchronized (lock) {
                mark(this);
                until(this, 2);
                changes++;
            }
        }, () -> {
            until(this);
            count = Integer.valueOf(5000);
            add();
            mark(this, 2);
        });
    }
}

/** Two locks, of which one is common. */
final class Nested implements Program {
    private int total;
    private final Object outer = new Object();
    private final Object inner = new Object();

    public void run() throws Exception {
        together(() -> {
            synchronized (outer) {
                synchronized (inner) {
                    total++;
                }
            }
        }, () -> {
            synchronized (inner) {
                total++;
            }
        });
    }
}

/** Waits for a thread in the other's section, and uses what that left outside. */
final class GivenUpTooEarly implements Program {
    private int total; // race: GivenUpTooEarly.total

    public void run() throws Exception {
        together(() -> {
            int seen;
            synchronized (this) {
                seen = total;
            }
            mark(this);
            until(this, 2);
            total = seen + 1;
        }, () -> {
            until(this);
            synchronized (this) {
                total++;
            }
            mark(this, 2);
        });
    }
}

/** One cell with wait and notify; what it holds belongs to who takes it. */
final class Mailbox implements Program {
    static final class Letter {
        int readers;
    }

    private Letter letter;

    synchronized void send(Letter sent) throws InterruptedException {
        while (letter != null) {
            wait();
        }
        letter = sent;
        notifyAll();
    }

    synchronized Letter receive() throws InterruptedException {
        while (letter == null) {
            mark(this);
            wait();
        }
        Letter received = letter;
        letter = null;
        notifyAll();
        return received;
    }

    public void run() throws Exception {
        together(() -> {
            until(this);
            Letter sent = new Letter();
            sent.readers = 1;
            send(sent);
        }, () -> receive().readers++);
    }
}

/** The same where nobody has to wait. */
final class MailboxInTime implements Program {
    static final class Parcel {
        int weight;
    }

    private Parcel parcel;

    public void run() throws Exception {
        together(() -> {
            Parcel sent = new Parcel();
            sent.weight = 1;
            synchronized (this) {
                parcel = sent;
                notifyAll();
            }
            mark(this);
        }, () -> {
            until(this);
            Parcel received;
            synchronized (this) {
                while (parcel == null) {
                    wait();
                }
                received = parcel;
            }
            received.weight++;
        });
    }
}

/** What is written after the message is not part of it. */
final class WrittenAfterNotify implements Program {
    private boolean sent;
    private int data; // race: WrittenAfterNotify.data

    public void run() throws Exception {
        together(() -> {
            until(this);
            synchronized (this) {
                sent = true;
                notifyAll();
            }
            data = 1;
            mark(this, 2);
        }, () -> {
            synchronized (this) {
                mark(this);
                while (!sent) {
                    wait();
                }
            }
            until(this, 2);
            data++;
        });
    }
}

/** Gives up waiting. */
final class WaitedInVain implements Program {
    private boolean sent;
    private int data; // race: WaitedInVain.data

    public void run() throws Exception {
        together(() -> {
            data = 1;
            mark(this);
            until(this, 2);
            synchronized (this) {
                sent = true;
                notifyAll();
            }
        }, () -> {
            until(this);
            synchronized (this) {
                if (!sent) {
                    wait(5);
                }
            }
            data++;
            mark(this, 2);
        });
    }
}

final class Buffer<T> {
    private final Queue<T> items = new LinkedList<>();

    synchronized void put(T item) throws InterruptedException {
        while (items.size() == 2) {
            wait();
        }
        items.add(item);
        notifyAll();
    }

    synchronized T take() throws InterruptedException {
        while (items.isEmpty()) {
            wait();
        }
        T item = items.remove();
        notifyAll();
        return item;
    }
}

/** The items are immutable, the buffer is locked. */
final class BoundedBuffer implements Program {
    public void run() throws Exception {
        Buffer<String> buffer = new Buffer<>();
        together(() -> {
            for (int i = 0; i < 20; i++) {
                buffer.put("item");
            }
        }, () -> {
            for (int i = 0; i < 20; i++) {
                buffer.take();
            }
        });
    }
}

/** The item is still changed after it was put. */
final class ChangedAfterPut implements Program {
    static final class Order {
        int amount; // race: Order.amount
    }

    public void run() throws Exception {
        Buffer<Order> buffer = new Buffer<>();
        together(() -> {
            Order order = new Order();
            buffer.put(order);
            order.amount = 2;
            mark(this);
        }, () -> {
            until(this);
            buffer.take().amount++;
        });
    }
}

/** The queue is locked by one of two. */
final class UnlockedQueue implements Program {
    final ArrayDeque<String> names = new ArrayDeque<>(); // race: UnlockedQueue.names

    public void run() throws Exception {
        together(() -> {
            synchronized (names) {
                names.add("a");
            }
            mark(this);
            until(this, 2);
            synchronized (names) {
                names.add("b");
            }
        }, () -> {
            until(this);
            names.poll();
            mark(this, 2);
        });
    }
}

/** A flag under the lock, polled. */
final class PolledFlag implements Program {
    private boolean done;
    private int result;

    synchronized boolean isDone() {
        return done;
    }

    synchronized void setDone() {
        done = true;
    }

    public void run() throws Exception {
        together(() -> {
            result = 1;
            setDone();
        }, () -> {
            while (!isDone()) {
                Thread.sleep(1);
            }
            result++;
        });
    }
}

/** A thread takes the list of what is due, leaves none behind, and goes through it without the lock. */
final class TakenOut implements Program {
    private List<Integer> due;
    private int sum;

    private synchronized void add(int number) {
        if (due == null) {
            due = new ArrayList<>();
        }
        due.add(number);
    }

    private void drain() {
        List<Integer> taken;
        synchronized (this) {
            taken = due;
            due = null;
        }
        for (int number : taken) {
            sum += number;
        }
    }

    public void run() throws Exception {
        together(() -> {
            add(1);
            mark(this);
            until(this, 2);
            add(2);
        }, () -> {
            until(this);
            drain();
            mark(this, 2);
        });
    }
}

/** The list is still there for others. */
final class LeftThere implements Program {
    private final List<Integer> due = new ArrayList<>(); // race: LeftThere.due
    private int sum;

    private synchronized void add(int number) {
        due.add(number);
    }

    private void drain() {
        List<Integer> taken;
        synchronized (this) {
            taken = due;
        }
        for (int number : taken) {
            sum += number;
        }
    }

    public void run() throws Exception {
        together(() -> {
            add(1);
            mark(this);
            until(this, 2);
            add(2);
        }, () -> {
            until(this);
            drain();
            mark(this, 2);
        });
    }
}

/** The two take the lock in this order by chance. */
final class OrderedByChance implements Program {
    private int hits;
    private int last; // race: OrderedByChance.last

    synchronized void hit() {
        hits++;
    }

    public void run() throws Exception {
        together(() -> {
            last = 1;
            hit();
            mark(this);
        }, () -> {
            until(this);
            hit();
            last = 2;
        });
    }
}

/** A latch out of wait and notify. */
final class OwnLatch implements Program {
    private int left = 2;
    int a;
    int b;

    synchronized void countDown() {
        left--;
        notifyAll();
    }

    synchronized void await() throws InterruptedException {
        mark(this);
        while (left > 0) {
            wait();
        }
    }

    public void run() throws Exception {
        together(() -> {
            until(this);
            a = 1;
            countDown();
        }, () -> {
            until(this);
            b = 1;
            countDown();
        }, () -> {
            await();
            a++;
            b++;
        });
    }
}

/** Reentrance: the lock is held until the outermost block ends. */
final class Reentrant implements Program {
    private int value;

    synchronized void twice() {
        once();
        value++;
    }

    synchronized void once() {
        value++;
    }

    public void run() throws Exception {
        together(this::twice, this::once, this::twice);
    }
}

/** The exception ends the block, and with it the lock. */
final class AfterException implements Program {
    private int value; // race: AfterException.value

    void fail() {
        try {
            synchronized (this) {
                throw new IllegalStateException();
            }
        } catch (IllegalStateException expected) {
            value++;
        }
    }

    public void run() throws Exception {
        together(() -> {
            fail();
            mark(this);
        }, () -> {
            until(this);
            fail();
        });
    }
}

/** A parent holds the lock for its children. */
final class HeldByParent implements Program {
    private int value; // race: HeldByParent.value

    public void run() throws Exception {
        synchronized (this) {
            together(() -> {
                value++;
                mark(this);
            }, () -> {
                until(this);
                value++;
            });
        }
    }
}

/** Inherited synchronized methods lock the same object. */
final class Inheriting implements Program {
    static class Base {
        protected int state;

        synchronized void change() {
            state++;
        }
    }

    static final class Derived extends Base {
        @Override
        synchronized void change() {
            super.change();
            state++;
        }
    }

    public void run() throws Exception {
        Base base = new Derived();
        together(base::change, base::change);
    }
}

/** An inner object locks itself, its outer one is meant. */
final class InnerLock implements Program {
    int total; // race: InnerLock.total

    final class Adder {
        synchronized void add() {
            total++;
        }
    }

    public void run() throws Exception {
        Adder a = new Adder();
        Adder b = new Adder();
        together(() -> {
            a.add();
            mark(this);
            until(this, 2);
            a.add();
        }, () -> {
            until(this);
            b.add();
            mark(this, 2);
        });
    }
}

/** One thread passes another on through start, under a lock that matters to neither. */
final class StartedInside implements Program {
    int value;

    public void run() throws Exception {
        Thread[] child = new Thread[1];
        synchronized (this) {
            value = 1;
            child[0] = start(() -> value++);
        }
        child[0].join();
        value++;
    }
}

/** Between two accesses its thread gives up another lock, which the other one takes before it writes, too: it has not seen the second. */
final class OtherLockBetween implements Program {
    private final Object other = new Object();
    private int value; // race: OtherLockBetween.value

    public void run() throws Exception {
        together(() -> {
            value = 1;
            synchronized (other) {
                mark(this);
            }
            value = 2;
            mark(this, 2);
        }, () -> {
            until(this);
            synchronized (other) {
                mark(this, 3);
            }
            until(this, 2);
            value++;
        });
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new Locked(), new UnlockedReader(), new DifferentLocks(), new ClassAndObject(), new FreshLock(), new BoxedLock(),
                new Nested(), new GivenUpTooEarly(), new Mailbox(), new MailboxInTime(), new WrittenAfterNotify(), new WaitedInVain(),
                new BoundedBuffer(), new ChangedAfterPut(), new UnlockedQueue(), new PolledFlag(), new TakenOut(), new LeftThere(),
                new OrderedByChance(), new OwnLatch(), new Reentrant(), new AfterException(), new HeldByParent(), new Inheriting(),
                new InnerLock(), new StartedInside(), new OtherLockBetween());
    }
}
