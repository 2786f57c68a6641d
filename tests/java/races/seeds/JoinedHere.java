package seeds;

/** A method waits for the thread that it has started, and goes on. */
public class JoinedHere extends Thread {
    private static int after;
    private static int inCallee;
    private static int between; // race

    @Override
    public void run() {
        after++;
        inCallee++;
        between++;
    }

    private static void callee() {
        inCallee++;
    }

    public static void main(String[] args) throws InterruptedException {
        JoinedHere thread = new JoinedHere();
        thread.start();
        between++;
        thread.join();
        after++;
        callee();
    }
}
