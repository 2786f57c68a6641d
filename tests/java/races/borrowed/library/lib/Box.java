package lib;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

public final class Box<T> {
    @SuppressWarnings("rawtypes")
    private static final AtomicReferenceFieldUpdater<Box, Object> CONTENT =
            AtomicReferenceFieldUpdater.newUpdater(Box.class, Object.class, "content");

    private volatile Object content;

    @SuppressWarnings("rawtypes")
    private static AtomicReferenceFieldUpdater<Box, Object> content() {
        return CONTENT;
    }

    public void set(T value) {
        content().set(this, value);
    }

    @SuppressWarnings("unchecked")
    public T get() {
        return (T) content().get(this);
    }

    public void each(Function<T> function) {
        function.apply(get());
    }
}
