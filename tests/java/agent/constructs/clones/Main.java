package clones;

import static schedule.Schedule.mark;
import static schedule.Schedule.start;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import schedule.Program;

/** What can be cloned by all. */
class Copyable implements Cloneable {
    Copyable copy() {
        try {
            return (Copyable) super.clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }
}

/** Each thread writes a clone of its own, of an original that both have read. */
final class OwnClone implements Program {
    static final class Page extends Copyable {
        int row;
    }

    private final Page page = new Page();

    public void run() throws Exception {
        page.row = 1;
        together(() -> {
            int row = page.row;
            Page own = (Page) page.copy();
            own.row = row + 1;
            mark(this);
        }, () -> {
            until(this);
            int row = page.row;
            Page own = (Page) page.copy();
            own.row = row + 1;
        });
    }
}

/** Fields of every class above, and {@code clone} overridden twice. */
final class CloneOfSubclass implements Program {
    static class Shape implements Cloneable {
        int x;

        @Override
        protected Shape clone() throws CloneNotSupportedException {
            return (Shape) super.clone();
        }
    }

    static final class Circle extends Shape {
        int radius;
        long area;

        @Override
        protected Circle clone() throws CloneNotSupportedException {
            Circle circle = (Circle) super.clone();
            circle.area = 0;
            return circle;
        }

        void grow() {
            x++;
            radius++;
            area = (long) radius * radius;
        }
    }

    private final Circle unit = new Circle();

    private void use() throws CloneNotSupportedException {
        long all = unit.x + unit.radius + unit.area;
        Circle own = unit.clone();
        own.radius = (int) all;
        own.grow();
    }

    public void run() throws Exception {
        unit.grow();
        together(() -> {
            use();
            mark(this);
        }, () -> {
            until(this);
            use();
        });
    }
}

/** A new version, set by who has cloned the last one. */
final class CopyOnWrite implements Program {
    static final class Settings extends Copyable {
        int timeout;
        String name = "";
    }

    private final AtomicReference<Settings> current = new AtomicReference<>(new Settings());

    private void change(String name) {
        Settings now = current.get();
        Settings next = (Settings) now.copy();
        next.timeout = now.timeout + 1;
        next.name = name;
        current.set(next);
    }

    public void run() throws Exception {
        together(() -> {
            change("a");
            mark(this);
            until(this, 2);
            change("c");
        }, () -> {
            until(this);
            change("b");
            mark(this, 2);
        });
    }
}

/** The original stays shared. */
final class OriginalIsWritten implements Program {
    static final class Gauge extends Copyable {
        int value; // race: Gauge.value
    }

    private final Gauge gauge = new Gauge();

    private int use() {
        Gauge own = (Gauge) gauge.copy();
        own.value++;
        gauge.value++;
        return own.value;
    }

    public void run() throws Exception {
        together(() -> {
            use();
            mark(this);
        }, () -> {
            until(this);
            use();
        });
    }
}

/** A clone that two threads have. */
final class SharedClone implements Program {
    static final class Gauge extends Copyable {
        int value; // race: Gauge.value
    }

    public void run() throws Exception {
        Gauge clone = (Gauge) new Gauge().copy();
        together(() -> {
            clone.value++;
            mark(this);
        }, () -> {
            until(this);
            clone.value++;
        });
    }
}

/** A clone that comes to another thread by a race. */
final class PublishedClone implements Program {
    static final class Order extends Copyable {
        int items = 1; // race: Order.items
    }

    private final Order template = new Order();
    private Order latest; // race: PublishedClone.latest

    public void run() throws Exception {
        together(() -> {
            latest = (Order) template.copy();
            mark(this);
        }, () -> {
            until(this);
            int items = latest.items;
        });
    }
}

/** What final fields hold is the same for the clone. */
final class SharedArray implements Program {
    static final class Grid extends Copyable {
        final int[] cells = new int[4]; // race: Grid.cells[]
    }

    private final Grid grid = new Grid();

    public void run() throws Exception {
        together(() -> {
            ((Grid) grid.copy()).cells[0]++;
            mark(this);
        }, () -> {
            until(this);
            ((Grid) grid.copy()).cells[0]++;
        });
    }
}

/** A clone whose array is cloned, too. */
final class DeepCopy implements Program {
    static final class Grid implements Cloneable {
        int[] cells = new int[4];

