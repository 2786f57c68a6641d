package pool;

/** What is pooled. It counts its uses under its own lock, because the pool may hand it to two clients at once. */
final class Resource {
    private int uses;

    synchronized void use() {
        uses++;
    }
}
