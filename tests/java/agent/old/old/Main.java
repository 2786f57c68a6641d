package old;

/** Compiled for Java 8: class files of version 52, with accessors for private members. */
public final class Main {
    private int racy; // race: Main.racy
    private static int guarded;

    private static final class Inner {
        private int racy; // race: Main$Inner.racy

        private static synchronized void guarded() {
            guarded++;
        }

        private void touch(Main main) {
            main.racy++;
            racy++;
            synchronized (Main.class) {
                synchronized (Inner.class) {
                    guarded++;
                }
            }
        }
    }

    private enum Kind {
        ONE, TWO;

        static final int[] COUNTS = new int[2]; // race: Main$Kind.COUNTS[]
    }

    public static void main(String[] args) {
        Main main = new Main();
        Inner inner = new Inner();
        for (int i = 0; i < 3; i++) {
            Thread thread = new Thread(() -> {
                inner.touch(main);
                Inner.guarded();
                Kind.COUNTS[Kind.TWO.ordinal()]++;
                String text = "joined " + inner.racy;
                assert text.length() > 3;
            });
            thread.start();
            while (thread.getThreadGroup() != null) { // in place of join, which orders what it waits for
                Thread.yield();
            }
        }
    }
}
