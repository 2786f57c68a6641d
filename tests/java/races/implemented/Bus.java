package implemented;

import java.util.Arrays;
import java.util.Comparator;

/** Clients implement an interface, extend a class, and pass what only the JDK knows. */
public class Bus {
    /** What clients implement. */
    public interface Handler {
        Event handle(Event event);
    }

    /** What clients extend. */
    public abstract static class Base {
        private int counted; // race
        private int guarded;

        protected abstract void act(Event event);

        public void run(Event event) {
            counted++;
            act(event);
        }

        public synchronized void both() {
            guarded++;
        }
    }

    /** What clients get only when their code is called, and give back. */
    public static class Event {
        private int seen; // race
        private int locked;
        private int own;

        Event() {
            own = 1;
        }

        public void see() {
            seen++;
        }

        public synchronized void count() {
            locked++;
        }
    }

    private static final class Ordered {
        private int compared;
    }

    private int sent; // race
    private Event last; // race

    /** What a client's code gives back may be what another one was called with. */
    public void send(Handler handler) {
        sent++;
        last = handler.handle(new Event());
    }

    public int compared(Comparator<Object> order) {
        Ordered mine = new Ordered();
        return order.compare(mine, mine) + mine.compared;
    }

    /** What clients implement of arrays. */
    public interface Filter {
        void filter(int[] data);
    }

    /** Another client may have been called with the same array, and fill it. */
    public static int filtered(Filter filter) {
        int[] data = new int[1]; // race
        filter.filter(data);
        return data[0];
    }

    public static void fill(int[] data) {
        data[0]++;
    }

    /** The JDK calls what clients implement, with what they get nowhere else. */
    public static int sorted(Comparator<int[]> order) {
        int[] one = new int[1]; // race
        int[][] all = {one, one};
        Arrays.sort(all, order);
        return one[0];
    }

    private static int fresh; // race

    /** A lock of each call's own. */
    public static void lockedAlone() {
        Object lock = new Object();
        synchronized (lock) {
            fresh++;
        }
    }
}
