package inherited;

import static schedule.Schedule.mark;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.text.SimpleDateFormat;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import schedule.Program;

/** What one thread does, and another one after it, of which no checker knows. */
abstract class Twice implements Program {
    abstract void first() throws Exception;

    abstract void second() throws Exception;

    @Override
    public void run() throws Exception {
        together(
                () -> {
                    first();
                    mark(this);
                },
                () -> {
                    until(this);
                    second();
                });
    }
}

/** Everything is inherited. */
final class Plain extends Twice {
    static final class Names extends ArrayList<String> {}

    static final class Ages extends HashMap<String, Integer> {}

    static class Base extends HashMap<String, Integer> {}

    static final class Derived extends Base {}

    static final class Days extends BitSet {}

    static final class Format extends SimpleDateFormat {
        Format() {
            super("yyyy");
        }
    }

    private final Names names = new Names(); // race: Plain.names
    private final Ages ages = new Ages(); // race: Plain.ages
    private final Derived derived = new Derived(); // race: Plain.derived
    private final Days days = new Days(); // race: Plain.days
    private final Format format = new Format(); // race: Plain.format
    private final Ages looked = new Ages();

    @Override
    void first() {
        names.add("a");
        ages.put("a", 1);
        derived.put("a", 1);
        days.set(1);
        format.format(new Date(0));
        looked.get("a");
    }

    @Override
    void second() {
        names.size();
        ages.get("a");
        derived.remove("a");
        days.get(1);
        format.format(new Date(1));
        looked.get("a");
    }
}

/** The program names an interface of its own. */
final class Named extends Twice {
    interface Registry extends Map<String, Integer> {}

    interface Line {
        boolean add(String element);

        int size();
    }

    static final class Table extends HashMap<String, Integer> implements Registry {}

    static final class Words extends ArrayList<String> implements Line {}

    /** Has the methods, and extends nothing. */
    static final class Own implements Line {
        private int size;

        @Override
        public synchronized boolean add(String element) {
            size++;
            return true;
        }

        @Override
        public synchronized int size() {
            return size;
        }
    }

    private final Registry registry = new Table(); // race: Named.registry
    private final Line line = new Words(); // race: Named.line
    private final Line own = new Own();

    @Override
    void first() {
        registry.put("a", 1);
        line.add("a");
        own.add("a");
    }

    @Override
    void second() {
        registry.get("a");
        line.size();
        own.size();
    }
}

/** Some methods are overridden: what these do is theirs, the others are the library's. */
final class Overriding extends Twice {
    static final class Checked extends HashMap<String, Integer> {
        @Override
        public Integer put(String key, Integer value) {
            return key.isEmpty() ? null : super.put(key, value);
        }
    }

    static final class Latest extends LinkedHashMap<String, Integer> {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
            return size() > 10;
        }
    }

    static final class Counted extends ArrayList<String> {
        @Override
        public boolean add(String element) {
            return super.add(element);
        }
    }

    /** Has another method of the name that the library's {@code addAll} calls. */
    static final class Twice extends HashSet<String> {
        public synchronized boolean add(String element, String other) {
            return super.add(element) | super.add(other);
        }
    }

    /** Pushes by a method of its own, and polls by one that the library alone has. */
    static final class Deque extends ArrayDeque<String> {
        @Override
        public synchronized void addFirst(String element) {
            super.addFirst(element);
        }
    }

    private final Checked named = new Checked(); // race: Overriding.named
    private final Map<String, Integer> map = new Checked(); // race: Overriding.map
    private final Latest latest = new Latest(); // race: Overriding.latest
    private final List<String> walked = new Counted(); // race: Overriding.walked
    private final Deque deque = new Deque(); // race: Overriding.deque
    private final Twice twice = new Twice(); // race: Overriding.twice

    @Override
    void first() {
        named.put("a", 1);
        map.put("a", 1);
        latest.put("a", 1);
        walked.add("a");
        deque.push("a");
        twice.addAll(List.of("a"));
    }

    @Override
    void second() {
        twice.addAll(List.of("b"));
        named.get("a");
        map.get("a");
        latest.put("b", 2);
        for (String each : walked) {
            each.length();
        }
        deque.pollLast();
    }
}

/** Calls of super go through a class of the program. */
final class Above extends Twice {
    static class Base extends HashMap<String, Integer> {
        void other() {}
    }

