package implemented;

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

    public int sorted(Comparator<Object> order) {
        Ordered mine = new Ordered();
        return order.compare(mine, mine) + mine.compared;
    }
}
