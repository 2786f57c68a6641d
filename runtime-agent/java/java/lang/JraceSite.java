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

    /** Counts a visit; says whether there were enough. */
    boolean visit(boolean sampled, boolean shared) {
        if (weight < ENOUGH) {
            weight += sampled ? shared ? SHARED : SAMPLED : 1;
        }
        return weight >= ENOUGH;
    }
}
