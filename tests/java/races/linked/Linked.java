package linked;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** New objects that are put into something older, to which others have a way before the object itself is given out; and some that are not. */
public class Linked {
    static final int MANY = 3;
    static volatile List<Item> view = new ArrayList<>();
    static volatile Box box = new Box();
    static volatile Node tail = new Node();
    static volatile Node task = new Node();
    static volatile Cell cell = new Cell();
    static int seen;

    static class Item {
        int inView; // race
        int inBox; // race
        int inBuilt; // race
        int inWrapped; // race
        int ofRound; // race
        int inPublished; // race
    }

    static class Box {
        volatile Item item = new Item();

        Box self() {
            return this;
        }

        static Box around(Item item) {
            Box made = new Box();
            made.item = item;
            return made;
        }
    }

    static class Holder {
        volatile Box box = new Box();
    }

    static class Node {
        int doubly; // race
        int byFactory; // race
        int byConstructor; // race
        int byMethod; // race
        int inTime;
        volatile Node next;
        volatile Node previous;

        Node() {}

        Node(Node previous) {
            this.previous = previous;
            previous.next = this;
        }

        static Node after(Node previous) {
            Node made = new Node();
            made.previous = previous;
            previous.next = made;
            return made;
        }

        void append(Node previous) {
            this.previous = previous;
            previous.next = this;
        }
    }

    static class Slot {
        final Cell cell = new Cell();
    }

    static class Cell {
        volatile Part part = new Part();
    }

    /** Its constructor puts it into what nobody else has, but for a part of that, of which the caller has another name. */
    static class Part {
        int leaked; // race

        Part() {}

        Part(Slot slot, Cell known) {
            slot.cell.part = this;
            cell = known;
            leaked = 1;
        }
    }

    static void inView() {
        List<Item> list = new ArrayList<>();
        List<Item> shown = Collections.unmodifiableList(list);
        Item made = new Item();
        list.add(made);
        view = shown;
        made.inView++;
    }

    static void inBox() {
        Holder own = new Holder();
        Box first = own.box;
        Item made = new Item();
        own.box.item = made;
        box = first;
        made.inBox++;
    }

    static void inBuilt() {
        Box own = new Box();
        Box same = own.self();
        Item made = new Item();
        own.item = made;
        box = same;
        made.inBuilt++;
    }

    static void inWrapped() {
        Box[] boxes = {new Box()};
        List<Box> known = java.util.Arrays.asList(boxes);
        Item made = new Item();
        boxes[0].item = made;
        box = known.get(0);
        made.inWrapped++;
    }

    static void doubly() {
        Node last = new Node();
        for (int i = 0; i < MANY; i++) {
            Node made = new Node();
            made.previous = last;
            last.next = made;
            made.doubly++;
            tail = made;
            last = made;
        }
    }

    static void byFactory() {
        Node last = new Node();
        for (int i = 0; i < MANY; i++) {
            Node made = Node.after(last);
            made.byFactory++;
            tail = made;
            last = made;
        }
    }

    static void byConstructor() {
        Node last = new Node();
        for (int i = 0; i < MANY; i++) {
            Node made = new Node(last);
            made.byConstructor++;
            tail = made;
            last = made;
        }
    }

    static void byMethod() {
        Node last = new Node();
        for (int i = 0; i < MANY; i++) {
            Node made = new Node();
            made.append(last);
            made.byMethod++;
            tail = made;
            last = made;
        }
    }

    /** What was published in the round before holds the next one. */
    static void inPublished() {
        Box published = null;
        for (int i = 0; i < MANY; i++) {
            Item made = new Item();
            if (published != null) {
                published.item = made;
            }
            made.inPublished++;
            published = publish(made);
        }
    }

    private static Box publish(Item item) {
        Box made = Box.around(item);
        box = made;
        return made;
    }

    /** Threads of earlier rounds go over the list. */
    static void ofRound() {
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            Item made = new Item();
            synchronized (items) {
                items.add(made);
            }
            made.ofRound++;
            new Thread(() -> {
                synchronized (items) {
                    int sum = 0;
                    for (Item item : items) {
                        sum += item.ofRound;
                    }
                }
            }).start();
        }
    }

    /** Each is given out after what is done to it; what was given out before leads to none of them. */
    static void inTime() {
        List<Node> own = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            Node made = new Node();
            made.inTime++;
            task = made;
            own.add(made);
        }
    }

    static void leaked() {
        Slot own = new Slot();
        Cell known = own.cell;
        new Part(own, known);
    }

    static void read() {
        for (Item item : view) {
            seen += item.inView;
        }
        Item item = box.item;
        seen += item.inBox + item.inBuilt + item.inWrapped + item.inPublished;
        for (Node node = tail; node != null; node = node.next) {
            seen += node.doubly + node.byFactory + node.byConstructor + node.byMethod;
        }
        seen += task.inTime + cell.part.leaked;
    }

    static void run() {
        inView();
        inBox();
        inBuilt();
        inWrapped();
        doubly();
        byFactory();
        byConstructor();
        byMethod();
        inPublished();
        ofRound();
        inTime();
        leaked();
    }

    public static void main(String[] arguments) {
        new Thread(Linked::run).start();
        new Thread(() -> {
            synchronized (Linked.class) {
                read();
            }
        }).start();
    }
}
