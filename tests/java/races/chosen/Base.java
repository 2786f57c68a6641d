package chosen;

/** What the class that clients use has from another. */
public class Base {
    private int counted; // race

    public void count() {
        counted++;
    }
}
