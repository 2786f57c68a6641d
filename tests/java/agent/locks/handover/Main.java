package handover;

import static util.Threads.each;
import static util.Threads.thrice;

import java.util.concurrent.locks.ReentrantLock;

/** Locks that are not given back in the order in which they were taken. */
final class Data {
    final ReentrantLock first = new ReentrantLock();
    final ReentrantLock second = new ReentrantLock();
    final Object monitor = new Object();

    int both;
    int bySecond;
    int byFirstNoMore; // race: Data.byFirstNoMore
    int byNone; // race: Data.byNone
    int crossing;
    int afterCrossing; // race: Data.afterCrossing
    int chain;
    int acrossMethods;
    int outerReentry;
}

public final class Main {
    static final Data DATA = new Data();

    static void handOverHand() {
        DATA.first.lock();
        DATA.second.lock();
        DATA.both++;
        DATA.first.unlock();
        DATA.bySecond++;
        DATA.byFirstNoMore++;
        DATA.second.unlock();
        DATA.byNone++;
    }

    /** A library lock that outlives the monitor it was taken in. */
    static void crossing() {
        synchronized (DATA.monitor) {
            DATA.first.lock();
        }
        DATA.crossing++;
        DATA.first.unlock();
        DATA.afterCrossing++;
    }

    static synchronized void take() {
        DATA.second.lock();
        DATA.acrossMethods++;
    }

    static synchronized void give() {
        DATA.acrossMethods++;
        DATA.second.unlock();
    }

    static void chain() {
        ReentrantLock[] locks = new ReentrantLock[20];
        for (int i = 0; i < locks.length; i++) {
            locks[i] = new ReentrantLock();
            locks[i].lock();
            if (i == 0) {
                DATA.first.lock();
            }
            if (i > 1) {
                locks[i - 2].unlock();
            }
        }
        DATA.chain++;
        locks[18].unlock();
        locks[19].unlock();
        DATA.chain++;
        DATA.first.unlock();
    }

    public static void main(String[] args) {
        thrice(Main::handOverHand);
        each(() -> {
            DATA.first.lock();
            DATA.byFirstNoMore++;
            DATA.first.unlock();
        });
        each(() -> {
            DATA.second.lock();
            DATA.bySecond++;
            DATA.second.unlock();
        });
        thrice(Main::crossing);
        each(() -> {
            DATA.first.lock();
            DATA.crossing++;
            DATA.first.unlock();
        });
        thrice(() -> {
            take();
            DATA.acrossMethods++;
            give();
        });
        thrice(Main::chain);
        thrice(() -> {
            DATA.first.lock();
            DATA.second.lock();
            DATA.first.lock();
            DATA.first.unlock();
            DATA.second.unlock();
            DATA.outerReentry++;
            DATA.first.unlock();
        });
    }
}
