package owned;

/** Objects that others own, and every way in which they may not. */
public class Owned {
    /** A list that guards its nodes, and whose callers hold a lock that it cannot name. */
    static class Stack {
        private Node top; // type: guarded this
        private int size; // type: guarded this

        synchronized void push(int value) {
            Node node = new Node(value);
            node.below = top;
            top = node;
            size++;
        }

        synchronized int pop() {
            Node node = top;
            top = node.below;
            node.hits++;
            size--;
            return node.value;
        }

        synchronized void touch(int value) {
            Node found = find(value);
            if (found != null) {
                found.hits += 2;
            }
        }

        private Node find(int value) {
            Node node = top;
            while (node != null && node.value != value) {
                node.hits++;
                node = node.below;
            }
            return node;
        }

        void swap() {
            synchronized (this) {
                top.swap();
            }
        }

        Stack() {
            top = new Node(0);
            top.hits = 1;
            top.swap();
        }
    }

    static class Node {
        int value; // type: guarded owner
        int hits; // type: guarded owner
        Node below; // type: read-only

        Node(int value) {
            this.value = value;
        }

        void swap() {
            if (below != null) {
                int other = below.value;
                below.value = value;
                value = other;
                below.hits++;
            }
        }
    }

    /** A lock object of the owner, a table of entries, and subclasses of one family. */
    static class Table {
        private final Object lock = new Object(); // type: final
        private Entry[] entries = new Entry[4]; // type: guarded this.lock

        void put(int key, int value) {
            synchronized (lock) {
                Entry entry = key > 0 ? new Entry() : new CountedEntry();
                entry.key = key;
                entry.next = entries[key & 3];
                entries[key & 3] = entry;
                entry.value = value;
                if (entry instanceof CountedEntry) {
                    ((CountedEntry) entry).count++;
                }
                grow();
            }
        }

        private void grow() {
            Entry[] more = new Entry[entries.length];
            System.arraycopy(entries, 0, more, 0, more.length);
            entries = more;
        }
    }

    static class Entry {
        int key; // type: guarded owner.lock
        int value; // type: guarded owner.lock
        Entry next; // type: guarded owner.lock
    }

    static class CountedEntry extends Entry {
        int count; // type: guarded owner.lock
    }

    /** Many owners, each of them with its own lock, in a loop. */
    static class Pool {
        private Slot first; // type: guarded this

        synchronized void add() {
            Slot slot = new Slot();
            slot.next = first;
            first = slot;
        }

        static void sweep(Pool[] pools) {
            for (Pool pool : pools) {
                synchronized (pool) {
                    for (Slot slot = pool.first; slot != null; slot = slot.next) {
                        slot.age++;
                    }
                }
            }
        }
    }

    static class Slot {
        int age; // type: guarded owner
        Slot next; // type: read-only
    }

    /** The same, but what one round of the loop leaves over gets to the next owner. */
    static class CarryingPool {
        private CarriedSlot first; // type: guarded this

        synchronized void add() {
            first = new CarriedSlot();
        }

        static void sweepBad(CarryingPool[] pools) {
            CarriedSlot last = null;
            for (CarryingPool pool : pools) {
                synchronized (pool) {
                    if (last != null) {
                        last.age++;
                    }
                    last = pool.first;
                }
            }
        }
    }

    static class CarriedSlot {
        int age; // type: unsafe
    }

    /** The nodes' lock is not taken everywhere. */
    static class ForgetfulStack {
        private ForgottenNode top; // type: guarded this

        synchronized void push() {
            ForgottenNode node = new ForgottenNode();
            node.below = top;
            top = node;
        }

        void touchBad() {
            ForgottenNode node;
            synchronized (this) {
                node = top;
            }
            node.hits++;
        }
    }

    static class ForgottenNode {
        int hits; // type: unsafe
        ForgottenNode below; // type: unique
    }

    /** One stack takes the nodes of another, and holds its own lock only. */
    static class ThievingStack {
        private StolenNode top; // type: guarded this

        synchronized void push() {
            top = new StolenNode();
        }

        synchronized StolenNode peek() {
            return top;
        }

        void stealBad(ThievingStack other) {
            StolenNode node = other.peek();
            synchronized (this) {
                top = node;
                node.hits++;
            }
        }
    }

    static class StolenNode {
        int hits; // type: unsafe
    }

    /** A cursor keeps a node: two objects do. */
    static class IteratedStack {
        private IteratedNode top; // type: guarded this

        synchronized void push() {
            top = new IteratedNode();
            top.hits++;
        }

        synchronized Cursor cursor() {
            Cursor cursor = new Cursor();
            cursor.at = top;
            return cursor;
        }
    }

    static class Cursor {
        IteratedNode at; // type: read-only

        synchronized void touchBad() {
            at.hits++;
        }
    }

    static class IteratedNode {
        int hits; // type: unsafe
    }

    /** A static field keeps a node. */
    static class CachingStack {
        static CachedNode last; // type: unsafe
        private CachedNode top; // type: guarded this

        synchronized void push() {
            top = new CachedNode();
            top.hits++;
            last = top;
        }

        static void touchBad() {
            last.hits++;
        }
    }

    static class CachedNode {
        int hits; // type: unsafe
    }

    /** A container keeps a node. */
    static class ListedStack {
        private final java.util.List<ListedNode> all = new java.util.Vector<>(); // type: final
        private ListedNode top; // type: guarded this

        synchronized void push() {
            top = new ListedNode();
            top.hits++;
            all.add(top);
        }

        void touchBad() {
            all.get(0).hits++;
        }
    }

