package maps;

import static schedule.Schedule.mark;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import schedule.Program;

final class PutAndGet implements Program {
    static final class User {
        int visits;
    }

    final ConcurrentMap<String, User> users = new ConcurrentHashMap<>();

    public void run() throws Exception {
        together(() -> {
            User user = new User();
            user.visits = 1;
            users.put("a", user);
        }, () -> {
            while (!users.containsKey("a")) {
                Thread.onSpinWait();
            }
            users.get("a").visits++;
        });
    }
}

final class ChangedAfterPut implements Program {
    static final class Session {
        int hits; // race: Session.hits
    }

    final ConcurrentMap<String, Session> sessions = new ConcurrentHashMap<>();

    public void run() throws Exception {
        together(() -> {
            Session session = new Session();
            sessions.put("a", session);
            session.hits = 1;
            mark(this);
        }, () -> {
            until(this);
            sessions.get("a").hits++;
        });
    }
}

/** One wins, both use the winner's. */
final class PutIfAbsent implements Program {
    static final class Entry {
        final Map<String, String> names = new HashMap<>();

        Entry() {
            names.put("a", "b");
        }
    }

    final ConcurrentMap<String, Entry> entries = new ConcurrentHashMap<>();

    Entry entry() {
        Entry entry = entries.get("a");
        if (entry == null) {
            Entry made = new Entry();
            entry = entries.putIfAbsent("a", made);
            if (entry == null) {
                entry = made;
            }
        }
        return entry;
    }

    public void run() throws Exception {
        int[] sizes = new int[2];
        together(() -> sizes[0] = entry().names.size(), () -> sizes[1] = entry().names.size());
    }
}

final class ComputedIfAbsent implements Program {
    static final class Value {
        int number;

        Value() {
            number = 5;
        }
    }

    final ConcurrentMap<String, Value> cache = new ConcurrentHashMap<>();

    public void run() throws Exception {
        int[] numbers = new int[2];
        together(() -> numbers[0] = cache.computeIfAbsent("a", key -> new Value()).number,
                () -> numbers[1] = cache.computeIfAbsent("a", key -> new Value()).number);
    }
}

/** The map makes one list for each key, and both add to it. */
final class ListPerKey implements Program {
    final ConcurrentMap<String, List<String>> index = new ConcurrentHashMap<>();
    final List<String> made = new java.util.ArrayList<>(); // race: ListPerKey.made

    public void run() throws Exception {
        together(() -> {
            index.computeIfAbsent("a", key -> made).add("x");
            mark(this);
        }, () -> {
            until(this);
            index.computeIfAbsent("a", key -> made);
            made.add("y");
        });
    }
}

/** The map calls the function for one thread at a time. */
final class Computed implements Program {
    static final class Total {
        int sum;
    }

    final ConcurrentMap<String, Total> totals = new ConcurrentHashMap<>();

    void add() {
        totals.compute("a", (key, total) -> {
            Total next = total == null ? new Total() : total;
            next.sum++;
            return next;
        });
    }

    public void run() throws Exception {
        together(() -> {
            add();
            mark(this);
        }, () -> {
            until(this);
            add();
        });
    }
}

final class ComputedIfPresent implements Program {
    static final class Stock {
        int pieces;
    }

    final ConcurrentMap<String, Stock> stocks = new ConcurrentHashMap<>();

    void take() {
        stocks.computeIfPresent("a", (key, stock) -> {
            stock.pieces--;
            return stock;
        });
    }

    public void run() throws Exception {
        stocks.put("a", new Stock());
        together(this::take, this::take);
    }
}

final class Merged implements Program {
    static final class Bag {
        int size = 1;
    }

    final ConcurrentMap<String, Bag> bags = new ConcurrentHashMap<>();

    void add() {
        bags.merge("a", new Bag(), (old, bag) -> {
            old.size += bag.size;
            return old;
        });
    }

