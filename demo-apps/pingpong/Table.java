package pingpong;

/** Whose turn it is, guarded by the monitor, and a note about the last player that is not. */
final class Table {
    private final int players;
    private int turn;
    // race: Table.lastPlayer
    private int lastPlayer;

    Table(int players) {
        this.players = players;
    }

    synchronized void awaitTurn(int player) throws InterruptedException {
        while (turn != player) {
            wait();
        }
    }

    synchronized void passTurn() {
        turn = (turn + 1) % players;
        notifyAll();
    }

    /** Bug: called after the turn was passed, when the other player already runs. */
    void noteLast(int player) {
        lastPlayer = player;
    }
}
