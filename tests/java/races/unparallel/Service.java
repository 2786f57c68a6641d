package unparallel;

/** Clients open a service before anybody is served, which the code does not say. */
public final class Service {
    private int configuration;
    private int served;
    private int calls;

    public void open(int configuration) {
        called();
        this.configuration = configuration;
    }

    public int serve() {
        called();
        served++;
        return configuration;
    }

    private void called() {
        calls++;
    }
}
