package lockhandovers;

import static schedule.Schedule.mark;
import static schedule.Schedule.pause;
import static schedule.Schedule.start;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import schedule.Program;

/** What one thread makes and another one goes on with. */
final class Item implements Comparable<Item> {
    int value;
    Item next;

    @Override
    public int compareTo(Item other) {
        return 0;
    }
}

/** Where it lies meanwhile: nothing but a lock keeps the threads apart, and nobody waits. */
interface Place extends Program {
    void put(Item item);

    Item take();

    @Override
    default void run() throws Exception {
        together(() -> {
            Item item = new Item();
            item.value = 1;
            put(item);
            mark(this);
        }, () -> {
            until(this);
            take().value++;
        });
    }
}

final class InQueue implements Place {
    private final ArrayDeque<Item> items = new ArrayDeque<>();

    public synchronized void put(Item item) {
        items.add(item);
    }

    public synchronized Item take() {
        return items.poll();
    }
}

final class InListByLock implements Place {
    private final Lock lock = new ReentrantLock();
    private final List<Item> items = new LinkedList<>();

    public void put(Item item) {
        lock.lock();
        try {
            items.add(item);
        } finally {
            lock.unlock();
        }
    }

    public Item take() {
        lock.lock();
        try {
            return items.isEmpty() ? null : items.remove(0);
        } finally {
            lock.unlock();
        }
    }
}

final class InHeap implements Place {
    private final PriorityQueue<Item> items = new PriorityQueue<>();

    public synchronized void put(Item item) {
        items.offer(item);
    }

    public synchronized Item take() {
        return items.remove();
    }
}

final class InMapUntilAsked implements Place {
    private final Map<String, Item> pending = new HashMap<>();

    public synchronized void put(Item item) {
        pending.put("id", item);
    }

    public synchronized Item take() {
        return pending.remove("id");
    }
}

final class FirstOfMap implements Place {
    private final TreeMap<Integer, Item> items = new TreeMap<>();

    public synchronized void put(Item item) {
        items.put(1, item);
    }

    public synchronized Item take() {
        return items.pollFirstEntry().getValue();
    }
}

final class ByIterator implements Place {
    private final LinkedHashSet<Item> items = new LinkedHashSet<>();

    public synchronized void put(Item item) {
        items.add(item);
    }

    public synchronized Item take() {
        Iterator<Item> all = items.iterator();
        Item first = all.next();
        all.remove();
        return first;
    }
}

/** It stays in the list, whose copy is gone over. */
final class ByCopy implements Place {
    private final List<Item> items = new ArrayList<>();

    public synchronized void put(Item item) {
        items.add(item);
    }

    public Item take() {
        List<Item> copy;
        synchronized (this) {
            copy = new ArrayList<>(items);
        }
        return copy.get(0);
    }
}

/** The whole list is taken, and another one left. */
final class SwappedList implements Place {
    private List<Item> items = new ArrayList<>();

    public synchronized void put(Item item) {
        items.add(item);
    }

    public Item take() {
        List<Item> taken;
        synchronized (this) {
            taken = items;
            items = new ArrayList<>();
        }
        return taken.get(0);
    }
}

final class InField implements Place {
    private Item item;

    public synchronized void put(Item item) {
        this.item = item;
    }

    public synchronized Item take() {
        Item taken = item;
        item = null;
        return taken;
    }
}

final class InStaticField implements Place {
    private static Item item;

    public void put(Item item) {
        synchronized (InStaticField.class) {
            InStaticField.item = item;
        }
    }

    public Item take() {
        synchronized (InStaticField.class) {
            return item;
        }
    }
}

/** A list made by hand. */
final class InChain implements Place {
    private Item first;

    public synchronized void put(Item item) {
        item.next = first;
        first = item;
    }

    public synchronized Item take() {
        Item taken = first;
        first = taken.next;
        return taken;
    }
}

/** The same, but that who makes a link writes all its fields: so what comes next to a link is written without the lock, too. */
final class QueuedBehind implements Program {
    private static final class Link {
        final Item item;
        Link next = null;

        Link(Item item) {
            this.item = item;
        }
    }

    private Link first;

    private synchronized void append(Link link) {
        if (first == null) {
            first = link;
            return;
        }
        Link last = first;
        last.item.value++;
        while (last.next != null) {
            last = last.next;
            last.item.value++;
        }
        last.next = link;
    }

