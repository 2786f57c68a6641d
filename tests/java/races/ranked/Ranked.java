package ranked;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

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
}
