package java.lang;

import java.util.Map;
import jdk.internal.vm.annotation.DontInline;

/**
 * What stands for the constants in a collection: the string {@code "a"}, {@code true}, a constant of an enum. Many collections have
 * the same, so one that is found in one of them must not tell what was done before it was put into another.
 *
 * <p>They are told apart by identity hashes, so that none is kept alive. A few are enough: who has many, as strings that are read, has
 * others than everybody else, and these stand for themselves.
 *
 * <p>A barrier has them, too: what stands for it to those who pass.
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

    /** So many kinds of keys are told apart where keys are taken out; a power of two. */
    private static final int KEYS = 64;

    /** What stands for keys that were taken out, by hash, and behind these for all keys; null if none was. */
    private Object[] gone;
    /** What stands for a barrier to those who pass it; null if it was never opened. */
    private Object passage;
    private Places places = new Places(LEAST);
    private int count;

    /** Whether an object may well be in several collections. Some that are copied on write begin with one empty array. */
    static boolean isConstant(Object object) {
        return object instanceof String || object instanceof Integer || object instanceof Boolean || object instanceof Enum
                || object instanceof Long || object instanceof Class || object instanceof Character || object instanceof Byte
                || object instanceof Short || object instanceof Object[] && ((Object[]) object).length == 0;
    }

    /** What stands for an object that was found in a collection, or in what goes over one; null if nothing does. */
    @DontInline
    static Object found(Object element, Object collection) {
        if (!isConstant(element)) {
            return element;
        }
        Object map = JraceViews.collection(collection);
        JraceShadow shadow = JraceShadow.known(map);
        if (shadow == null) {
            // An entry that is a copy was found before.
            return map instanceof Map.Entry ? null : element;
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

    /**
     * What stands for a key that is taken out, of equal hash others, too: who does not find it any more comes after who has done that. Of
     * null, for all keys. For one thread at a time.
     */
    Object go(Object key) {
        Object[] gone = this.gone;
        if (gone == null) {
            gone = new Object[KEYS + 1];
            JraceMemory.U.storeFence();
            this.gone = gone;
        }
        int at = at(key);
        if (gone[at] == null) {
            gone[at] = new Object();
        }
        return gone[at];
    }

    /** The same for who does not find it; null if none such was taken out. */
    Object gone(Object key) {
        Object[] gone = this.gone;
        return gone == null ? null : gone[at(key)];
    }

    /** A barrier is opened; for one thread at a time. */
    Object open() {
        if (passage == null) {
            Object made = new Object();
            JraceMemory.U.storeFence();
            passage = made;
        }
        return passage;
    }

    /** What stands for it to those who pass; null if it was never opened. */
    Object passage() {
        return passage;
    }

    /** Equal constants may be two objects; of others, that is for the program to say, whose code does not run here. */
    private static int at(Object key) {
        if (key == null) {
            return KEYS;
        }
        boolean isValue = isConstant(key) && !(key instanceof Enum) && !(key instanceof Class);
        int hash = isValue ? key.hashCode() : System.identityHashCode(key);
        return (hash ^ hash >>> 16 ^ hash >>> 6) & KEYS - 1;
    }

    /** Takes no lock: who finds something in a collection comes after who has put it there. */
    private Object get(Object constant) {
        Places places = this.places;
        Object object = places.objects[places.at(System.identityHashCode(constant))];
        return object == null && count == MOST ? constant : object;
    }
}
