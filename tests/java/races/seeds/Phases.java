package seeds;

/** What the main thread does before it starts another one, and what one thread does for itself. */
public class Phases extends Thread {
    private static int before;
    private static int beforeBoth;
    private static int during; // race
    private static int between;
    private static int betweenAndFirst; // race: the first thread reads it too
    private static int relayed; // race: a thread that has begun starts the one that reads it
    private static int inRounds; // race
    private static int atRandom; // race
    private int own;
    private final StringBuilder log = new StringBuilder();

    @Override
    public void run() {
        own += before + first();
        during++;
        log.append(own);
        new Relay().start();
    }

    static int first() {
        return beforeBoth + betweenAndFirst;
    }

    static final class Relay extends Thread {
        @Override
        public void run() {
            System.out.println(relayed);
        }
    }

    static final class Second implements Runnable {
        @Override
        public void run() {
            System.out.println(between + first());
        }
    }

    static final class Round extends Thread {
        @Override
        public void run() {
            System.out.println(inRounds);
        }
    }

    static final class Chance extends Thread {
        @Override
        public void run() {
            System.out.println(atRandom);
        }
    }

    static void prepare() {
        before = 7;
        beforeBoth = 7;
        during = 7;
    }

    static void prepareSecond() {
        between = 7;
        betweenAndFirst = 7;
        relayed = 7;
    }

    public static void main(String[] args) {
        prepare();
        Phases thread = new Phases();
        thread.own = 1;
        thread.start();
        during++;
        prepareSecond();
        new Thread(new Second()).start();
        for (int n = 0; n < 2; n++) {
            inRounds = n;
            new Round().start();
        }
        if (args.length > 0) {
            new Chance().start();
        }
        atRandom = 1;
    }
}
