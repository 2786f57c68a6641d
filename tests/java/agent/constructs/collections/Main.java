package collections;

import static schedule.Schedule.mark;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.text.SimpleDateFormat;
import java.util.*;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.zip.CRC32;
import schedule.Program;

final class SynchronizedList implements Program {
    static final class Song {
        int plays;
    }

    final List<Song> songs = Collections.synchronizedList(new ArrayList<>());

    public void run() throws Exception {
        together(() -> {
            Song song = new Song();
            song.plays = 1;
            songs.add(song);
        }, () -> {
            while (songs.isEmpty()) {
                Thread.onSpinWait();
            }
            songs.get(0).plays++;
        });
    }
}

final class IteratedUnderLock implements Program {
    final List<String> names = Collections.synchronizedList(new ArrayList<>());

    public void run() throws Exception {
        together(() -> {
            names.add("a");
            names.add("b");
        }, () -> {
            synchronized (names) {
                for (String name : names) {
                    if (name.isEmpty()) {
                        System.out.println("empty");
                    }
                }
            }
        });
    }
}

/** Its documentation says to hold the list's lock. */
final class IteratedWithoutLock implements Program {
    final List<String> names = Collections.synchronizedList(new ArrayList<>()); // race: IteratedWithoutLock.names

    public void run() throws Exception {
        together(() -> {
            names.add("a");
            mark(this);
            until(this, 2);
            names.add("b");
        }, () -> {
            until(this);
            for (String name : names) {
                if (name.isEmpty()) {
                    System.out.println("empty");
                }
            }
            mark(this, 2);
        });
    }
}

final class SynchronizedMap implements Program {
    final Map<String, Integer> ages = Collections.synchronizedMap(new TreeMap<>());

    public void run() throws Exception {
        together(() -> {
            ages.put("a", 1);
            ages.merge("a", 1, Integer::sum);
        }, () -> {
            ages.getOrDefault("a", 0);
            synchronized (ages) {
                for (String name : ages.keySet()) {
                    ages.get(name);
                }
            }
        });
    }
}

/** The map below the wrapper is used directly. */
final class BelowWrapper implements Program {
    final Map<String, Integer> below = new HashMap<>(); // race: BelowWrapper.below
    final Map<String, Integer> wrapped = Collections.synchronizedMap(below);

    public void run() throws Exception {
        together(() -> {
            wrapped.put("a", 1);
            mark(this);
            until(this, 2);
            wrapped.put("b", 1);
        }, () -> {
            until(this);
            below.get("a");
            mark(this, 2);
        });
    }
}

final class Legacy implements Program {
    static final class Part {
        int count;
    }

    final Vector<Part> vector = new Vector<>();
    final Hashtable<String, Part> table = new Hashtable<>();
    final java.util.Stack<Part> stack = new java.util.Stack<>();

    Part part() {
        Part part = new Part();
        part.count = 1;
        return part;
    }

    public void run() throws Exception {
        together(() -> {
            vector.add(part());
            stack.push(part());
            table.put("a", part());
        }, () -> {
            while (!table.containsKey("a")) {
                Thread.onSpinWait();
            }
            vector.firstElement().count++;
            vector.get(0).count++;
            stack.pop().count++;
            table.get("a").count++;
            for (Part part : vector) {
                part.count++;
            }
        });
    }
}

final class Buffer implements Program {
    final StringBuffer text = new StringBuffer();

    public void run() throws Exception {
        together(() -> text.append("a"), () -> text.append("b").length(), () -> text.reverse());
    }
}

final class Builder implements Program {
    final StringBuilder text = new StringBuilder(); // race: Builder.text

    public void run() throws Exception {
        together(() -> {
            text.append("a");
            mark(this);
            until(this, 2);
            text.append("c");
        }, () -> {
            until(this);
            text.append("b");
            mark(this, 2);
        });
    }
}

final class Format implements Program {
    static final SimpleDateFormat FORMAT = new SimpleDateFormat("yyyy"); // race: Format.FORMAT

