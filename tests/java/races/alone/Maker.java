package alone;

/** Clients implement an interface of which the library has an implementation, too, and keep what they are called with. */
public class Maker {
    /** What clients get only when their code is called. */
    public static class Made {
        private int changed; // race
        private int before;

        Made() {}

        public int sum() {
            return changed + before;
        }
    }

    /** What clients implement. */
    public interface Listener {
        void made(Made made);
    }

    private static class Quiet implements Listener {
        @Override
        public void made(Made made) {}
    }

    private volatile Listener listener = new Quiet();

    public void listen(Listener listener) {
        this.listener = listener;
    }

    public void make() {
        Made made = new Made();
        made.before++;
        listener.made(made);
        made.changed++;
    }
}
