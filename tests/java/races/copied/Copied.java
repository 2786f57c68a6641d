package copied;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/** Copies and what factories return, filled before others may have them; and some that are out by then, or that others had all along. */
public class Copied {
    static final int MANY = 3;
    static final Map<String, Node> NODES = new ConcurrentHashMap<>();
    static final List<Box> BOXES = new ArrayList<>();
    static final AtomicReference<Node> REFERENCE = new AtomicReference<>(new Node());
    static final Node CACHED = new Node();
    static volatile Map<String, String> map = new HashMap<>();
    static volatile Map<String, String> byAccessor = new HashMap<>();
    static volatile long[] cloned = new long[MANY];
    static volatile short[] resized = new short[MANY];
    static volatile int[] sorted = new int[MANY];
    static volatile int[] clonedLater = new int[MANY]; // race
    static volatile Node node = new Node();
    static final Outside OUTSIDE = new Outside();
    static int seen;

    static class Outside {
        volatile Other other = new Other();
    }

    static class Other {
        int byNative; // race
    }

    static class Node implements Cloneable {
        int byClone;
        int byFactory;
        int byFactoryOfFactory;
        int inCasLoop;
        int byLeakyFactory; // race
        int byCache; // race
        int byArgument; // race
        int byOwnArgument; // race
        int ofRound; // race
        int byCast; // race
        int throughBox; // race
        int throughResult; // race
        int inBoxOfBefore; // race
        int byCloneLater; // race
        int keptByFactory; // race
        int inBoxOfFactory; // race
        int inNodeOfFactory; // race
        int inCopy; // race
        volatile Node next;

        static Node make() {
            return new Node();
        }

        static Node makeAnother() {
            Node made = make();
            made.byFactoryOfFactory = 1;
            return made;
        }

        static Node registered() {
            Node made = new Node();
            NODES.put("made", made);
            return made;
        }

        /** Others have the box, and so what it holds. */
        static Node boxed() {
            Box box = new Box();
            box.kept = new Node();
            synchronized (BOXES) {
                BOXES.add(box);
            }
            return box.kept;
        }

        static Node nested() {
            Node outer = new Node();
            outer.next = new Node();
            node = outer;
            return outer.next;
        }

        static Node same(Node node) {
            return node;
        }