    private void add() {
        Item item = new Item();
        item.value = 1;
        append(new Link(item));
    }

    public void run() throws Exception {
        together(() -> {
            add();
            mark(this);
        }, () -> {
            until(this);
            add();
            mark(this, 2);
        }, () -> {
            until(this, 2);
            add();
            mark(this, 3);
        }, () -> {
            until(this, 3);
            add();
        });
    }
}

final class InRing implements Place {
    private final Item[] ring = new Item[8];
    private int from;
    private int until;

    public synchronized void put(Item item) {
        ring[until++ % ring.length] = item;
    }

    public synchronized Item take() {
        return ring[from++ % ring.length];
    }
}

/** What is counted is left with it, and read first. */
final class InStack implements Place {
    private final Item[] items = new Item[8];
    private int n;

    public synchronized void put(Item item) {
        items[n++] = item;
    }

    public synchronized Item take() {
        return items[--n];
    }
}

final class ByArrayCopy implements Place {
    private final Item[] items = new Item[8];
    private int n;

    public synchronized void put(Item item) {
        items[n++] = item;
    }

    public synchronized Item take() {
        Item[] own = new Item[8];
        System.arraycopy(items, 0, own, 0, n);
        n = 0;
        return own[0];
    }
}

final class ByCloneOfArray implements Place {
    private final Item[] items = new Item[8];
    private int n;

    public synchronized void put(Item item) {
        items[n++] = item;
    }

    public synchronized Item take() {
        return n == 0 ? null : items.clone()[0];
    }
}

final class BesideNumber implements Place {
    private long number;
    private Item latest;

    public synchronized void put(Item item) {
        number = 7;
        latest = item;
    }

    public synchronized Item take() {
        return number == 0 ? null : latest;
    }
}

final class InListThatIsCounted implements Place {
    private final List<Item> items = new ArrayList<>();
    private int n;

    public synchronized void put(Item item) {
        items.add(item);
        n++;
    }

    public synchronized Item take() {
        return n == 0 ? null : items.get(0);
    }
}

final class ByReaders implements Place {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private Item item;

    public void put(Item item) {
        lock.writeLock().lock();
        this.item = item;
        lock.writeLock().unlock();
    }

    public Item take() {
        lock.readLock().lock();
        try {
            return item;
        } finally {
            lock.readLock().unlock();
        }
    }
}

/** The flag says that the item is there. */
final class ByFlag implements Place {
    private Item item;
    private boolean isThere;

    public void put(Item item) {
        this.item = item;
        synchronized (this) {
            isThere = true;
        }
    }

    public Item take() {
        synchronized (this) {
            if (!isThere) {
                return null;
            }
        }
        return item;
    }
}

/** Who has put something into what lies at the end of the queue does so no more when it was taken out. */
final class FilledUntilTaken implements Program {
    private final ArrayDeque<int[]> batches = new ArrayDeque<>();
    private int written;

    public void run() throws Exception {
        batches.add(new int[1]);
        together(() -> {
            synchronized (batches) {
                int[] last = batches.peekLast();
                last[0] = 1;
                written = 1;
            }
            mark(this);
        }, () -> {
            until(this);
            int[] batch;
            synchronized (batches) {
                batch = batches.pollFirst();
            }
            batch[0]++;
            written++;
        });
    }
}

/** Found where a key leads to it: that it is the very object is not known. */
final class Registered implements Program {
    private final Map<String, int[]> registry = new HashMap<>();
    private int[] counts; // false-alarm: Registered.counts -- who has put in what a key leads to is not known

    private synchronized int[] find() {
        return registry.get("id");
    }

    public void run() throws Exception {
        together(() -> {
            counts = new int[1];
            synchronized (this) {
                registry.put("id", counts);
            }
            mark(this);
        }, () -> {
            until(this);
            if (find() != null) {
                counts = null;
            }
        });
    }
}

/** From hand to hand, by queues of either kind. */
final class FromHandToHand implements Program {
    private final ArrayDeque<int[]> first = new ArrayDeque<>();
    private final ConcurrentLinkedQueue<int[]> second = new ConcurrentLinkedQueue<>();
    private final ArrayDeque<int[]> third = new ArrayDeque<>();
    private int value;

    private static <T> T take(ArrayDeque<T> queue) {
        synchronized (queue) {
            return queue.poll();
        }
    }