    static class ListedNode {
        int hits; // type: unsafe
    }

    /** A lambda keeps a node. */
    static class LazyStack {
        private LazyNode top; // type: guarded this

        synchronized void push() {
            LazyNode node = new LazyNode();
            top = node;
            top.hits++;
            new Thread(() -> node.hits++).start();
        }
    }

    static class LazyNode {
        int hits; // type: unsafe
    }

    /** A node goes by an interface, and by a superclass that others extend. */
    static class DisguisedStack {
        private DisguisedNode top; // type: guarded this
        private Runnable task; // type: guarded this

        synchronized void push() {
            top = new DisguisedNode();
            top.hits++;
            task = top;
        }

        void runBad() {
            Runnable task;
            synchronized (this) {
                task = this.task;
            }
            task.run();
        }
    }

    static class DisguisedNode implements Runnable {
        int hits; // type: unsafe

        @Override
        public void run() {
            hits++;
        }
    }

    /** A copy of the owner keeps the same nodes. */
    static class CopiedStack implements Cloneable {
        private CopiedNode top; // type: guarded this

        synchronized void push() {
            top = new CopiedNode();
        }

        synchronized void touch() {
            top.hits++;
        }

        synchronized CopiedStack copy() {
            try {
                return (CopiedStack) super.clone();
            } catch (CloneNotSupportedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static class CopiedNode {
        int hits; // type: unsafe
    }

    /** An array of another type keeps nodes. */
    static class ErasedTable {
        private ErasedEntry[] entries = new ErasedEntry[4]; // type: read-only
        private Object[] same; // type: guarded this

        synchronized void put() {
            entries[0] = new ErasedEntry();
            entries[0].hits++;
            same = entries;
        }

        void touchBad() {
            Object[] entries;
            synchronized (this) {
                entries = same;
            }
            ((ErasedEntry) entries[0]).hits++;
        }
    }

    static class ErasedEntry {
        int hits; // type: unsafe
    }

    /** Code that is not analysed may make nodes known to two owners. */
    public static class OpenStack {
        private OpenNode top; // type: guarded this

        public synchronized void add(OpenNode node) {
            top = node;
            node.hits++;
        }
    }

    public static class OpenNode {
        int hits; // type: unsafe
    }

    /** The owner becomes known while a call holds its node without the lock. */
    static class HastyStack {
        static HastyStack known; // type: unsafe
        private HastyNode top; // type: read-only

        static void makeBad() {
            HastyStack stack = new HastyStack();
            stack.top = new HastyNode();
            stack.top.publishAndTouch(stack);
        }

        synchronized void touch() {
            top.hits++;
        }
    }

    static class HastyNode {
        int hits; // type: unsafe

        void publishAndTouch(HastyStack stack) {
            HastyStack.known = stack;
            hits++;
        }
    }

    /** A chain is made before it has an owner: nobody else has it then. */
    static class Chain {
        private Link first; // type: guarded this

        synchronized void fill() {
            first = made(3);
        }

        synchronized void touch() {
            first.hits++;
        }

        private static Link made(int n) {
            Link first = null;
            for (int i = 0; i < n; i++) {
                Link link = new Link();
                link.next = first;
                first = link;
                first.hits++;
                if (first.next != null) {
                    first.next.hits++;
                    first.next.bump();
                }
            }
            return first;
        }
    }

    static class Link {
        int hits; // type: guarded owner
        Link next; // type: unique

        void bump() {
            hits++;
        }
    }

    /** A false alarm: the nodes of the buckets are under the map's lock too, but no owner of an owner is known. */
    static class Buckets {
        private Bucket first; // type: guarded this

        synchronized void add() {
            first = first == null ? new Bucket() : first;
            first.put();
        }
    }

    static class Bucket {
        FP_BucketNode head; // type: guarded owner

        void put() {
            head = new FP_BucketNode();
            head.hits++;
        }
    }

    static class FP_BucketNode {
        int hits; // type: unsafe
    }

    public static void main(String[] arguments) {
        Buckets buckets = new Buckets();
        Stack stack = new Stack();
        Table table = new Table();
        Pool[] pools = {new Pool(), new Pool()};
        CarryingPool[] carrying = {new CarryingPool(), new CarryingPool()};
        ForgetfulStack forgetful = new ForgetfulStack();
        ThievingStack from = new ThievingStack();
        ThievingStack to = new ThievingStack();
        IteratedStack iterated = new IteratedStack();
        CachingStack caching = new CachingStack();
        ListedStack listed = new ListedStack();
        LazyStack lazy = new LazyStack();
        DisguisedStack disguised = new DisguisedStack();
        CopiedStack copied = new CopiedStack();
        ErasedTable erased = new ErasedTable();
        OpenStack open = new OpenStack();
        Chain chain = new Chain();
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                buckets.add();
                stack.push(1);
                stack.touch(1);
                stack.swap();
                stack.pop();
                table.put(1, 2);
                pools[0].add();
                Pool.sweep(pools);
                carrying[0].add();
                CarryingPool.sweepBad(carrying);
                forgetful.push();
                forgetful.touchBad();
                from.push();
                to.stealBad(from);
                iterated.push();
                iterated.cursor().touchBad();
                caching.push();
                CachingStack.touchBad();
                listed.push();
                listed.touchBad();
                lazy.push();
                disguised.push();
                disguised.runBad();
                copied.push();
                copied.touch();
                copied.copy().touch();
                erased.put();
                erased.touchBad();
                open.add(new OpenNode());
                HastyStack.makeBad();
                HastyStack.known.touch();
                chain.fill();
                chain.touch();
            }).start();
        }
    }
}
