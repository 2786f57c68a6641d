package unparallel;

/** Two threads that never meet, which the code does not say. */
final class Workers {
    private static int first;
    private static int both;

    private Workers() {}

    public static void main(String[] args) {
        new Thread(new Early()).start();
        new Thread(new Early()).start();
        new Thread(new Late()).start();
    }

    private static final class Early implements Runnable {
        @Override
        public void run() {
            first = 1;
            both++;
        }
    }

    private static final class Late implements Runnable {
        @Override
        public void run() {
            both += first;
        }
    }
}
