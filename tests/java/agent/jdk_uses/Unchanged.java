import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReference;

/** Objects that all threads have, for operations which change nothing. */
final class Unchanged {
    static final Object ELEMENT = new Object();
    static final ConcurrentMap<String, Object> MAP = new ConcurrentHashMap<>(Map.of("a", ELEMENT));
    static final ConcurrentMap<String, Object> SORTED = new ConcurrentSkipListMap<>(Map.of("a", ELEMENT));
    static final Set<Object> SET = ConcurrentHashMap.newKeySet();
    static final CopyOnWriteArrayList<Object> LIST = new CopyOnWriteArrayList<>(List.of(ELEMENT));
    static final Queue<Object> FULL = new ArrayBlockingQueue<>(1, false, List.of(ELEMENT));
    static final AtomicInteger NUMBER = new AtomicInteger();
    static final AtomicBoolean FLAG = new AtomicBoolean(true);
    static final AtomicReference<Object> REFERENCE = new AtomicReference<>();
    static final AtomicIntegerArray ARRAY = new AtomicIntegerArray(1);
    static final AtomicIntegerFieldUpdater<Unchanged> UPDATER = AtomicIntegerFieldUpdater.newUpdater(Unchanged.class, "field");
    static final CompletableFuture<Object> COMPLETED = CompletableFuture.completedFuture(ELEMENT);
    static final FutureTask<Object> DONE = new FutureTask<>(() -> ELEMENT);
    static final CountDownLatch OPEN = new CountDownLatch(0);
    static final Unchanged OBJECT = new Unchanged();
    volatile int field;

    static {
        SET.add(ELEMENT);
        DONE.run();
    }

    private Unchanged() {}
}