    public void run() throws Exception {
        together(() -> {
            add();
            mark(this);
        }, () -> {
            until(this);
            add();
        });
    }
}

/** Different keys: the functions may run side by side. */
final class ComputedForOthers implements Program {
    int calls; // race: ComputedForOthers.calls
    final ConcurrentMap<Integer, Integer> squares = new ConcurrentHashMap<>();

    public void run() throws Exception {
        together(() -> {
            squares.computeIfAbsent(1, key -> {
                calls++;
                return 1;
            });
            mark(this);
        }, () -> {
            until(this);
            squares.computeIfAbsent(2, key -> {
                calls++;
                return 4;
            });
        });
    }
}

/** Removed by one: the map has no more reference to it. */
final class Removed implements Program {
    static final class Lease {
        int uses;
    }

    final ConcurrentMap<String, Lease> leases = new ConcurrentHashMap<>();

    public void run() throws Exception {
        together(() -> {
            Lease lease = new Lease();
            lease.uses = 1;
            leases.put("a", lease);
        }, () -> {
            Lease lease = leases.remove("a");
            while (lease == null) {
                lease = leases.remove("a");
            }
            lease.uses++;
        });
    }
}

final class Replaced implements Program {
    static final class Version {
        int number;

        Version(int number) {
            this.number = number;
        }
    }

    final ConcurrentMap<String, Version> versions = new ConcurrentHashMap<>();

    public void run() throws Exception {
        versions.put("a", new Version(0));
        together(() -> versions.replace("a", new Version(1)), () -> {
            while (versions.getOrDefault("a", null).number != 1) {
                Thread.onSpinWait();
            }
        }, () -> {
            Version old = versions.get("a");
            versions.replace("a", old, new Version(1));
        });
    }
}

final class ReplacedAll implements Program {
    static final class Price {
        int cents;

        Price(int cents) {
            this.cents = cents;
        }
    }

    final ConcurrentHashMap<String, Price> prices = new ConcurrentHashMap<>();

    public void run() throws Exception {
        prices.put("a", new Price(1));
        together(() -> prices.replaceAll((name, price) -> new Price(price.cents + 1)), () -> {
            while (prices.get("a").cents != 2) {
                Thread.onSpinWait();
            }
        });
    }
}

final class Iterated implements Program {
    static final class Node {
        int load;
    }

    final ConcurrentMap<String, Node> nodes = new ConcurrentHashMap<>();

    public void run() throws Exception {
        together(() -> {
            Node node = new Node();
            node.load = 1;
            nodes.put("a", node);
        }, () -> {
            int sum = 0;
            while (sum == 0) {
                for (Map.Entry<String, Node> entry : nodes.entrySet()) {
                    sum += entry.getValue().load;
                }
            }
            for (Node node : nodes.values()) {
                sum += node.load;
            }
            for (String name : nodes.keySet()) {
                sum += nodes.get(name).load;
            }
            int[] more = new int[1];
            nodes.forEach((name, node) -> more[0] += node.load);
            nodes.values().forEach(node -> node.load++);
        });
    }
}

final class StreamedValues implements Program {
    static final class Sample {
        int weight;
    }

    final ConcurrentMap<String, Sample> samples = new ConcurrentHashMap<>();

    public void run() throws Exception {
        together(() -> {
            Sample sample = new Sample();
            sample.weight = 1;
            samples.put("a", sample);
        }, () -> {
            while (samples.values().stream().mapToInt(sample -> sample.weight).sum() == 0) {
                Thread.onSpinWait();
            }
        });
    }
}

/** Iterates, and changes what others find too. */
final class IteratedAndChanged implements Program {
    static final class Peer {
        int seen; // race: Peer.seen
    }

    final ConcurrentMap<String, Peer> peers = new ConcurrentHashMap<>();

    void touch() {
        for (Peer peer : peers.values()) {
            peer.seen++;
        }
    }

