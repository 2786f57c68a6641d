package callbacks;

import static schedule.Schedule.mark;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.beans.PropertyChangeEvent;
import java.beans.PropertyChangeListener;
import java.beans.PropertyChangeSupport;
import java.util.AbstractMap;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.function.Supplier;
import schedule.Program;

/** Its fields are not final, as in many programs; all have the same hash, so that collections compare them. */
class Key implements Comparable<Key> {
    int number;

    Key(int number) {
        this.number = number;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Key && ((Key) other).number == number;
    }

    @Override
    public int hashCode() {
        return number & 0;
    }

    @Override
    public int compareTo(Key other) {
        return Integer.compare(number, other.number);
    }

    @Override
    public String toString() {
        return "key " + number;
    }
}

/** Cannot be compared with `compareTo`, so that trees of a map ask `equals`. */
class Plain {
    int number;

    Plain(int number) {
        this.number = number;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Plain && ((Plain) other).number == number;
    }

    @Override
    public int hashCode() {
        return number & 0;
    }

    @Override
    public String toString() {
        return "plain " + number;
    }
}

/** What a thread does with a collection that another has filled. */
interface Use<C> {
    void of(C collection) throws Exception;
}

/** Puts elements into fresh collections, one for each use; nothing but the collection orders the two threads. */
abstract class Uses<C> implements Program {
    abstract C make();

    abstract void fill(C collection);

    abstract int size(C collection);

    abstract int expected();

    abstract List<Use<C>> uses();

    public void run() throws Exception {
        List<Use<C>> uses = uses();
        for (int i = 0; i < uses.size(); i++) {
            Use<C> use = uses.get(i);
            C collection = make();
            together(() -> fill(collection), () -> {
                while (size(collection) < expected()) {
                    Thread.onSpinWait();
                }
                use.of(collection);
            });
        }
    }
}

abstract class MapUses<K, V> extends Uses<ConcurrentMap<K, V>> {
    final int elements;

    MapUses(int elements) {
        this.elements = elements;
    }

    abstract K key(int number);

    abstract V value(int number);

    @Override
    void fill(ConcurrentMap<K, V> map) {
        for (int i = 0; i < elements; i++) {
            map.put(key(i), value(i));
        }
    }

    @Override
    int size(ConcurrentMap<K, V> map) {
        return map.size();
    }

    @Override
    int expected() {
        return elements;
    }

    @Override
    List<Use<ConcurrentMap<K, V>>> uses() {
        int last = elements - 1;
        return List.of(
                map -> map.get(key(last)),
                map -> map.getOrDefault(key(last), null),
                map -> map.containsKey(key(last)),
                map -> map.containsValue(value(last)),
                map -> map.put(key(last), value(9)),
                map -> map.put(key(50), value(9)),
                map -> map.putIfAbsent(key(last), value(9)),
                map -> map.remove(key(last)),
                map -> map.remove(key(last), value(last)),
                map -> map.replace(key(last), value(9)),
                map -> map.replace(key(last), value(last), value(9)),
                map -> map.compute(key(last), (key, value) -> value),
                map -> map.computeIfAbsent(key(last), key -> value(9)),
                map -> map.computeIfPresent(key(last), (key, value) -> value),
                map -> map.merge(key(last), value(9), (before, after) -> before),
                map -> map.keySet().contains(key(last)),
                map -> map.keySet().remove(key(last)),
                map -> map.keySet().removeAll(List.of(key(last))),
                map -> map.keySet().retainAll(List.of(key(last))),
                map -> map.keySet().removeIf(key -> key.equals(key(last))),
                map -> map.values().contains(value(last)),
                map -> map.values().remove(value(last)),
                map -> map.values().removeIf(value -> value.equals(value(last))),
                map -> map.values().forEach(Object::hashCode),
                map -> map.entrySet().contains(new AbstractMap.SimpleEntry<>(key(last), value(last))),
                map -> map.entrySet().remove(new AbstractMap.SimpleEntry<>(key(last), value(last))),
                map -> map.entrySet().removeIf(entry -> entry.getValue().equals(value(last))),
                map -> map.entrySet().forEach(entry -> entry.getKey().hashCode()),
                map -> map.toString(),
                map -> map.hashCode(),
                map -> map.equals(Map.of(key(last), value(last))),
                map -> map.keySet().toString(),
                map -> map.values().toString(),
                map -> map.entrySet().toString(),
                map -> map.entrySet().hashCode(),
                map -> map.keySet().hashCode(),
                map -> map.entrySet().iterator().next().hashCode(),
                map -> map.keySet().toArray()[0].toString(),
                map -> map.values().toArray()[0].toString(),
                map -> map.entrySet().toArray()[0].toString(),
                map -> map.forEach((key, value) -> key.equals(value)),
                map -> map.replaceAll((key, value) -> value.equals(value(9)) ? value : value(9)),
                map -> map.keySet().stream().filter(key -> key.equals(key(last))).count(),
                map -> map.values().stream().filter(value -> value.equals(value(last))).count(),
                map -> map.entrySet().stream().filter(entry -> entry.getValue().equals(value(last))).count());
    }
}

