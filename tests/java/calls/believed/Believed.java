package believed;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import net.jcip.annotations.GuardedBy;

/** What only code that is not there could break is no error, and is not proved. */
public class Believed {
    private static final AtomicReference<Song> NEXT = new AtomicReference<>(); // type: final
    private final Object lock = new Object(); // type: final
    @GuardedBy("lock") private int done; // type: guarded this.lock

    /** Clients have this; what they do while a method of theirs runs, nobody knows. */
    public interface Clock {
        long now();
    }

    /** Its lock may be given back by a client that has not taken it. */
    public static class Gate {
        private final ReentrantLock lock = new ReentrantLock(); // type: final

        public void enter() {
            lock.lock();
        }

        public void leave() {
            lock.unlock();
        }
    }

    public static class Segment extends ReentrantLock {
        @GuardedBy("this") private long entries; // type: unsafe
        @GuardedBy("this") private long wrong; // type: unsafe

        public void put(Clock clock) {
            lock();
            try {
                entries += clock.now();
                wrong += clock.now();
                dropped();
            } finally {
                unlock();
            }
        }

        @GuardedBy("this") private void dropped() {
            entries--;
        }

        public long wrong() {
            return wrong; // error: unguarded-access
        }

        public void forgotten() {
            dropped(); // error: unheld-call
        }

        public void gone(Clock clock) {
            lock();
            try {
                clock.now();
            } finally {
                unlock();
            }
            wrong++; // error: unguarded-access unguarded-access
        }
    }

    /** A constructor holds no lock that its object has, though it has let the object out. */
    public static class Early {
        @GuardedBy("this") private int begun; // type: unsafe

        public Early(Clock[] others) {
            others[0] = () -> begun(this);
            begun = 1;
        }

        public Early(Early other) {
            begun = other.begun; // error: unguarded-access
        }

        private static synchronized long begun(Early early) {
            synchronized (early) {
                return early.begun++;
            }
        }
    }

    /** Comes to other threads by what orders nothing. */
    public static class Song {
        @GuardedBy("this") private int plays = 1; // type: unsafe

        public synchronized void play() {
            plays++;
        }
    }

    public static void put() {
        NEXT.setPlain(new Song());
    }

    public static void take() {
        NEXT.getPlain().play();
    }

    /** Whoever calls this asks for no lock, but one that overrides it does: that is one error, not one of each call. */
    public abstract static class Task {
        public abstract void run();
    }

    public final class Counted extends Task {
        @GuardedBy("Believed.this.lock") @Override public void run() {
            synchronized (lock) {
                done++;
            }
        }
    }

    public static void first(Task task) {
        task.run(); // error: unheld-call
    }

    public static void second(Task task) {
        task.run();
    }
}
