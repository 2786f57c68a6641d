package chosen;

/** What the library's own classes implement, too: a client that uses one of them starts no other. */
public interface Module {
    void start();
}
