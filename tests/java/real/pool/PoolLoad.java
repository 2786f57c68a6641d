import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.pool.KeyedObjectPool;
import org.apache.commons.pool.KeyedPoolableObjectFactory;
import org.apache.commons.pool.ObjectPool;
import org.apache.commons.pool.PoolableObjectFactory;
import org.apache.commons.pool.impl.GenericKeyedObjectPool;
import org.apache.commons.pool.impl.GenericObjectPool;
import org.apache.commons.pool.impl.SoftReferenceObjectPool;
import org.apache.commons.pool.impl.StackKeyedObjectPool;
import org.apache.commons.pool.impl.StackObjectPool;

/**
 * Uses every pool of commons-pool from several threads, the way a service would: borrow, return, invalidate, read the
 * counters, change the settings, replace the factory, and close while objects are still out.
 *
 * <p>What it prints is the same in every run. Its own variables are atomic or final, so that only the pools' are reported:
 * {@code 1.2.expected} and {@code 1.3.expected}.
 */
public final class PoolLoad {
    private static final int THREADS = 4;
    private static final int ROUNDS = 250;
    private static final Object KEY = "key";

    private PoolLoad() {}

    public static void main(String[] args) throws Exception {
        Items generic = new Items();
        GenericObjectPool pool = new GenericObjectPool(generic);
        pool.setWhenExhaustedAction(GenericObjectPool.WHEN_EXHAUSTED_GROW);
        pool.setTestWhileIdle(true);
        pool.addObject();
        pool.setTimeBetweenEvictionRunsMillis(1);
        generic.awaitEvictor();
        use("GenericObjectPool", new Plain(pool, generic) {
            @Override void tune(boolean on) {
                pool.setMaxIdle(on ? 6 : 8);
                pool.setMinEvictableIdleTimeMillis(on ? 60_000 : 120_000);
                pool.setTestOnBorrow(on);
                pool.setTestOnReturn(on);
            }
        });

        Items keyed = new Items();
        GenericKeyedObjectPool keyedPool = new GenericKeyedObjectPool(keyed);
        keyedPool.setWhenExhaustedAction(GenericKeyedObjectPool.WHEN_EXHAUSTED_GROW);
        keyedPool.setTestWhileIdle(true);
        keyedPool.addObject(KEY);
        keyedPool.setTimeBetweenEvictionRunsMillis(1);
        keyed.awaitEvictor();
        use("GenericKeyedObjectPool", new Keyed(keyedPool, keyed) {
            @Override void tune(boolean on) {
                keyedPool.setMaxIdle(on ? 6 : 8);
                keyedPool.setTestOnBorrow(on);
                keyedPool.setTestOnReturn(on);
            }
        });

        Items stack = new Items();
        use("StackObjectPool", new Plain(new StackObjectPool(stack), stack));
        Items soft = new Items();
        use("SoftReferenceObjectPool", new Plain(new SoftReferenceObjectPool(soft), soft));
        Items keyedStack = new Items();
        use("StackKeyedObjectPool", new Keyed(new StackKeyedObjectPool(keyedStack), keyedStack));
    }

    private static void use(String name, Pool pool) throws Exception {
        inThreads(number -> work(pool, number));
        int active = pool.active();
        inThreads(number -> tune(pool, number));
        // Nothing is out now: the factory may be replaced while another thread fills the pool.
        inThreads(number -> administer(pool, number));
        closeWhileInUse(pool);
        System.out.println(name + ": " + pool.items.uses.get() + " uses, " + pool.items.shared.get()
            + " objects shared, " + active + " active at the end");
    }

