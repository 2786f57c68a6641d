package ended;

/** Many virtual threads that have ended, and two threads that race after them. */
public final class Main {
    static int racy; // race: Main.racy

    public static void main(String[] args) throws InterruptedException {
        boolean joins = args[1].equals("joined");
        for (int i = Integer.parseInt(args[0]); i > 0; i--) {
            Thread thread = Thread.startVirtualThread(() -> {});
            if (joins) {
                thread.join();
            } else if (i % 100 == 0) {
                Thread.sleep(1);
            }
        }
        Thread first = new Thread(() -> racy++);
        first.start();
        Thread.sleep(100);
        Thread second = new Thread(() -> racy++);
        second.start();
        first.join();
        second.join();
    }
}
