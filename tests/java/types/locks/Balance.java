package locks;

import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Callees that take and give back the lock of their caller: as often, or more often than they take it. */
final class Balance {
    static class Even {
        private final Lock lock = new ReentrantLock(); // type: final
        int even; // type: guarded this.lock
        int thrown; // type: guarded this.lock
        int inside; // type: guarded this.lock
        int tried; // type: guarded this.lock

        void add(List<String> list, boolean early) {
            lock.lock();
            try {
                once(early);
                even++;
                thrice(list);
                thrown++;
                lockedInside(list);
                inside++;
                ifFree();
                tried++;
            } finally {
                lock.unlock();
            }
        }

        void once(boolean early) {
            lock.lock();
            if (early) {
                lock.unlock();
                return;
            }
            lock.unlock();
        }

        void thrice(List<String> list) {
            for (String each : list) {
                lock.lock();
                try {
                    lock.lock();
                    try {
                        each.length();
                    } finally {
                        lock.unlock();
                    }
                } finally {
                    lock.unlock();
                }
            }
        }

        void lockedInside(List<String> list) {
            try {
                lock.lock();
                list.size();
            } finally {
                lock.unlock();
            }
        }

        void ifFree() {
            boolean isTaken = lock.tryLock();
            try {
                Thread.yield();
            } finally {
                if (isTaken) {
                    lock.unlock();
                }
            }
        }
    }

    static class Twice {
        private final ReentrantLock lock = new ReentrantLock(); // type: final
        int twice; // type: unsafe

        void add() {
            lock.lock();
            giveTwice();
            twice++;
            if (lock.isHeldByCurrentThread()) {
                lock.unlock();
            }
        }

        void giveTwice() {
            lock.lock();
            lock.unlock();
            lock.unlock();
        }
    }

    static class Loops {
        private final ReentrantLock lock = new ReentrantLock(); // type: final
        int looped; // type: unsafe

        void add(int n) {
            lock.lock();
            giveAll(n);
            looped++;
        }

        void giveAll(int n) {
            lock.lock();
            for (int i = 0; i < n; i++) {
                lock.unlock();
            }
        }
    }

    static class OneBranch {
        private final ReentrantLock lock = new ReentrantLock(); // type: final
        int branched; // type: unsafe

        void add(boolean really) {
            lock.lock();
            maybe(really);
            branched++;
            lock.unlock();
        }

        void maybe(boolean really) {
            if (really) {
                lock.lock();
            }
            lock.unlock();
        }
    }

    static class Thrown {
        private final ReentrantLock lock = new ReentrantLock(); // type: final
        int behind; // type: unsafe

        void add(List<String> list) {
            lock.lock();
            failing(list);
            behind++;
            lock.unlock();
        }

        /** The handler gives back what was not taken if the list is null. */
        void failing(List<String> list) {
            try {
                list.size();
                lock.lock();
            } catch (NullPointerException e) {
                list = null;
            }
            lock.unlock();
        }
    }

    /** What is given up and taken again is held, unless an exception comes in between. */
    static class Resumed {
        private final ReentrantLock lock = new ReentrantLock(); // type: final
        int resumed; // type: guarded this.lock

        void add() {
            lock.lock();
            resume();
            resumed++;
            lock.unlock();
        }

        void resume() {
            lock.unlock();
            lock.lock();
        }
    }

    static class Interrupted {
        private final ReentrantLock lock = new ReentrantLock(); // type: final
        int interrupted; // type: unsafe

        void add(List<String> list) {
            lock.lock();
            try {
                resume(list);
            } catch (NullPointerException e) {
                interrupted++;
            }
        }

        void resume(List<String> list) {
            lock.unlock();
            list.size();
            lock.lock();
        }
    }

    /** Who holds the lock gets it by tryLock, too. */
    static class Excused {
        private final ReentrantLock lock = new ReentrantLock(); // type: final
        int excused; // type: unsafe
        int stored; // type: unsafe

        void add() {
            lock.lock();
            ifFree();
            excused++;
        }

        void ifFree() {
            if (lock.tryLock()) {
                lock.unlock();
            }
            lock.unlock();
        }

        void addStored() {
            lock.lock();
            always();
            stored++;
        }

        void always() {
            boolean isTaken = lock.tryLock();
            lock.unlock();
            if (isTaken) {
                lock.unlock();
            }
        }
    }
}
