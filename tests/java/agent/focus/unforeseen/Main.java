package unforeseen;

import util.Threads;

/** The code that the JVM makes for records calls what no instruction calls. */
public final class Main {
    private Main() {}

    record Pair(Box box, int number) {}

    static final class Box {
        static int shown; // race: Main$Box.shown

        @Override
        public String toString() {
            shown++;
            count();
            return "box";
        }
    }

    static int counted; // race: Main.counted

    static void count() {
        counted++;
    }

    private static void show() {
        Pair pair = new Pair(new Box(), 1);
        for (int i = 0; i < 3; i++) {
            if (pair.toString().isEmpty()) {
                throw new IllegalStateException();
            }
        }
    }

    public static void main(String[] args) {
        count();
        Threads.each(Main::show, Main::show, Main::show);
    }
}
