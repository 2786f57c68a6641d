package seeds;

/** What comes after a join is ordered, which is not seen. */
public class Joined extends Thread {
    private int sum; // false-alarm: joins are not followed
    private int[] parts = new int[2]; // false-alarm: joins are not followed

    @Override
    public void run() {
        sum = 1;
        parts[0] = 1;
    }

    public static void main(String[] args) throws InterruptedException {
        Joined thread = new Joined();
        thread.start();
        thread.join();
        System.out.println(thread.sum + thread.parts[0]);
    }
}
