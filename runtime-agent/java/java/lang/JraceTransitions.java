package java.lang;

/**
 * Transitions of states that a thread has made lately: from a state, by a stamp, to a state. So locations to which the same happens
 * share their states. The thread knows it weakly, since it has states that no location has any more, with the stamps of others.
 */
final class JraceTransitions {
    private static final int MOST = 64;

    private final JraceState[] from = new JraceState[MOST];
    private final JraceStamp[] by = new JraceStamp[MOST];
    private final JraceState[] to = new JraceState[MOST];

    /** Where a transition leads; null if it is not known. */
    JraceState get(JraceState state, JraceStamp stamp) {
        int at = at(state, stamp);
        return from[at] == state && by[at] == stamp ? to[at] : null;
    }

    void put(JraceState state, JraceStamp stamp, JraceState next) {
        int at = at(state, stamp);
        from[at] = state;
        by[at] = stamp;
        to[at] = next;
    }

    private static int at(JraceState state, JraceStamp stamp) {
        return (state.hash ^ stamp.hash >>> 7) >>> 16 & MOST - 1;
    }
}
