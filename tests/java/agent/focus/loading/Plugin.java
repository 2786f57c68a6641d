package loading;

/** Takes no lock. */
public final class Plugin implements Runnable {
    @Override
    public void run() {
        Counter.counted++;
    }
}
