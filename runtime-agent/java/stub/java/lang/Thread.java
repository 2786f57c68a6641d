package java.lang;

/**
 * Stands for the woven {@code Thread} when the helper class is compiled: what the helper uses of it, and the fields that
 * weaving adds ({@code facts::hook::THREAD_FIELDS}). Its class file is thrown away.
 */
public class Thread {
    int $jrace$others;
    int $jrace$read;
    int $jrace$write;
    JraceShadow[] $jrace$arrays;
    JraceContext $jrace$context;
    long $jrace$lane;
    int $jrace$quiet;
    JraceStamp $jrace$reads;
    JraceStamp $jrace$writes;

    protected Thread() {}

    public static native Thread currentThread();

    public static native boolean holdsLock(Object lock);

    public final native boolean isAlive();

    public final native String getName();

    /** Its class file is thrown away, too. */
    public enum State {
        TERMINATED
    }
}
