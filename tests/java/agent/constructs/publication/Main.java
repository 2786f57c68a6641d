package publication;

import static schedule.Schedule.mark;
import static schedule.Schedule.start;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import schedule.Program;

/** Immutable: only the reference races. */
final class FinalFields implements Program {
    static final class Point {
        final int x;
        final int y;

        Point(int x, int y) {
            this.x = x;
            this.y = y;
        }
    }

    Point point; // race: FinalFields.point

    public void run() throws Exception {
        together(() -> {
            point = new Point(1, 2);
            mark(this);
            until(this, 2);
            point = new Point(3, 4);
        }, () -> {
            until(this);
            if (point.x + point.y != 3) {
                System.out.println("odd");
            }
            mark(this, 2);
        });
    }
}

/** What is reachable through a final field was frozen with it. */
final class FinalMap implements Program {
    static final class Settings {
        final Map<String, Integer> values = new HashMap<>(); // false-alarm: Settings.values -- what a constructor does to what final fields hold is not ordered
        final int[] sizes = new int[2];

        Settings() {
            values.put("a", 1);
            sizes[0] = 1;
            sizes[1] = 2;
        }

        int sum() {
            return values.get("a") + sizes[0] + sizes[1];
        }
    }

    Settings settings; // race: FinalMap.settings

    public void run() throws Exception {
        together(() -> {
            settings = new Settings();
            mark(this);
            until(this, 2);
            settings = new Settings();
        }, () -> {
            until(this);
            if (settings.sum() != 4) {
                System.out.println("odd");
            }
            mark(this, 2);
        });
    }
}

/** Not immutable: the fields race, too. */
final class Mutable implements Program {
    static final class Pair {
        int left; // race: Pair.left

        Pair(int left) {
            this.left = left;
        }
    }

    Pair pair; // race: Mutable.pair

    public void run() throws Exception {
        together(() -> {
            pair = new Pair(1);
            mark(this);
            until(this, 2);
            pair = null;
        }, () -> {
            until(this);
            if (pair.left++ != 1) {
                System.out.println("odd");
            }
            mark(this, 2);
        });
    }
}

final class ByVolatile implements Program {
    static final class Snapshot {
        int total;
        List<Integer> parts = new ArrayList<>();
    }

    volatile Snapshot latest;

    public void run() throws Exception {
        together(() -> {
            Snapshot made = new Snapshot();
            made.total = 3;
            made.parts.add(1);
            made.parts.add(2);
            latest = made;
        }, () -> {
            Snapshot seen = latest;
            while (seen == null) {
                seen = latest;
            }
            if (seen.total != 3 || seen.parts.size() != 2) {
                System.out.println("odd");
            }
        });
    }
}

/** Filled after it was published. */
final class FilledLater implements Program {
    static final class Filled {
        int total; // race: Filled.total
        final List<Integer> parts = new ArrayList<>(); // race: Filled.parts
    }

    volatile Filled latest;

    public void run() throws Exception {
        together(() -> {
            Filled made = new Filled();
            latest = made;
            made.total = 3;
            made.parts.add(1);
            mark(this);
            until(this, 2);
            made.parts.add(2);
        }, () -> {
            until(this);
            Filled seen = latest;
            seen.total++;
            if (seen.parts.size() > 5) {
                System.out.println("odd");
            }
            mark(this, 2);
        });
    }
}

final class Table {
    static final Map<String, Integer> CODES = new HashMap<>();
    static final int[] SQUARES = new int[16];

    static {
        CODES.put("a", 1);
        for (int i = 0; i < SQUARES.length; i++) {
            SQUARES[i] = i * i;
        }
    }

    private Table() {}

    static int look(String name) {
        return CODES.get(name) + SQUARES[3];
    }
}

final class StaticInitializer implements Program {
    public void run() throws Exception {
        int[] sums = new int[2];
        together(() -> sums[0] = Table.look("a"), () -> sums[1] = Table.look("a"));
        if (sums[0] != sums[1]) {
            System.out.println("odd");
        }
    }
}

final class Registry {
    static final Map<String, Integer> NAMES = new HashMap<>(); // race: Registry.NAMES

