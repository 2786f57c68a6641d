package redefine;

/** Takes the original's place. */
final class Target {
    int racyBefore;
    int racyAfter;
    int guarded;
    static int statically;

    synchronized String answer() {
        synchronized (Target.class) {
            guarded += 2;
        }
        return "redefined constant-1";
    }

    void touch(boolean after) {
        if (after) {
            racyAfter += 2;
            statically += guarded;
        }
    }
}
