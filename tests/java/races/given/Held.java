package given;

import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Objects that clients put into containers, and lambdas that they find there. */
public class Held {
    private int inList; // race
    private int inMap; // race
    private int asObject; // race
    private int byIterator; // race
    private int inTasks; // race
    private int inArray; // race

    /** A task of the library's own. */
    public interface Task {
        void go();
    }

    public synchronized void add() {
        inList++;
        inMap++;
        asObject++;
        byIterator++;
    }

    public static int sum(List<Held> all) {
        int sum = 0;
        for (Held held : all) {
            sum += held.inList;
        }
        return sum;
    }

    public static int sum(Map<String, Held> all) {
        return all.values().iterator().next().inMap;
    }

    public static int of(Collection<Object> all) {
        Object first = all.iterator().next();
        return first instanceof Held ? ((Held) first).asObject : 0;
    }

    public static int next(Iterator<Held> all) {
        Held first = all.next();
        return first.byIterator;
    }

    public List<Task> tasks() {
        return List.of(() -> inTasks++);
    }

    public Task[] array() {
        return new Task[] {() -> inArray++};
    }

    public synchronized int counts() {
        return inTasks + inArray;
    }
}
