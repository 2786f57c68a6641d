package pooled_virtual;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import pooled.Workers;

/** Virtual threads: those of one test, and those that tests share. */
class VirtualTest {
    static int started; // test: VirtualTest.starts
    static int inOwn; // test: VirtualTest.hasOwnExecutor
    static int inShared; // test: VirtualTest.sharesExecutor
    static int inSharedNext; // test: VirtualTest.sharesExecutorNext
    static int pooled; // test: VirtualTest.sharesWorkers
    static int pooledNext; // test: VirtualTest.sharesWorkersNext
    static int passedOn; // test: VirtualTest.passesOn
    static int afterwards; // test: VirtualTest.isCleanedUp

    private static final ExecutorService SHARED = Executors.newVirtualThreadPerTaskExecutor();
    private static final ExecutorService WORKERS = Executors.newFixedThreadPool(2, Thread.ofVirtual().factory());
    private boolean isLast;

    @AfterEach
    void cleanUp() throws Exception {
        if (isLast) {
            Workers.in(WORKERS, () -> afterwards++);
        }
    }

    @Test
    void starts() throws Exception {
        Workers.inNewThreads(Thread.ofVirtual().factory(), () -> started++);
    }

    @Test
    void hasOwnExecutor() throws Exception {
        try (ExecutorService own = Executors.newVirtualThreadPerTaskExecutor()) {
            Workers.in(own, () -> inOwn++);
        }
    }

    @Test
    void sharesExecutor() throws Exception {
        Workers.in(SHARED, () -> inShared++);
    }

    @Test
    void sharesExecutorNext() throws Exception {
        Workers.in(SHARED, () -> inSharedNext++);
    }

    @Test
    void sharesWorkers() throws Exception {
        Workers.in(WORKERS, () -> pooled++);
    }

    @Test
    void sharesWorkersNext() throws Exception {
        Workers.in(WORKERS, () -> pooledNext++);
    }

    /** A virtual thread lets threads of the platform work for it. */
    @Test
    void passesOn() throws Exception {
        Future<?> done = SHARED.submit(() -> {
            Workers.inPool(() -> passedOn++);
            return null;
        });
        done.get();
    }

    @Test
    void isCleanedUp() {
        isLast = true;
    }
}
