package ch.qos.logback;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** Does what loggers do, and is named as one. */
public final class Logger {
    private static final AtomicReference<Object> TIME = new AtomicReference<>();
    private static final AtomicLong COUNT = new AtomicLong();
    private static final ConcurrentMap<String, Integer> LEVELS = new ConcurrentHashMap<>();
    private static final BlockingQueue<Supplier<String>> EVENTS = new ArrayBlockingQueue<>(8);
    private static volatile int level;
    /** No thread orders it, and it is not the user's. */
    private static int races;

    private Logger() {}

    public static void log() {
        TIME.get();
        TIME.set(new Object());
        COUNT.incrementAndGet();
        LEVELS.get("level");
        LEVELS.put("level", level);
        level++;
        races++;
    }

    /** What the program has made of itself to be called is called by one thread at a time. */
    public static synchronized void append(Runnable appender) {
        appender.run();
    }

    public static void later(Supplier<String> message) {
        EVENTS.add(message);
    }

    public static String next() throws InterruptedException {
        return EVENTS.take().get();
    }
}
