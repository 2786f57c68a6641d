package retired;

/** Fields of which one races everywhere, and another one late. */
final class Node {
    // race: Node.total
    private static int total;

    // race: Node.count
    private int count;
    // race: Node.late
    private int late;

    static void countStatically() {
        total++;
    }

    void count() {
        count++;
    }

    void touch() {
        late++;
    }

    int sum() {
        return total + count;
    }
}
