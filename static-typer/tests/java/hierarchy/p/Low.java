package p;

/** Overrides the method of its package, not the one of the other package between. */
public class Low extends q.Middle {
    int hidden() {
        return 30;
    }

    public int callLow() {
        return hidden();
    }

    public static int hiddenOf(Low low) {
        return low.hidden();
    }
}
