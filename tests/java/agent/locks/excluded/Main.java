package excluded;

import static util.Threads.each;
import static util.Threads.thrice;

import java.util.concurrent.locks.ReentrantLock;

/** The test excludes this class: its accesses are not checked, its locks count. */
class Unchecked {
    int notLooked;
    static int notLookedStatic;
    final int[] notLookedElements = new int[1];
    static final ReentrantLock LOCK = new ReentrantLock();

    synchronized void whileLocked(Runnable body) {
        notLooked++;
        body.run();
    }

    static synchronized void whileClassLocked(Runnable body) {
        body.run();
    }

    void inBlock(Runnable body) {
        synchronized (this) {
            body.run();
        }
    }

    void inLibraryLock(Runnable body) {
        LOCK.lock();
        try {
            body.run();
        } finally {
            LOCK.unlock();
        }
    }

    static void touch(Data data) {
        data.touchedByUnchecked++;
    }
}

class Sub extends Unchecked {
    int looked; // race: Sub.looked
}

final class Data {
    int byMethod;
    int byStaticMethod;
    int byBlock;
    int byLibraryLock;
    int byNothing; // race: Data.byNothing
    int touchedByUnchecked; // missed: Data.touchedByUnchecked -- only an excluded class touches it
}

public final class Main {
    static final Data DATA = new Data();
    static final Unchecked UNCHECKED = new Unchecked();
    static final Sub SUB = new Sub();

    public static void main(String[] args) {
        thrice(() -> {
            UNCHECKED.whileLocked(() -> DATA.byMethod++);
            Unchecked.whileClassLocked(() -> DATA.byStaticMethod++);
            UNCHECKED.inBlock(() -> DATA.byBlock++);
            UNCHECKED.inLibraryLock(() -> DATA.byLibraryLock++);
            DATA.byNothing++;
            UNCHECKED.notLooked++;
            Unchecked.notLookedStatic++;
            SUB.looked++;
            SUB.notLooked++;
            Unchecked.touch(DATA);
        });
    }
}
