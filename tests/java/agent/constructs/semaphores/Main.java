package semaphores;

import static schedule.Schedule.mark;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import schedule.Program;

final class AsLock implements Program {
    private final Semaphore mutex = new Semaphore(1, true);
    private int count;

    void add() throws InterruptedException {
        mutex.acquire();
        try {
            count++;
        } finally {
            mutex.release();
        }
    }

    public void run() throws Exception {
        together(this::add, this::add, this::add);
    }
}

final class AsSignal implements Program {
    private final Semaphore done = new Semaphore(0);
    private int result;

    public void run() throws Exception {
        together(() -> {
            result = 1;
            done.release();
        }, () -> {
            done.acquireUninterruptibly();
            result++;
        });
    }
}

final class ReleasedTooEarly implements Program {
    private final Semaphore done = new Semaphore(0);
    private int result; // race: ReleasedTooEarly.result

    public void run() throws Exception {
        together(() -> {
            done.release();
            result = 1;
            mark(this);
        }, () -> {
            done.acquire();
            until(this);
            result++;
        });
    }
}

/** Two at a time. */
final class TwoPermits implements Program {
    private final Semaphore permits = new Semaphore(2);
    private int active; // race: TwoPermits.active

    void enter() throws InterruptedException {
        permits.acquire();
        active++;
        permits.release();
    }

    public void run() throws Exception {
        together(() -> {
            enter();
            mark(this);
        }, () -> {
            until(this);
            enter();
        });
    }
}

/** Tries, and goes on anyway. */
final class TriedOnly implements Program {
    private final Semaphore mutex = new Semaphore(1);
    private int count; // race: TriedOnly.count

    public void run() throws Exception {
        together(() -> {
            mutex.acquire();
            count++;
            mark(this);
            until(this, 2);
            mutex.release();
        }, () -> {
            until(this);
            mutex.tryAcquire(5, TimeUnit.MILLISECONDS);
            count++;
            mark(this, 2);
        });
    }
}

final class Tried implements Program {
    private final Semaphore mutex = new Semaphore(1);
    private int count;

    void add() {
        while (!mutex.tryAcquire()) {
            Thread.onSpinWait();
        }
        count++;
        mutex.release();
    }

    public void run() throws Exception {
        together(this::add, this::add);
    }
}

/** Readers take one permit, a writer all. */
final class ReadersAndWriter implements Program {
    private static final int ALL = 10;
    private final Semaphore permits = new Semaphore(ALL);
    private int value;

    int get() throws InterruptedException {
        permits.acquire();
        try {
            return value;
        } finally {
            permits.release();
        }
    }

    void set() throws InterruptedException {
        permits.acquire(ALL);
        try {
            value++;
        } finally {
            permits.release(ALL);
        }
    }

    public void run() throws Exception {
        together(() -> {
            get();
            mark(this);
            until(this, 2);
            set();
        }, () -> {
            until(this);
            set();
            mark(this, 2);
        });
    }
}

/** The writer leaves one permit, which a reader has. */
final class WriterTakesMost implements Program {
    private final Semaphore permits = new Semaphore(10);
    private int value; // race: WriterTakesMost.value

    public void run() throws Exception {
        together(() -> {
            permits.acquire();
            if (value > 1) {
                System.out.println(value);
            }
            mark(this);
            until(this, 2);
            permits.release();
        }, () -> {
            until(this);
            permits.acquire(9);
            value++;
            permits.release(9);
            mark(this, 2);
        });
    }
}

/** As many permits as there are items, and each item used by who has taken it. */
final class ItemPool implements Program {
    static final class Item {
        int uses;
    }

    private final Semaphore available = new Semaphore(2);
    private final Item[] items = {new Item(), new Item()};
    private final boolean[] used = new boolean[2];

    private synchronized int mark() {
        for (int i = 0; i < items.length; i++) {
            if (!used[i]) {
                used[i] = true;
                return i;
            }
        }
        throw new IllegalStateException();
    }

    private synchronized void unmark(int at) {
        used[at] = false;
    }

    void use() throws InterruptedException {
        available.acquire();
        int at = mark();
        if (items[at].uses < 0) {
            System.out.println("odd");
        }
        unmark(at);
        available.release();
    }

    public void run() throws Exception {
        together(this::use, this::use, this::use);
    }
}

/** Two semaphores pass the turn on. */
final class Turns implements Program {
    private final Semaphore ping = new Semaphore(1);
    private final Semaphore pong = new Semaphore(0);
    private int ball;

    public void run() throws Exception {
        together(() -> {
            for (int i = 0; i < 20; i++) {
                ping.acquire();
                ball++;
                pong.release();
            }
        }, () -> {
            for (int i = 0; i < 20; i++) {
                pong.acquire();
                ball++;
                ping.release();
            }
        });
    }
}

/** Bounded buffer with three semaphores. */
final class Buffer implements Program {
    static final class Cell {
        int value;
    }

