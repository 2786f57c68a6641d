package pools;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Tasks of pools, of which one thread happens to run all. */
public final class Main {
    private Main() {}

    /** More threads only come when the queue is full, which it never is. */
    private static ThreadPoolExecutor pool() {
        return new ThreadPoolExecutor(1, 4, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(200));
    }

    private static void end(ExecutorService pool) throws InterruptedException {
        pool.shutdown();
        if (!pool.awaitTermination(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException("the pool does not end");
        }
    }

    /** Two tasks that nothing orders. */
    static final class Unordered {
        int count; // race: Main$Unordered.count
        int locked;
        volatile boolean isSet;
        int beforeFlag;

        void run() throws Exception {
            ThreadPoolExecutor pool = pool();
            for (int i = 0; i < 2; i++) {
                pool.execute(() -> {
                    count++;
                    synchronized (this) {
                        locked++;
                    }
                });
            }
            pool.execute(() -> {
                beforeFlag = 1;
                isSet = true;
            });
            pool.execute(() -> {
                if (isSet) {
                    beforeFlag++;
                }
            });
            end(pool);
            count++;
            locked++;
        }
    }

    /** The second task is submitted when the first one has ended, or what it has started. */
    static final class Waited {
        int byGet;
        int byJoin;

        void run() throws Exception {
            ThreadPoolExecutor pool = pool();
            pool.submit(() -> byGet++).get();
            pool.submit(() -> byGet++).get();
            byGet++;
            pool.submit(() -> byGet++).get();
            Thread thread = new Thread(() -> {
                try {
                    pool.submit(() -> byJoin++).get();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            thread.start();
            thread.join();
            pool.execute(() -> byJoin++);
            end(pool);
        }
    }

    /** A task that is submitted by another one knows what that had done before, and not what it does then. */
    static final class Nested {
        int before;
        int after; // race: Main$Nested.after

        void run() throws Exception {
            ThreadPoolExecutor pool = pool();
            pool.submit(() -> {
                before++;
                pool.execute(() -> {
                    before++;
                    after++;
                });
                after++;
            }).get();
            end(pool);
        }
    }

    /** What a task leaves to the next one of its thread. */
    static final class Local {
        static final ThreadLocal<Local> OF_THREAD = ThreadLocal.withInitial(Local::new);
        int[] inside = new int[1];
        int count;
        int beside; // race: Main$Local.beside

        void run() throws Exception {
            ThreadPoolExecutor pool = pool();
            for (int i = 0; i < 3; i++) {
                pool.execute(() -> {
                    beside++;
                    Local local = OF_THREAD.get();
                    local.count++;
                    local.inside[0]++;
                });
            }
            end(pool);
        }
    }

    /** The first task that needs a value makes it. */
    static final class Made {
        static final ThreadLocal<Made> OF_THREAD = new ThreadLocal<>();
        int count;

        void run() throws Exception {
            ThreadPoolExecutor pool = pool();
            for (int i = 0; i < 3; i++) {
                pool.execute(() -> {
                    Made made = OF_THREAD.get();
                    if (made == null) {
                        made = new Made();
                        OF_THREAD.set(made);
                    }
                    made.count++;
                });
            }
            end(pool);
        }
    }

    /** However many values tasks have had before. After so many more between two that have the same, the first would be forgotten. */
    static final class ManyLocals {
        int count;

        void run() throws Exception {
            ThreadPoolExecutor pool = pool();
            ThreadLocal<ManyLocals> last = ThreadLocal.withInitial(ManyLocals::new);
            for (int i = 0; i < 100; i++) {
                ThreadLocal<Object> other = ThreadLocal.withInitial(Object::new);
                pool.execute(other::get);
            }
            for (int i = 0; i < 3; i++) {
                pool.execute(() -> last.get().count++);
            }
            end(pool);
        }
    }

    /** Tasks in a queue are compared, and changed when they have left it. */
    static final class Compared implements Runnable, Comparable<Compared> {
        int urgency;

        Compared(int urgency) {
            this.urgency = urgency;
        }

        @Override
        public int compareTo(Compared other) {
            return Integer.compare(urgency, other.urgency);
        }

        @Override
        public void run() {
            urgency = 0;
        }

        static void run(int tasks) throws Exception {
            ThreadPoolExecutor pool =
                    new ThreadPoolExecutor(2, 2, 1, TimeUnit.MINUTES, new PriorityBlockingQueue<>());
            for (int i = 0; i < tasks; i++) {
                pool.execute(new Compared(i));
            }
            end(pool);
        }
    }

    /** What several threads have is theirs together. */
    static final class Constant {
        static final ThreadLocal<Integer> OF_THREAD = ThreadLocal.withInitial(() -> 1);
        int count; // race: Main$Constant.count

        void run() throws Exception {
            ThreadPoolExecutor pool = pool();
            for (int i = 0; i < 2; i++) {
                pool.execute(() -> {
                    int n = OF_THREAD.get();
                    count += n;
                });
            }
            end(pool);
        }
    }

    /** One thread, however many tasks there are: with a queue that has room, a pool makes no more than its core. */
    static final class Alone {
        int count;

        void run() throws Exception {
            for (ExecutorService pool : List.of(
                    Executors.newSingleThreadExecutor(),
                    Executors.newScheduledThreadPool(1),
                    pool(1, new ArrayBlockingQueue<>(100)),
                    pool(4, new LinkedBlockingQueue<>()),
                    pool(4, new LinkedTransferQueue<>()),
                    pool(4, new PriorityBlockingQueue<>(11, (one, other) -> 0)))) {
                for (int i = 0; i < 3; i++) {
                    pool.execute(() -> count++);
                }
                end(pool);
            }
        }

        private static ExecutorService pool(int most, BlockingQueue<Runnable> queue) {
            return new ThreadPoolExecutor(1, most, 1, TimeUnit.MINUTES, queue);
        }
    }

    /** More tasks run at once than are told apart. */
    static final class Many {
        private static final int TASKS = 80;
        int locked;
        int afterwards;

        void run() throws Exception {
            ExecutorService pool = Executors.newFixedThreadPool(TASKS);
            CyclicBarrier barrier = new CyclicBarrier(TASKS);
            for (int i = 0; i < TASKS; i++) {
                int task = i;
                pool.submit(() -> {
                    barrier.await();
                    synchronized (this) {
                        locked++;
                    }
                    if (task == 0) {
                        afterwards++;
                    }
                    return null;
                });
            }
            end(pool);
            afterwards++;
        }
    }

    /** Who waits for a thread of a pool knows of its tasks, and so does what the thread does when it has run them. */
    static final class Joined {
        int count;
        int afterAll;

        void run() throws Exception {
            List<Thread> threads = new ArrayList<>();
            ThreadPoolExecutor pool = pool();
            pool.setKeepAliveTime(1, TimeUnit.MILLISECONDS);
            pool.allowCoreThreadTimeOut(true);
            pool.setThreadFactory(worker -> {
                threads.add(new Thread(() -> {
                    worker.run();
                    afterAll++;
                }));
                return threads.get(0);
            });
            pool.execute(() -> {
                count++;
                afterAll++;
            });
            threads.get(0).join();
            count++;
            pool.shutdown();
        }
    }

    /** The runs of a periodic task come one after the other; those of two do not. */
    static final class Periodic {
        int ticks;
        int shared; // race: Main$Periodic.shared

        void run() throws Exception {
            ScheduledExecutorService pool = Executors.newScheduledThreadPool(2);
            ScheduledFuture<?> one = pool.scheduleAtFixedRate(() -> {
                ticks++;
                shared++;
            }, 0, 2, TimeUnit.MILLISECONDS);
            ScheduledFuture<?> other = pool.scheduleAtFixedRate(() -> shared++, 1, 2, TimeUnit.MILLISECONDS);
            Thread.sleep(50);
            one.cancel(false);
            other.cancel(false);
            end(pool);
            ticks++;
        }
    }

    /** What one task puts into a map another one finds; to find it is not to put it there. */
    static final class InMap {
        static final class Value {
            int first;
            int second; // race: Main$InMap$Value.second
        }

        private final ConcurrentHashMap<String, Value> values = new ConcurrentHashMap<>();

        void run() throws Exception {
            ThreadPoolExecutor pool = pool();
            for (int i = 0; i < 3; i++) {
                boolean isFirst = i == 0;
                pool.execute(() -> {
                    Value value = values.computeIfAbsent("a", key -> {
                        Value made = new Value();
                        made.first = 1;
                        return made;
                    });
                    value.second += value.first;
                    value = values.computeIfAbsent("a", key -> new Value());
                    value.second += isFirst ? 1 : 2;
                });
            }
            end(pool);
        }
    }

    /** A task that fails ends all the same. */
    static final class Failing {
        int count; // race: Main$Failing.count

        void run() throws Exception {
            ThreadPoolExecutor pool = pool();
            Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {});
            for (int i = 0; i < 2; i++) {
                pool.execute(() -> {
                    count++;
                    throw new IllegalStateException();
                });
            }
            end(pool);
            count++;
        }
    }

    public static void main(String[] none) throws Exception {
        new Unordered().run();
        new Waited().run();
        new Nested().run();
        new Local().run();
        new Made().run();
        new ManyLocals().run();
        Compared.run(20);
        new Constant().run();
        new Alone().run();
        new Many().run();
        new Joined().run();
        new Periodic().run();
        new InMap().run();
        new Failing().run();
    }
}
