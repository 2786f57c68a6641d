package given;

import java.util.Collections;
import java.util.HashMap;
import java.util.Set;

/** A set of the keys of a map that the program has written is as safe as that, which nobody knows. */
public class OwnMap<K, V> extends HashMap<K, V> {
    private final Set<Object> names = Collections.newSetFromMap(new OwnMap<>(0));

    private OwnMap(int size) {
        super(size);
    }

    public OwnMap() {
    }

    public void add(Object name) {
        names.add(name);
    }
}
