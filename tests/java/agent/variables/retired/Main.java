package retired;

import util.Threads;

/**
 * Races on so many objects that nothing new is reported of them, and then others in the same class. An argument is how long
 * the agent may take in between to weave the class again, in milliseconds.
 */
public final class Main {
    private static final int OBJECTS = 200;

    private Main() {}

    public static void main(String[] args) throws InterruptedException {
        Node[] nodes = new Node[OBJECTS];
        for (int i = 0; i < OBJECTS; i++) {
            nodes[i] = new Node();
        }
        Threads.inTurns(() -> countAll(nodes), () -> countAll(nodes), () -> countAll(nodes));
        Thread.sleep(args.length > 0 ? Long.parseLong(args[0]) : 0);
        Threads.inTurns(() -> touch(nodes[0]), () -> countAll(nodes), () -> touch(nodes[0]));
        System.out.println(nodes[0].sum());
    }

    private static void countAll(Node[] nodes) {
        for (Node node : nodes) {
            node.count();
        }
        for (int i = 0; i < OBJECTS; i++) {
            Node.countStatically();
        }
    }

    private static void touch(Node node) {
        node.touch();
    }
}