    static {
        NAMES.put("a", 1);
    }

    private Registry() {}
}

/** The initializer orders what it does, not what comes later. */
final class ChangedStatic implements Program {
    public void run() throws Exception {
        together(() -> {
            Registry.NAMES.put("b", 2);
            mark(this);
            until(this, 2);
            Registry.NAMES.put("c", 3);
        }, () -> {
            until(this);
            Registry.NAMES.get("a");
            mark(this, 2);
        });
    }
}

final class Service {
    int calls;
    final Map<String, String> names = new HashMap<>();

    Service() {
        calls = 1;
        names.put("a", "b");
    }

    private static final class Holder {
        static final Service INSTANCE = new Service();
    }

    static Service get() {
        return Holder.INSTANCE;
    }
}

final class LazyHolder implements Program {
    public void run() throws Exception {
        int[] sums = new int[2];
        together(() -> sums[0] = Service.get().calls + Service.get().names.size(),
                () -> sums[1] = Service.get().calls + Service.get().names.size());
    }
}

enum Planet {
    EARTH(1), MARS(2);

    private final Map<String, Integer> moons = new HashMap<>();
    private int number;

    Planet(int number) {
        this.number = number;
        moons.put(name(), number);
    }

    int sum() {
        return number + moons.get(name());
    }
}

final class EnumSingleton implements Program {
    public void run() throws Exception {
        int[] sums = new int[2];
        together(() -> sums[0] = Planet.EARTH.sum(), () -> sums[1] = Planet.valueOf("EARTH").sum() + Planet.MARS.sum());
    }
}

enum Counter {
    INSTANCE;

    int hits; // race: Counter.hits
}

final class EnumState implements Program {
    public void run() throws Exception {
        together(() -> {
            Counter.INSTANCE.hits++;
            mark(this);
        }, () -> {
            until(this);
            Counter.INSTANCE.hits++;
        });
    }
}

final class CheckedTwice implements Program {
    static final class Resource {
        int size;

        Resource() {
            size = 3;
        }
    }

    private volatile Resource resource;

    Resource resource() {
        Resource result = resource;
        if (result == null) {
            synchronized (this) {
                result = resource;
                if (result == null) {
                    result = new Resource();
                    resource = result;
                }
            }
        }
        return result;
    }

    public void run() throws Exception {
        int[] sums = new int[2];
        together(() -> sums[0] = resource().size, () -> sums[1] = resource().size);
    }
}

/** The same without volatile. */
final class CheckedTwicePlain implements Program {
    static final class Connection {
        int port; // race: Connection.port

        Connection() {
            port = 3;
        }
    }

    private Connection connection; // race: CheckedTwicePlain.connection

    Connection connection() {
        if (connection == null) {
            synchronized (this) {
                if (connection == null) {
                    connection = new Connection();
                }
            }
        }
        return connection;
    }

    public void run() throws Exception {
        together(() -> {
            connection();
            mark(this);
            until(this, 2);
            synchronized (this) {
                connection = null;
            }
            connection();
        }, () -> {
            until(this);
            connection().port++;
            mark(this, 2);
        });
    }
}

/** The reference is volatile, but published before the object is complete. */
final class CheckedTwiceTooEarly implements Program {
    static final class Cache {
        final Map<String, String> entries = new HashMap<>(); // race: Cache.entries
    }

    private volatile Cache cache;

    Cache cache() {
        if (cache == null) {
            synchronized (this) {
                if (cache == null) {
                    cache = new Cache();
                    cache.entries.put("a", "b");
                    mark(this);
                    until(this, 2);
                    cache.entries.put("c", "d");
                }
            }
        }
        return cache;
    }

    public void run() throws Exception {
        together(this::cache, () -> {
            until(this);
            cache().entries.get("a");
            mark(this, 2);
        });
    }
}

final class LazyPlain implements Program {
    static final class Logger {
        int lines; // race: Logger.lines
    }

    static Logger logger; // race: LazyPlain.logger

    static Logger logger() {
        if (logger == null) {
            logger = new Logger();
        }
        return logger;
    }

