package client;

public final class Final {
    private int unreached;

    protected void hit() {
        unreached++;
    }
}
