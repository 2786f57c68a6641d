package attempts;

import static util.Threads.inTurns;

import java.util.concurrent.locks.ReentrantLock;

/** An attempt fails while another thread has the lock: so what comes before it may come between what that thread does. */
final class Attempt {
    private static final ReentrantLock OUTER = new ReentrantLock();
    private static final ReentrantLock INNER = new ReentrantLock();
    private static int value;

    // atomicity: Attempt.update
    static void update() {
        OUTER.lock();
        try {
            int before = read();
            write(before + 1);
        } finally {
            OUTER.unlock();
        }
    }

    private static int read() {
        INNER.lock();
        try {
            return value;
        } finally {
            INNER.unlock();
        }
    }

    private static void write(int next) {
        INNER.lock();
        try {
            value = next;
        } finally {
            INNER.unlock();
        }
    }

    static void other() {
        INNER.lock();
        try {
            value += 10;
            attempt();
        } finally {
            INNER.unlock();
        }
    }

    // A false alarm: tryLock does not wait.
    // deadlock: Attempt.attempt, Attempt.read
    private static void attempt() {
        if (OUTER.tryLock()) {
            OUTER.unlock();
        }
    }
}

public final class Main {
    public static void main(String[] args) {
        inTurns(Attempt::update, Attempt::other);
    }
}
