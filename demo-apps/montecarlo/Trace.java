package montecarlo;

/** The debug switch of the whole program. */
final class Trace {
    // race: Trace.on
    private static boolean on;

    private Trace() {}

    /** Bug: static and unlocked, so switching it on for one path also traces paths of other threads. */
    static void set(boolean value) {
        on = value;
    }

    static boolean isOn() {
        return on;
    }
}
