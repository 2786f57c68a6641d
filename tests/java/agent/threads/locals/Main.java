package locals;

import static util.Threads.each;

/** What only one thread uses is no race, however many threads there are; nor is what threads only read. */
final class Node {
    int value;
    Node next;
    final int[] cells = new int[8];
}

public final class Main {
    static final Node[] OWN = new Node[50];
    static int[] table;
    static final Node READ_ONLY = new Node();

    static int work(int me) {
        Node head = null;
        for (int i = 0; i < 100; i++) {
            Node node = new Node();
            node.next = head;
            node.value = i;
            node.cells[i & 7] = i;
            head = node;
        }
        int sum = 0;
        for (Node node = head; node != null; node = node.next) {
            sum += node.value + node.cells[3] + READ_ONLY.value + table[me];
        }
        return sum;
    }

    public static void main(String[] args) {
        table = new int[50];
        READ_ONLY.value = 1;
        for (int i = 0; i < 50; i++) {
            int me = i;
            each(() -> {
                if (work(me) < 0) {
                    System.out.println("negative");
                }
            });
        }
    }
}
