package late;

import java.util.function.Consumer;

/** Takes no lock. */
final class Plugin implements Consumer<Object> {
    @Override
    public void accept(Object box) {
        ((Box) box).addLocked();
    }
}

final class Another implements Consumer<Object> {
    @Override
    public void accept(Object box) {
        ((Box) box).value++;
    }
}
