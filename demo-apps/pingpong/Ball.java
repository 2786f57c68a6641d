package pingpong;

/** The ball. Only the player whose turn it is touches it, and no lock is needed for that. */
final class Ball {
    // ordered: Ball.hits -- the turn passes from player to player under the table's monitor, which orders the hits
    private int hits;

    void hit() {
        hits++;
    }

    int hits() {
        return hits;
    }
}
