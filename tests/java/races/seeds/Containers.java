package seeds;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What goes through containers comes out of the same ones. */
public class Containers {
    static class Item {
        int shared; // race
    }

    static class Own {
        int own;
    }

    private static final List<Item> SAFE = Collections.synchronizedList(new ArrayList<>());
    private static final Map<String, Item> MAP = new ConcurrentHashMap<>();
    private static final Deque<Item> QUEUE = new ArrayDeque<>(); // race

    static void work() {
        List<Own> mine = new ArrayList<>();
        mine.add(new Own());
        mine.get(0).own++;
        SAFE.get(0).shared++;
        MAP.get("").shared++;
        QUEUE.peek().shared++;
    }

    public static void main(String[] args) {
        SAFE.add(new Item());
        MAP.put("", new Item());
        QUEUE.add(new Item());
        new Thread(Containers::work).start();
        QUEUE.clear();
        work();
    }
}
