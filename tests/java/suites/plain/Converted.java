package plain;

/** JUnit makes it of a text, by a method that no annotation marks. */
final class Converted {
    int made; // race: Converted.made
    private final String text;

    private Converted(String text) {
        this.text = text;
    }

    static Converted of(String text) {
        return new Converted(text);
    }

    @Override
    public String toString() {
        return text;
    }
}
