import java.util.concurrent.CountDownLatch;
import org.apache.commons.pool.PoolableObjectFactory;
import org.apache.commons.pool.impl.GenericObjectPool;

/**
 * A pool of commons-pool 1.2 that one thread fills and uses while another one replaces its factory and closes it; with the
 * argument {@code fixed}, the pool is repaired.
 */
public final class PoolFixes {
    private static final int ROUNDS = 40;

    private PoolFixes() {}

    public static void main(String[] args) throws Exception {
        boolean isFixed = args.length > 0 && args[0].equals("fixed");
        GenericObjectPool pool = isFixed ? new FixedPool(new Items()) : new GenericObjectPool(new Items());
        pool.setWhenExhaustedAction(GenericObjectPool.WHEN_EXHAUSTED_GROW);
        inThreads(() -> fill(pool), () -> pool.setFactory(new Items()));
        CountDownLatch isUsed = new CountDownLatch(1);
        inThreads(() -> use(pool, isUsed), () -> close(pool, isUsed));
    }

    private static void fill(GenericObjectPool pool) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            pool.addObject();
        }
    }

    private static void use(GenericObjectPool pool, CountDownLatch isUsed) throws Exception {
        try {
            for (int round = 0; round < ROUNDS; round++) {
                pool.returnObject(pool.borrowObject());
                isUsed.countDown();
            }
        } catch (IllegalStateException | NullPointerException closed) {
            // The latter if nobody has asked in time.
        } finally {
            isUsed.countDown();
        }
    }

    /** Not before an object was returned, or there would be nothing to break. */
    private static void close(GenericObjectPool pool, CountDownLatch isUsed) throws Exception {
        isUsed.await();
        pool.close();
    }

    private static void inThreads(Body... bodies) throws InterruptedException {
        Thread[] threads = new Thread[bodies.length];
        for (int i = 0; i < bodies.length; i++) {
            Body body = bodies[i];
            threads[i] = new Thread(() -> run(body));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void run(Body body) {
        try {
            body.run();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Body {
        void run() throws Exception;
    }

    /** Holds the pool's monitor from the question whether it is closed, or from making an object, to the end. */
    private static final class FixedPool extends GenericObjectPool {
        FixedPool(PoolableObjectFactory factory) {
            super(factory);
        }

        @Override public synchronized void returnObject(Object item) throws Exception {
            super.returnObject(item);
        }

        @Override public synchronized void addObject() throws Exception {
            super.addObject();
        }
    }

    private static final class Items implements PoolableObjectFactory {
        @Override public Object makeObject() {
            return new Object();
        }

        @Override public void destroyObject(Object item) {}

        @Override public boolean validateObject(Object item) {
            return true;
        }

        @Override public void activateObject(Object item) {}

        @Override public void passivateObject(Object item) {}
    }
}
