package internals;

import static schedule.Schedule.mark;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.net.http.HttpClient;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.security.MessageDigest;
import java.sql.DriverManager;
import java.text.SimpleDateFormat;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import schedule.Program;

/** Two threads, one after the other, use something of the JDK that synchronizes for itself. That orders nothing for them. */
abstract class Internal implements Program {
    abstract void use() throws Exception;

    abstract void access();

    @Override
    public void run() throws Exception {
        together(() -> {
            access();
            use();
            mark(this);
        }, () -> {
            until(this);
            use();
            access();
        });
    }
}

final class Loaded extends Internal {
    int value; // race: Loaded.value

    void use() throws Exception {
        Class.forName("java.util.Currency");
    }

    void access() {
        value++;
    }
}

final class Formatted extends Internal {
    int value; // race: Formatted.value

    void use() {
        String.format(Locale.CANADA, "%d %s", value, this);
    }

    void access() {
        value++;
    }
}

final class Dated extends Internal {
    int value; // race: Dated.value

    void use() {
        new SimpleDateFormat("yyyy").format(new Date(0));
        LocalDate.now().toString();
    }

    void access() {
        value++;
    }
}

final class Logged extends Internal {
    int value; // race: Logged.value

    void use() {
        new LogRecord(Level.INFO, "used");
    }

    void access() {
        value++;
    }
}

final class Digested extends Internal {
    int value; // race: Digested.value

    void use() throws Exception {
        MessageDigest.getInstance("SHA-256").digest(new byte[3]);
    }

    void access() {
        value++;
    }
}

final class Serialized extends Internal {
    int value; // race: Serialized.value

    void use() throws Exception {
        new ObjectOutputStream(new ByteArrayOutputStream()).writeObject(new ArrayList<>(List.of(1)));
    }

    void access() {
        value++;
    }
}

final class Located extends Internal {
    int value; // race: Located.value

    void use() throws Exception {
        new URL("http://localhost/").getHost();
        InetAddress.getByName("127.0.0.1");
    }

    void access() {
        value++;
    }
}

final class Buffered extends Internal {
    int value; // race: Buffered.value

    void use() throws Exception {
        ByteBuffer.allocateDirect(8);
        Pipe pipe = Pipe.open();
        pipe.sink().close();
        pipe.source().close();
    }

    void access() {
        value++;
    }
}

final class Counted extends Internal {
    int value; // race: Counted.value

    void use() {
        new ThreadLocal<Object>();
        new Timer(true).cancel();
        Executors.defaultThreadFactory();
    }

    void access() {
        value++;
    }
}

final class Drawn extends Internal {
    private static final Random SHARED = new Random(1);
    int value; // race: Drawn.value

    void use() {
        new Random();
        new SplittableRandom();
        ThreadLocalRandom.current().nextInt();
        SHARED.nextInt();
    }

    void access() {
        value++;
    }
}

final class Linked extends Internal {
    int value; // race: Linked.value

    void use() {
        Runnable first = () -> value--;
        Runnable second = this::access;
        if (value < 0) {
            first.run();
            second.run();
        }
    }

    void access() {
        value++;
    }
}

/** Both put, and nobody takes: the queue counts its elements. */
final class Queued extends Internal {
    private final LinkedBlockingQueue<String> queue = new LinkedBlockingQueue<>();
    int value; // race: Queued.value

    void use() {
        queue.poll();
    }

    void access() {
        value++;
    }
}

/** The JDK makes its own handler, once. */
final class LoggedByTheRoot extends Internal {
    int value; // race: LoggedByTheRoot.value

    void use() {
        Logger root = Logger.getLogger("");
        for (Handler handler : root.getHandlers()) {
            handler.setLevel(Level.OFF);
        }
        root.info("used");
    }

    void access() {
        value++;
    }
}

final class Encrypted extends Internal {
    int value; // race: Encrypted.value

    void use() throws Exception {
        Cipher.getInstance("AES/CBC/PKCS5Padding");
        Mac.getInstance("HmacSHA256");
    }

    void access() {
        value++;
    }
}

final class Connected extends Internal {
    int value; // race: Connected.value

    void use() {
        DriverManager.getDrivers();
        HttpClient.newHttpClient();
    }

    void access() {
        value++;
    }
}

/** What the program itself makes known stays known, also by ways through the JDK. */
abstract class Told implements Program {
    int told;

    abstract void tell() throws Exception;

    abstract boolean isTold() throws Exception;

    @Override
    public void run() throws Exception {
        together(() -> {
            told = 1;
            tell();
            mark(this);
        }, () -> {
            until(this);
            if (isTold()) {
                told++;
            }
        });
    }
}

final class ByReflection extends Told {
    private final AtomicInteger flag = new AtomicInteger();

    void tell() throws Exception {
        AtomicInteger.class.getMethod("set", int.class).invoke(flag, 1);
    }

