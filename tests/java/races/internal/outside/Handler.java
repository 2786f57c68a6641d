package outside;

/** Clients hand one in. */
public interface Handler {
    void handle();
}