    public void run() throws Exception {
        peers.put("a", new Peer());
        together(() -> {
            touch();
            mark(this);
        }, () -> {
            until(this);
            touch();
        });
    }
}

final class KeySet implements Program {
    static final class Topic {
        int readers;
    }

    final java.util.Set<Topic> topics = ConcurrentHashMap.newKeySet();

    public void run() throws Exception {
        together(() -> {
            Topic topic = new Topic();
            topic.readers = 1;
            topics.add(topic);
        }, () -> {
            while (topics.isEmpty()) {
                Thread.onSpinWait();
            }
            for (Topic topic : topics) {
                topic.readers++;
            }
        });
    }
}

final class Sorted implements Program {
    static final class Event {
        int handled;
    }

    final ConcurrentNavigableMap<Integer, Event> events = new ConcurrentSkipListMap<>();

    public void run() throws Exception {
        together(() -> {
            for (int i = 0; i < 6; i++) {
                Event event = new Event();
                event.handled = 1;
                events.put(i, event);
            }
        }, () -> {
            while (events.size() < 6) {
                Thread.onSpinWait();
            }
            events.firstEntry().getValue().handled++;
            events.pollFirstEntry().getValue().handled++;
            events.pollLastEntry().getValue().handled++;
            events.lastEntry().getValue().handled++;
            events.ceilingEntry(1).getValue().handled++;
            events.floorEntry(2).getValue().handled++;
            events.headMap(4).get(3).handled++;
            for (Event event : events.tailMap(2).values()) {
                event.handled++;
            }
            for (Map.Entry<Integer, Event> entry : events.descendingMap().entrySet()) {
                entry.getValue().handled++;
            }
        });
    }
}

final class SortedSet implements Program {
    static final class Alarm implements Comparable<Alarm> {
        int rings;
        final int at;

        Alarm(int at) {
            this.at = at;
        }

        @Override
        public int compareTo(Alarm other) {
            return Integer.compare(at, other.at);
        }
    }

    final ConcurrentSkipListSet<Alarm> alarms = new ConcurrentSkipListSet<>();

    public void run() throws Exception {
        together(() -> {
            for (int i = 0; i < 4; i++) {
                Alarm alarm = new Alarm(i);
                alarm.rings = 1;
                alarms.add(alarm);
            }
        }, () -> {
            while (alarms.size() < 4) {
                Thread.onSpinWait();
            }
            alarms.first().rings++;
            alarms.pollFirst().rings++;
            alarms.last().rings++;
            for (Alarm alarm : alarms) {
                alarm.rings++;
            }
        });
    }
}

final class CopiedOnWrite implements Program {
    static final class Listener {
        int calls;
    }

    final List<Listener> listeners = new CopyOnWriteArrayList<>();
    final java.util.Set<Listener> others = new CopyOnWriteArraySet<>();

    public void run() throws Exception {
        together(() -> {
            Listener listener = new Listener();
            listener.calls = 1;
            listeners.add(listener);
            listener = new Listener();
            listener.calls = 1;
            others.add(listener);
        }, () -> {
            while (listeners.isEmpty() || others.isEmpty()) {
                Thread.onSpinWait();
            }
            for (Listener listener : listeners) {
                listener.calls++;
            }
            others.forEach(listener -> listener.calls++);
            listeners.stream().forEach(listener -> listener.calls++);
            listeners.get(0).calls++;
        });
    }
}

/** The list is safe, its elements are not. */
final class CopiedAndCalled implements Program {
    static final class Observer {
        int calls; // race: Observer.calls
    }

    final List<Observer> observers = new CopyOnWriteArrayList<>();

    void fire() {
        for (Observer observer : observers) {
            observer.calls++;
        }
    }

    public void run() throws Exception {
        observers.add(new Observer());
        together(() -> {
            fire();
            mark(this);
        }, () -> {
            until(this);
            fire();
        });
    }
}

