package java.lang;

/** The words of a thread that has no fields for them. */
final class JraceWords {
    int others;
    int read;
    int write;
    JraceShadow[] arrays;
    JraceContext context;
    long lane;
    int quiet;
}
