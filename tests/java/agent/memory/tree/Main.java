package tree;

import java.util.Random;

/** Four threads put so many numbers each into one tree, under its monitor: data that threads use in turn. */
public final class Main {
    private Node root;

    private Main() {}

    private static final class Node {
        private final int value;
        private Node less;
        private Node more;

        Node(int value) {
            this.value = value;
        }
    }

    private static Node with(Node node, int value) {
        if (node == null) {
            return new Node(value);
        }
        if (value < node.value) {
            node.less = with(node.less, value);
        } else {
            node.more = with(node.more, value);
        }
        return node;
    }

    private synchronized void add(int value) {
        root = with(root, value);
    }

    public static void main(String[] args) throws InterruptedException {
        int count = Integer.parseInt(args[0]);
        Main tree = new Main();
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            Random random = new Random(i);
            threads[i] = new Thread(() -> {
                for (int n = 0; n < count; n++) {
                    tree.add(random.nextInt());
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
