package seeds;

/** What the main thread does before it starts another one, and what one thread does for itself. */
public class Phases extends Thread {
    private static int before;
    private static int during; // race
    private int own;
    private final StringBuilder log = new StringBuilder();

    @Override
    public void run() {
        own += before;
        during++;
        log.append(own);
    }

    static void prepare() {
        before = 7;
        during = 7;
    }

    public static void main(String[] args) {
        prepare();
        Phases thread = new Phases();
        thread.own = 1;
        thread.start();
        during++;
    }
}
