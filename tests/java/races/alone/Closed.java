package alone;

/** Clients close it by a method that only the JDK declares. */
public interface Closed extends AutoCloseable {
    void send();

    static Closed open() {
        return new Hidden();
    }
}

final class Hidden implements Closed {
    private boolean open = true; // race
    private int alone;

    @Override
    public synchronized void send() {
        if (open) {
            alone++;
        }
    }

    @Override
    public void close() {
        open = false;
    }

    void never() {
        alone++;
    }
}
