package chosen;

/** Chosen, but clients know it as a module only. */
class Hidden implements Module {
    private int runs; // race

    @Override
    public void start() {
        runs++;
    }
}
