package plain;

/** What goes through JUnit's store. */
final class Kept {
    int uses; // race: Kept.uses
}