final class HashMapCalls extends MapUses<Key, Plain> {
    HashMapCalls(int elements) {
        super(elements);
    }

    @Override
    ConcurrentMap<Key, Plain> make() {
        return new ConcurrentHashMap<>();
    }

    @Override
    Key key(int number) {
        return new Key(number);
    }

    @Override
    Plain value(int number) {
        return new Plain(number);
    }
}

/** Keys that a tree cannot put in order. */
final class TreeCalls extends MapUses<Plain, Key> {
    TreeCalls() {
        super(12);
    }

    @Override
    ConcurrentMap<Plain, Key> make() {
        return new ConcurrentHashMap<>();
    }

    @Override
    Plain key(int number) {
        return new Plain(number);
    }

    @Override
    Key value(int number) {
        return new Key(number);
    }
}

final class SkipListCalls extends MapUses<Key, Plain> {
    SkipListCalls() {
        super(5);
    }

    @Override
    ConcurrentMap<Key, Plain> make() {
        return new ConcurrentSkipListMap<>();
    }

    @Override
    Key key(int number) {
        return new Key(number);
    }

    @Override
    Plain value(int number) {
        return new Plain(number);
    }
}

final class ComparatorCalls extends MapUses<Plain, Plain> {
    ComparatorCalls() {
        super(5);
    }

    @Override
    ConcurrentMap<Plain, Plain> make() {
        return new ConcurrentSkipListMap<>((one, other) -> Integer.compare(one.number, other.number));
    }

    @Override
    Plain key(int number) {
        return new Plain(number);
    }

    @Override
    Plain value(int number) {
        return new Plain(number);
    }
}

final class BulkCalls extends Uses<ConcurrentHashMap<Key, Plain>> {
    @Override
    ConcurrentHashMap<Key, Plain> make() {
        return new ConcurrentHashMap<>();
    }

    @Override
    void fill(ConcurrentHashMap<Key, Plain> map) {
        for (int i = 0; i < 5; i++) {
            map.put(new Key(i), new Plain(i));
        }
    }

    @Override
    int size(ConcurrentHashMap<Key, Plain> map) {
        return map.size();
    }

    @Override
    int expected() {
        return 5;
    }

