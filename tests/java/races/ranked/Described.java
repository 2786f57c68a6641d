package ranked;

/** A lock around its description only. */
public class Described {
    private int state;

    public void next() {
        state++;
    }

    public int state() {
        return state;
    }

    @Override
    public synchronized String toString() {
        return "state " + state;
    }
}
