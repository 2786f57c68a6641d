package crawler;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** The pages that a search has met; a lock of its own guards the set. */
final class Visited {
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<String> urls = new HashSet<>();

    /** Whether the page was not known before. */
    boolean add(String url) {
        lock.lock();
        try {
            return urls.add(url);
        } finally {
            lock.unlock();
        }
    }
}