    private static <T> void put(ArrayDeque<T> queue, T item) {
        synchronized (queue) {
            queue.add(item);
        }
    }

    public void run() throws Exception {
        together(() -> {
            value = 1;
            put(first, new int[1]);
            mark(this);
        }, () -> {
            until(this);
            second.add(take(first));
            mark(this, 2);
        }, () -> {
            until(this, 2);
            put(third, second.poll());
            mark(this, 3);
        }, () -> {
            until(this, 3);
            take(third);
            value++;
        });
    }
}

/** Two have put something in; who takes it all out comes after both. */
final class FromTwo implements Program {
    private final ArrayDeque<Integer> items = new ArrayDeque<>();
    private int first;
    private int second;

    private synchronized void put(int item) {
        items.add(item);
    }

    private synchronized int take() {
        return items.poll();
    }

    public void run() throws Exception {
        together(() -> {
            first = 1;
            put(1);
            mark(this);
        }, () -> {
            until(this);
            second = 1;
            put(2);
            mark(this, 2);
        }, () -> {
            until(this, 2);
            take();
            take();
            first++;
            second++;
        });
    }
}

/** The same for long: a thread tells apart what it did before and after, however often it has given up the lock. */
final class ForLong implements Program {
    private final ArrayDeque<int[]> items = new ArrayDeque<>();
    private int sum;

    private synchronized void put(int[] item) {
        items.add(item);
    }

    private synchronized int[] take() {
        return items.poll();
    }

    public void run() throws Exception {
        together(() -> {
            for (int i = 1; i <= 200; i++) {
                int[] item = new int[2];
                item[0] = i;
                put(item);
                mark(this, i);
                until(this, 1000 + i);
            }
        }, () -> {
            for (int i = 1; i <= 200; i++) {
                until(this, i);
                int[] item = take();
                item[0]++;
                sum += item[0];
                mark(this, 1000 + i);
            }
        });
    }
}

/** Written once more after it was put in. */
final class WrittenAfterPut implements Program {
    private final ArrayDeque<Object> items = new ArrayDeque<>();
    private int value; // race: WrittenAfterPut.value

    private synchronized void put(Object item) {
        items.add(item);
    }

    private synchronized Object take() {
        return items.poll();
    }

    public void run() throws Exception {
        together(() -> {
            put("item");
            value = 1;
            mark(this);
        }, () -> {
            until(this);
            take();
            value++;
        });
    }
}

/** The same after the lock was given up many times for other reasons. */
final class WrittenMuchLater implements Program {
    private final Object other = new Object();
    private final ArrayDeque<Object> items = new ArrayDeque<>();
    private int count;
    private int value; // race: WrittenMuchLater.value

    private synchronized void put(Object item) {
        items.add(item);
    }

    private synchronized Object take() {
        return items.poll();
    }

    public void run() throws Exception {
        together(() -> {
            for (int i = 0; i < 100; i++) {
                synchronized (other) {
                    count++;
                }
            }
            put("item");
            for (int i = 0; i < 100; i++) {
                synchronized (other) {
                    count++;
                }
            }
            value = 1;
            mark(this);
        }, () -> {
            until(this);
            take();
            value++;
        });
    }
}

/** The same where the thread has gone on for long before it put anything in, too. */
final class WrittenMuchLaterAgain implements Program {
    private final Object other = new Object();
    private final ArrayDeque<Object> items = new ArrayDeque<>();
    private int count;
    private int own;
    private int value; // race: WrittenMuchLaterAgain.value

    private void goOn() {
        for (int i = 0; i < 100; i++) {
            synchronized (other) {
                count++;
            }
        }
    }

    private synchronized void put(Object item) {
        items.add(item);
    }

    private synchronized Object take() {
        return items.poll();
    }

    public void run() throws Exception {
        together(() -> {
            goOn();
            own = 1;
            put("item");
            goOn();
            value = 1;
            mark(this);
        }, () -> {
            until(this);
            take();
            value++;
        });
    }
}

/** Who finds it has gone on for long, and had looked before: by the same stamp, as it serves on. */
abstract class LookedForBefore implements Program {
    private final Object other = new Object();
    private int count;

    abstract void put(Item item);

    abstract Item look();

    private void goOn() {
        for (int i = 0; i < 100; i++) {
            synchronized (other) {
                count++;
            }
        }
    }

