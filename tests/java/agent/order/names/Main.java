package names;

import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A variable that one thread accesses under a lock, and another one without. Comments say by which name the lock is known. */
abstract class Case {
    abstract void locked() throws Exception;

    abstract void bare();
}

final class OfTheObject extends Case {
    private final Object lock = new Object(); // known as: names.OfTheObject.lock
    int value;

    void locked() {
        synchronized (lock) {
            value++;
        }
    }

    void bare() {
        value++;
    }
}

abstract class Guarded extends Case {
    final Lock guard = new ReentrantLock();
}

final class Inherited extends Guarded {
    int value; // known as: names.Guarded.guard

    void locked() {
        guard.lock();
        try {
            value++;
        } finally {
            guard.unlock();
        }
    }

    void bare() {
        value++;
    }
}

final class Static extends Case {
    private static final Object LOCK = new Object(); // known as: names.Static.LOCK
    int value;

    void locked() {
        synchronized (LOCK) {
            value++;
        }
    }

    void bare() {
        value++;
    }
}

final class Written extends Case {
    private final ReentrantReadWriteLock both = new ReentrantReadWriteLock(); // known as: names.Written.both
    int value;

    void locked() {
        both.writeLock().lock();
        value++;
        both.writeLock().unlock();
    }

    void bare() {
        value++;
    }
}

final class Permitted extends Case {
    private final Semaphore permit = new Semaphore(1); // known as: names.Permitted.permit
    int value;

    void locked() throws InterruptedException {
        permit.acquire();
        value++;
        permit.release();
    }

    void bare() {
        value++;
    }
}

/** The lock is one of the object around. */
final class Outer extends Case {
    private final Object lock = new Object(); // known as: names.Outer.lock
    private final Inner inner = new Inner();

    final class Inner {
        int value;

        void raise() {
            synchronized (lock) {
                value++;
            }
        }
    }

    void locked() {
        inner.raise();
    }

    void bare() {
        inner.value++;
    }
}

/** The lock is a static field of who accesses. */
final class Elsewhere extends Case {
    private static final Object LOCK = new Object(); // known as: names.Elsewhere.LOCK
    private final int[] cells = new int[1];

    void locked() {
        synchronized (LOCK) {
            cells[0]++;
        }
    }

    void bare() {
        cells[0]++;
    }
}

/** An object that is its own lock is known by its class. */
final class Itself extends Case {
    private final Itself same = this; // known as: names.Itself
    int value;

    synchronized void locked() {
        value++;
    }

    void bare() {
        value++;
    }
}

/** So is one that another object refers to. */
final class Other extends Case {
    private final Itself other = new Itself(); // known as: names.Itself
    int value;

    void locked() {
        synchronized (other) {
            value++;
        }
    }

    void bare() {
        value++;
    }
}

/** Nothing refers to the lock but a variable of a method. */
final class Local extends Case {
    int value; // known as: java.lang.Object

    void locked() {
        Object lock = new Object();
        synchronized (lock) {
            value++;
        }
    }

    void bare() {
        value++;
    }
}

public final class Main {
    private Main() {}

    public static void main(String[] args) throws InterruptedException {
        Case[] cases = {
            new OfTheObject(), new Inherited(), new Static(), new Written(), new Permitted(), new Outer(), new Elsewhere(), new Itself(),
            new Other(), new Local(),
        };
        for (Case one : cases) {
            Thread locked = new Thread(() -> {
                try {
                    one.locked();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            Thread bare = new Thread(one::bare);
            if (args.length > 0) {
                bare.start();
                Thread.sleep(100);
                locked.start();
            } else {
                locked.start();
                Thread.sleep(100);
                bare.start();
            }
            locked.join();
            bare.join();
        }
        System.out.println("done");
    }
}
