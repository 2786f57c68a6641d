package alone;

/** Clients ask it for a text, as every object. */
public interface Told {
    void tell();

    static Told one() {
        return new Counted();
    }
}

final class Counted implements Told {
    private int told; // race

    @Override
    public synchronized void tell() {
        told++;
    }

    @Override
    public String toString() {
        return "told " + told;
    }
}
