package overflow;

import static util.Threads.each;
import static util.Threads.thrice;

import java.util.concurrent.locks.ReentrantLock;

/** Runs out of stack inside locks, again and again; afterwards locks are tracked as before. */
final class Data {
    int depth;
    int guarded;
    int racy; // race: Data.racy
    int afterMethods; // race: Data.afterMethods
    int afterBlocks; // race: Data.afterBlocks
    int afterLibrary; // race: Data.afterLibrary
    int underBlock;
    int underMethod;
    int underLibrary;
    final int[] elements = new int[4];
}

final class Deep {
    final ReentrantLock lock = new ReentrantLock();

    synchronized int methods(int n) {
        Main.DATA.depth++;
        return n % 2 == 0 ? methods(n + 1) + 1 : Deep.statics(this, n + 1) + 1;
    }

    static synchronized int statics(Deep deep, int n) {
        Main.DATA.elements[n & 3]++;
        return deep.methods(n + 1) + 1;
    }

    int blocks(int n) {
        synchronized (n % 3 == 0 ? this : Main.DATA) {
            return blocks(n + 1) + Main.DATA.depth++;
        }
    }

    int library(int n) {
        lock.lock();
        try {
            return library(n + 1) + 1;
        } finally {
            lock.unlock();
        }
    }

    int padding(int n, Runnable body) {
        if (n == 0) {
            body.run();
            return 0;
        }
        return padding(n - 1, body) + 1;
    }

    synchronized void underMethod(Runnable deep) {
        deep.run();
        Main.DATA.underMethod++;
    }

    void underBlock(Runnable deep) {
        synchronized (this) {
            deep.run();
            Main.DATA.underBlock++;
        }
    }

    void underLibrary(Runnable deep) {
        lock.lock();
        deep.run();
        Main.DATA.underLibrary++;
        lock.unlock();
    }
}

public final class Main {
    static final Data DATA = new Data();
    static final Deep DEEP = new Deep();
    static final Object LOCK = new Object();
    static final int ROUNDS = 8;

    static boolean overflows(Runnable body) {
        try {
            body.run();
            return false;
        } catch (StackOverflowError expected) {
            return true;
        }
    }

    /** Each round begins at another depth, so that the stack ends at another place. */
    static void rounds(Runnable body) {
        int overflows = 0;
        for (int round = 0; round < ROUNDS; round++) {
            int depth = round;
            overflows += overflows(() -> DEEP.padding(depth, body)) ? 1 : 0;
        }
        if (overflows != ROUNDS) {
            System.out.println(overflows);
        }
    }

    static void caught(Runnable body) {
        for (int round = 0; round < ROUNDS; round++) {
            if (!overflows(body)) {
                System.out.println("no overflow");
            }
        }
    }

    public static void main(String[] args) {
        each(() -> rounds(() -> DEEP.methods(0)), () -> rounds(() -> DEEP.blocks(0)));
        thrice(() -> {
            rounds(() -> DEEP.methods(0));
            DATA.afterMethods++;
        });
        thrice(() -> {
            rounds(() -> DEEP.blocks(0));
            DATA.afterBlocks++;
        });
        thrice(() -> {
            // A lock of its own: unlock() may overflow, with or without the agent, and then the lock stays taken.
            Deep own = new Deep();
            rounds(() -> own.library(0));
            DATA.afterLibrary++;
        });
        thrice(() -> {
            rounds(() -> DEEP.methods(0));
            synchronized (LOCK) {
                DATA.guarded++;
            }
            DATA.racy++;
        });
        thrice(() -> DEEP.underMethod(() -> caught(() -> DEEP.methods(0))));
        thrice(() -> DEEP.underBlock(() -> caught(() -> DEEP.methods(0))));
        thrice(() -> DEEP.underBlock(() -> caught(() -> DEEP.blocks(0))));
        thrice(() -> DEEP.underLibrary(() -> caught(() -> DEEP.methods(0))));
        System.out.println("survived");
    }
}
