package collections;

import static schedule.Schedule.mark;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.text.SimpleDateFormat;
import java.util.*;
import java.util.concurrent.CountDownLatch;
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
    final Map<String, String> cache = new LinkedHashMap<>(16, 0.75f, true); // missed: AccessOrder.cache -- `get` of a map in access order counts as a read

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
                new ConcurrentModification(), new OnlyRead(), new AccessOrder(), new SetInPlace());
    }
}
