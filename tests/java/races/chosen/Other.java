package chosen;

/** Implements what the chosen class does, and extends what it does; nobody runs it. */
public class Other extends Base implements Module {
    private int started;

    @Override
    public void start() {
        started++;
    }

    @Override
    public void count() {
        started--;
    }

    public static Runnable task() {
        return new Kept();
    }
}