/** Two writers of one map know nothing of each other. */
final class TwoWriters implements Program {
    final ConcurrentMap<String, String> names = new ConcurrentHashMap<>();
    int entries; // race: TwoWriters.entries

    public void run() throws Exception {
        together(() -> {
            names.put("a", "x");
            entries++;
            mark(this);
        }, () -> {
            until(this);
            names.put("b", "y");
            entries++;
        });
    }
}

/** Who finds another value learns nothing. */
final class OtherKey implements Program {
    final ConcurrentMap<String, Object> map = new ConcurrentHashMap<>();
    int data; // race: OtherKey.data

    public void run() throws Exception {
        map.put("b", new Object());
        together(() -> {
            data = 1;
            map.put("a", new Object());
            mark(this);
        }, () -> {
            until(this);
            map.get("b");
            data++;
        });
    }
}

/** A constant says that data are there. */
final class FlagInMap implements Program {
    final ConcurrentMap<String, Boolean> map = new ConcurrentHashMap<>();
    int data;

    public void run() throws Exception {
        together(() -> {
            data = 1;
            map.put("ready", Boolean.TRUE);
        }, () -> {
            while (map.get("ready") == null) {
                Thread.onSpinWait();
            }
            data++;
        });
    }
}

/** How many entries there are says that data are there. */
final class CountedInMap implements Program {
    final ConcurrentMap<String, Integer> map = new ConcurrentHashMap<>();
    final ConcurrentSkipListMap<Integer, String> sorted = new ConcurrentSkipListMap<>();
    final Map<String, Integer> guarded = Collections.synchronizedMap(new HashMap<>());
    int data;
    int more;
    int most;

    public void run() throws Exception {
        together(() -> {
            data = 1;
            map.merge("a", 1, Integer::sum);
            more = 1;
            sorted.put(3, "b");
            most = 1;
            guarded.put("c", 3);
        }, () -> {
            while (map.isEmpty()) {
                Thread.onSpinWait();
            }
            data++;
            while (sorted.floorEntry(4) == null) {
                Thread.onSpinWait();
            }
            more++;
            while (!guarded.containsKey("c")) {
                Thread.onSpinWait();
            }
            most++;
        });
    }
}

/** So many that each stands for itself. */
final class ManyConstants implements Program {
    static final int MANY = 100;

    final ConcurrentMap<Integer, String> map = new ConcurrentHashMap<>();
    final int[] data = new int[MANY];

    public void run() throws Exception {
        together(() -> {
            for (int i = 0; i < MANY; i++) {
                data[i] = 1;
                map.put(i, Integer.toString(i));
            }
        }, () -> {
            for (int i = 0; i < MANY; i++) {
                while (map.get(i) == null) {
                    Thread.onSpinWait();
                }
                data[i]++;
            }
        });
    }
}

/** What went away is not there for who asks, and that orders nothing: the documentation promises it for what is put. */
final class GoneFromMap implements Program {
    final ConcurrentMap<String, Object> map = new ConcurrentHashMap<>();
    int data;

    public void run() throws Exception {
        map.put("a", new Object());
        together(() -> {
            data = 1;
            map.remove("a");
            mark(this);
        }, () -> {
            until(this);
            while (map.containsKey("a")) {
                Thread.onSpinWait();
            }
            data++;
        });
    }
}

/** Both know TRUE, from other maps. */
final class SameConstant implements Program {
    final ConcurrentMap<String, Boolean> mine = new ConcurrentHashMap<>();
    final ConcurrentMap<String, Boolean> yours = new ConcurrentHashMap<>();
    int data; // race: SameConstant.data

    public void run() throws Exception {
        yours.put("ready", Boolean.TRUE);
        together(() -> {
            data = 1;
            mine.put("ready", Boolean.TRUE);
            mark(this);
        }, () -> {
            until(this);
            yours.get("ready");
            data++;
        });
    }
}

final class PlainMap implements Program {
    final Map<String, String> map = new HashMap<>(); // race: PlainMap.map

