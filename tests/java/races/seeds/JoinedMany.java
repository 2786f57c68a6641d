package seeds;

/** Two threads do the same: each waits for its own, and not for that of the other. */
public class JoinedMany {
    private static final Object LOCK = new Object();
    private static int many; // race

    private static void work() {
        Thread own = new Thread(() -> {
            if (many < 0) {
                throw new IllegalStateException();
            }
        });
        own.start();
        try {
            own.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        synchronized (LOCK) {
            many++;
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            new Thread(JoinedMany::work).start();
        }
    }
}
