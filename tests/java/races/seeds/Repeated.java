package seeds;

import java.util.Arrays;
import java.util.Iterator;

/** What a library calls back, it may call back again: after the threads that the first call started, and with locks of its own. */
public class Repeated {
    private int again; // race: by the second call, as the first one has started a thread
    private int locked; // race: each call makes a lock
    private int earlier; // false-alarm: by what sorts, before any thread is started
    private int shared;
    private final Object lock = new Object();

    /** Called for each element. */
    private final class Elements implements Iterator<Object> {
        private int n;

        public boolean hasNext() {
            return n < 2;
        }

        public Object next() {
            n++;
            Object own = new Object();
            new Thread(() -> {
                synchronized (own) {
                    locked++;
                }
                synchronized (lock) {
                    shared++;
                }
            }).start();
            return own;
        }
    }

    private int compare() {
        again++;
        new Thread(this::read).start();
        return 0;
    }

    private void read() {
        if (again + earlier > 2) {
            System.exit(1);
        }
    }

    public static void main(String[] args) {
        Repeated repeated = new Repeated();
        Arrays.sort(new String[2], (a, b) -> repeated.earlier++);
        Arrays.sort(new String[2], (a, b) -> repeated.compare());
        Iterator<Object> elements = repeated.new Elements();
        elements.forEachRemaining(element -> { });
    }
}
