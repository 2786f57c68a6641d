package alone;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Clients override default methods of an interface, and give the library what they have. */
public class Defaults {
    /** What clients get only when their code is called. */
    public static class Made {
        private int changed; // race

        Made() {}

        public int changed() {
            return changed;
        }
    }

    /** What clients implement, as far as they want. */
    public interface Listener {
        default void made(Made made) {}

        default int priority() {
            return 0;
        }
    }

    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    public void listen(Listener listener) {
        listeners.add(listener);
    }

    public void make() {
        Made made = new Made();
        for (Listener listener : listeners) {
            listener.made(made);
        }
        made.changed++;
    }
}