    public void run() throws Exception {
        together(() -> {
            FORMAT.format(new Date(0));
            mark(this);
        }, () -> {
            until(this);
            FORMAT.format(new Date(0));
        });
    }
}

/** A format for each thread. */
final class FormatOfThread implements Program {
    static final ThreadLocal<SimpleDateFormat> FORMAT = ThreadLocal.withInitial(() -> new SimpleDateFormat("yyyy"));

    public void run() throws Exception {
        together(() -> FORMAT.get().format(new Date(0)), () -> FORMAT.get().format(new Date(0)));
    }
}

/** The list is made in one thread and filled in another, which is waited for. */
final class HandedOver implements Program {
    final List<String> lines = new ArrayList<>();
    final CountDownLatch read = new CountDownLatch(1);

    public void run() throws Exception {
        together(() -> {
            lines.add("a");
            lines.add("b");
            read.countDown();
        }, () -> {
            read.await();
            Collections.sort(lines);
        });
    }
}

/** The iterator was made before. */
final class ConcurrentModification implements Program {
    final List<String> lines = new ArrayList<>(List.of("a", "b")); // race: ConcurrentModification.lines

    public void run() throws Exception {
        together(() -> {
            Iterator<String> iterator = lines.iterator();
            iterator.next();
            mark(this);
            until(this, 2);
            try {
                iterator.next();
            } catch (ConcurrentModificationException expected) {
                // Luck.
            }
        }, () -> {
            until(this);
            lines.add("c");
            mark(this, 2);
        });
    }
}

/** All threads only read. */
final class OnlyRead implements Program {
    static final Set<String> KEYWORDS = new HashSet<>(Arrays.asList("if", "else"));
    static final List<Integer> PRIMES = Arrays.asList(2, 3, 5);

    public void run() throws Exception {
        together(() -> {
            KEYWORDS.contains("if");
            PRIMES.get(0);
        }, () -> {
            KEYWORDS.contains("else");
            for (int prime : PRIMES) {
                if (prime > 7) {
                    System.out.println(prime);
                }
            }
        });
    }
}

/** Reads that write: a map in access order. */
final class AccessOrder implements Program {
    final Map<String, String> cache = new LinkedHashMap<>(16, 0.75f, true); // race: AccessOrder.cache

    public void run() throws Exception {
        cache.put("a", "b");
        cache.put("c", "d");
        together(() -> {
            cache.get("a");
            mark(this);
        }, () -> {
            until(this);
            cache.get("a");
        });
    }
}

/** Reads of a map that is in order of insertion. */
final class InsertionOrder implements Program {
    final Map<String, String> cache = new LinkedHashMap<>();

    public void run() throws Exception {
        cache.put("a", "b");
        together(() -> cache.get("a"), () -> cache.getOrDefault("b", "c"));
    }
}

/** A cache of the usual kind: its class is the program's own, its methods are not. */
final class OwnCache implements Program {
    final Map<String, String> cache = new LinkedHashMap<>(16, 0.75f, true) { // race: OwnCache.cache
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > 8;
        }
    };

    public void run() throws Exception {
        together(() -> {
            cache.put("a", "b");
            mark(this);
        }, () -> {
            until(this);
            cache.get("a");
        });
    }
}

/** The same with methods that lock. */
final class OwnLockedCache implements Program {
    static final class Cache extends LinkedHashMap<String, String> {
        @Override
        public synchronized String get(Object key) {
            return super.get(key);
        }

        @Override
        public synchronized String put(String key, String value) {
            return super.put(key, value);
        }
    }

    final Map<String, String> cache = new Cache();

    public void run() throws Exception {
        together(() -> cache.put("a", "b"), () -> cache.get("a"), () -> cache.put("c", "d"));
    }
}

/** A list of an own class. */
final class OwnList implements Program {
    static final class History extends ArrayList<String> {
        void note(String line) {
            add(line); // race: History.note
        }
    }

