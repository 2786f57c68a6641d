package client;

public abstract class Abstract {
    private int extended; // race

    protected void hit() {
        extended++;
    }
}
