package unlinked;

import java.util.function.Consumer;

/** Takes no lock. */
final class Plugin implements Consumer<Object> {
    @Override
    public void accept(Object counter) {
        ((Counter) counter).count++;
    }
}