    public void run() throws Exception {
        together(() -> {
            map.put("a", "b");
            mark(this);
            until(this, 2);
            map.put("c", "d");
        }, () -> {
            until(this);
            map.get("a");
            mark(this, 2);
        });
    }
}

/** Made in one thread, wrapped and handed over, only read afterwards. */
final class CopiedMap implements Program {
    volatile Map<String, Integer> snapshot = Map.of();

    public void run() throws Exception {
        together(() -> {
            Map<String, Integer> own = new HashMap<>();
            own.put("a", 1);
            snapshot = Map.copyOf(own);
            own.put("b", 2);
        }, () -> {
            while (snapshot.isEmpty()) {
                Thread.onSpinWait();
            }
            snapshot.get("a");
        });
    }
}

/** The view is not a copy. */
final class UnmodifiableView implements Program {
    final Map<String, Integer> own = new HashMap<>(); // race: UnmodifiableView.own
    volatile Map<String, Integer> view = Map.of();

    public void run() throws Exception {
        together(() -> {
            own.put("a", 1);
            view = java.util.Collections.unmodifiableMap(own);
            until(this);
            own.put("b", 2);
        }, () -> {
            while (view.isEmpty()) {
                Thread.onSpinWait();
            }
            view.get("a");
            mark(this);
        });
    }
}

/** The same by other ways to take away, and to ask. */
final class GoneOtherwise implements Program {
    final ConcurrentMap<Object, Object> map;
    final Consumer<ConcurrentMap<Object, Object>> remove;
    final Predicate<ConcurrentMap<Object, Object>> isThere;
    final int step;
    int data;

    GoneOtherwise(int step, ConcurrentMap<Object, Object> map, Consumer<ConcurrentMap<Object, Object>> remove,
            Predicate<ConcurrentMap<Object, Object>> isThere) {
        this.step = step;
        this.map = map;
        this.remove = remove;
        this.isThere = isThere;
    }

    public void run() throws Exception {
        map.put("a", "b");
        together(() -> {
            data = 1;
            remove.accept(map);
            mark(this, step);
        }, () -> {
            until(this, step);
            while (isThere.test(map)) {
                Thread.onSpinWait();
            }
            data++;
        });
    }
}

/** Another key is not there, and never was. */
final class NeverThere implements Program {
    final ConcurrentMap<String, Object> map = new ConcurrentHashMap<>();
    int data; // race: NeverThere.data

    public void run() throws Exception {
        map.put("a", new Object());
        together(() -> {
            data = 1;
            map.remove("a");
            mark(this);
        }, () -> {
            until(this);
            if (map.get("b") == null) {
                data++;
            }
        });
    }
}

/** It is gone, and then there is more to do. */
final class WrittenAfterRemoval implements Program {
    final ConcurrentMap<String, Object> map = new ConcurrentSkipListMap<>();
    int data; // race: WrittenAfterRemoval.data

    public void run() throws Exception {
        map.put("a", new Object());
        together(() -> {
            map.remove("a");
            data = 1;
            mark(this);
        }, () -> {
            until(this);
            if (map.get("a") == null) {
                data++;
            }
        });
    }
}

/** What is found by going over a map. A constant is in other maps, too: who finds it there learns nothing. */
abstract class GoneOver implements Program {
    ConcurrentMap<String, String> map;
    int seen;
    int data;

    abstract ConcurrentMap<String, String> newMap();

    abstract void goOver();

    abstract void access();

    public void run() throws Exception {
        map = newMap();
        together(() -> {
            data = 1;
            map.put("a", "b");
            mark(this);
        }, () -> {
            until(this);
            goOver();
            data += seen;
        });
        ConcurrentMap<String, String> other = newMap();
        together(() -> {
            access();
            other.put("a", "b");
            mark(this, 2);
        }, () -> {
            until(this, 2);
            goOver();
            access();
        });
    }
}