    /** Borrows and gives back, with a look at the counters now and then. */
    private static void work(Pool pool, int number) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Item item = (Item) pool.borrow();
            if (!item.holders.compareAndSet(0, 1)) {
                pool.items.shared.incrementAndGet();
            }
            item.holders.set(0);
            if (round % 10 == 9) {
                pool.invalidate(item);
            } else {
                pool.giveBack(item);
            }
            if (round % 7 == number) {
                pool.active();
                pool.idle();
            }
            if (number == 1 && round % 50 == 0) {
                pool.clear();
            }
        }
        // Not in each round: that would order what the threads do.
        pool.items.uses.addAndGet(ROUNDS);
    }

    /**
     * One thread changes the settings, the others borrow and give back. Not while items count: their counters order what threads do, and
     * so does {@code setMaxIdle}, which wakes up who waits for an object. So what no lock guards is set last.
     */
    private static void tune(Pool pool, int number) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            if (number == 0) {
                pool.tune(round % 2 == 0);
            } else {
                pool.giveBack(pool.borrow());
            }
        }
    }

    /** One thread replaces the factory, the others add objects. */
    private static void administer(Pool pool, int number) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            if (number == 0) {
                pool.replaceFactory();
            } else {
                pool.add();
            }
        }
    }

    /** Every thread holds an object; then one closes the pool while the others give theirs back. */
    private static void closeWhileInUse(Pool pool) throws Exception {
        CyclicBarrier allHold = new CyclicBarrier(THREADS);
        inThreads(number -> {
            Object item = pool.borrow();
            await(allHold);
            try {
                if (number == 0) {
                    pool.close();
                } else {
                    pool.giveBack(item);
                }
            } catch (RuntimeException closed) {
                // An IllegalStateException, or the NullPointerException of a pool that forgot to look.
            }
        });
    }

    private static void inThreads(Body body) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            Thread thread = new Thread(() -> run(body, number), "user-" + i);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void run(Body body, int number) {
        try {
            body.run(number);
        } catch (Exception e) {
            e.printStackTrace();
            System.exit(1);
        }
    }

    private static void await(CyclicBarrier barrier) throws InterruptedException {
        try {
            barrier.await();
        } catch (BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Body {
        void run(int number) throws Exception;
    }

    /** What plain and keyed pools have in common. */
    private abstract static class Pool {
        final Items items;

        Pool(Items items) {
            this.items = items;
        }

        abstract Object borrow() throws Exception;

        abstract void giveBack(Object item) throws Exception;

        abstract void invalidate(Object item) throws Exception;

        abstract void add() throws Exception;

        abstract void clear() throws Exception;

        abstract void close() throws Exception;

        abstract void replaceFactory() throws Exception;

        abstract int active();

        abstract int idle();

        void tune(boolean on) {}
    }

    private static class Plain extends Pool {
        private final ObjectPool pool;

        Plain(ObjectPool pool, Items items) {
            super(items);
            this.pool = pool;
        }

        @Override Object borrow() throws Exception {
            return pool.borrowObject();
        }

        @Override void giveBack(Object item) throws Exception {
            pool.returnObject(item);
        }

        @Override void invalidate(Object item) throws Exception {
            pool.invalidateObject(item);
        }

        @Override void add() throws Exception {
            pool.addObject();
        }

        @Override void clear() throws Exception {
            pool.clear();
        }

        @Override void close() throws Exception {
            pool.close();
        }

        @Override void replaceFactory() throws Exception {
            pool.setFactory(items);
        }

        @Override int active() {
            return pool.getNumActive();
        }

        @Override int idle() {
            return pool.getNumIdle();
        }
    }

    private static class Keyed extends Pool {
        private final KeyedObjectPool pool;

        Keyed(KeyedObjectPool pool, Items items) {
            super(items);
            this.pool = pool;
        }

        @Override Object borrow() throws Exception {
            return pool.borrowObject(KEY);
        }

        @Override void giveBack(Object item) throws Exception {
            pool.returnObject(KEY, item);
        }

        @Override void invalidate(Object item) throws Exception {
            pool.invalidateObject(KEY, item);
        }

        @Override void add() throws Exception {
            pool.addObject(KEY);
        }

        @Override void clear() throws Exception {
            pool.clear(KEY);
        }

        @Override void close() throws Exception {
            pool.close();
        }

        @Override void replaceFactory() throws Exception {
            pool.setFactory(items);
        }

        @Override int active() {
            return pool.getNumActive() + pool.getNumActive(KEY);
        }

        @Override int idle() {
            return pool.getNumIdle() + pool.getNumIdle(KEY);
        }
    }

    /** A pooled object. */
    private static final class Item {
        final AtomicInteger holders = new AtomicInteger();
    }

    /** Makes the items of one pool, and counts what happens to them. */
    private static final class Items implements PoolableObjectFactory, KeyedPoolableObjectFactory {
        final AtomicInteger uses = new AtomicInteger();
        final AtomicInteger shared = new AtomicInteger();
        private final CountDownLatch evictorRan = new CountDownLatch(1);

        void awaitEvictor() throws InterruptedException {
            if (!evictorRan.await(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the evictor does not run");
            }
        }

        @Override public Object makeObject() {
            return new Item();
        }

        @Override public void destroyObject(Object item) {}

        @Override public boolean validateObject(Object item) {
            evictorRan.countDown();
            return true;
        }

        @Override public void activateObject(Object item) {}

        @Override public void passivateObject(Object item) {}

        @Override public Object makeObject(Object key) {
            return makeObject();
        }

        @Override public void destroyObject(Object key, Object item) {}

        @Override public boolean validateObject(Object key, Object item) {
            return validateObject(item);
        }

        @Override public void activateObject(Object key, Object item) {}

        @Override public void passivateObject(Object key, Object item) {}
    }
}