    public void run() throws Exception {
        together(() -> {
            logger().lines++;
            mark(this);
            until(this, 2);
            logger = null;
        }, () -> {
            until(this);
            logger().lines++;
            mark(this, 2);
        });
    }
}

final class LazySynchronized implements Program {
    static final class Logger2 {
        final int level;

        Logger2() {
            level = 2;
        }
    }

    private Logger2 logger;

    synchronized Logger2 logger() {
        if (logger == null) {
            logger = new Logger2();
        }
        return logger;
    }

    public void run() throws Exception {
        int[] levels = new int[2];
        together(() -> levels[0] = logger().level, () -> levels[1] = logger().level);
    }
}

/** Made under the lock, used without it by all who got it under the lock; nobody writes. */
final class LazyUsedOutside implements Program {
    static final class Parser {
        int depth;

        Parser() {
            depth = 5;
        }
    }

    private Parser parser;

    synchronized Parser parser() {
        if (parser == null) {
            parser = new Parser();
        }
        return parser;
    }

    public void run() throws Exception {
        together(() -> {
            parser();
            mark(this);
        }, () -> {
            until(this);
            if (parser().depth != 5) {
                System.out.println("odd");
            }
        });
    }
}

/** Registers itself before it is complete. */
final class Escaped implements Program {
    interface Listener {
        void call();
    }

    static final class Button implements Listener {
        int clicks; // race: Button.clicks

        Button(Escaped program) {
            program.listeners.put("button", this);
            clicks = 1;
            mark(program);
            until(program, 2);
        }

        @Override
        public void call() {
            clicks++;
        }
    }

    final ConcurrentMap<String, Listener> listeners = new ConcurrentHashMap<>();

    public void run() throws Exception {
        together(() -> new Button(this), () -> {
            until(this);
            listeners.get("button").call();
            mark(this, 2);
        });
    }
}

/** Registers itself by a factory method, when it is complete. */
final class Registered implements Program {
    static final class Slider {
        int value;

        Slider() {
            value = 1;
        }
    }

    final ConcurrentMap<String, Slider> sliders = new ConcurrentHashMap<>();

    public void run() throws Exception {
        together(() -> sliders.put("slider", new Slider()), () -> {
            Slider seen = sliders.get("slider");
            while (seen == null) {
                seen = sliders.get("slider");
            }
            seen.value++;
        });
    }
}

/** Starts a thread from its constructor. */
final class StartedInConstructor implements Program {
    static final class Poller {
        int interval; // race: Poller.interval
        final Thread thread;

        Poller(Program program) {
            thread = start(() -> {
                until(program);
                interval++;
            });
            interval = 10;
            mark(program);
        }
    }

    public void run() throws Exception {
        new Poller(this).thread.join();
    }
}

record Range(int from, int to, List<Integer> ends) {
    Range(int from, int to) {
        this(from, to, new ArrayList<>(List.of(from, to)));
    }

    void end(int at) {
        ends.add(at);
    }

    int size() {
        return ends.size();
    }
}

final class RecordByReference implements Program {
    final AtomicReference<Range> range = new AtomicReference<>(new Range(0, 1));

    public void run() throws Exception {
        together(() -> range.updateAndGet(old -> new Range(old.from(), 7)), () -> {
            Range seen = range.get();
            while (seen.to() != 7) {
                seen = range.get();
            }
            if (seen.size() != 2) {
                System.out.println("odd");
            }
        });
    }
}

/** A record is as immutable as what it refers to. */
final class RecordOfList implements Program {
    final Range range = new Range(1, 2); // race: Range.ends

    public void run() throws Exception {
        together(() -> {
            range.end(3);
            mark(this);
            until(this, 2);
            range.end(4);
        }, () -> {
            until(this);
            range.size();
            mark(this, 2);
        });
    }
}

/** Like String.hashCode: a race that its author has wanted. */
final class CachedHash implements Program {
    final int[] values = {1, 2, 3};
    private int hash; // race: CachedHash.hash

    @Override
    public int hashCode() {
        int h = hash;
        if (h == 0) {
            for (int value : values) {
                h = 31 * h + value;
            }
            hash = h;
        }
        return h;
    }

