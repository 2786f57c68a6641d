package killed;

/** A thread dies of an exception that comes from outside its own code, inside its locks. */
public final class Main {
    static int guarded;
    static int racy; // race: Main.racy
    static final Object LOCK = new Object();
    static Object nothing;

    static synchronized void hold(Runnable body) {
        synchronized (LOCK) {
            guarded++;
            body.run();
        }
    }

    static void attempt(Runnable body) {
        Thread thread = new Thread(() -> hold(body));
        thread.setUncaughtExceptionHandler((t, error) -> {
            System.out.println(error);
            racy++;
        });
        thread.start();
        util.Threads.waitForEnd(thread);
    }

    public static void main(String[] args) {
        attempt(() -> nothing.hashCode());
        attempt(() -> System.out.println(1 / (guarded - guarded)));
        attempt(() -> System.out.println((String) (Object) 1));
        attempt(() -> {
            throw new Error("thrown");
        });
        attempt(() -> {
            Thread.currentThread().interrupt();
            synchronized (LOCK) {
                try {
                    LOCK.wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException("interrupted");
                }
            }
        });
        attempt(() -> {
            try {
                Class.forName("no.such.Class");
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException(e);
            }
        });
        hold(() -> guarded++);
    }
}
