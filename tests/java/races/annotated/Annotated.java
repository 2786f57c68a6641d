package annotated;

import jrace.annotations.NoWarn;
import jrace.annotations.ThreadLocal;

/** Three fields that any two clients access, of which annotations leave out two. */
public final class Annotated {
    private final Scratch scratch = new Scratch();

    @NoWarn("about right is good enough")
    private int calls;

    private int racy;

    public void call() {
        calls++;
        racy++;
        scratch.used++;
    }

    @ThreadLocal
    private static final class Scratch {
        private int used;
    }
}