    public void run() throws Exception {
        together(() -> {
            int first = hash;
            mark(this);
            until(this, 2);
            hash = first;
        }, () -> {
            until(this);
            hashCode();
            mark(this, 2);
        });
    }
}

/** Set before the threads start, only read afterwards. */
final class ReadOnly implements Program {
    String name;
    int[] limits;
    Map<String, Integer> map;

    public void run() throws Exception {
        name = "x";
        limits = new int[] {1, 2};
        map = new HashMap<>();
        map.put("x", 1);
        int[] sums = new int[3];
        together(() -> sums[0] = map.get(name) + limits[0], () -> sums[1] = map.get(name) + limits[1], () -> sums[2] = limits.length);
        if (sums[0] + sums[1] != 5) {
            System.out.println("odd");
        }
    }
}

/** Nested initializers. */
final class Outer {
    static int base = 5;
    static final int[] VALUES = Inner.make();

    private Outer() {}

    static final class Inner {
        static int count;

        static int[] make() {
            count = base;
            return new int[] {count};
        }
    }
}

final class NestedInitializers implements Program {
    public void run() throws Exception {
        int[] sums = new int[2];
        together(() -> sums[0] = Outer.VALUES[0] + Outer.Inner.count, () -> sums[1] = Outer.VALUES[0] + Outer.Inner.count);
    }
}

/** What a thread has done before it initialized a class is known to who uses the class later. */
final class BeforeTheInitializer implements Program {
    static final class Server {
        static int port;

        static {
            port = 80;
        }
    }

    int prepared;

    public void run() throws Exception {
        together(() -> {
            prepared = 1;
            check(Server.port);
            mark(this);
        }, () -> {
            until(this);
            check(Server.port);
            prepared++;
        });
    }

    private static void check(int port) {
        if (port != 80) {
            throw new IllegalStateException();
        }
    }
}

/** The initializer of another class runs in it, and what came before is known to who uses that one. */
final class BeforeTheInnerInitializer implements Program {
    static final class Outer {
        static int size = Inner.base + 1;
    }

    static final class Inner {
        static int base = 8;
    }

    int prepared;

    public void run() throws Exception {
        together(() -> {
            prepared = 1;
            if (Outer.size != 9) {
                throw new IllegalStateException();
            }
            mark(this);
        }, () -> {
            until(this);
            if (Inner.base == 8) {
                prepared++;
            }
        });
    }
}

/** What comes after the initializer is not known to who uses the class. */
final class AfterTheInitializer implements Program {
    static final class Server {
        static int port = 80;
    }

    int prepared; // race: AfterTheInitializer.prepared

    public void run() throws Exception {
        together(() -> {
            int port = Server.port;
            prepared = port;
            mark(this);
        }, () -> {
            until(this);
            prepared += Server.port;
        });
    }
}

/** Others find the object before its constructor has written the final field. */
final class EscapedFinal implements Program {
    static final class Boiler {
        final String name; // missed: Boiler.name -- final fields are not checked

        Boiler(EscapedFinal program) {
            program.found.add(this);
            mark(program);
            until(program, 2);
            name = "a";
        }
    }

    final List<Boiler> found = new CopyOnWriteArrayList<>();

    public void run() throws Exception {
        together(() -> new Boiler(this), () -> {
            until(this);
            if (found.get(0).name != null) {
                System.out.println("named");
            }
            mark(this, 2);
        });
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new FinalFields(), new FinalMap(), new Mutable(), new ByVolatile(), new FilledLater(), new StaticInitializer(),
                new ChangedStatic(), new LazyHolder(), new EnumSingleton(), new EnumState(), new CheckedTwice(), new CheckedTwicePlain(),
                new CheckedTwiceTooEarly(), new LazyPlain(), new LazySynchronized(), new LazyUsedOutside(), new Escaped(), new Registered(),
                new StartedInConstructor(), new RecordByReference(), new RecordOfList(), new CachedHash(), new ReadOnly(),
                new NestedInitializers(),
                new BeforeTheInitializer(),
                new BeforeTheInnerInitializer(), new AfterTheInitializer(), new EscapedFinal());
    }
}
