package alone;

/** Clients find an object of a class that they cannot name in a field, and give it back. */
public class HeldAsObject {
    public Object count;

    private static final class Count {
        int held; // race
    }

    public HeldAsObject() {
        count = new Count();
    }

    public void touch(Object count) {
        ((Count) count).held++;
    }
}
