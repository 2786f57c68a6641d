package pingpong;

/**
 * Two players hit a ball in turn. The turn is passed under a monitor, the ball goes with it without a lock (ordered,
 * yet outside the locking discipline), and a note is written just after the turn was given away (a race).
 *
 * <p>Argument: strokes of each player.
 */
public final class PingPong {
    private static final int PLAYERS = 2;

    private PingPong() {}

    public static void main(String[] args) throws InterruptedException {
        int strokes = args.length > 0 ? Integer.parseInt(args[0]) : 300;
        Table table = new Table(PLAYERS);
        Ball ball = new Ball();
        Thread[] threads = new Thread[PLAYERS];
        for (int i = 0; i < PLAYERS; i++) {
            threads[i] = new Thread(new Player(table, ball, i, strokes));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("hits: " + ball.hits());
    }
}
