package seeds;

/** Joins that order nothing, each in a program of its own. */
public class JoinedWrongly {
    static class Early {
        private static int value; // race

        public static void main(String[] args) throws InterruptedException {
            Thread thread = new Thread(() -> value++);
            thread.join();
            thread.start();
            value++;
        }
    }

    static class Handled {
        private static int caught; // race

        public static void main(String[] args) {
            Thread thread = new Thread(() -> caught++);
            thread.start();
            try {
                thread.join();
            } catch (InterruptedException e) {
                caught = 0;
            }
            caught++;
        }
    }

    static class Timed {
        private static int waited; // race

        public static void main(String[] args) throws InterruptedException {
            Thread thread = new Thread(() -> waited++);
            thread.start();
            thread.join(1);
            waited++;
        }
    }

    static class Other {
        private static final Object LOCK = new Object();
        private static int left; // race

        public static void main(String[] args) throws InterruptedException {
            Thread joined = new Thread(() -> { });
            Thread other = new Thread(() -> {
                synchronized (LOCK) {
                    left++;
                }
            });
            joined.start();
            other.start();
            joined.join();
            left++;
        }
    }

    static class Deep {
        private static int twice; // race

        private static void outer() {
            inner();
        }

        private static void inner() {
            twice++;
        }

        public static void main(String[] args) throws InterruptedException {
            Thread thread = new Thread(() -> twice = 0);
            thread.start();
            outer();
            thread.join();
            outer();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Early.main(args);
        Handled.main(args);
        Timed.main(args);
        Other.main(args);
        Deep.main(args);
    }
}
