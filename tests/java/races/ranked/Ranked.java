package ranked;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Supplier;

/** Races that say something for or against themselves. */
public class Ranked {
    /** Subclasses close it, and so does every client of its source. */
    public static class Pool {
        private String listener = "";

        protected void close() {
            listener = null;
        }

        public boolean isOpen() {
            return listener != null;
        }
    }

    public static class Source {
        private final Pool pool = new Pool();

        public Pool pool() {
            return pool;
        }

        public void close() {
            pool.close();
        }
    }

    /** Each object locks itself, but there is one total. */
    public static class Queue {
        private static int total;
        private int size;
        private String name = "";

        public synchronized void add() {
            size++;
            total++;
        }

        public void setName(String name) {
            this.name = name;
        }

        public synchronized String describe() {
            return name + size;
        }

        public Cursor cursor() {
            return new Cursor(this);
        }
    }

    /** Locks what it goes over, and is one thread's. */
    public static class Cursor implements Iterator<Integer> {
        private final Queue queue;
        private int at;

        Cursor(Queue queue) {
            this.queue = queue;
        }

        @Override
        public boolean hasNext() {
            return at < 3;
        }

        @Override
        public Integer next() {
            synchronized (queue) {
                return at++;
            }
        }
    }

    /** A class literal, as compilers before Java 5 made it. */
    public static class Literal {
        private static Class<?> class$java$lang$String;

        public Class<?> get() {
            if (class$java$lang$String == null) {
                class$java$lang$String = String.class;
            }
            return class$java$lang$String;
        }
    }

    /** Gives out what it keeps. */
    public static class Registry {
        private final Map<String, String> all = new HashMap<>();

        public synchronized void put(String name) {
            all.put(name, name);
        }

        public Map<String, String> all() {
            return all;
        }
    }

    /** Takes its lock before it calls what subclasses redefine. */
    public static class Template {
        private int limit;

        public synchronized void setLimit(int limit) {
            this.limit = limit;
        }

        public synchronized int create() {
            return doCreate();
        }

        protected int doCreate() {
            return limit;
        }
    }

    /** Its own thread runs it, not its clients. */
    public static class Poller implements Runnable {
        private int polls;

        public void start() {
            new Thread(this).start();
        }

        public synchronized void reset() {
            polls = 0;
        }

        @Override
        public void run() {
            polls++;
        }
    }

    /** A thread that nobody starts here, and nobody runs. */
    public static class Worker extends Thread {
        private int jobs;

        public synchronized int jobs() {
            return jobs;
        }

        @Override
        public void run() {
            jobs++;
        }
    }

    /** Is prepared by one thread. */
    public static class Prepared {
        private String path = "";
        private int uses;

        public void initialize(String path) {
            this.path = path;
        }

        public synchronized String path() {
            uses++;
            return path + uses;
        }
    }

    /** Who computes the value may ask for it. */
    public static class Lazy implements Supplier<Object> {
        private final Supplier<Object> from;
        private volatile boolean isDone;
        private Object computed;

        public Lazy(Supplier<Object> from) {
            this.from = from;
        }

        @Override
        public Object get() {
            if (!isDone) {
                synchronized (this) {
                    if (!isDone) {
                        computed = from.get();
                        isDone = true;
                    }
                }
            }
            return computed;
        }
    }
}
