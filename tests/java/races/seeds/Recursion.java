package seeds;

import java.util.concurrent.locks.ReentrantLock;

/** Who calls holds the lock of one object; what calls itself goes on to others, which other threads reach by other ways. */
public class Recursion {
    static class Node {
        final Node next;
        final ReentrantLock lock = new ReentrantLock();
        int direct; // race: by recursion, with the lock of the first node only
        int mutual; // race: the same by two methods
        int open; // race: the same by an interface
        int passed; // race: the same of what is passed
        int swapped; // race: the parameters change places
        int explicit; // race: with the explicit lock of the first node only
        int kept;
        int keptByTwo;
        int keptBesides;
        int keptByEach;

        Node(Node next) {
            this.next = next;
        }

        void direct() {
            direct++;
            if (next != null) {
                next.direct();
            }
        }

        void even() {
            mutual++;
            if (next != null) {
                next.odd();
            }
        }

        void odd() {
            if (next != null) {
                next.even();
            }
        }

        void explicit() {
            explicit++;
            if (next != null) {
                next.explicit();
            }
        }

        void kept(int n) {
            kept++;
            if (n > 0) {
                kept(n - 1);
            }
        }

        void keptByOne(int n) {
            keptByTwo++;
            if (n > 0) {
                keptByOther(n - 1);
            }
        }

        void keptByOther(int n) {
            keptByTwo++;
            if (n > 0) {
                keptByOne(n - 1);
            }
        }

        void each() {
            synchronized (this) {
                keptByEach++;
            }
            if (next != null) {
                next.each();
            }
        }
    }

    interface Visitor {
        void visit(Node node);
    }

    static class Opener implements Visitor {
        public void visit(Node node) {
            node.open++;
            if (node.next != null) {
                Visitor again = this;
                again.visit(node.next);
            }
        }
    }

    static void passed(Node node) {
        node.passed++;
        if (node.next != null) {
            passed(node.next);
        }
    }

    static void swapped(Node one, Node other, int n) {
        one.swapped++;
        if (n > 0) {
            swapped(other, one, n - 1);
        }
    }

    static void keptBesides(Node one, Node other) {
        one.keptBesides++;
        if (other.next != null) {
            keptBesides(one, other.next);
        }
    }

    private final Node from;
    private final Node other;

    Recursion(Node from, Node other) {
        this.from = from;
        this.other = other;
    }

    void visit(Visitor visitor) {
        synchronized (from) {
            from.direct();
            from.even();
            visitor.visit(from);
            passed(from);
            swapped(from, other, 1);
            from.kept(2);
            from.keptByOne(2);
            keptBesides(from, other);
        }
        from.lock.lock();
        try {
            from.explicit();
        } finally {
            from.lock.unlock();
        }
        from.each();
    }

    public static void main(String[] args) {
        Node last = new Node(null);
        Node[] all = new Node[3];
        for (int i = 0; i < 3; i++) {
            all[i] = new Node(new Node(last));
        }
        for (int i = 0; i < 3; i++) {
            Recursion recursion = new Recursion(all[i], all[(i + 1) % 3]);
            new Thread(() -> recursion.visit(new Opener())).start();
        }
    }
}