final class EntriesGoneOver extends GoneOver {
    int value; // race: EntriesGoneOver.value

    ConcurrentMap<String, String> newMap() {
        return new ConcurrentHashMap<>();
    }

    void goOver() {
        for (Map.Entry<String, String> entry : map.entrySet()) {
            seen += entry.getKey().length() + entry.getValue().length();
        }
    }

    void access() {
        value++;
    }
}

final class KeysGoneOver extends GoneOver {
    int value; // race: KeysGoneOver.value

    ConcurrentMap<String, String> newMap() {
        return new ConcurrentHashMap<>();
    }

    void goOver() {
        for (String key : map.keySet()) {
            seen += key.length();
        }
    }

    void access() {
        value++;
    }
}

final class ValuesGoneOver extends GoneOver {
    int value; // race: ValuesGoneOver.value

    ConcurrentMap<String, String> newMap() {
        return new ConcurrentHashMap<>();
    }

    void goOver() {
        for (String value : map.values()) {
            seen += value.length();
        }
    }

    void access() {
        value++;
    }
}

final class SortedEntriesGoneOver extends GoneOver {
    int value; // race: SortedEntriesGoneOver.value

    ConcurrentMap<String, String> newMap() {
        return new ConcurrentSkipListMap<>();
    }

    void goOver() {
        for (Map.Entry<String, String> entry : map.entrySet()) {
            seen += entry.getKey().length() + entry.getValue().length();
        }
    }

    void access() {
        value++;
    }
}

final class SortedKeysGoneOver extends GoneOver {
    int value; // race: SortedKeysGoneOver.value

    ConcurrentMap<String, String> newMap() {
        return new ConcurrentSkipListMap<>();
    }

    void goOver() {
        for (String key : map.keySet()) {
            seen += key.length();
        }
    }

    void access() {
        value++;
    }
}

final class PartGoneOver extends GoneOver {
    int value; // race: PartGoneOver.value

    ConcurrentMap<String, String> newMap() {
        return new ConcurrentSkipListMap<>();
    }

    void goOver() {
        for (String value : ((ConcurrentNavigableMap<String, String>) map).headMap("z").values()) {
            seen += value.length();
        }
    }

    void access() {
        value++;
    }
}

final class FirstGoneOver extends GoneOver {
    int value; // race: FirstGoneOver.value

    ConcurrentMap<String, String> newMap() {
        return new ConcurrentSkipListMap<>();
    }

    void goOver() {
        seen += ((ConcurrentNavigableMap<String, String>) map).firstEntry().getKey().length();
    }

    void access() {
        value++;
    }
}

final class CalledGoneOver extends GoneOver {
    int value; // missed: CalledGoneOver.value -- the map is not known where it calls

    ConcurrentMap<String, String> newMap() {
        return new ConcurrentHashMap<>();
    }

    void goOver() {
        map.forEach((key, value) -> seen += key.length());
    }

    void access() {
        value++;
    }
}

final class StreamedGoneOver extends GoneOver {
    int value; // missed: StreamedGoneOver.value -- nor where a stream goes over it

    ConcurrentMap<String, String> newMap() {
        return new ConcurrentHashMap<>();
    }

    void goOver() {
        seen += map.keySet().stream().mapToInt(String::length).sum();
    }

    void access() {
        value++;
    }
}

/** An empty array may be that of all lists that are empty. */
final class EmptyLists implements Program {
    final List<String> list = new CopyOnWriteArrayList<>(List.of("a"));
    int data;
    int value; // race: EmptyLists.value

    public void run() throws Exception {
        together(() -> {
            data = 1;
            list.clear();
        }, () -> {
            while (!list.isEmpty()) {
                Thread.onSpinWait();
            }
            data++;
        });
        together(() -> {
            value++;
            new CopyOnWriteArrayList<String>().add("a");
            mark(this);
        }, () -> {
            until(this);
            new CopyOnWriteArrayList<String>().add("a");
            value++;
        });
    }
}

