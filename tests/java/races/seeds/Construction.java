package seeds;

/** Objects that get out of their constructors in the constructor of the class above, and late. */
public class Construction {
    static class Starting extends Thread {
        Starting() {
            start();
        }
    }

    static class Above extends Starting {
        private int seen; // race

        Above() {
            super();
            seen = 1;
            seen++;
        }

        @Override
        public void run() {
            seen++;
        }
    }

    static class Late extends Thread {
        private int early;

        Late() {
            early = 1;
            register();
        }

        private void register() {
            start();
        }

        @Override
        public void run() {
            early++;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        new Above().join();
        new Late().join();
    }
}
