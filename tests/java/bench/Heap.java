/** Builds a million objects of two references and two numbers, and prints the heap in use afterwards, in bytes. */
final class Heap {
    private Heap left;
    private Heap right;
    private int key;
    private int count;

    public static void main(String[] args) {
        Heap root = new Heap();
        for (int i = 1; i < 1_000_000; i++) {
            root.insert(Integer.reverse(i * 0x9E3779B9));
        }
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        System.out.println(runtime.totalMemory() - runtime.freeMemory());
        if (root.count < 0) {
            throw new AssertionError();
        }
    }

    private void insert(int newKey) {
        Heap at = this;
        while (true) {
            at.count++;
            Heap next = newKey < at.key ? at.left : at.right;
            if (next == null) {
                Heap added = new Heap();
                added.key = newKey;
                if (newKey < at.key) {
                    at.left = added;
                } else {
                    at.right = added;
                }
                return;
            }
            at = next;
        }
    }
}
