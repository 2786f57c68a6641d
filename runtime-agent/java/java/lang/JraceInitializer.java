package java.lang;

/** A class initializer that runs, or has run. What it did, others see only after its end: nobody can use the class before. */
final class JraceInitializer {
    /** The initializer of another class that this one runs in; null if in none. */
    final JraceInitializer outer;
    volatile boolean hasEnded;

    JraceInitializer(JraceInitializer outer) {
        this.outer = outer;
    }
}
