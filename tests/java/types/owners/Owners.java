package owners;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A field for each rule, with the type that it must get. */
public class Owners {
    static Object published; // type: main thread

    static class Constant {
        final int f = 1; // type: final
        volatile int v; // type: volatile
        int written; // type: read-only
        int onlyInHelper; // type: read-only
        int afterwards; // type: unsafe

        Constant(int n) {
            written = n;
            helper(n);
        }

        private void helper(int n) {
            onlyInHelper = n;
        }

        int sum() {
            return written + onlyInHelper + afterwards;
        }

        void change() {
            afterwards++;
        }
    }

    static class Statics {
        static int initialized; // type: read-only
        static int changed; // type: unsafe
        static int guarded; // type: guarded Statics.class
        static final Object LOCK = new Object(); // type: final
        static int byLock; // type: guarded Statics.LOCK

        static {
            initialized = 3;
        }

        static synchronized int next() {
            return guarded++ + initialized;
        }

        static void set(int n) {
            synchronized (LOCK) {
                byLock = n;
            }
            changed = n;
        }

        static int get() {
            Object lock = LOCK;
            synchronized (lock) {
                return byLock;
            }
        }
    }

    static class Escapes {
        static Escapes last; // type: unsafe
        int before; // type: read-only
        int after; // type: unsafe

        Escapes(int n) {
            before = n;
            last = this;
            after = n;
        }

        int sum() {
            return before + after;
        }
    }

    static class Starts extends Thread {
        int before; // type: read-only
        int after; // type: unsafe

        Starts() {
            before = 1;
            start();
            after = 2;
        }

        @Override
        public void run() {
            System.out.println(before + after + Escapes.last.sum());
            new Listed().add();
            new MainOnly().count();
        }
    }

    static class Guarded {
        private final Object lock = new Object(); // type: final
        private final Object other = new Object(); // type: final
        private final Lock re = new ReentrantLock(); // type: final
        private final ReadWriteLock rw = new ReentrantReadWriteLock(); // type: final
        private final Lock view = rw.readLock(); // type: final
        int bySelf; // type: guarded this
        int byLock; // type: guarded this.lock
        int byGetter; // type: guarded this.lock
        int byHelper; // type: guarded this
        int byReentrant; // type: guarded this.re
        int byTry; // type: guarded this.re
        int byHalves; // type: guarded this.rw
        int underReadLock; // type: unsafe
        int underView; // type: unsafe
        int byTwo; // type: unsafe
        int once; // type: unsafe
        int inHandler; // type: guarded this.lock

        Object lock() {
            return lock;
        }

        synchronized void self() {
            bySelf++;
            helper();
        }

        private void helper() {
            byHelper++;
        }

        void locks(int n) {
            synchronized (lock) {
                byLock = n;
                byTwo = n;
            }
            synchronized (lock()) {
                byGetter += n;
                once = n;
            }
            synchronized (other) {
                byTwo = n;
            }
            System.out.println(once);
        }

        void reentrant(int n) {
            re.lock();
            try {
                byReentrant += n;
            } finally {
                re.unlock();
            }
            if (re.tryLock()) {
                try {
                    byTry++;
                } finally {
                    re.unlock();
                }
            }
        }

        void halves(int n) {
            rw.writeLock().lock();
            try {
                byHalves = n;
            } finally {
                rw.writeLock().unlock();
            }
            rw.readLock().lock();
            try {
                System.out.println(byHalves);
                underReadLock++;
            } finally {
                rw.readLock().unlock();
            }
            view.lock();
            underView++;
            view.unlock();
        }

        void handler() {
            try {
                System.out.println();
            } catch (RuntimeException e) {
                synchronized (lock) {
                    inHandler++;
                }
            }
        }
    }

    /** Two threads hold the locks of different objects. */
    static class WrongObject {
        int x; // type: unsafe

        void copy(WrongObject from) {
            synchronized (this) {
                x = from.x;
            }
        }

        synchronized void set() {
            x = 1;
        }
    }

    /** The lock of the loop's first round does not guard what the second round finds. */
    static class Loop {
        Loop next; // type: unsafe
        int x; // type: unsafe

        static void walk(Loop from) {
            for (Loop at = from; at != null; at = at.next) {
                synchronized (at) {
                    at.x++;
                }
                at.x = 0;
            }
        }

        void link(Loop to) {
            next = to;
        }
    }

    static class Unlocks {
        private final ReentrantLock re = new ReentrantLock(); // type: final
        int x; // type: unsafe

        void use() {
            re.lock();
            done();
            x++;
        }

        private void done() {
            re.unlock();
        }
    }

    static class Scratch {
        int n; // type: unique

        void add(int k) {
            n += k;
        }
    }

    static class Holder {
        Scratch inner = new Scratch(); // type: unique

        void replace() {
            inner = new Scratch();
        }
    }

    static class Listed {
        int n; // type: unsafe

        void add() {
            n++;
        }
    }

    static class MainOnly {
        static int runs; // type: main thread
        static int counted; // type: unsafe

        void count() {
            counted++;
        }

        static void work() {
            runs++;
        }
    }

    static class FP_HandedOver {
        int n; // type: unsafe

        /** The only reference goes from one thread to another: the owner `unique` would prove it. */
        static void handOver(java.util.concurrent.BlockingQueue<FP_HandedOver> queue) throws InterruptedException {
            FP_HandedOver object = queue.take();
            object.n++;
            queue.put(object);
        }
    }

    static class ByLambda {
        int n; // type: unsafe

        void later(List<Runnable> tasks) {
            synchronized (this) {
                tasks.add(() -> n++);
            }
        }
    }

    public static void main(String[] args) {
        Scratch scratch = new Scratch();
        scratch.add(1);
        Holder holder = new Holder();
        holder.replace();
        holder.inner.add(2);
        List<Listed> list = new ArrayList<>();
        Listed listed = new Listed();
        list.add(listed);
        listed.add();
        new Starts();
        MainOnly.work();
        new MainOnly().count();
        Constant constant = new Constant(2);
        published = constant;
        System.out.println(new Escapes(1).sum() + constant.sum());
    }
}
