package chosen;

import java.util.function.Supplier;

/** Chosen, and clients know it as a type of the JDK. */
class Given implements Supplier<Object> {
    private int asked; // race

    @Override
    public Object get() {
        return asked++;
    }
}
