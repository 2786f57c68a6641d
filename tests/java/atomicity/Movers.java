package movers;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/** What single actions are, and sequences of them. */
class Cell {
    final int size = Main.count();
    int racy;
    int other;
    long wide;
    volatile long marked;
    int set;
    private int guarded;
    private int more;
    final Object lock = new Object();
    private int locked;
    int[] cells = new int[4];

    Cell() { // inferred: mover
        set = 1;
        racy = 1;
    }

    int size() { // inferred: const
        return size;
    }

    int readOnly() { // inferred: mover
        return set + set;
    }

    int readRacy() { // inferred: atomic
        return racy;
    }

    int readRacyTwice() { // inferred: cmpd
        return racy + other;
    }

    void incrementRacy() { // inferred: cmpd
        racy++;
    }

    long readWide() { // inferred: cmpd
        return wide;
    }

    void writeWide(long n) { // inferred: cmpd
        wide = n;
    }

    long readMarked() { // inferred: atomic
        return marked;
    }

    void incrementMarked() { // inferred: cmpd
        marked++;
    }

    synchronized int get() { // inferred: this ? mover : atomic
        return guarded;
    }

    synchronized void put(int n) { // inferred: this ? mover : atomic
        guarded = n;
        more++;
    }

    /** Two critical sections. */
    void addBad(int n) { // inferred: this ? mover : cmpd
        put(get() + n);
    }

    synchronized void addOk(int n) { // inferred: this ? mover : atomic
        put(get() + n);
        if (get() > 10) {
            more = 0;
        }
    }

    /** The critical section is the one action that does not move, and a volatile access is another. */
    void markAfterwards() { // inferred: this ? atomic : cmpd
        put(1);
        marked = 1;
    }

    void nested() { // inferred: this ? this.lock ? mover : atomic : atomic
        synchronized (this) {
            synchronized (lock) {
                guarded = locked;
                locked++;
            }
        }
    }

    void oneThenTheOther() { // inferred: this ? this.lock ? mover : atomic : this.lock ? atomic : cmpd
        put(1);
        synchronized (lock) {
            locked++;
        }
    }

    void byHelper() { // inferred: this.lock ? mover : atomic
        synchronized (lock) {
            helper();
            helper();
        }
    }

    /** Every caller holds the lock. */
    private void helper() { // inferred: this.lock ? mover : cmpd, simplified: mover
        synchronized (lock) {
            locked++;
        }
        synchronized (lock) {
            locked--;
        }
    }

    /** Nobody knows the lock of a field that changes. */
    void unknownLock(Holder holder) { // inferred: cmpd
        synchronized (holder.lock) {
            holder.n++;
        }
        synchronized (holder.lock) {
            holder.n++;
        }
    }

    /** Which lock it is, callers cannot say. */
    static void ofEither(Cell a, Cell b, boolean first) { // inferred: cmpd
        Cell cell = first ? a : b;
        cell.put(1);
        cell.put(2);
    }

    void throwing(int n) { // inferred: this ? mover : atomic
        synchronized (this) {
            if (n < 0) {
                throw new IllegalArgumentException("negative");
            }
            guarded = n;
        }
    }

    void retrying() { // inferred: this ? mover : cmpd
        try {
            throwing(1);
        } catch (IllegalArgumentException e) {
            throwing(0);
        }
    }

    int sharedElements() { // inferred: cmpd
        int[] all = cells;
        return all[0] + all[1];
    }

    int ownElements() { // inferred: mover
        int[] own = new int[2];
        own[0] = 1;
        own[1] = own[0];
        return own[1];
    }

    /** Its fields race, but not those of this object. */
    static int ofNew() { // inferred: mover
        Cell cell = new Cell();
        cell.racy = 2;
        cell.other = cell.racy;
        return cell.other;
    }
}

class Holder {
    Object lock = new Object();
    int n;
}

class Flow {
    private int n;

    void loopOfMovers() { // inferred: this ? mover : atomic
        synchronized (this) {
            for (int i = 0; i < 3; i++) {
                n += i;
            }
        }
    }

    void loopOfAtomic(Cell cell) { // inferred: 1 ? mover : cmpd
        for (int i = 0; i < 3; i++) {
            cell.put(i);
        }
    }

    void either(Cell cell, boolean first) { // inferred: 1 ? mover : atomic
        if (first) {
            cell.put(1);
        } else {
            cell.get();
        }
    }

    int recursive(Cell cell, int depth) { // inferred: 1 ? mover : cmpd, simplified: mover
        return depth == 0 ? cell.get() : cell.get() + recursive(cell, depth - 1);
    }

    int recursiveOnce(Cell cell, int depth) { // inferred: 1 ? mover : atomic
        return depth == 0 ? cell.get() : recursiveOnce(cell, depth - 1);
    }

    /** A lock has another name in each method. */
    void holding(Cell cell) { // inferred: 1 ? mover : atomic
        synchronized (cell) {
            loopOfAtomic(cell);
            recursive(cell, 3);
        }
    }

    void holdingAnother(Cell cell, Cell other) { // inferred: 1 ? 2 ? mover : cmpd : 2 ? atomic : cmpd
        synchronized (cell) {
            loopOfAtomic(other);
        }
    }

    static void move(Cell from, Cell to) { // inferred: this ? 1 ? mover : atomic : atomic
        synchronized (from) {
            synchronized (to) {
                from.put(to.get());
            }
        }
    }

