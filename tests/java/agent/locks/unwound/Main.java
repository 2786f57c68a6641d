package unwound;

import static util.Threads.each;
import static util.Threads.thrice;

/** Exceptions that pass through several frames with locks: each frame gives back its own. */
final class Data {
    int held;
    int free; // race: Data.free
    int inFinally;
    int inCatch;
    int half;
    int inInitializer;
    int afterInitializer; // race: Data.afterInitializer
}

final class Fails {
    static final int VALUE = fail();

    static synchronized int fail() {
        synchronized (Main.DATA) {
            Main.DATA.inInitializer++;
            throw new IllegalStateException("in the initializer");
        }
    }

    Fails() {
    }
}

public final class Main {
    static final Data DATA = new Data();
    static final Object[] LOCKS = {new Object(), new Object(), new Object()};

    static synchronized void deep(int n) {
        synchronized (LOCKS[n % 3]) {
            if (n == 0) {
                throw new ArithmeticException("deep");
            }
            try {
                deep(n - 1);
            } finally {
                DATA.inFinally++;
            }
        }
    }

    static void half() {
        synchronized (LOCKS[0]) {
            try {
                deep(7);
            } catch (ArithmeticException expected) {
                DATA.half++;
            }
        }
    }

    public static void main(String[] args) {
        thrice(() -> {
            try {
                deep(20);
            } catch (ArithmeticException expected) {
                DATA.free++;
            }
            half();
            synchronized (DATA) {
                DATA.held++;
            }
        });
        thrice(() -> {
            synchronized (Main.class) {
                try {
                    deep(5);
                } catch (ArithmeticException expected) {
                    DATA.inCatch++;
                }
            }
        });
        thrice(() -> {
            try {
                System.out.println(Fails.VALUE);
            } catch (LinkageError expected) {
                DATA.afterInitializer++;
            }
            synchronized (DATA) {
                DATA.inInitializer++;
            }
        });
        // A thread that dies inside its locks takes nothing with it.
        Thread dying = new Thread(() -> deep(3), "dying");
        dying.setUncaughtExceptionHandler((thread, error) -> {
            System.out.println(thread.getName() + " died of " + error.getMessage());
            synchronized (DATA) {
                DATA.held++;
            }
        });
        dying.start();
        util.Threads.await(dying);
        each(() -> {
            synchronized (DATA) {
                DATA.held++;
            }
        });
    }
}
