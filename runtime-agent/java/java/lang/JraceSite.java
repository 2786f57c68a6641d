package java.lang;

/** What type discovery keeps of a site. Threads may lose each other's counts. */
final class JraceSite {
    /** Visits weigh more the more they tell; at this weight they have told enough. */
    private static final int ENOUGH = 1 << 12;
    private static final int SAMPLED = ENOUGH >> 8;
    private static final int SHARED = ENOUGH >> 4;

    /** Where the field of the site is, as for every recorded site. */
    long where;
    /** How many objects the site has yet to meet until one is sampled. */
    int left;
    /** How many of its accesses to a static field were recorded once that was shared. */
    int late;

    private int weight;
    /** The first thread that was seen here, and whether there was another one. */
    private int thread;
    private boolean isOfSeveral;
    private boolean isKnown;

    /** Counts a visit by a thread; says whether there were enough. */
    boolean visit(boolean sampled, boolean shared, int by) {
        if (thread == 0) {
            thread = by;
        }
        isOfSeveral |= thread != by;
        if (weight < ENOUGH) {
            weight += sampled ? shared ? SHARED : SAMPLED : 1;
        }
        return weight >= ENOUGH;
    }

    /** Whether enough is known of the site, which is so when several threads have visited it often enough; said once. */
    boolean becomesKnown() {
        boolean becomes = !isKnown && isOfSeveral && weight >= ENOUGH;
        isKnown |= becomes;
        return becomes;
    }
}