    public void run() throws Exception {
        together(() -> {
            pause(300);
            Item item = new Item();
            item.value = 1;
            put(item);
        }, () -> {
            goOn();
            Item found = look();
            while (found == null) {
                pause(1);
                found = look();
            }
            found.value++;
        });
    }
}

final class LookedForInField extends LookedForBefore {
    private Item item;

    synchronized void put(Item item) {
        this.item = item;
    }

    synchronized Item look() {
        return item;
    }
}

/** The same where a race is known of the field, as who makes it writes it without the lock, and all evidence of that is there. */
final class LookedForVeryOften implements Program {
    private static final int OFTEN = 5000;

    private static final class Link {
        Item item = null;
    }

    private Link link;

    private synchronized void put(Link made) {
        made.item = new Item();
        link = made;
    }

    private synchronized void putAnother(Item item) {
        link.item = item;
    }

    private synchronized Item look() {
        return link == null ? null : link.item;
    }

    private Item lookedForOften() {
        Item seen = null;
        for (int i = 0; i < OFTEN; i++) {
            seen = look();
        }
        return seen;
    }

    public void run() throws Exception {
        together(() -> {
            put(new Link());
            mark(this);
            pause(500);
            Item item = new Item();
            item.value = 1;
            putAnother(item);
        }, () -> {
            until(this);
            Item first = lookedForOften();
            Item found = look();
            while (found == first) {
                pause(1);
                found = look();
            }
            found.value++;
        });
    }
}

final class LookedForInArray extends LookedForBefore {
    private final Item[] items = new Item[4];

    synchronized void put(Item item) {
        items[0] = item;
    }

    synchronized Item look() {
        return items[0];
    }
}

final class LookedForInList extends LookedForBefore {
    private final ArrayDeque<Item> items = new ArrayDeque<>();

    synchronized void put(Item item) {
        items.add(item);
    }

    synchronized Item look() {
        return items.peek();
    }
}

/** Written before it is put in, by a thread that has gone on for long. */
final class WrittenMuchEarlier implements Program {
    private final Object other = new Object();
    private final ArrayDeque<Object> items = new ArrayDeque<>();
    private int count;
    private int value;

    private synchronized void put(Object item) {
        items.add(item);
    }

    private synchronized Object take() {
        return items.poll();
    }

    public void run() throws Exception {
        together(() -> {
            for (int i = 0; i < 100; i++) {
                synchronized (other) {
                    count++;
                }
            }
            value = 1;
            put("item");
            mark(this);
        }, () -> {
            until(this);
            take();
            value++;
        });
    }
}

/** Written under the same locks as what was done when it was put in, but later. */
final class WrittenUnderTheSameLocks implements Program {
    private final Object[] locks = {new Object(), new Object(), new Object(), new Object(), new Object(), new Object()};
    private final int[] counts = new int[locks.length];
    private final ArrayDeque<Object> items = new ArrayDeque<>();
    private int count;
    private int value; // race: WrittenUnderTheSameLocks.value

    private void under(int depth, Runnable inside) {
        if (depth == locks.length) {
            inside.run();
            return;
        }
        synchronized (locks[depth]) {
            counts[depth]++;
            under(depth + 1, inside);
        }
    }

    private synchronized void put(Object item) {
        items.add(item);
        under(0, () -> count++);
    }

    private synchronized void writeLater() {
        under(0, () -> value = 1);
    }

    private synchronized Object take() {
        return items.poll();
    }

    public void run() throws Exception {
        together(() -> {
            for (int i = 0; i < 100; i++) {
                under(0, () -> count++);
            }
            put("item");
            writeLater();
            mark(this);
        }, () -> {
            until(this);
            take();
            value++;
        });
    }
}

/** Both look at what is there, and neither takes it. */
final class OnlyLookedAt implements Program {
    private final ArrayDeque<String> items = new ArrayDeque<>(List.of("item"));
    private int value; // race: OnlyLookedAt.value

    private synchronized String look() {
        return items.peek();
    }

    public void run() throws Exception {
        together(() -> {
            value = 1;
            look();
            mark(this);
        }, () -> {
            until(this);
            look();
            value++;
        });
    }
}

/** Who has put something in has taken something else out since. */
final class PutInAndTakenOut implements Program {
    private final ArrayDeque<int[]> items = new ArrayDeque<>();
    private int value;

    private synchronized void put(int[] item) {
        items.add(item);
    }

