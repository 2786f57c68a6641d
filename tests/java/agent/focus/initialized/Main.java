package initialized;

/** An initializer runs in whichever thread comes first, and changes more than its own class. */
public final class Main {
    static int counted; // race: Main.counted
    static final Main MAIN = new Main();
    int kept; // race: Main.kept

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

    public static void main(String[] args) throws InterruptedException {
        counted = 1;
        MAIN.kept = 1;
        Thread late = new Thread(Late::own);
        late.start();
        count();
        late.join();
    }

    private static void count() {
        counted++;
        MAIN.kept++;
    }
}