    boolean isTold() throws Exception {
        Method get = AtomicInteger.class.getMethod("get");
        return (int) get.invoke(flag) == 1;
    }
}

final class ByMethodReference extends Told {
    private final Map<String, List<String>> map = new ConcurrentHashMap<>();

    void tell() {
        new HashMap<>(Map.of("told", new ArrayList<String>())).forEach(map::put);
    }

    boolean isTold() {
        return map.get("told") != null;
    }
}

final class InASetOfAMap extends Told {
    private final Set<Object> set = Collections.newSetFromMap(new ConcurrentHashMap<>());
    private final Object object = new Object();

    void tell() {
        Collections.addAll(set, object);
    }

    boolean isTold() {
        return Collections.unmodifiableSet(set).contains(object);
    }
}

final class AsProperty extends Told {
    private final Properties properties = new Properties();

    void tell() {
        properties.setProperty("told", "yes");
    }

    boolean isTold() {
        return properties.getProperty("told") != null;
    }
}

final class AsSystemProperty extends Told {
    void tell() {
        System.setProperty("internals.told", "yes");
    }

    boolean isTold() {
        return System.getProperty("internals.told") != null;
    }
}

/** The JDK keeps the one that it has made. */
final class AsBundle extends Told {
    void tell() {
        ResourceBundle.getBundle("internals.Texts");
    }

    boolean isTold() {
        return ((Texts) ResourceBundle.getBundle("internals.Texts")).lookups > 0;
    }
}

/** A constructor runs through code of the JDK that calls for the program. */
final class ByAConstructor extends Told {
    private volatile Map<String, Object> map;

    @SuppressWarnings("unchecked")
    void prepare() throws Exception {
        map = ConcurrentHashMap.class.getConstructor(Map.class).newInstance(Map.of("first", new Object()));
    }

    void tell() {
        map.put("told", new Object());
    }

    boolean isTold() {
        return map.get("told") != null;
    }

    @Override
    public void run() throws Exception {
        prepare();
        super.run();
    }
}

/** What is registered with the JDK is known to who is called. */
final class Registered extends Told {
    private static final Logger LOGGER = Logger.getLogger("internals");

    static final class Count extends Handler {
        int count;

        @Override
        public void publish(LogRecord record) {
            count++;
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    void tell() {
        LOGGER.setUseParentHandlers(false);
        Count handler = new Count();
        handler.count = 1;
        LOGGER.addHandler(handler);
    }

    boolean isTold() {
        LOGGER.info("told");
        return true;
    }
}

/** A table of the JDK's own has an object of the program, which another thread gets from it. */
final class ByAProtocol extends Told {
    static final class Protocol extends URLStreamHandler {
        int uses;

        @Override
        protected URLConnection openConnection(URL url) {
            uses++;
            return null;
        }
    }

    private static URLStreamHandler made(String protocol) {
        if (!protocol.equals("told")) {
            return null;
        }
        Protocol made = new Protocol();
        made.uses = 1;
        return made;
    }

    void tell() throws Exception {
        new URL("told:first");
    }

    boolean isTold() throws Exception {
        return new URL("told:second").openConnection() == null;
    }

    @Override
    public void run() throws Exception {
        URL.setURLStreamHandlerFactory(ByAProtocol::made);
        super.run();
    }
}

final class WithTrue extends Told {
    private final Map<String, Boolean> map = new ConcurrentHashMap<>();

    void tell() {
        map.put("told", Boolean.TRUE);
    }

    boolean isTold() {
        return map.get("told") == Boolean.TRUE;
    }
}

final class Collected extends Told {
    private volatile Map<Object, Object> map;

    void tell() {
        map = Stream.of("told").collect(Collectors.toConcurrentMap(key -> key, key -> new Object()));
    }

    boolean isTold() {
        return map.get("told") != null;
    }
}

/** Its own counter is a promise, though code of the JDK calls it. */
final class ByACallback extends Told {
    private final AtomicInteger flag = new AtomicInteger();

    void tell() {
        List.of(1).forEach(flag::set);
    }

    boolean isTold() {
        return flag.get() == 1;
    }
}

public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        Program.all(
                args,
                new Loaded(),
                new Formatted(),
                new Dated(),
                new Logged(),
                new Digested(),
                new Serialized(),
                new Located(),
                new Buffered(),
                new Counted(),
                new Drawn(),
                new Linked(),
                new Queued(),
                new LoggedByTheRoot(),
                new Encrypted(),
                new Connected(),
                new ByReflection(),
                new ByMethodReference(),
                new InASetOfAMap(),
                new AsProperty(),
                new AsSystemProperty(), new AsBundle(),
                new ByAConstructor(),
                new Registered(),
                new ByAProtocol(),
                new WithTrue(),
                new Collected(),
                new ByACallback());
    }
}
