package initialized;

import util.Threads;

/** An initializer runs in whichever thread comes first, and changes more than its own class. */
public final class Main {
    static int counted; // chance: Main.counted -- by order, what an initializer does comes before all that follows its end
    static final Main MAIN = new Main();
    int kept; // chance: Main.kept -- so it does

    private Main() {}

    static final class Late {
        static int own;
        static final int[] MADE = new int[1];

        static {
            counted++;
            MAIN.kept++;
            own = 1;
            MADE[0] = 1;
        }

        static int own() {
            return own + MADE[0];
        }
    }

    public static void main(String[] args) {
        counted = 1;
        MAIN.kept = 1;
        Thread late = new Thread(Late::own);
        late.start();
        Threads.waitForEnd(late);
        count();
    }

    private static void count() {
        counted++;
        MAIN.kept++;
    }
}
