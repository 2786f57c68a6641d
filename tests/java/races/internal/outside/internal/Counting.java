package outside.internal;

import outside.Handler;

/** The library's own, though it has to be public. */
public class Counting implements Handler {
    private int handled;

    @Override
    public void handle() {
        handled++;
    }
}
