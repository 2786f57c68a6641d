package app;

/** In a named module. */
public final class Main {
    static int racy; // race: Main.racy
    static int guarded;

    static synchronized void add() {
        guarded++;
    }

    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            Thread thread = new Thread(() -> {
                racy++;
                add();
            });
            thread.start();
            while (thread.getThreadGroup() != null) { // in place of join, which orders what it waits for
                Thread.yield();
            }
        }
        System.out.println(Main.class.getModule() + " " + Main.class.getDeclaredFields().length);
    }
}
