package given;

import java.util.ArrayList;
import java.util.List;

/** Clients get nodes in a list only: one that they make has no count. */
public class Node {
    private final Count count;

    public Node() {
        this(null);
    }

    private Node(Count count) {
        this.count = count;
    }

    public static List<Node> all() {
        List<Node> all = new ArrayList<>();
        all.add(new Node(new Count()));
        return all;
    }

    public void touch() {
        count.touched++;
    }

    static class Count {
        int touched; // race
    }
}
