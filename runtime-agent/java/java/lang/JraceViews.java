package java.lang;

import static java.lang.JraceMemory.U;

/** The maps behind their iterators, entries and parts: what stands for a constant in a map is found by the map. */
final class JraceViews {
    private JraceViews() {}

    /** Each is of a map, or of another of these. */
    private static final String[][] FIELDS = {
        {"ConcurrentHashMap$BaseIterator", "map"},
        {"ConcurrentHashMap$EntrySpliterator", "map"},
        {"ConcurrentHashMap$MapEntry", "map"},
        {"ConcurrentSkipListMap$Iter", "this$0"},
        {"ConcurrentSkipListMap$SubMap$SubMapIter", "this$0"},
        {"ConcurrentSkipListMap$SubMap", "m"},
    };

    private static final Class<?>[] CLASSES = new Class<?>[FIELDS.length];
    private static final long[] OFFSETS = new long[FIELDS.length];

    static {
        for (int i = 0; i < FIELDS.length; i++) {
            try {
                Class<?> view = Class.forName("java.util.concurrent." + FIELDS[i][0], false, null);
                OFFSETS[i] = JraceMemory.offset(view, FIELDS[i][1]);
                CLASSES[i] = OFFSETS[i] == JraceMemory.NOWHERE ? null : view;
            } catch (ClassNotFoundException e) {
                // What is a constant there stands for itself.
            }
        }
    }

    /** The map behind an object; the object itself if it is none of these. */
    static Object collection(Object object) {
        Object collection = object;
        for (int i = 0; i < CLASSES.length; i++) {
            if (CLASSES[i] != null && CLASSES[i].isInstance(collection)) {
                collection = U.getReference(collection, OFFSETS[i]);
            }
        }
        return collection;
    }
}
