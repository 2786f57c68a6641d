package montecarlo;

/** How far all workers are together; guarded by its monitor. */
final class Totals {
    private int paths;

    synchronized void pathDone() {
        paths++;
    }

    synchronized int paths() {
        return paths;
    }
}
