package chosen;

/** Runs in what clients call, also as a module. */
public class Inner implements Module {
    private int runs; // race

    @Override
    public void start() {
        runs++;
    }
}
