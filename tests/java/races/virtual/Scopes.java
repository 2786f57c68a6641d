package seeds;

import java.util.concurrent.StructuredTaskScope;

/** Subtasks of a scope, a preview: they race with each other and with their owner, until it has joined them. */
public class Scopes {
    static int forked; // race
    static int beside; // race
    private static int locked;

    private static synchronized int lock() {
        return locked++;
    }

    public static void main(String[] args) throws Exception {
        try (var scope = StructuredTaskScope.open()) {
            for (int n = 0; n < 2; n++) {
                scope.fork(() -> forked++);
                scope.fork(Scopes::lock);
            }
            scope.fork(() -> beside = 1);
            beside = 2;
            scope.join();
        }
    }
}
