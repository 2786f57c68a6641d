package given;

import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A set of the keys of a concurrent map is as safe as that. */
public class Sets {
    private final Set<Object> names = Collections.newSetFromMap(new ConcurrentHashMap<>());

    public void add(Object name) {
        names.add(name);
    }

    public boolean has(Object name) {
        return names.contains(name);
    }
}