    private synchronized int[] take() {
        return items.poll();
    }

    public void run() throws Exception {
        put(new int[1]);
        together(() -> {
            value = 1;
            put(new int[1]);
            take();
            mark(this);
        }, () -> {
            until(this);
            take();
            value++;
        });
    }
}

/** Who puts something in has it of a thread that has ended. */
final class MadeByAnother implements Program {
    private final ArrayDeque<Object> items = new ArrayDeque<>();
    private int value;

    private synchronized void put(Object item) {
        items.add(item);
    }

    private synchronized Object take() {
        return items.poll();
    }

    public void run() throws Exception {
        together(() -> {
            start(() -> value = 1).join();
            put("item");
            mark(this);
        }, () -> {
            until(this);
            take();
            value++;
        });
    }
}

/** A number under the lock says nothing of who has left it. */
final class OnlyCounted implements Program {
    private int count;
    private int value; // race: OnlyCounted.value

    private synchronized int count() {
        return ++count;
    }

    public void run() throws Exception {
        together(() -> {
            value = 1;
            count();
            mark(this);
        }, () -> {
            until(this);
            count();
            value++;
        });
    }
}

/** Nor does one that is an object. */
final class OnlyCountedBoxed implements Program {
    private Integer count = 0;
    private int value; // race: OnlyCountedBoxed.value

    private synchronized void count() {
        count++;
    }

    public void run() throws Exception {
        together(() -> {
            value = 1;
            count();
            mark(this);
        }, () -> {
            until(this);
            count();
            value++;
        });
    }
}

/** Nor does a sum of any size, or a text that grows. */
final class OnlyAdded implements Program {
    private BigDecimal sum = BigDecimal.ZERO;
    private String text = "";
    private int value; // race: OnlyAdded.value
    private int other; // race: OnlyAdded.other

    private synchronized void add() {
        sum = sum.add(BigDecimal.ONE);
    }

    private synchronized void append() {
        text += "more";
    }

    public void run() throws Exception {
        together(() -> {
            value = 1;
            other = 1;
            add();
            append();
            mark(this);
        }, () -> {
            until(this);
            add();
            value++;
            append();
            other++;
        });
    }
}

/** Both put something in, and nobody takes anything out. */
final class OnlyPutIn implements Program {
    private final List<String> log = new ArrayList<>();
    private int value; // race: OnlyPutIn.value

    private synchronized void log(String line) {
        log.add(line);
    }

    public void run() throws Exception {
        together(() -> {
            value = 1;
            log("first");
            mark(this);
        }, () -> {
            until(this);
            log("second");
            value++;
        });
    }
}

/** Both ask before they put something in. */
final class OnlyPutInOnce implements Program {
    private final List<String> names = new ArrayList<>();
    private int value; // race: OnlyPutInOnce.value

    private synchronized void put(String name) {
        if (!names.contains(name)) {
            names.add(name);
        }
    }

    public void run() throws Exception {
        together(() -> {
            value = 1;
            put("first");
            mark(this);
        }, () -> {
            until(this);
            put("second");
            value++;
        });
    }
}

/** What a key leads to is of somebody else. */
final class OtherKey implements Program {
    private final Map<String, String> cache = new HashMap<>();
    private int value; // race: OtherKey.value

    private synchronized void put(String key) {
        cache.put(key, key);
    }

    private synchronized String get(String key) {
        return cache.get(key);
    }

    public void run() throws Exception {
        put("old");
        together(() -> {
            value = 1;
            put("new");
            mark(this);
        }, () -> {
            until(this);
            get("old");
            value++;
        });
    }
}

/** A third one has left what is found. */
final class LeftByAnother implements Program {
    private Object current;
    private int value; // race: LeftByAnother.value

    private synchronized void set(Object next) {
        current = next;
    }

    private synchronized Object get() {
        return current;
    }

    public void run() throws Exception {
        together(() -> {
            value = 1;
            set("first");
            mark(this);
        }, () -> {
            until(this);
            set("second");
            mark(this, 2);
        }, () -> {
            until(this, 2);
            get();
            value++;
        });
    }
}

/** Two take from one queue, and neither takes what the other has had. */
final class TakersOfOthers implements Program {
    private final ArrayDeque<String> jobs = new ArrayDeque<>(List.of("one", "two"));
    private int value; // race: TakersOfOthers.value