    @Override
    List<Use<ConcurrentHashMap<Key, Plain>>> uses() {
        return List.of(
                map -> map.forEach(1, (key, value) -> key.equals(value)),
                map -> map.forEachKey(1, key -> key.equals(map)),
                map -> map.forEachValue(1, Plain::toString),
                map -> map.forEachEntry(1, entry -> entry.getKey().toString()),
                map -> map.reduce(1, (key, value) -> key.number + value.number, Integer::sum),
                map -> map.reduceKeys(1, (one, other) -> one.number > other.number ? one : other),
                map -> map.reduceValues(1, (one, other) -> one.number > other.number ? one : other),
                map -> map.reduceEntries(1, (one, other) -> one.getKey().number > other.getKey().number ? one : other),
                map -> map.reduceValuesToInt(1, value -> value.number, 0, Integer::sum),
                map -> map.search(1, (key, value) -> key.number == 4 ? value : null),
                map -> map.searchKeys(1, key -> key.number == 4 ? key : null),
                map -> map.searchValues(1, value -> value.number == 4 ? value : null),
                map -> map.searchEntries(1, entry -> entry.getKey().number == 4 ? entry : null),
                map -> map.search(Long.MAX_VALUE, (key, value) -> key.number == 4 ? value : null),
                map -> map.contains(new Plain(4)),
                map -> map.elements().nextElement().toString(),
                map -> map.keys().nextElement().toString(),
                map -> new ConcurrentHashMap<>(map).toString(),
                map -> new java.util.HashMap<>(map).toString(),
                map -> new java.util.TreeMap<>(map).toString());
    }
}

/** Collections of elements; those of a set or queue that sorts compare them. */
final class CollectionCalls extends Uses<Collection<Key>> {
    final Supplier<Collection<Key>> maker;

    CollectionCalls(Supplier<Collection<Key>> maker) {
        this.maker = maker;
    }

    @Override
    Collection<Key> make() {
        return maker.get();
    }

    @Override
    void fill(Collection<Key> keys) {
        for (int i = 0; i < 5; i++) {
            keys.add(new Key(i));
        }
    }

    @Override
    int size(Collection<Key> keys) {
        return keys.size();
    }

    @Override
    int expected() {
        return 5;
    }

    @Override
    List<Use<Collection<Key>>> uses() {
        return List.of(
                keys -> keys.contains(new Key(4)),
                keys -> keys.containsAll(List.of(new Key(3), new Key(4))),
                keys -> keys.remove(new Key(4)),
                keys -> keys.removeIf(key -> key.number == 3),
                keys -> keys.removeAll(List.of(new Key(3))),
                keys -> keys.retainAll(List.of(new Key(3))),
                keys -> keys.add(new Key(7)),
                keys -> keys.toString(),
                keys -> keys.hashCode(),
                keys -> keys.equals(List.of(new Key(1))),
                keys -> keys.forEach(Key::toString),
                keys -> keys.stream().filter(key -> key.number == 4).count(),
                keys -> keys.toArray()[0].toString(),
                keys -> new java.util.ArrayList<>(keys).toString());
    }
}

/** An element that counts how often it is compared: by every thread that looks for it. */
final class Counting {
    int asked; // race: Counting.asked

    @Override
    public boolean equals(Object other) {
        asked++;
        return other == this;
    }

    @Override
    public int hashCode() {
        return 7;
    }
}

final class CountedLookups implements Program {
    final ConcurrentMap<Counting, String> map = new ConcurrentHashMap<>();

    public void run() throws Exception {
        Counting probe = new Counting();
        map.put(new Counting(), "a");
        together(() -> map.get(probe), () -> map.get(probe));
    }
}

/** A key that changes after it was put, which the next lookup sees. */
final class ChangedKey implements Program {
    static final class Name implements Comparable<Name> {
        String text = "a"; // race: Name.text

        @Override
        public int compareTo(Name other) {
            return text.compareTo(other.text);
        }
    }

    final ConcurrentSkipListMap<Name, String> map = new ConcurrentSkipListMap<>();

    public void run() throws Exception {
        together(() -> {
            Name name = new Name();
            map.put(name, "x");
            name.text = "b";
            mark(this);
        }, () -> {
            until(this);
            map.get(new Name());
        });
    }
}

final class ChangedElement implements Program {
    static final class Job {
        String state = "new"; // race: Job.state

        @Override
        public String toString() {
            return state;
        }
    }

    final ConcurrentLinkedQueue<Job> queue = new ConcurrentLinkedQueue<>();

    public void run() throws Exception {
        together(() -> {
            Job job = new Job();
            queue.add(job);
            job.state = "done";
            mark(this);
        }, () -> {
            until(this);
            queue.toString();
        });
    }
}

