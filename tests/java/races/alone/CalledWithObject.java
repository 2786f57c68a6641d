package alone;

/** A listener, which may be a client's, is called with an object of a class that clients cannot name, and gives it back. */
public class CalledWithObject {
    public interface Listener {
        void on(Object count);
    }

    public static final class Deaf implements Listener {
        @Override
        public void on(Object count) {
        }
    }

    private static final class Count {
        int called; // race
    }

    public void call(Listener listener) {
        listener.on(new Count());
    }

    public void touch(Object count) {
        ((Count) count).called++;
    }
}
