package seeds;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Who copies a collection, or makes a text of it, reads it. */
public class Shown {
    private static final List<String> COPIED = new ArrayList<>(); // race
    private static final List<String> ADDED = new LinkedList<>(); // race
    private static final Map<String, String> PUT = new HashMap<>(); // race
    private static final List<String> JOINED = new ArrayList<>(); // race
    private static final List<String> PRINTED = new ArrayList<>(); // race
    private static final List<String> LOCKED = new ArrayList<>();
    private static final List<String> ONLY_SHOWN = new ArrayList<>();

    public static void main(String[] arguments) {
        new Thread(Shown::change).start();
        List<String> own = new ArrayList<>(COPIED);
        own.addAll(ADDED);
        new TreeMap<String, String>().putAll(PUT);
        String text = "joined " + JOINED + ONLY_SHOWN;
        System.out.println(PRINTED);
        synchronized (LOCKED) {
            own.addAll(LOCKED);
            text += "locked " + LOCKED;
        }
        System.out.println(text + own + ONLY_SHOWN);
    }

    private static void change() {
        COPIED.add("a");
        ADDED.add("a");
        PUT.put("a", "b");
        JOINED.add("a");
        PRINTED.add("a");
        synchronized (LOCKED) {
            LOCKED.add("a");
        }
        System.out.println(ONLY_SHOWN);
    }
}
