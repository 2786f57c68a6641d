package kept;

import java.util.HashMap;
import java.util.Map;

/** One way to the map has no lock. */
public class Open {
    private final Map<String, String> own = new HashMap<>(); // race

    public static Open open() {
        return new Open();
    }

    public synchronized void put(String key) {
        own.put(key, key);
    }

    public int size() {
        return own.size();
    }
}
