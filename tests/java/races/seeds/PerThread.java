package seeds;

/** Each thread has its own object, which is one object to the analysis. */
public class PerThread {
    static class Counter {
        int count; // false-alarm: what a ThreadLocal holds counts as one for all threads
    }

    private static final ThreadLocal<Counter> COUNTER = ThreadLocal.withInitial(Counter::new);

    public static void main(String[] args) {
        Runnable work = () -> COUNTER.get().count++;
        new Thread(work).start();
        work.run();
    }
}
