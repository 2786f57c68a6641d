package seeds;

import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** Objects that one thread hands to another, and goes on to use: what the JDK keeps them in, it sets by handles of its own. */
public class HandedOver {
    static class ByAtomicReference {
        int used; // race
    }

    static class ByCompareAndSet {
        int used; // race
    }

    static class ByMarkable {
        int used; // race
    }

    static class ByStamped {
        int used; // race
    }

    static class ByArray {
        int used; // race
    }

    static class ByQueue {
        int used; // race
    }

    static class ByDeque {
        int used; // race
    }

    static class ByTransferQueue {
        int used; // race
    }

    static class BySynchronousQueue {
        int used; // race
    }

    static class ByExchanger {
        int used; // race
    }

    static class ByFuture {
        int used; // race
    }

    static class BySkipList {
        int used; // race
    }

    static class ByMap {
        int used; // race
    }

    static class ByTask {
        int used; // race
    }

    interface Step {
        void run() throws Exception;
    }

    static void start(Step step) {
        new Thread(() -> {
            try {
                step.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }).start();
    }

    public static void main(String[] arguments) {
        AtomicReference<ByAtomicReference> byAtomicReference = new AtomicReference<>();
        start(() -> {
            ByAtomicReference o = new ByAtomicReference();
            byAtomicReference.getAndSet(o);
            o.used++;
        });
        start(() -> {
            ByAtomicReference o = byAtomicReference.get();
            o.used++;
        });
        AtomicReference<ByCompareAndSet> byCompareAndSet = new AtomicReference<>();
        start(() -> {
            ByCompareAndSet o = new ByCompareAndSet();
            byCompareAndSet.compareAndSet(null, o);
            o.used++;
        });
        start(() -> {
            ByCompareAndSet o = byCompareAndSet.getAcquire();
            o.used++;
        });
        AtomicMarkableReference<ByMarkable> byMarkable = new AtomicMarkableReference<>(null, false);
        start(() -> {
            ByMarkable o = new ByMarkable();
            byMarkable.set(o, true);
            o.used++;
        });
        start(() -> {
            ByMarkable o = byMarkable.getReference();
            o.used++;
        });
        AtomicStampedReference<ByStamped> byStamped = new AtomicStampedReference<>(null, 0);
        start(() -> {
            ByStamped o = new ByStamped();
            byStamped.compareAndSet(null, o, 0, 1);
            o.used++;
        });
        start(() -> {
            ByStamped o = byStamped.getReference();
            o.used++;
        });
        AtomicReferenceArray<ByArray> byArray = new AtomicReferenceArray<>(1);
        start(() -> {
            ByArray o = new ByArray();
            byArray.set(0, o);
            o.used++;
        });
        start(() -> {
            ByArray o = byArray.get(0);
            o.used++;
        });
        ConcurrentLinkedQueue<ByQueue> byQueue = new ConcurrentLinkedQueue<>();
        start(() -> {
            ByQueue o = new ByQueue();
            byQueue.add(o);
            o.used++;
        });
        start(() -> {
            ByQueue o = byQueue.poll();
            o.used++;
        });
        ConcurrentLinkedDeque<ByDeque> byDeque = new ConcurrentLinkedDeque<>();
        start(() -> {
            ByDeque o = new ByDeque();
            byDeque.addFirst(o);
            o.used++;
        });
        start(() -> {
            ByDeque o = byDeque.pollLast();
            o.used++;
        });
        LinkedTransferQueue<ByTransferQueue> byTransferQueue = new LinkedTransferQueue<>();
        start(() -> {
            ByTransferQueue o = new ByTransferQueue();
            byTransferQueue.put(o);
            o.used++;
        });
        start(() -> {
            ByTransferQueue o = byTransferQueue.take();
            o.used++;
        });
        SynchronousQueue<BySynchronousQueue> bySynchronousQueue = new SynchronousQueue<>();
        start(() -> {
            BySynchronousQueue o = new BySynchronousQueue();
            bySynchronousQueue.put(o);
            o.used++;
        });
        start(() -> {
            BySynchronousQueue o = bySynchronousQueue.take();
            o.used++;
        });
        Exchanger<ByExchanger> byExchanger = new Exchanger<>();
        start(() -> {
            ByExchanger o = new ByExchanger();
            byExchanger.exchange(o);
            o.used++;
        });
        start(() -> {
            ByExchanger o = byExchanger.exchange(null);
            o.used++;
        });
        CompletableFuture<ByFuture> byFuture = new CompletableFuture<>();
        start(() -> {
            ByFuture o = new ByFuture();
            byFuture.complete(o);
            o.used++;
        });
        start(() -> {
            ByFuture o = byFuture.get();
            o.used++;
        });
        ConcurrentSkipListMap<Integer, BySkipList> bySkipList = new ConcurrentSkipListMap<>();
        start(() -> {
            BySkipList o = new BySkipList();
            bySkipList.put(1, o);
            o.used++;
        });
        start(() -> {
            BySkipList o = bySkipList.get(1);
            o.used++;
        });
        ConcurrentHashMap<Integer, ByMap> byMap = new ConcurrentHashMap<>();
        start(() -> {
            ByMap o = new ByMap();
            byMap.put(1, o);
            o.used++;
        });
        start(() -> {
            ByMap o = byMap.get(1);
            o.used++;
        });
        FutureTask<ByTask> task = new FutureTask<>(() -> {
            ByTask o = new ByTask();
            start(() -> o.used++);
            return o;
        });
        start(task::run);
        start(() -> {
            ByTask o = task.get();
            o.used++;
        });
    }
}
