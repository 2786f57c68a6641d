package kept;

import java.util.HashMap;
import java.util.Map;

/** Each shop has a map of its own. */
public class Shop {
    private final Map<String, String> own = new HashMap<>(); // doubtful
    private final int[] cells = new int[3]; // doubtful

    public static Shop open() {
        return new Shop();
    }

    public synchronized void put(String key) {
        own.put(key, key);
        cells[1]++;
    }

    public synchronized int size() {
        return own.size() + cells[1];
    }
}
