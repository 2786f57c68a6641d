package seeds;

/** A constructor that starts a thread on its object before it is complete, and one that does not. */
public class LeakedThis implements Runnable {
    private int late; // race
    private int early;

    LeakedThis() {
        early = 1;
        new Thread(this).start();
        late = 1;
    }

    @Override
    public void run() {
        System.out.println(late + early);
    }

    public static void main(String[] args) {
        new LeakedThis();
    }
}