    synchronized void waiting() throws InterruptedException { // inferred: cmpd
        while (n == 0) {
            wait();
        }
        n = 0;
    }

    synchronized void notifying() { // inferred: this ? mover : atomic
        n = 1;
        notifyAll();
    }

    static void start(Thread thread) { // inferred: left mover
        thread.start();
    }

    static void startAll(Thread[] threads, Thread thread) { // inferred: left mover
        thread.start();
        thread.start();
    }

    static void join(Thread thread) throws InterruptedException { // inferred: right mover
        thread.join();
    }

    static void joinThenStart(Thread thread) throws InterruptedException { // inferred: atomic
        thread.join();
        thread.start();
    }

    static void startThenJoin(Thread thread) throws InterruptedException { // inferred: cmpd
        thread.start();
        thread.join();
    }
}

abstract class Shape {
    abstract int area();

    /** What every overriding method promises. */
    int twice() { // inferred: cmpd
        return area() + area();
    }

    int once() { // inferred: atomic
        return area();
    }
}

class Square extends Shape {
    private final int side = 2;

    @Override
    int area() { // inferred: const
        return side * side;
    }
}

class Blob extends Shape {
    int size;

    @Override
    int area() { // inferred: atomic
        return size;
    }
}

/** Explicit locks. */
class Explicit {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int n;

    int get() { // inferred: this.lock! ? mover : atomic, simplified: mover
        lock.lock();
        try {
            return n;
        } finally {
            lock.unlock();
        }
    }

    void increment() { // inferred: this.lock! ? mover : atomic
        lock.lock();
        try {
            n = get() + 1;
        } finally {
            lock.unlock();
        }
    }

    void twiceBad() { // inferred: this.lock! ? mover : cmpd
        increment();
        increment();
    }

    boolean trying() { // inferred: this.lock! ? mover : atomic
        if (!lock.tryLock()) {
            return false;
        }
        try {
            n++;
        } finally {
            lock.unlock();
        }
        return true;
    }

    void await() throws InterruptedException { // inferred: cmpd
        lock.lock();
        try {
            changed.await();
        } finally {
            lock.unlock();
        }
    }

    /** Gives back what a caller may hold: whether it is held says nothing any more. */
    void givingUp() { // inferred: cmpd
        lock.unlock();
        lock.lock();
    }

    void givenUp() { // inferred: cmpd
        lock.lock();
        givingUp();
        get();
        lock.unlock();
    }
}

class Library {
    private final AtomicInteger count = new AtomicInteger();
    private final ConcurrentHashMap<String, String> map = new ConcurrentHashMap<>();
    private final List<String> list = new ArrayList<>();

    int next() { // inferred: atomic
        return count.incrementAndGet();
    }

    void resetBad() { // inferred: cmpd
        if (count.get() > 0) {
            count.set(0);
        }
    }

    String getOrPutBad(String key) { // inferred: cmpd
        if (map.get(key) == null) {
            map.put(key, key);
        }
        return key;
    }

    String getOrPutOk(String key) { // inferred: atomic
        return map.putIfAbsent(key, "none");
    }

    /** Runs code that nobody knows. */
    String compute(String key, Function<String, String> how) { // inferred: cmpd
        return map.computeIfAbsent(key, how);
    }

    /** Asks the key, which may be of any class. */
    @SuppressWarnings("unlikely-arg-type")
    Object ofAny(Object key) { // inferred: cmpd
        return map.get(key);
    }

    /** The list has no lock of its own. */
    void add(String text) { // inferred: cmpd
        list.add(text);
    }

    /** javac makes a string builder of it, or a dynamic call. */
    String text(int n, String of) { // inferred: mover
        StringBuilder own = new StringBuilder();
        own.append(of).append(n);
        return own.toString() + n + Math.max(n, 3) + of.length();
    }

    int ownList(String text) { // inferred: mover
        ArrayList<String> own = new ArrayList<>();
        own.add(text);
        return own.size();
    }

    int leakedList(String text) { // inferred: cmpd
        ArrayList<String> own = new ArrayList<>();
        own.add(text);
        own.containsAll(own);
        return own.size();
    }

    String textOf(Object any) { // inferred: cmpd
        return "" + any;
    }

    native int unknown();

    int callsUnknown() { // inferred: cmpd
        return unknown();
    }
}

final class Main {
    static final Cell CELL = new Cell();
    static final Holder HOLDER = new Holder();
    static final Blob BLOB = new Blob();
    static final Explicit EXPLICIT = new Explicit();
    static final Flow FLOW = new Flow();

    static int count() { // inferred: const
        return 3;
    }

    public static void main(String[] args) throws Exception {
        Runnable all = () -> {
            CELL.racy = CELL.readRacyTwice();
            CELL.other = 1;
            CELL.wide = 1;
            CELL.marked = 1;
            CELL.addOk(1);
            CELL.addBad(1);
            CELL.cells[1] = CELL.sharedElements();
            CELL.cells = new int[3];
            CELL.byHelper();
            CELL.nested();
            CELL.oneThenTheOther();
            HOLDER.n++;
            BLOB.size++;
            EXPLICIT.increment();
            FLOW.loopOfMovers();
            FLOW.notifying();
        };
        new Thread(all).start();
        all.run();
        FLOW.waiting();
    }
}
