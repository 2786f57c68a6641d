package chosen;

/** The class that clients use. */
public class Chosen extends Base implements Module {
    private int started; // race
    private final Inner inner = new Inner();
    private final Hidden hidden = new Hidden();

    @Override
    public void start() {
        started++;
        inner.start();
    }

    public Module hidden() {
        return hidden;
    }
}
