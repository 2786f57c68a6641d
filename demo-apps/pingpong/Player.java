package pingpong;

/** Plays a fixed number of strokes, waiting for its turn before each. */
final class Player implements Runnable {
    private final Table table;
    private final Ball ball;
    private final int id;
    private final int strokes;

    Player(Table table, Ball ball, int id, int strokes) {
        this.table = table;
        this.ball = ball;
        this.id = id;
        this.strokes = strokes;
    }

    @Override
    public void run() {
        try {
            for (int stroke = 0; stroke < strokes; stroke++) {
                table.awaitTurn(id);
                ball.hit();
                table.passTurn();
                table.noteLast(id);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a player", e);
        }
    }
}
