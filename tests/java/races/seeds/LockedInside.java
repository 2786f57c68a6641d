package seeds;

import java.util.concurrent.locks.ReentrantLock;

/** Locks that are taken where they are given back in the end, whether or not they have been taken. */
public class LockedInside implements Runnable {
    private final ReentrantLock lock = new ReentrantLock();
    private int inside;
    private int afterGap;
    private int inGap; // race
    private int unlessInterrupted; // race
    private int ifItFails; // race

    private void inside() {
        try {
            lock.lock();
            inside++;
        } finally {
            lock.unlock();
        }
    }

    /** As caches do that make room. */
    private void gap() {
        lock.lock();
        try {
            lock.unlock();
            try {
                inGap++;
                Thread.yield();
            } finally {
                lock.lock();
            }
            afterGap++;
        } finally {
            lock.unlock();
        }
    }

    private void unlessInterrupted() {
        try {
            lock.lockInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        unlessInterrupted++;
    }

    private void ifItFails() {
        try {
            Thread.sleep(1);
            lock.lock();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ifItFails++;
        }
    }

    @Override
    public void run() {
        inside();
        gap();
        unlessInterrupted();
        ifItFails();
    }

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            LockedInside shared = new LockedInside();
            new Thread(shared).start();
            new Thread(shared).start();
        }
    }
}
