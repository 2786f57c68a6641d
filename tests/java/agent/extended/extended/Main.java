package extended;

import static util.Threads.inTurns;

import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;

/** What types must not prove: the JDK runs code of the program where it is extended, or compares by the program's order. */
final class Steps {
    static int n;

    static synchronized void next() {
        n++;
    }
}

final class Twice extends ReentrantLock {
    // atomicity: Twice.lock
    @Override
    public void lock() {
        Steps.next();
        super.lock();
        Steps.next();
    }

    static void around(Twice lock) {
        lock.lock();
        lock.unlock();
    }
}

final class Traced extends RuntimeException {
    // atomicity: Traced.fillInStackTrace
    @Override
    public Throwable fillInStackTrace() {
        Steps.next();
        Steps.next();
        return this;
    }

    static void make() {
        new Traced();
    }
}

final class Ordered {
    private static final ConcurrentMap<String, Integer> MAP = new ConcurrentSkipListMap<>((a, b) -> {
        Steps.next();
        Steps.next();
        return a.compareTo(b);
    });

    static void fill() {
        for (int i = 0; i < 100; i++) {
            MAP.put("k" + i, i);
        }
    }

    // atomicity: Ordered.look
    static Integer look() {
        return MAP.get("k50");
    }
}

final class Adding extends LongAdder {
    // atomicity: Adding.add
    @Override
    public void add(long more) {
        Steps.next();
        Steps.next();
        super.add(more);
    }

    void one() {
        increment();
    }
}

public final class Main {
    public static void main(String[] args) {
        Twice lock = new Twice();
        Adding adding = new Adding();
        Ordered.fill();
        inTurns(() -> Twice.around(lock), () -> Twice.around(lock));
        inTurns(Traced::make, Traced::make);
        inTurns(Ordered::look, Ordered::look);
        inTurns(adding::one, adding::one);
        // Nobody expects of a lambda's body that it is atomic, whichever interface the JVM has it implement.
        IntConsumer body = times -> {
            for (int i = 0; i < times; i++) {
                Steps.next();
            }
        };
        inTurns(() -> body.accept(2), () -> body.accept(2));
    }
}
