package alone;

/** Clients get an object of a class that they cannot name, and give it back. */
public class ReturnedAsObject {
    private static final class Count {
        int returned; // race
    }

    public Object count() {
        return new Count();
    }

    public void touch(Object count) {
        ((Count) count).returned++;
    }
}
