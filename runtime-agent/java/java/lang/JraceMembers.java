package java.lang;

/**
 * What stands for the constants in a collection: the string {@code "a"}, {@code true}, a constant of an enum. Many collections have
 * the same, so one that is found in one of them must not tell what was done before it was put into another.
 *
 * <p>They are told apart by identity hashes, so that none is kept alive. A few are enough: who has many, as strings that are read, has
 * others than everybody else, and these stand for themselves.
 */
final class JraceMembers {
    private static final int LEAST = 4;
    private static final int MOST = 64;

    /** Open addressing; at most half of the places are taken. A place has no hash before it has an object. */
    private static final class Places {
        final int[] hashes;
        final Object[] objects;

        Places(int count) {
            hashes = new int[count];
            objects = new Object[count];
        }

        int at(int hash) {
            int at = hash & hashes.length - 1;
            while (objects[at] != null && hashes[at] != hash) {
                at = at + 1 & hashes.length - 1;
            }
            return at;
        }

        Places twice() {
            Places more = new Places(2 * hashes.length);
            for (int i = 0; i < hashes.length; i++) {
                if (objects[i] != null) {
                    more.set(more.at(hashes[i]), hashes[i], objects[i]);
                }
            }
            JraceMemory.U.storeFence();
            return more;
        }

        void set(int at, int hash, Object object) {
            hashes[at] = hash;
            JraceMemory.U.storeFence();
            objects[at] = object;
        }
    }

    private Places places = new Places(LEAST);
    private int count;

    /** Whether an object may well be in several collections. */
    static boolean isConstant(Object object) {
        return object instanceof String || object instanceof Integer || object instanceof Boolean || object instanceof Enum
                || object instanceof Long || object instanceof Class || object instanceof Character || object instanceof Byte
                || object instanceof Short;
    }

    /** What stands for an object that was found in a collection; null if nothing does. */
    static Object found(Object element, Object collection) {
        JraceShadow shadow = isConstant(element) ? JraceShadow.known(collection) : null;
        if (shadow == null) {
            return element;
        }
        JraceMembers members = shadow.members();
        if (members == null) {
            return shadow.isInternal() ? null : element;
        }
        return members.get(element);
    }

    /** What stands for a constant in this collection from now on. For one thread at a time. */
    Object put(Object constant) {
        int hash = System.identityHashCode(constant);
        Object object = places.objects[places.at(hash)];
        if (object != null || count == MOST) {
            return object == null ? constant : object;
        }
        if (2 * count == places.hashes.length) {
            places = places.twice();
        }
        object = new Object();
        places.set(places.at(hash), hash, object);
        count++;
        return object;
    }

    /** Takes no lock: who finds something in a collection comes after who has put it there. */
    private Object get(Object constant) {
        Places places = this.places;
        Object object = places.objects[places.at(System.identityHashCode(constant))];
        return object == null && count == MOST ? constant : object;
    }
}
