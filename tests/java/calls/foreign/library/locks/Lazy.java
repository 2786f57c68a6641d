package locks;

import java.util.concurrent.locks.ReentrantLock;

/** Does not lock. */
public class Lazy extends ReentrantLock {
    @Override
    public void lock() {}

    @Override
    public void unlock() {}
}
