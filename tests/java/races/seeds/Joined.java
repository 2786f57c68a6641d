package seeds;

/** What comes after a join is ordered, if the join is on every way, of that very thread, after its start. */
public class Joined extends Thread {
    private int sum;
    private int[] parts = new int[2];
    private static int inCallee;
    private static int inNext;
    private static int kept; // race
    private static int swallowed; // race
    private static int timed; // race
    private static int onOneWay; // race
    private static int tooEarly; // race
    private static int other; // race

    @Override
    public void run() {
        sum = 1;
        parts[0] = 1;
        inCallee = 1;
        inNext = 1;
        kept = 1;
    }

    static void finish(Joined thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void handled() {
        Thread thread = new Thread(() -> swallowed = 1);
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            System.out.println("not joined");
        }
        swallowed++;
    }

    static void limited() throws InterruptedException {
        Thread thread = new Thread(() -> timed = 1);
        thread.start();
        thread.join(1);
        timed++;
    }

    static void sometimes(boolean really) throws InterruptedException {
        Thread thread = new Thread(() -> onOneWay = 1);
        thread.start();
        if (really) {
            thread.join();
        }
        onOneWay++;
    }

    static void before() throws InterruptedException {
        Thread thread = new Thread(() -> tooEarly = 1);
        thread.join();
        thread.start();
        tooEarly++;
    }

    static void another() throws InterruptedException {
        Thread joined = new Thread(() -> other = 1);
        Thread left = new Thread(() -> other = 2);
        joined.start();
        left.start();
        joined.join();
        other++;
    }

    public static void main(String[] args) throws InterruptedException {
        Joined thread = new Joined();
        thread.start();
        kept++;
        finish(thread);
        System.out.println(thread.sum + thread.parts[0]);
        inCallee++;
        new Thread(() -> inNext++).start();
        handled();
        limited();
        sometimes(args.length > 0);
        before();
        another();
    }
}
