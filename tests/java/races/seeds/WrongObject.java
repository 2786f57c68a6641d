package seeds;

/** A lock of another object of the same class. */
public class WrongObject {
    private int wrong; // race
    private int right;

    void change(WrongObject other) {
        synchronized (other) {
            wrong++;
        }
        synchronized (this) {
            right++;
        }
    }

    public static void main(String[] args) {
        WrongObject[] both = {new WrongObject(), new WrongObject()};
        new Thread(() -> both[0].change(both[1])).start();
        both[0].change(both[0]);
    }
}