    final List<String> shown = new History(); // race: OwnList.shown
    final History noted = new History();
    final History kept = new History(); // race: OwnList.kept

    public void run() throws Exception {
        together(() -> {
            shown.add("a");
            kept.add("a");
            noted.note("a");
            mark(this);
        }, () -> {
            until(this);
            shown.add("b");
            kept.add("b");
            noted.note("b");
        });
    }
}

/** What copies a list or makes a text of it reads it. */
final class ReadAsArgument implements Program {
    final List<String> copied = new ArrayList<>(); // race: ReadAsArgument.copied
    final List<String> taken = new ArrayList<>(); // race: ReadAsArgument.taken
    final List<String> joined = new ArrayList<>(); // race: ReadAsArgument.joined
    final List<String> shown = new ArrayList<>(); // race: ReadAsArgument.shown
    final List<String> added = new ArrayList<>(); // race: ReadAsArgument.added
    final Map<String, Integer> told = new HashMap<>(); // race: ReadAsArgument.told

    public void run() throws Exception {
        together(() -> {
            copied.add("a");
            taken.add("a");
            joined.add("a");
            shown.add("a");
            added.add("a");
            told.put("a", 1);
            mark(this);
        }, () -> {
            until(this);
            List.copyOf(copied);
            new CopyOnWriteArrayList<>(taken);
            String.join(",", joined);
            String.valueOf(shown);
            new Vector<String>().addAll(added);
            if (("told " + told).isEmpty()) {
                System.out.println("empty");
            }
        });
    }
}

/** More of these, and what only the static methods of collections do. */
final class ReadOrWrittenAsArgument implements Program {
    enum Color {
        RED,
        BLUE
    }

    final List<String> replaced = filled(); // race: ReadOrWrittenAsArgument.replaced
    final List<String> source = filled(); // race: ReadOrWrittenAsArgument.source
    final List<String> target = filled(); // race: ReadOrWrittenAsArgument.target
    final List<String> apart = filled(); // race: ReadOrWrittenAsArgument.apart
    final List<String> equal = filled(); // race: ReadOrWrittenAsArgument.equal
    final List<String> part = filled(); // race: ReadOrWrittenAsArgument.part
    final List<String> shown = filled(); // race: ReadOrWrittenAsArgument.shown
    final List<String> erased = filled(); // race: ReadOrWrittenAsArgument.erased
    final Map<String, String> mapped = new HashMap<>(); // race: ReadOrWrittenAsArgument.mapped
    final PriorityQueue<String> queue = new PriorityQueue<>(); // race: ReadOrWrittenAsArgument.queue
    final EnumMap<Color, String> colors = new EnumMap<>(Color.class); // race: ReadOrWrittenAsArgument.colors
    final EnumSet<Color> palette = EnumSet.noneOf(Color.class); // race: ReadOrWrittenAsArgument.palette

    static List<String> filled() {
        return new ArrayList<>(List.of("a", "b"));
    }

    public void run() throws Exception {
        together(() -> {
            Collections.replaceAll(replaced, "a", "c");
            for (List<String> list : List.of(source, target, apart, equal, part, shown, erased)) {
                list.add("d");
            }
            mapped.put("a", "b");
            queue.add("a");
            colors.put(Color.RED, "a");
            palette.add(Color.RED);
            mark(this);
        }, () -> {
            until(this);
            replaced.get(0);
            Collections.copy(filled(4), source);
            Collections.copy(target, filled());
            Collections.disjoint(filled(), apart);
            filled().equals(equal);
            Collections.indexOfSubList(filled(), part);
            new PriorityQueue<>(queue);
            new EnumMap<>(colors);
            EnumSet.copyOf(palette);
            Object of = erased;
            if (shown.toString().isEmpty() || mapped.toString().isEmpty() || ("of " + of).isEmpty()) {
                System.out.println("empty");
            }
        });
    }

