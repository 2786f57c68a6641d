package seeds;

/** Loops that join all threads of an array, and some that leave one out. */
public class JoinedArrays {
    static class Worker extends Thread {
        int done;
        final int[] results;
        final int place;

        Worker(int[] results, int place) {
            this.results = results;
            this.place = place;
        }

        @Override
        public void run() {
            results[place] = 1;
            done = 1;
        }
    }

    private static int filled;
    private static int counted;
    private static int listed;
    private static int swallowed; // race
    private static int replaced; // race
    private static int skipped; // race
    private static int broken; // race
    private static int late; // race
    private static int unstored; // race
    private static int leaked; // race
    private static int overwritten; // race

    static void filled(int n) throws InterruptedException {
        Thread[] threads = new Thread[n];
        for (int i = 0; i < n; i++) {
            threads[i] = new Thread(() -> {
                synchronized (JoinedArrays.class) {
                    filled++;
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        filled++;
    }

    static void counted(int n) throws InterruptedException {
        int[] results = new int[4];
        Worker[] workers = new Worker[n];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Worker(results, i) {
                @Override
                public void run() {
                    synchronized (JoinedArrays.class) {
                        counted++;
                    }
                }
            };
        }
        for (Worker worker : workers) {
            worker.start();
        }
        for (int i = 0; i < n; i++) {
            workers[i].join();
        }
        counted++;
        System.out.println(workers[0].done + results[0]);
    }

    static void listed() throws InterruptedException {
        Thread[] threads = {new Thread(() -> listed = 1), new Thread(() -> System.out.println())};
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        listed++;
    }

    static void swallowed(int n) {
        Thread[] threads = new Thread[n];
        for (int i = 0; i < n; i++) {
            threads[i] = new Thread(() -> swallowed = 1);
            threads[i].start();
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                System.out.println("not joined");
            }
        }
        swallowed++;
    }

    static void replaced(int n) throws InterruptedException {
        Thread[] threads = new Thread[1];
        for (int i = 0; i < n; i++) {
            threads[0] = new Thread(() -> replaced = 1);
            threads[0].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        replaced++;
    }

    static void skipped(int n) throws InterruptedException {
        Thread[] threads = new Thread[n];
        for (int i = 0; i < n; i++) {
            threads[i] = new Thread(() -> skipped = 1);
            threads[i].start();
        }
        for (int i = 1; i < n; i++) {
            threads[i].join();
        }
        skipped++;
    }

    static void broken(int n) throws InterruptedException {
        Thread[] threads = new Thread[n];
        for (int i = 0; i < n; i++) {
            threads[i] = new Thread(() -> broken = 1);
            threads[i].start();
        }
        for (Thread thread : threads) {
            if (thread.isDaemon()) {
                break;
            }
            thread.join();
        }
        broken++;
    }

    static void late(int n) throws InterruptedException {
        Thread[] threads = new Thread[n];
        for (int i = 0; i < n; i++) {
            threads[i] = new Thread(() -> late = 1);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
            threads[0].start();
        }
        late++;
    }

    static void unstored(int n) throws InterruptedException {
        Thread[] threads = new Thread[n];
        for (int i = 0; i < n; i++) {
            Thread thread = new Thread(() -> unstored = 1);
            thread.start();
            if (i > 1) {
                threads[i] = thread;
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        unstored++;
    }

    static void forget(Thread[] threads) {
        threads[0] = new Thread();
    }

    static void leaked(int n) throws InterruptedException {
        Thread[] threads = new Thread[n];
        for (int i = 0; i < n; i++) {
            threads[i] = new Thread(() -> leaked = 1);
            threads[i].start();
        }
        forget(threads);
        for (Thread thread : threads) {
            thread.join();
        }
        leaked++;
    }

    static void overwritten(int n) throws InterruptedException {
        Thread[] threads = new Thread[n];
        for (int k = 0; k < 2; k++) {
            for (int i = 0; i < n; i++) {
                threads[i] = new Thread(() -> overwritten = 1);
                threads[i].start();
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        overwritten++;
    }

    public static void main(String[] args) throws InterruptedException {
        filled(args.length);
        counted(args.length);
        listed();
        swallowed(args.length);
        replaced(args.length);
        skipped(args.length);
        broken(args.length);
        late(args.length);
        unstored(args.length);
        leaked(args.length);
        overwritten(args.length);
    }
}