final class ChangedValue implements Program {
    static final class Account {
        int balance; // race: Account.balance

        @Override
        public boolean equals(Object other) {
            return other instanceof Account && ((Account) other).balance == balance;
        }

        @Override
        public int hashCode() {
            return balance;
        }
    }

    final ConcurrentHashMap<String, Account> map = new ConcurrentHashMap<>();

    public void run() throws Exception {
        together(() -> {
            Account account = new Account();
            map.put("a", account);
            account.balance = 5;
            mark(this);
        }, () -> {
            until(this);
            map.containsValue(new Account());
        });
    }
}

/** The same small numbers and words are keys of maps that have nothing to do with each other. */
final class SharedKeys implements Program {
    int unrelated; // race: SharedKeys.unrelated
    final ConcurrentMap<Object, String> one = new ConcurrentHashMap<>();
    final ConcurrentMap<Object, String> other = new ConcurrentHashMap<>();

    public void run() throws Exception {
        other.put(new String("word"), "b");
        other.put(5, "b");
        together(() -> {
            unrelated = 1;
            one.put("word", "a");
            one.put(5, "a");
            mark(this);
        }, () -> {
            until(this);
            other.get("word");
            other.get(5);
            unrelated = 2;
        });
    }
}

/** Who fires calls listeners that others have added. */
final class Listening implements Program, PropertyChangeListener {
    final PropertyChangeSupport support = new PropertyChangeSupport(this);
    int heard;

    @Override
    public void propertyChange(PropertyChangeEvent event) {
        heard++;
    }

    public void run() throws Exception {
        together(() -> {
            heard = 1;
            support.addPropertyChangeListener(this);
            mark(this);
        }, () -> {
            until(this);
            support.firePropertyChange("size", 1, 2);
        });
    }
}

/** Of one property. */
final class ListeningToOne implements Program, PropertyChangeListener {
    final PropertyChangeSupport support = new PropertyChangeSupport(this);
    int heard;

    @Override
    public void propertyChange(PropertyChangeEvent event) {
        heard++;
    }

    public void run() throws Exception {
        together(() -> {
            heard = 1;
            support.addPropertyChangeListener("size", this);
            mark(this);
        }, () -> {
            until(this);
            support.firePropertyChange("size", 1, 2);
        });
    }
}

/** It is added too early. */
final class ListeningTooEarly implements Program, PropertyChangeListener {
    final PropertyChangeSupport support = new PropertyChangeSupport(this);
    int heard; // race: ListeningTooEarly.heard

    @Override
    public void propertyChange(PropertyChangeEvent event) {
        heard++;
    }

    public void run() throws Exception {
        together(() -> {
            support.addPropertyChangeListener(this);
            heard = 1;
            mark(this);
        }, () -> {
            until(this);
            support.firePropertyChange("size", 1, 2);
        });
    }
}

public final class Main {
    private Main() {}

    public static void main(String[] names) throws Exception {
        Program.all(names, new HashMapCalls(1), new HashMapCalls(12), new TreeCalls(), new SkipListCalls(), new ComparatorCalls(),
                new BulkCalls(), new CollectionCalls(ConcurrentHashMap::newKeySet), new CollectionCalls(ConcurrentSkipListSet::new),
                new CollectionCalls(ConcurrentLinkedQueue::new), new CollectionCalls(ConcurrentLinkedDeque::new),
                new CollectionCalls(LinkedTransferQueue::new), new CollectionCalls(CopyOnWriteArrayList::new),
                new CollectionCalls(LinkedBlockingQueue::new), new CollectionCalls(LinkedBlockingDeque::new),
                new CollectionCalls(PriorityBlockingQueue::new), new CollectionCalls(() -> new ArrayBlockingQueue<>(9)),
                new CountedLookups(), new ChangedKey(), new ChangedElement(), new ChangedValue(), new SharedKeys(),
                new Listening(), new ListeningToOne(), new ListeningTooEarly());
    }
}
