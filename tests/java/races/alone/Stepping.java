package alone;

/** Gives out lambdas of an interface whose method is the JDK's. */
public class Stepping {
    private int stepped; // race

    /** What clients run. */
    public interface Step extends Runnable {}

    public Step step() {
        return () -> stepped++;
    }

    public synchronized int stepped() {
        return stepped;
    }
}
