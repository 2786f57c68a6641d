package open;

/** Clients have threads, whatever the `main` beside it does. */
public class Lib {
    private int hits; // race
    private final Part part = new Part();
    private int locked;

    public void hit() {
        hits++;
        part.parts++;
    }

    public synchronized void lock() {
        locked++;
    }
}

class Part {
    int parts; // race
}
