package locks;

import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Has another lock each time. */
public class Halves extends ReentrantReadWriteLock {
    @Override
    public WriteLock writeLock() {
        return new ReentrantReadWriteLock().writeLock();
    }
}