    private String next() {
        synchronized (jobs) {
            return jobs.isEmpty() ? null : jobs.poll();
        }
    }

    public void run() throws Exception {
        together(() -> {
            value = next().length();
            next();
            mark(this);
        }, () -> {
            until(this);
            next();
            value++;
        });
    }
}

/** That the queue is empty says nothing of what was taken out: it is still worked on. */
final class EmptyNotDone implements Program {
    private final ArrayDeque<String> jobs = new ArrayDeque<>(List.of("one", "two"));
    private int value; // race: EmptyNotDone.value

    public void run() throws Exception {
        together(() -> {
            String job;
            synchronized (jobs) {
                job = jobs.poll();
            }
            value = job.length();
            synchronized (jobs) {
                jobs.poll();
            }
            mark(this);
        }, () -> {
            until(this);
            synchronized (jobs) {
                if (!jobs.isEmpty()) {
                    return;
                }
            }
            value++;
        });
    }
}

/** Who has seen that the flag is not set need not be done with anything when it is. */
final class ClosedOnce implements Program {
    private boolean closed;
    private int value; // race: ClosedOnce.value

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized boolean close() {
        boolean first = !closed;
        closed = true;
        return first;
    }

    public void run() throws Exception {
        together(() -> {
            value = 1;
            isClosed();
            mark(this);
        }, () -> {
            until(this);
            if (close()) {
                value++;
            }
        });
    }
}

/** Handed over back and forth, so often that nobody wants to know any more, and then used by both. */
final class HandedOverUntilNot implements Program {
    private static final int ROUNDS = 40;

    private final ArrayDeque<String> turns = new ArrayDeque<>();
    private int value; // race: HandedOverUntilNot.value

    private void pass(int step) {
        synchronized (turns) {
            turns.add("yours");
        }
        mark(this, step);
    }

    private void take(int step) {
        until(this, step);
        synchronized (turns) {
            turns.poll();
        }
    }

    public void run() throws Exception {
        together(() -> {
            for (int round = 0; round < ROUNDS; round++) {
                value++;
                pass(2 * round + 1);
                take(2 * round + 2);
            }
            value++;
            mark(this, 2 * ROUNDS + 1);
        }, () -> {
            for (int round = 0; round < ROUNDS; round++) {
                take(2 * round + 1);
                value++;
                pass(2 * round + 2);
            }
            until(this, 2 * ROUNDS + 1);
            value++;
        });
    }
}

/** Handed over back and forth, and then used by both. */
final class UsedByBoth implements Program {
    private final ArrayDeque<AtomicInteger> items = new ArrayDeque<>();
    private int value; // race: UsedByBoth.value

    private synchronized void put() {
        items.add(new AtomicInteger());
    }

    private synchronized Object take() {
        return items.poll();
    }

    public void run() throws Exception {
        together(() -> {
            value = 1;
            put();
            mark(this);
            until(this, 2);
            take();
            value = 3;
            mark(this, 3);
        }, () -> {
            until(this);
            take();
            value = 2;
            put();
            mark(this, 2);
            until(this, 3);
            value = 4;
        });
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new InQueue(), new InListByLock(), new InHeap(), new InMapUntilAsked(), new FirstOfMap(), new ByIterator(), new ByCopy(),
                new SwappedList(), new InField(), new InStaticField(), new InChain(), new QueuedBehind(), new InRing(), new InStack(), new ByArrayCopy(), new ByCloneOfArray(), new BesideNumber(), new InListThatIsCounted(), new ByReaders(), new ByFlag(), new FilledUntilTaken(), new Registered(),
                new FromHandToHand(), new FromTwo(), new ForLong(), new WrittenAfterPut(), new WrittenMuchLater(), new OnlyCounted(), new OnlyCountedBoxed(), new OnlyAdded(), new OnlyPutIn(),
                new OnlyPutInOnce(), new OtherKey(), new LeftByAnother(), new TakersOfOthers(), new EmptyNotDone(), new ClosedOnce(), new WrittenMuchLaterAgain(), new WrittenMuchEarlier(), new LookedForInField(), new LookedForVeryOften(), new LookedForInArray(), new LookedForInList(), new WrittenUnderTheSameLocks(), new OnlyLookedAt(), new PutInAndTakenOut(),
                new MadeByAnother(), new HandedOverUntilNot(), new UsedByBoth());
    }
}
