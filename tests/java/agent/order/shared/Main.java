package shared;

/** Two threads write a field one after the other, and a third one its own. */
public final class Main {
    private int inTurn;
    private int own;

    public static void main(String[] args) throws InterruptedException {
        Main main = new Main();
        for (int i = 0; i < 2; i++) {
            int value = i;
            run(() -> main.inTurn = value);
        }
        run(() -> {
            main.own = 1;
            main.own = 2;
        });
    }

    private static void run(Runnable task) throws InterruptedException {
        Thread thread = new Thread(task);
        thread.start();
        thread.join();
    }
}