    static List<String> filled(int n) {
        return new ArrayList<>(Collections.nCopies(n, "a"));
    }
}

/** The same under a lock. */
final class ReadAsLockedArgument implements Program {
    final List<String> names = new ArrayList<>();

    synchronized void use() {
        names.add("a");
        List.copyOf(names);
        new CopyOnWriteArrayList<>(names);
        String.join(",", names);
        String.valueOf(names);
    }

    public void run() throws Exception {
        together(this::use, this::use);
    }
}

/** Counters and checksums. */
final class Computing implements Program {
    final CRC32 checksum = new CRC32(); // race: Computing.checksum
    final IntSummaryStatistics sizes = new IntSummaryStatistics(); // race: Computing.sizes
    final CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder(); // race: Computing.encoder

    public void run() throws Exception {
        together(() -> {
            checksum.update(1);
            sizes.accept(1);
            encoder.reset();
            mark(this);
        }, () -> {
            until(this);
            checksum.update(2);
            sizes.accept(2);
            encoder.canEncode('a');
        });
    }
}

/** Each has its own. */
final class ComputingApart implements Program {
    void use() {
        CRC32 checksum = new CRC32();
        checksum.update(1);
        IntSummaryStatistics sizes = new IntSummaryStatistics();
        sizes.accept((int) checksum.getValue());
    }

    public void run() throws Exception {
        together(this::use, this::use);
    }
}

/** An iterator that two threads go on with. */
final class SharedIterator implements Program {
    final Iterator<Integer> numbers = new ArrayList<>(List.of(1, 2, 3)).iterator(); // missed: SharedIterator.numbers -- an iterator is the collection that it is of, which it reads

    public void run() throws Exception {
        together(() -> {
            numbers.next();
            mark(this);
        }, () -> {
            until(this);
            numbers.next();
        });
    }
}

/** An enumeration is not synchronized. */
final class Enumerated implements Program {
    final Hashtable<String, Integer> table = new Hashtable<>(); // missed: Enumerated.table -- what is synchronized has no contents

    public void run() throws Exception {
        table.put("a", 1);
        Enumeration<String> keys = table.keys();
        together(() -> {
            table.put("b", 1);
            mark(this);
        }, () -> {
            until(this);
            while (keys.hasMoreElements()) {
                keys.nextElement();
            }
        });
    }
}

/** Values that are set in their entries. */
final class EntrySet implements Program {
    final Map<String, Integer> prices = new HashMap<>(); // missed: EntrySet.prices -- an entry does not know its map

    public void run() throws Exception {
        prices.put("a", 1);
        together(() -> {
            for (Map.Entry<String, Integer> entry : prices.entrySet()) {
                entry.setValue(2);
            }
            mark(this);
        }, () -> {
            until(this);
            prices.get("a");
        });
    }
}

/** Elements of a fixed list: each thread sets its own. */
final class SetInPlace implements Program {
    final List<Integer> slots = Arrays.asList(0, 0); // missed: SetInPlace.slots -- lists that Arrays.asList makes are not checked

    public void run() throws Exception {
        together(() -> {
            slots.set(0, 1);
            mark(this);
            until(this, 2);
            slots.set(0, 2);
        }, () -> {
            until(this);
            slots.set(0, 3);
            mark(this, 2);
        });
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new SynchronizedList(), new IteratedUnderLock(), new IteratedWithoutLock(), new SynchronizedMap(),
                new BelowWrapper(), new Legacy(), new Buffer(), new Builder(), new Format(), new FormatOfThread(), new HandedOver(),
                new ConcurrentModification(), new OnlyRead(), new AccessOrder(), new InsertionOrder(), new OwnCache(),
                new OwnLockedCache(), new OwnList(), new ReadAsArgument(), new ReadOrWrittenAsArgument(), new ReadAsLockedArgument(), new Computing(),
                new ComputingApart(), new SharedIterator(), new Enumerated(), new EntrySet(), new SetInPlace());
    }
}
