package client;

public class Derived extends Base {
    private final Hidden hidden = new Hidden();

    public synchronized void use() {
        hidden.hit();
    }
}
