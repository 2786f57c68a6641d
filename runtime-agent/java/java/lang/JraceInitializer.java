package java.lang;

/** A class initializer that runs, or has run. What it did, others see only after its end: nobody can use the class before. */
final class JraceInitializer {
    /** What is kept of its class; null if that is not known. */
    final JraceShadow of;
    /** The initializer of another class that this one runs in; null if in none. */
    final JraceInitializer outer;
    volatile boolean hasEnded;
    /** What its thread had done and known at its end, for those who use the class. */
    JraceClock end;

    JraceInitializer(JraceShadow of, JraceInitializer outer) {
        this.of = of;
        this.outer = outer;
    }
}
