import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/** One thread uses a view or an iterator of what another one changes, or a method reference to it: each kind of container once. */
public final class Views {
    private Views() {}

    enum Color {
        RED,
        BLUE
    }

    static void both(Runnable one, Runnable other) throws InterruptedException {
        Thread first = new Thread(one);
        Thread second = new Thread(other);
        first.start();
        second.start();
        first.join();
        second.join();
    }

    public static void main(String[] args) throws InterruptedException {
        List<String> list = new ArrayList<>(List.of("a", "b"));
        List<String> part = list.subList(0, 1);
        both(part::clear, () -> list.add("c"));
        Map<String, Integer> map = new HashMap<>();
        Iterator<String> keys = map.keySet().iterator();
        both(keys::remove, () -> map.size());
        TreeMap<String, Integer> tree = new TreeMap<>();
        SortedMap<String, Integer> from = tree.descendingMap().tailMap("k");
        both(() -> from.put("z", 1), () -> tree.get("a"));
        TreeSet<String> sorted = new TreeSet<>();
        SortedSet<String> tail = sorted.tailSet("k");
        both(() -> tail.add("z"), () -> sorted.contains("a"));
        LinkedList<String> linked = new LinkedList<>();
        ListIterator<String> at = linked.listIterator();
        both(() -> at.add("a"), () -> linked.size());
        ArrayDeque<String> deque = new ArrayDeque<>();
        Queue<String> stack = Collections.asLifoQueue(deque);
        both(() -> stack.add("a"), () -> deque.peek());
        EnumMap<Color, String> colors = new EnumMap<>(Color.class);
        both(() -> colors.values().clear(), () -> colors.get(Color.RED));
        Set<String> names = new HashSet<>();
        both(() -> names.iterator().next(), () -> names.add("a"));
        LinkedHashMap<String, Integer> ordered = new LinkedHashMap<>();
        Set<Map.Entry<String, Integer>> entries = ordered.entrySet();
        both(() -> entries.clear(), () -> ordered.put("a", 1));
        PriorityQueue<String> heap = new PriorityQueue<>();
        both(() -> Collections.addAll(heap, "a"), () -> heap.peek());
        Map<String, Integer> weak = new WeakHashMap<>();
        BiFunction<String, Integer, Integer> put = weak::put;
        both(() -> put.apply("a", 1), () -> weak.get("a"));
        int[] cells = new int[1];
        BiConsumer<int[], Integer> fill = Arrays::fill;
        both(() -> fill.accept(cells, 1), () -> System.out.println(cells[0]));
        // What stands for something that threads may share is no race, nor is a view of what one thread has.
        ConcurrentHashMap<String, Integer> shared = new ConcurrentHashMap<>();
        both(() -> shared.keySet().clear(), () -> shared.put("a", 1));
        Map<String, Integer> locked = Collections.synchronizedMap(new java.util.IdentityHashMap<>());
        both(() -> locked.put("a", 1), () -> locked.keySet().clear());
        both(() -> new java.util.Stack<String>().subList(0, 0).clear(), () -> new java.util.BitSet().clear());
    }
}