        Node copy() {
            try {
                return (Node) super.clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    static class Box {
        Node kept; // race

        Node kept() {
            return kept;
        }

        Node make() {
            Node made = new Node();
            kept = made;
            return made;
        }
    }

    static Map<String, String> current() {
        return byAccessor;
    }

    static void copyOnWrite() {
        Map<String, String> copy = new HashMap<>(map);
        copy.put("key", "value");
        map = copy;
    }

    static void copyOfCurrent() {
        Map<String, String> copy = new HashMap<>(current());
        copy.put("key", "value");
        byAccessor = copy;
    }

    static void cloneArray() {
        long[] copy = cloned.clone();
        copy[0]++;
        cloned = copy;
    }

    static void resize() {
        short[] copy = Arrays.copyOf(resized, resized.length + 1);
        copy[0]++;
        resized = copy;
    }

    static void sortNumbers() {
        int[] copy = Arrays.copyOf(sorted, sorted.length + 1);
        copy[sorted.length] = MANY;
        Arrays.sort(copy);
        sorted = copy;
    }

    static void cloneLater() {
        int[] copy = clonedLater.clone();
        clonedLater = copy;
        copy[0]++;
    }

    static void byClone() {
        Node copy = node.copy();
        copy.byClone++;
        node = copy;
        copy.byCloneLater++;
    }

    static void byFactory() {
        Node made = Node.make();
        made.byFactory++;
        node = made;
        Node another = Node.makeAnother();
        another.byFactoryOfFactory++;
        node = another;
    }

    static void inCasLoop() {
        Node before;
        Node after;
        do {
            before = REFERENCE.get();
            after = new Node();
            after.inCasLoop = before.inCasLoop + 1;
        } while (!REFERENCE.compareAndSet(before, after));
    }

    static void byLeakyFactory() {
        Node made = Node.registered();
        made.byLeakyFactory++;
    }

    /** The factory has put it where it is found before anything is done with the result. */
    static void keptByFactory() {
        Box box = new Box();
        Node made = box.make();
        node = box.kept;
        made.keptByFactory++;
    }

    static void inBoxOfFactory() {
        Node made = Node.boxed();
        made.inBoxOfFactory++;
    }

    static void inNodeOfFactory() {
        Node made = Node.nested();
        made.inNodeOfFactory++;
    }

    static void byCache() {
        Node cached = cached();
        cached.byCache++;
    }

    private static Node cached() {
        return CACHED;
    }

    /** Its maps are in fields of an object. */
    static class Registry {
        volatile Map<String, String> map = new HashMap<>();
        volatile Map<String, String> byAccessor = new HashMap<>();
        volatile Map<String, String> after = new HashMap<>();
        volatile Map<String, Node> nodes = new HashMap<>();
        volatile Map<String, Node> late = new HashMap<>();
        volatile List<Node> list = new ArrayList<>();
        volatile Node[] array = new Node[1];

        Map<String, String> current() {
            return byAccessor;
        }

        void copyOnWrite() {
            Map<String, String> copy = new HashMap<>(map);
            copy.put("key", "value");
            map = copy;
        }

        void copyOfCurrent() {
            Map<String, String> copy = new HashMap<>(current());
            copy.put("key", "value");
            byAccessor = copy;
        }

        /** What goes into the copies is new, too. */
        void withNew() {
            Map<String, Node> copy = new HashMap<>(nodes);
            copy.put("key", new Node());
            nodes = copy;
            List<Node> longer = new ArrayList<>(list);
            longer.add(new Node());
            list = longer;
            Node[] more = Arrays.copyOf(array, array.length + 1);
            more[array.length] = new Node();
            array = more;
        }

        void withNewLater() {
            Map<String, Node> copy = new HashMap<>(late); // race
            late = copy;
            Node made = new Node();
            copy.put("key", made);
            made.inCopy++;
        }

        void putAfter() {
            Map<String, String> copy = new HashMap<>(after); // race
            after = copy;
            copy.put("key", "value");
        }
    }

    static final Registry REGISTRY = new Registry();

    static native Other existing();

    static void byNative() {
        Other existing = existing();
        existing.byNative++;
        OUTSIDE.other = existing;
    }

    static void byArgument() {
        Node kept = Node.same(node);
        kept.byArgument++;
    }

    static void byOwnArgument() {
        Node made = new Node();
        for (int i = 0; i < MANY; i++) {
            Node same = Node.same(made);
            same.byOwnArgument++;
            node = same;
        }
    }

    static void ofRound() {
        Node before = null;
        for (int i = 0; i < MANY; i++) {
            if (before != null) {
                before.ofRound++;
            }
            Node made = Node.make();
            node = made;
            before = made;
        }
    }

    static void byCast() {
        Object before = null;
        for (int i = 0; i < MANY; i++) {
            if (before != null) {
                ((Node) before).byCast++;
            }
            Node made = new Node();
            node = made;
            before = made;
        }
    }

    static void throughBox() {
        Box box = new Box();
        Node made = new Node();
        box.kept = made;
        node = box.kept;
        made.throughBox++;
    }

    static void throughResult() {
        Box box = new Box();
        Node made = new Node();
        box.kept = made;
        node = box.kept();
        made.throughResult++;
    }

    /** Others have the box since the round before. */
    static void inBoxOfBefore() {
        Box box = new Box();
        for (int i = 0; i < MANY; i++) {
            Node made = new Node();
            box.kept = made;
            made.inBoxOfBefore++;
            synchronized (BOXES) {
                BOXES.add(box);
            }
        }
    }

    static void read() {
        for (Node one : NODES.values()) {
            seen += one.byLeakyFactory;
        }
        synchronized (BOXES) {
            for (Box box : BOXES) {
                seen += box.kept.inBoxOfBefore + box.kept.inBoxOfFactory;
            }
        }
        seen += REGISTRY.map.size() + REGISTRY.byAccessor.size() + REGISTRY.after.size();
        seen += REGISTRY.list.size() + REGISTRY.array.length + REGISTRY.array[0].byCache;
        seen += REGISTRY.nodes.get("key").byCache + REGISTRY.late.get("key").inCopy;
        Node kept = node;
        seen += kept.keptByFactory + kept.next.inNodeOfFactory;
        seen += kept.byClone + kept.byFactory + kept.byFactoryOfFactory + kept.byArgument;
        seen += kept.ofRound + kept.byCast + kept.throughBox + kept.throughResult + kept.byCloneLater + kept.byOwnArgument;
        seen += REFERENCE.get().inCasLoop + CACHED.byCache + OUTSIDE.other.byNative;
        seen += (int) cloned[0] + resized[0] + sorted[0] + clonedLater[0] + map.size() + byAccessor.size();
    }

    static void run() {
        copyOnWrite();
        copyOfCurrent();
        cloneArray();
        resize();
        sortNumbers();
        cloneLater();
        byClone();
        byFactory();
        inCasLoop();
        byLeakyFactory();
        keptByFactory();
        inBoxOfFactory();
        inNodeOfFactory();
        byCache();
        byNative();
        REGISTRY.copyOnWrite();
        REGISTRY.copyOfCurrent();
        REGISTRY.putAfter();
        REGISTRY.withNew();
        REGISTRY.withNewLater();
        byArgument();
        byOwnArgument();
        ofRound();
        byCast();
        throughBox();
        throughResult();
        inBoxOfBefore();
    }

    public static void main(String[] arguments) {
        new Thread(Copied::run).start();
        new Thread(() -> {
            synchronized (REFERENCE) {
                read();
            }
        }).start();
    }
}