    private final Semaphore free = new Semaphore(2);
    private final Semaphore full = new Semaphore(0);
    private final Semaphore mutex = new Semaphore(1);
    private final Cell[] cells = new Cell[2];
    private int first;
    private int next;

    public void run() throws Exception {
        together(() -> {
            for (int i = 0; i < 10; i++) {
                Cell made = new Cell();
                made.value = i;
                free.acquire();
                mutex.acquire();
                cells[next] = made;
                next = 1 - next;
                mutex.release();
                full.release();
            }
        }, () -> {
            for (int i = 0; i < 10; i++) {
                full.acquire();
                mutex.acquire();
                Cell taken = cells[first];
                first = 1 - first;
                mutex.release();
                free.release();
                taken.value++;
            }
        });
    }
}

/** Waits for all workers by acquiring as many permits. */
final class WaitForAll implements Program {
    private final Semaphore done = new Semaphore(0);
    private int a;
    private int b;

    public void run() throws Exception {
        together(() -> {
            a = 1;
            done.release();
        }, () -> {
            b = 1;
            done.release();
        }, () -> {
            done.acquire(2);
            a++;
            b++;
        });
    }
}

/** Waits for one of two. */
final class WaitForOne implements Program {
    private final Semaphore done = new Semaphore(0);
    private int late; // race: WaitForOne.late

    public void run() throws Exception {
        together(done::release, () -> {
            late = 1;
            mark(this);
            until(this, 2);
            done.release();
        }, () -> {
            done.acquire();
            until(this);
            late++;
            mark(this, 2);
        });
    }
}

/** Polls how many permits there are. */
final class Drained implements Program {
    private final Semaphore done = new Semaphore(0);
    private int result;

    public void run() throws Exception {
        together(() -> {
            result = 1;
            done.release();
        }, () -> {
            while (done.drainPermits() == 0) {
                Thread.onSpinWait();
            }
            result++;
        });
    }
}

/** The same, and takes none. */
final class AskedFor implements Program {
    private final Semaphore done = new Semaphore(0);
    private int result;

    public void run() throws Exception {
        together(() -> {
            result = 1;
            done.release();
        }, () -> {
            while (done.availablePermits() == 0) {
                Thread.onSpinWait();
            }
            result++;
        });
    }
}

/** There was a permit before. */
final class AskedForTooEarly implements Program {
    private final Semaphore done = new Semaphore(1);
    private int result; // race: AskedForTooEarly.result

    public void run() throws Exception {
        together(() -> {
            result = 1;
            mark(this);
            until(this, 2);
            done.release();
        }, () -> {
            until(this);
            if (done.availablePermits() > 0) {
                result++;
            }
            mark(this, 2);
        });
    }
}

/** Permits count what there is: who takes one gives none back, and keeps nobody out. */
final class CountsItems implements Program {
    private final Semaphore items = new Semaphore(0);
    private int taken; // race: CountsItems.taken

    public void run() throws Exception {
        items.release(2);
        together(() -> {
            items.acquire();
            taken++;
            mark(this);
        }, () -> {
            until(this);
            items.acquire();
            taken++;
        });
    }
}

/** The same with room for one: who has taken an item gives room to who brings the next. */
final class CountsRoom implements Program {
    private final Semaphore room = new Semaphore(1);
    private final Semaphore items = new Semaphore(0);
    private int item;
    private int brought; // race: CountsRoom.brought

    public void run() throws Exception {
        together(() -> {
            for (int i = 0; i < 20; i++) {
                room.acquire();
                item = i;
                items.release();
            }
            brought++;
            mark(this);
        }, () -> {
            for (int i = 0; i < 20; i++) {
                items.acquire();
                item++;
                room.release();
            }
            until(this);
            brought++;
        });
    }
}

/** A thread takes a new one each time, and never gives any back. */
final class OneForEachTask implements Program {
    private static final int TASKS = 20_000;
    private final java.util.concurrent.SynchronousQueue<Semaphore> started = new java.util.concurrent.SynchronousQueue<>();
    private int done; // race: OneForEachTask.done

    public void run() throws Exception {
        together(() -> {
            for (int i = 0; i < TASKS; i++) {
                Semaphore task = new Semaphore(0);
                started.put(task);
                task.acquire();
            }
            done++;
            mark(this);
        }, () -> {
            for (int i = 0; i < TASKS; i++) {
                started.take().release();
            }
            until(this);
            done++;
        });
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new AsLock(), new AsSignal(), new ReleasedTooEarly(), new TwoPermits(), new TriedOnly(), new Tried(),
                new ReadersAndWriter(), new WriterTakesMost(), new ItemPool(), new Turns(), new Buffer(), new WaitForAll(), new WaitForOne(), new Drained(), new AskedFor(), new AskedForTooEarly(),
                new CountsItems(), new CountsRoom(), new OneForEachTask());
    }
}
