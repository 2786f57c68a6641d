package seeds;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What copies a collection gives it back as it is, if it is of some class. */
public class CopiesOf {
    private static final List<String> LIST = new ArrayList<>();
    private static final Set<String> SET = new HashSet<>();
    private static final Map<String, String> MAP = new HashMap<>();
    private static final List<String> ITSELF = new ArrayList<>(); // race
    private static final List<String> EITHER = new ArrayList<>(); // race
    private static final List<String> OTHER = new ArrayList<>();
    private static final List<String> LATER = new ArrayList<>(); // race

    private final List<String> list = List.copyOf(LIST);
    private final Set<String> set = Set.copyOf(SET);
    private final Map<String, String> map = Map.copyOf(MAP);
    private final Collection<String> itself = itself(ITSELF);
    private final Collection<String> either = either(EITHER);
    private final Collection<String> other = other(OTHER);
    private final Collection<String> later = later(LATER);

    private static Collection<String> itself(Iterable<String> all) {
        if (all instanceof ArrayList) {
            return (Collection<String>) all;
        }
        return List.of();
    }

    private static Collection<String> either(Iterable<String> all) {
        if (all instanceof LinkedList || all instanceof ArrayList) {
            return (Collection<String>) all;
        }
        return List.of();
    }

    private static Collection<String> other(Iterable<String> all) {
        if (all instanceof LinkedList) {
            return (Collection<String>) all;
        }
        return List.of();
    }

    /** What is asked before tells nothing where the ways have met. */
    private static Collection<String> later(Iterable<String> all) {
        int n = 0;
        if (all instanceof LinkedList) {
            n++;
        }
        return n > 1 ? List.of() : (Collection<String>) all;
    }

    int read() {
        return list.size() + set.size() + map.size() + itself.size() + either.size() + other.size() + later.size();
    }

    static void write() {
        LIST.add("");
        SET.add("");
        MAP.put("", "");
        ITSELF.add("");
        EITHER.add("");
        OTHER.add("");
        LATER.add("");
    }

    public static void main(String[] args) {
        CopiesOf copies = new CopiesOf();
        new Thread(copies::read).start();
        write();
    }
}
