package owners;

/** A field for each owner that a run can show. Threads take turns: which one comes first is always the same. */
public final class Main {
    static final Object LOCK = new Object();
    static int counted; // owner: Main.counted lock class owners.Main

    static final class Shared {
        Object own = new Object();
        int mine; // owner: Main$Shared.mine lock this
        int byClass; // owner: Main$Shared.byClass lock class owners.Main
        int byOneLock; // owner: Main$Shared.byOneLock lock same java.lang.Object
        int byOwnLock; // owner: Main$Shared.byOwnLock lock other java.lang.Object
        int settled; // owner: Main$Shared.settled read-only
        int alone; // owner: Main$Shared.alone this-thread
        int passed; // owner: Main$Shared.passed unique
        int loose; // owner: Main$Shared.loose none
        int touched; // owner: Main$Shared.touched none

        Shared(int n) {
            settled = n;
            passed = n;
            loose = n;
            alone = n;
        }

        synchronized void add(int n) {
            mine += n;
        }

        void use() {
            add(settled);
            synchronized (Main.class) {
                byClass++;
                counted++;
            }
            synchronized (LOCK) {
                byOneLock++;
            }
            synchronized (own) {
                byOwnLock++;
            }
            passed++;
            loose++;
        }
    }

    /** No run comes here. */
    static void reset(Shared shared) {
        synchronized (shared) {
            shared.mine = 0;
        }
        // Seeded: shared.settled = 0;
    }

    static void run(Runnable code) throws InterruptedException {
        Thread thread = new Thread(code);
        thread.start();
        thread.join();
    }

    public static void main(String[] arguments) throws InterruptedException {
        Shared[] all = {new Shared(1), new Shared(2)};
        for (Shared shared : all) {
            run(shared::use);
            run(shared::use);
            synchronized (shared) {
                shared.touched++;
            }
            run(() -> shared.touched += shared.touched++);
            synchronized (shared) {
                shared.touched++;
            }
            shared.loose++;
            shared.alone++;
            if (arguments.length > 0) {
                reset(shared);
            }
        }
    }
}
