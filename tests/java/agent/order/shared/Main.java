package shared;

/** Two threads write a field one after the other, or read what the first of them has written and read; a third one has its own. */
public final class Main {
    private int inTurn;
    private int readInTurn;
    private int own;
    private volatile boolean handedOver;

    public static void main(String[] args) throws InterruptedException {
        Main main = new Main();
        for (int i = 0; i < 2; i++) {
            int value = i;
            run(() -> main.inTurn = value);
        }
        run(() -> {
            main.readInTurn = 1;
            main.handedOver = true;
            check(main.readInTurn);
        });
        run(() -> check(main.readInTurn));
        run(() -> {
            main.own = 1;
            main.own = 2;
        });
    }

    private static void check(int value) {
        if (value != 1) {
            throw new AssertionError();
        }
    }

    private static void run(Runnable task) throws InterruptedException {
        Thread thread = new Thread(task);
        thread.start();
        thread.join();
    }
}
