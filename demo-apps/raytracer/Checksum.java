package raytracer;

/** The sum over all pixels, kept up to date by the workers. */
final class Checksum {
    // race: Checksum.value
    private long value;

    /** The caller is to hold a lock. */
    void add(long rgb) {
        value += rgb;
    }

    long value() {
        return value;
    }
}
