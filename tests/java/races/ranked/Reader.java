package ranked;

import java.util.Map;

/** Reads whatever it is given. */
public class Reader {
    public int count(Map<String, String> map) {
        return map.size();
    }
}
