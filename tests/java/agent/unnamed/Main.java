/** Without a package. */
public final class Main {
    static int racy; // race: Main.racy
    int guarded;

    synchronized void add() {
        guarded++;
    }

    public static void main(String[] args) {
        Main main = new Main();
        for (int i = 0; i < 3; i++) {
            Thread thread = new Thread(() -> {
                racy++;
                main.add();
            });
            thread.start();
            while (thread.getThreadGroup() != null) { // in place of join, which orders what it waits for
                Thread.yield();
            }
        }
    }
}
