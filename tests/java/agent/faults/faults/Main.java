package faults;

/** Two threads add to a number; the exit code is 7 if anything is thrown. */
public final class Main {
    private int number;

    public static void main(String[] args) throws InterruptedException {
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> System.exit(7));
        Main main = new Main();
        Thread thread = new Thread(main::add);
        thread.start();
        main.add();
        thread.join();
        main.add();
    }

    private void add() {
        number++;
    }
}
