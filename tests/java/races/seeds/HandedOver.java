package seeds;

import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** Objects that one thread hands to another, and goes on to use: what the JDK keeps them in, it sets by handles of its own. */
public class HandedOver {
    static class ByAtomicReference {
        int byAtomicReference; // race
    }

    static class ByCompareAndSet {
        int byCompareAndSet; // race
    }

    static class ByMarkable {
        int byMarkable; // race
    }

    static class ByStamped {
        int byStamped; // race
    }

    static class ByArray {
        int byArray; // race
    }

    static class ByQueue {
        int byQueue; // race
    }

    static class ByDeque {
        int byDeque; // race
    }

    static class ByTransferQueue {
        int byTransferQueue; // race
    }

    static class BySynchronousQueue {
        int bySynchronousQueue; // race
    }

    static class ByExchanger {
        int byExchanger; // race
    }

    static class ByFuture {
        int byFuture; // race
    }

    static class BySkipList {
        int bySkipList; // race
    }

    static class ByMap {
        int byMap; // race
    }

    static class ByTask {
        int byTask; // race
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
            o.byAtomicReference++;
        });
        start(() -> {
            ByAtomicReference o = byAtomicReference.get();
            o.byAtomicReference++;
        });
        AtomicReference<ByCompareAndSet> byCompareAndSet = new AtomicReference<>();
        start(() -> {
            ByCompareAndSet o = new ByCompareAndSet();
            byCompareAndSet.compareAndSet(null, o);
            o.byCompareAndSet++;
        });
        start(() -> {
            ByCompareAndSet o = byCompareAndSet.getAcquire();
            o.byCompareAndSet++;
        });
        AtomicMarkableReference<ByMarkable> byMarkable = new AtomicMarkableReference<>(null, false);
        start(() -> {
            ByMarkable o = new ByMarkable();
            byMarkable.set(o, true);
            o.byMarkable++;
        });
        start(() -> {
            ByMarkable o = byMarkable.getReference();
            o.byMarkable++;
        });
        AtomicStampedReference<ByStamped> byStamped = new AtomicStampedReference<>(null, 0);
        start(() -> {
            ByStamped o = new ByStamped();
            byStamped.compareAndSet(null, o, 0, 1);
            o.byStamped++;
        });
        start(() -> {
            ByStamped o = byStamped.getReference();
            o.byStamped++;
        });
        AtomicReferenceArray<ByArray> byArray = new AtomicReferenceArray<>(1);
        start(() -> {
            ByArray o = new ByArray();
            byArray.set(0, o);
            o.byArray++;
        });
        start(() -> {
            ByArray o = byArray.get(0);
            o.byArray++;
        });
        ConcurrentLinkedQueue<ByQueue> byQueue = new ConcurrentLinkedQueue<>();
        start(() -> {
            ByQueue o = new ByQueue();
            byQueue.add(o);
            o.byQueue++;
        });
        start(() -> {
            ByQueue o = byQueue.poll();
            o.byQueue++;
        });
        ConcurrentLinkedDeque<ByDeque> byDeque = new ConcurrentLinkedDeque<>();
        start(() -> {
            ByDeque o = new ByDeque();
            byDeque.addFirst(o);
            o.byDeque++;
        });
        start(() -> {
            ByDeque o = byDeque.pollLast();
            o.byDeque++;
        });
        LinkedTransferQueue<ByTransferQueue> byTransferQueue = new LinkedTransferQueue<>();
        start(() -> {
            ByTransferQueue o = new ByTransferQueue();
            byTransferQueue.put(o);
            o.byTransferQueue++;
        });
        start(() -> {
            ByTransferQueue o = byTransferQueue.take();
            o.byTransferQueue++;
        });
        SynchronousQueue<BySynchronousQueue> bySynchronousQueue = new SynchronousQueue<>();
        start(() -> {
            BySynchronousQueue o = new BySynchronousQueue();
            bySynchronousQueue.put(o);
            o.bySynchronousQueue++;
        });
        start(() -> {
            BySynchronousQueue o = bySynchronousQueue.take();
            o.bySynchronousQueue++;
        });
        Exchanger<ByExchanger> byExchanger = new Exchanger<>();
        start(() -> {
            ByExchanger o = new ByExchanger();
            byExchanger.exchange(o);
            o.byExchanger++;
        });
        start(() -> {
            ByExchanger o = byExchanger.exchange(null);
            o.byExchanger++;
        });
        CompletableFuture<ByFuture> byFuture = new CompletableFuture<>();
        start(() -> {
            ByFuture o = new ByFuture();
            byFuture.complete(o);
            o.byFuture++;
        });
        start(() -> {
            ByFuture o = byFuture.get();
            o.byFuture++;
        });
        ConcurrentSkipListMap<Integer, BySkipList> bySkipList = new ConcurrentSkipListMap<>();
        start(() -> {
            BySkipList o = new BySkipList();
            bySkipList.put(1, o);
            o.bySkipList++;
        });
        start(() -> {
            BySkipList o = bySkipList.get(1);
            o.bySkipList++;
        });
        ConcurrentHashMap<Integer, ByMap> byMap = new ConcurrentHashMap<>();
        start(() -> {
            ByMap o = new ByMap();
            byMap.put(1, o);
            o.byMap++;
        });
        start(() -> {
            ByMap o = byMap.get(1);
            o.byMap++;
        });
        FutureTask<ByTask> task = new FutureTask<>(() -> {
            ByTask o = new ByTask();
            start(() -> o.byTask++);
            return o;
        });
        start(task::run);
        start(() -> {
            ByTask o = task.get();
            o.byTask++;
        });
    }
}