    static class Logged extends Base {
        @Override
        public Integer put(String key, Integer value) {
            return super.put(key, value);
        }
    }

    static class Locked extends HashMap<String, Integer> {
        @Override
        public synchronized Integer put(String key, Integer value) {
            return super.put(key, value);
        }
    }

    static final class BelowLocked extends Locked {
        @Override
        public Integer put(String key, Integer value) {
            return super.put(key, value);
        }
    }

    static final class BelowLogged extends Logged {
        @Override
        public Integer get(Object key) {
            return super.get(key);
        }
    }

    private final Logged logged = new Logged(); // race: Logged.put
    private final BelowLogged below = new BelowLogged(); // race: BelowLogged.get
    private final BelowLocked locked = new BelowLocked();

    @Override
    void first() {
        logged.put("a", 1);
        below.put("a", 1);
        locked.put("a", 1);
    }

    @Override
    void second() {
        logged.put("b", 1);
        below.get("a");
        locked.put("b", 1);
    }
}

/** In access order, a look-up is a change: under a lock for readers as well. */
final class LookUps extends Twice {
    static final class Cache extends LinkedHashMap<String, Integer> {
        Cache() {
            super(16, 0.75f, true);
        }
    }

    static final class Own extends LinkedHashMap<String, Integer> {
        Own(boolean accessOrder) {
            super(16, 0.75f, accessOrder);
        }

        @Override
        public Integer get(Object key) {
            return super.get(key);
        }
    }

    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final Cache cache = new Cache(); // race: LookUps.cache
    private final Own own = new Own(true); // race: Own.get
    private final Own inOrder = new Own(false);

    private void look() {
        lock.readLock().lock();
        try {
            cache.get("a");
            own.get("a");
            inOrder.get("a");
        } finally {
            lock.readLock().unlock();
        }
    }

    @Override
    void first() {
        look();
    }

    @Override
    void second() {
        look();
    }
}

/** Every change goes through what is overridden, and that takes a lock. */
final class Guarded extends Twice {
    static final class Locked extends HashMap<String, Integer> {
        @Override
        public synchronized Integer put(String key, Integer value) {
            return super.put(key, value);
        }

        @Override
        public synchronized Integer get(Object key) {
            return super.get(key);
        }
    }

    /** The library's {@code addAll} adds one after the other. */
    static final class Adding extends HashSet<String> {
        @Override
        public synchronized boolean add(String element) {
            return super.add(element);
        }
    }

    static final class AddingAll extends HashSet<String> {
        @Override
        public synchronized boolean add(String element) {
            return super.add(element);
        }

        @Override
        public boolean addAll(Collection<? extends String> all) {
            return super.addAll(all);
        }
    }

    /** The library's {@code push} adds at the front. */
    static final class Deque extends ArrayDeque<String> {
        @Override
        public synchronized void addFirst(String element) {
            super.addFirst(element);
        }
    }

    /** Nothing is in the list itself. */
    static final class Elsewhere extends ArrayList<String> {
        private final transient List<String> all = new CopyOnWriteArrayList<>();

        @Override
        public boolean add(String element) {
            return all.add(element);
        }

        @Override
        public int size() {
            return all.size();
        }
    }

    /** Is about something else, and has methods of such names. */
    static final class Bag {
        private int n;

        synchronized boolean add(Object element) {
            n++;
            return true;
        }

        synchronized int size() {
            return n;
        }
    }

    private final Locked locked = new Locked();
    private final Adding adding = new Adding();
    private final AddingAll addingAll = new AddingAll();
    private final Deque deque = new Deque();
    private final Elsewhere elsewhere = new Elsewhere();
    private final Bag bag = new Bag();
    private final Plain.Names under = new Plain.Names();

    private void change(String element) {
        locked.put(element, 1);
        locked.get(element);
        adding.addAll(List.of(element));
        addingAll.addAll(List.of(element));
        deque.push(element);
        elsewhere.add(element);
        elsewhere.size();
        bag.add(element);
        bag.size();
        synchronized (under) {
            under.add(element);
        }
    }

    @Override
    void first() {
        change("a");
    }

    @Override
    void second() {
        change("b");
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new Plain(), new Named(), new Overriding(), new Above(), new LookUps(), new Guarded());
    }
}
