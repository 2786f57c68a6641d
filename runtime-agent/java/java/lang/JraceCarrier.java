package java.lang;

import static java.lang.JraceMemory.NOWHERE;
import static java.lang.JraceMemory.U;

import java.lang.JraceLayout.Member;
import jdk.internal.vm.annotation.DontInline;

/**
 * Objects that carry their entries, in a field that weaving has added to their class: that costs a read, and nothing when they die. What is in the
 * weak table costs a hundred times as much, and every entry survives the collection that finds its object dead.
 *
 * <p>The copy of an object that was cloned begins with the entry of the original, whose it is the entry itself tells.
 */
final class JraceCarrier {
    private JraceCarrier() {}

    /** Where classes carry theirs, which tell where their objects do, if they carry any. */
    private static final int OF_CLASSES = declared(Class.class);

    /** Where an object carries its entry. */
    static int place(Object object) {
        if (OF_CLASSES == NOWHERE) {
            return NOWHERE;
        }
        Class<?> type = object.getClass();
        JraceShadow entry = (JraceShadow) U.getReferenceAcquire(type, OF_CLASSES);
        return entry != null && entry.carried != 0 ? entry.carried : find(type);
    }

    @DontInline
    private static int find(Class<?> type) {
        int place = NOWHERE;
        for (Class<?> c = type; c != null && place == NOWHERE && !type.isArray(); c = c.getSuperclass()) {
            place = declared(c);
        }
        return entry(type, OF_CLASSES).carried = place;
    }

    private static int declared(Class<?> type) {
        return (int) JraceMemory.offset(type, Member.ENTRY);
    }

    /** The entry of an object; null if it has none. */
    static JraceShadow known(Object object, int place) {
        JraceShadow entry = (JraceShadow) U.getReferenceAcquire(object, place);
        return entry != null && entry.refersTo(object) ? entry : null;
    }

    /** The entry of an object, made if there is none. */
    static JraceShadow entry(Object object, int place) {
        JraceShadow entry = known(object, place);
        return entry != null ? entry : make(object, place);
    }

    @DontInline
    private static JraceShadow make(Object object, int place) {
        JraceShadow made = new JraceShadow(object, JraceStripe.newId());
        while (true) {
            JraceShadow present = (JraceShadow) U.getReferenceAcquire(object, place);
            if (present != null && present.refersTo(object)) {
                return present;
            }
            if (U.compareAndSetReference(object, place, present, made)) {
                return made;
            }
        }
    }
}