        @Override
        public Grid clone() {
            try {
                Grid grid = (Grid) super.clone();
                grid.cells = cells.clone();
                return grid;
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private final Grid grid = new Grid();

    private void use() {
        int first = grid.cells[0];
        Grid own = grid.clone();
        own.cells[0] = first + 1;
    }

    public void run() throws Exception {
        together(() -> {
            use();
            mark(this);
        }, () -> {
            until(this);
            use();
        });
    }
}

/** The flag of the original orders nothing for who has a clone. */
final class FlagOfTheClone implements Program {
    static final class Task extends Copyable {
        volatile boolean done;
        int result; // race: Task.result
    }

    public void run() throws Exception {
        Task task = new Task();
        together(() -> {
            task.result = 1;
            task.done = true;
            mark(this);
            until(this, 2);
            task.result = 2;
        }, () -> {
            until(this);
            boolean done = task.done;
            Task clone = (Task) task.copy();
            clone.done = true;
            mark(this, 2);
            task.result++;
        });
    }
}

/** The flag of a clone orders as any other. */
final class OwnFlag implements Program {
    static final class Task extends Copyable {
        volatile boolean done;
        int result;
    }

    public void run() throws Exception {
        Task task = new Task();
        task.done = true;
        task.done = false;
        Task clone = (Task) task.copy();
        together(() -> {
            clone.result = 1;
            clone.done = true;
        }, () -> {
            while (!clone.done) {
                Thread.onSpinWait();
            }
            clone.result++;
        });
    }
}

/** The lock of the original guards nothing from who holds that of a clone. */
final class LockOfTheClone implements Program {
    static final class Tally {
        int votes; // race: Tally.votes
    }

    static final class Desk extends Copyable {
        synchronized void count(Tally tally) {
            tally.votes++;
        }
    }

    public void run() throws Exception {
        Tally tally = new Tally();
        Desk desk = new Desk();
        desk.count(tally);
        Desk clone = (Desk) desk.copy();
        together(() -> {
            desk.count(tally);
            mark(this);
        }, () -> {
            until(this);
            clone.count(tally);
        });
    }
}

/** Who takes a clone out of a queue learns nothing of what came before the original was put into another one. */
final class MessageOfTheClone implements Program {
    static final class Note extends Copyable implements Runnable {
        int line; // race: Note.line

        public void run() {
            line++;
        }
    }

    public void run() throws Exception {
        LinkedBlockingQueue<Note> originals = new LinkedBlockingQueue<>();
        LinkedBlockingQueue<Note> clones = new LinkedBlockingQueue<>();
        Note shared = new Note();
        Note note = new Note();
        originals.put(note);
        clones.put((Note) note.copy());
        together(() -> {
            shared.run();
            originals.put(note);
            mark(this);
        }, () -> {
            until(this);
            clones.take();
            shared.run();
        });
    }
}

/** Copies of lists and maps that both threads have read. */
final class CloneOfCollections implements Program {
    private final ArrayList<String> names = new ArrayList<>();
    private final HashMap<String, Integer> ages = new HashMap<>();

    @SuppressWarnings("unchecked")
    private void use() {
        int size = names.size() + ages.size();
        ArrayList<String> ownNames = (ArrayList<String>) names.clone();
        HashMap<String, Integer> ownAges = (HashMap<String, Integer>) ages.clone();
        ownNames.add("c" + size);
        ownAges.put("c", size);
    }

    public void run() throws Exception {
        names.add("a");
        ages.put("a", 1);
        together(() -> {
            use();
            mark(this);
        }, () -> {
            until(this);
            use();
        });
    }
}

/** A list of the program's own, with a field. */
final class CloneOfOwnList implements Program {
    static final class Names extends ArrayList<String> {
        int changes;

        void put(String name) {
            changes++;
            add(name);
        }

        @Override
        public Names clone() {
            return (Names) super.clone();
        }
    }

    /** Its {@code clone} is the library's. */
    static final class Day extends Date {
        int number;
    }

    private final Names names = new Names();
    private final Day day = new Day();

    private void use() {
        int number = names.changes + names.size() + day.number;
        names.clone().put("c" + number);
        Day own = (Day) day.clone();
        own.number = number;
        own.setTime(number);
    }

    public void run() throws Exception {
        names.put("a");
        together(() -> {
            use();
            mark(this);
        }, () -> {
            until(this);
            use();
        });
    }
}

/** A list that both have: its clones are their own. */
final class CloneOfSharedList implements Program {
    private final ArrayList<String> names = new ArrayList<>(); // race: CloneOfSharedList.names

    public void run() throws Exception {
        together(() -> {
            names.add("a");
            mark(this);
        }, () -> {
            until(this);
            Object own = names.clone();
        });
    }
}

/** A clone reads every field. */
final class ClonedWhileWritten implements Program {
    static final class Point extends Copyable {
        int x; // missed: Point.x -- what a clone reads of its original is not seen
    }

    private final Point point = new Point();

    public void run() throws Exception {
        Thread writer = start(() -> {
            point.x++;
            mark(this);
        });
        until(this);
        Copyable clone = point.copy();
        writer.join();
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new OwnClone(), new CloneOfSubclass(), new CopyOnWrite(), new OriginalIsWritten(), new SharedClone(),
                new PublishedClone(), new SharedArray(), new DeepCopy(), new FlagOfTheClone(), new OwnFlag(),
                new LockOfTheClone(), new MessageOfTheClone(), new CloneOfCollections(), new CloneOfOwnList(), new CloneOfSharedList(), new ClonedWhileWritten());
    }
}
