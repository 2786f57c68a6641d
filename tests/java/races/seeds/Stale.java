package seeds;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Locks that were got and are held no longer: by the result of `tryLock`, or after a call that gives them back. */
public class Stale {
    private final ReentrantLock lock = new ReentrantLock();
    private final ReentrantReadWriteLock both = new ReentrantReadWriteLock();
    private boolean kept; // race
    private int released; // race
    private int helped; // race
    private int negated; // race
    private int timed; // race
    private int looped; // race
    private int written; // race
    private int stored; // race
    private int returned; // race
    private int inside;
    private int below; // race
    private int passed; // race
    private int called; // race
    private int whole; // race
    private int got;
    private int gotInTime;
    private int gotBoth;
    private int taken;

    private void give() {
        lock.unlock();
    }

    private void giveBack(Lock given) {
        given.unlock();
    }

    private void swap() {
        inside++;
        lock.unlock();
        below();
        lock.lock();
    }

    private void below() {
        below++;
    }

    private boolean quiet() {
        return kept;
    }

    void stale() throws InterruptedException {
        boolean b = lock.tryLock();
        lock.unlock();
        if (b) {
            released++;
        }
        boolean c = lock.tryLock();
        give();
        if (c) {
            helped++;
        }
        boolean d = lock.tryLock();
        lock.unlock();
        if (!d) {
            return;
        }
        negated++;
        boolean e = lock.tryLock(1, TimeUnit.SECONDS);
        lock.unlock();
        if (e) {
            timed++;
        }
        for (boolean f = false; ; f = lock.tryLock()) {
            lock.unlock();
            if (f) {
                looped++;
            }
            if (quiet()) {
                break;
            }
        }
        boolean g = both.writeLock().tryLock();
        both.writeLock().unlock();
        if (g) {
            written++;
        }
        kept = lock.tryLock();
        lock.unlock();
        if (kept) {
            stored++;
        }
    }

    void helpers() {
        lock.lock();
        give();
        returned++;
        lock.lock();
        swap();
        lock.unlock();
        lock.lock();
        giveBack(lock);
        passed++;
        lock.lock();
        List.of(1).forEach(n -> lock.unlock());
        called++;
        both.writeLock().lock();
        giveBack(both.writeLock());
        whole++;
    }

    void clean() throws InterruptedException {
        if (lock.tryLock()) {
            try {
                got++;
            } finally {
                lock.unlock();
            }
        }
        if (!lock.tryLock(1, TimeUnit.SECONDS)) {
            return;
        }
        gotInTime++;
        lock.unlock();
        if (both.writeLock().tryLock() && gotBoth > 0) {
            gotBoth++;
        }
        lock.lock();
        taken++;
        quiet();
        taken++;
        lock.unlock();
    }

    void all() {
        try {
            stale();
            helpers();
            clean();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) {
        Stale stale = new Stale();
        new Thread(stale::all).start();
        stale.all();
    }
}
