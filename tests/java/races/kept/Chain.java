package kept;

import java.util.HashMap;
import java.util.Map;

/** All shops have one map, and each its own lock. */
public class Chain {
    private static final Map<String, String> ALL = new HashMap<>(); // race
    private final Map<String, String> all = ALL;

    public static Chain open() {
        return new Chain();
    }

    public synchronized void put(String key) {
        all.put(key, key);
    }

    public synchronized int size() {
        return all.size();
    }
}
