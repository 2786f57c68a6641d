package seeds;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Containers of classes that extend those of the JDK, and maps of which each look changes the order. */
public class OwnContainers {
    static final int MANY = 8;
    static final float LOAD = 0.75f;

    static class Names extends ArrayList<String> {}

    /** Whoever calls these has its lock. */
    static class Locked extends ArrayList<String> {
        @Override
        public synchronized boolean add(String name) {
            return super.add(name);
        }

        @Override
        public synchronized int size() {
            return super.size();
        }
    }

    static class HalfLocked extends ArrayList<String> {
        @Override
        public synchronized boolean add(String name) {
            return super.add(name);
        }
    }

    static class Safe extends ConcurrentHashMap<String, String> {}

    /** What it holds is its own matter. */
    static class Pair extends AbstractList<String> {
        @Override
        public String get(int index) {
            return "one of two";
        }

        @Override
        public int size() {
            return 2;
        }
    }

    static class Lru extends LinkedHashMap<String, String> {
        Lru() {
            super(MANY, LOAD, true);
        }
    }

    private static final ReentrantReadWriteLock LOCK = new ReentrantReadWriteLock();
    private static final Names NAMES = new Names(); // race
    private static final List<String> LOCKED = new Locked();
    private static final HalfLocked HALF_LOCKED = new HalfLocked(); // race
    private static final Safe SAFE = new Safe();
    private static final List<String> PAIR = new Pair();
    private static final Map<String, String> CACHE = new LinkedHashMap<>(MANY, LOAD, true) { // race
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > MANY;
        }
    };
    private static final Map<String, String> LOOKED_AT = new LinkedHashMap<>(MANY, LOAD, true); // race
    private static final Map<String, String> BY_OTHERS = new Lru(); // race
    private static final Map<String, String> IN_ORDER = new LinkedHashMap<>(MANY, LOAD, false);
    private static final Map<String, String> PLAIN = new HashMap<>();
    private static final Adding ADDING = new Adding();
    private static final Adding ADDING_ALL = new AddingAll();
    private static final Adding HALF_ADDING = new Adding(); // race
    private static final Twice TWICE = new Twice(); // race

    /** The library's {@code addAll} adds one after the other. */
    static class Adding extends HashSet<String> {
        @Override
        public synchronized boolean add(String element) {
            return super.add(element);
        }
    }

    /** Has another method of the name that the library calls. */
    static final class Twice extends HashSet<String> {
        public synchronized boolean add(String element, String other) {
            return super.add(element) | super.add(other);
        }
    }

    static final class AddingAll extends Adding {
        @Override
        public boolean addAll(Collection<? extends String> all) {
            return super.addAll(all);
        }
    }

    static int look() {
        LOCK.readLock().lock();
        try {
            String found = LOOKED_AT.get("") + BY_OTHERS.getOrDefault("", "") + IN_ORDER.get("") + PLAIN.get("");
            return found.length() + LOOKED_AT.size();
        } finally {
            LOCK.readLock().unlock();
        }
    }

    static void work() {
        NAMES.add("");
        LOCKED.add("");
        HALF_LOCKED.add("");
        SAFE.put("", "");
        PAIR.clear();
        CACHE.put("", "");
        ADDING.addAll(List.of(""));
        ADDING_ALL.addAll(List.of(""));
        HALF_ADDING.addAll(List.of(""));
        HALF_ADDING.clear();
        TWICE.addAll(List.of(""));
        int all = NAMES.size() + LOCKED.size() + HALF_LOCKED.size() + SAFE.size() + PAIR.size() + look();
        if (all < 0) {
            throw new AssertionError();
        }
    }

    public static void main(String[] args) {
        new Thread(OwnContainers::work).start();
        work();
    }
}
