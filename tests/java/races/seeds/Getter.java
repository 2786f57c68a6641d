package seeds;

import java.util.HashMap;
import java.util.Map;

/** A map that is handed out under a lock and used without. */
public class Getter {
    private final Map<String, String> leaked = new HashMap<>(); // race
    private final Map<String, String> kept = new HashMap<>();

    synchronized Map<String, String> leaked() {
        return leaked;
    }

    synchronized void keep(String key) {
        kept.put(key, key);
    }

    public static void main(String[] args) {
        Getter getter = new Getter();
        new Thread(() -> {
            getter.leaked().put("a", "b");
            getter.keep("a");
        }).start();
        getter.leaked().put("c", "d");
        getter.keep("c");
    }
}
