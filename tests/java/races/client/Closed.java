package client;

/** Without a constructor for them, clients have no subclass. */
public class Closed {
    private int unreached;

    private Closed() {}

    public static Closed of() {
        return new Closed();
    }

    protected void hit() {
        unreached++;
    }
}
