package chosen;

import java.util.function.Supplier;

/** The class that clients use. */
public class Chosen extends Base implements Module {
    private int started; // race
    private final Inner inner = new Inner();
    private final Hidden hidden = new Hidden();
    private final Given given = new Given();
    private final Kept kept = new Kept();

    @Override
    public void start() {
        started++;
        inner.start();
    }

    public Module hidden() {
        return hidden;
    }

    public Supplier<Object> given() {
        return given;
    }

    public Object kept() {
        return kept;
    }
}
