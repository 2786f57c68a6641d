package seeds;

import java.util.concurrent.locks.ReentrantLock;

/** A lock that was got is given back, and what says that it was got is asked again. */
public class Tried {
    private final ReentrantLock lock = new ReentrantLock();
    private int during;
    private int after; // race

    void work() {
        boolean got = lock.tryLock();
        if (got) {
            during++;
            lock.unlock();
        }
        if (got) {
            after++;
        }
    }

    public static void main(String[] args) {
        Tried tried = new Tried();
        new Thread(tried::work).start();
        tried.work();
    }
}