/** Another value is put in the place of one that was there. */
final class PutInPlace implements Program {
    static final class Page {
        int views;

        @Override
        public boolean equals(Object other) {
            return other instanceof Page;
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }

    final ConcurrentMap<String, Page> pages;
    final BiConsumer<ConcurrentMap<String, Page>, Page> replace;
    final int step;

    PutInPlace(int step, ConcurrentMap<String, Page> pages, BiConsumer<ConcurrentMap<String, Page>, Page> replace) {
        this.step = step;
        this.pages = pages;
        this.replace = replace;
    }

    public void run() throws Exception {
        pages.put("a", new Page());
        together(() -> {
            Page page = new Page();
            page.views = 1;
            replace.accept(pages, page);
            mark(this, step);
        }, () -> {
            until(this, step);
            pages.get("a").views++;
        });
    }
}

/** A value is looked for. */
final class FoundByValue implements Program {
    final ConcurrentMap<String, String> found = new ConcurrentSkipListMap<>();
    int data;

    public void run() throws Exception {
        together(() -> {
            data = 1;
            found.put("a", "b");
        }, () -> {
            while (!found.containsValue("b")) {
                Thread.onSpinWait();
            }
            data++;
        });
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new PutAndGet(), new ChangedAfterPut(), new PutIfAbsent(), new ComputedIfAbsent(), new ListPerKey(), new Computed(),
                new ComputedIfPresent(), new Merged(), new ComputedForOthers(), new Removed(), new Replaced(), new ReplacedAll(),
                new Iterated(), new StreamedValues(), new IteratedAndChanged(), new KeySet(), new Sorted(), new SortedSet(),
                new CopiedOnWrite(), new CopiedAndCalled(), new TwoWriters(), new OtherKey(), new FlagInMap(), new CountedInMap(), new ManyConstants(), new GoneFromMap(), new SameConstant(),
                new PlainMap(), new CopiedMap(), new UnmodifiableView(),
                new GoneOtherwise(1, new ConcurrentHashMap<>(), map -> map.keySet().remove("a"), map -> map.get("a") != null), new GoneOtherwise(2, new ConcurrentHashMap<>(), ConcurrentMap::clear, map -> map.containsKey("a")), new GoneOtherwise(3, new ConcurrentHashMap<>(), map -> map.computeIfPresent("a", (key, value) -> null), map -> map.putIfAbsent("a", "c") != null), new GoneOtherwise(4, new ConcurrentHashMap<>(), map -> map.values().removeIf("b"::equals), map -> map.remove("a") != null), new GoneOtherwise(5, new ConcurrentSkipListMap<>(), map -> map.remove("a", "b"), map -> map.get("a") != null), new GoneOtherwise(6, new ConcurrentSkipListMap<>(), ConcurrentMap::clear, map -> map.containsKey("a")), new GoneOtherwise(7, new ConcurrentSkipListMap<>(), map -> map.entrySet().iterator().forEachRemaining(entry -> map.remove(entry.getKey())), map -> map.putIfAbsent("a", "c") != null), new NeverThere(), new WrittenAfterRemoval(),
                new EntriesGoneOver(), new KeysGoneOver(), new ValuesGoneOver(), new SortedEntriesGoneOver(), new SortedKeysGoneOver(), new PartGoneOver(), new FirstGoneOver(), new CalledGoneOver(), new StreamedGoneOver(), new EmptyLists(),
                new PutInPlace(1, new ConcurrentSkipListMap<>(), (map, page) -> map.replace("a", page)), new PutInPlace(2, new ConcurrentSkipListMap<>(), (map, page) -> map.replace("a", page, page)),
                new PutInPlace(3, new ConcurrentHashMap<>(), (map, page) -> map.replace("a", page)), new PutInPlace(4, new ConcurrentHashMap<>(), (map, page) -> map.replace("a", page, page)), new FoundByValue());
    }
}
