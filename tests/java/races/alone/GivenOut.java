package alone;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** Clients have objects of classes that they cannot name, as types of the JDK. */
public class GivenOut {
    private static class Counter implements Supplier<Object> {
        private int counted; // race

        @Override
        public Object get() {
            return counted++;
        }

        /** No client knows it. */
        void reset() {
            resets++;
        }

        private int resets;
    }

    private static class View extends AbstractMap<String, String> {
        private Set<Map.Entry<String, String>> entries; // race

        @Override
        public Set<Map.Entry<String, String>> entrySet() {
            if (entries == null) {
                entries = new Entries();
            }
            return entries;
        }
    }

    private static class Entries extends AbstractSet<Map.Entry<String, String>> {
        private int asked; // race

        @Override
        public int size() {
            asked++;
            return 1;
        }

        @Override
        public Iterator<Map.Entry<String, String>> iterator() {
            return new Steps();
        }
    }

    private static class Steps implements Iterator<Map.Entry<String, String>> {
        private boolean over; // race

        @Override
        public boolean hasNext() {
            return !over;
        }

        @Override
        public Map.Entry<String, String> next() {
            over = true;
            return LAST;
        }
    }

    private static class Last implements Map.Entry<String, String> {
        private String value = ""; // race

        @Override
        public String getKey() {
            return "";
        }

        @Override
        public String getValue() {
            return value;
        }

        @Override
        public String setValue(String value) {
            String old = this.value;
            this.value = value;
            return old;
        }
    }

    /** The library's own business: it gives out no executor. */
    private static class Inside implements Executor {
        private int executed;

        @Override
        public void execute(Runnable task) {
            executed++;
            task.run();
        }
    }

    /** Under the lock of what gives it out. */
    private class Locked implements Supplier<Object> {
        private int guarded;

        @Override
        public Object get() {
            synchronized (GivenOut.this) {
                return guarded++;
            }
        }
    }

    private static final Last LAST = new Last();
    private final Counter counter = new Counter();
    private final View view = new View();
    private final Inside inside = new Inside();
    private final Locked locked = new Locked();

    public Supplier<Object> counter() {
        return counter;
    }

    public Supplier<Object> locked() {
        return locked;
    }

    public Map<String, String> view() {
        return view;
    }

    public void run() {
        synchronized (GivenOut.class) {
            inside.execute(counter::reset);
        }
    }
}
