package pingpong;

/** The ball. Only the player whose turn it is touches it, and no lock is needed for that. */
final class Ball {
    // false-alarm: Ball.hits -- the turn passes from player to player under the table's monitor, which orders the hits
    private int hits;

    void hit() {
        hits++;
    }

    int hits() {
        return hits;
    }
}
