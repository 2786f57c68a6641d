package redefine;

/** Redefined and retransformed while it is used. */
final class Target {
    int racyBefore; // race: Target.racyBefore
    int racyAfter; // race: Target.racyAfter
    int guarded; // false-alarm: Target.guarded -- read after every writer was joined
    static int statically; // race: Target.statically

    synchronized String answer() {
        guarded++;
        return "original constant-1";
    }

    void touch(boolean after) {
        if (after) {
            racyAfter++;
            statically++;
        } else {
            racyBefore++;
        }
    }
}
