package java.lang;

import static java.lang.JraceMemory.U;
import static java.lang.JraceMode.BY_ELEMENT;
import static java.lang.JraceMode.ORDERING;
import static java.lang.JraceMode.TRACING;
import static java.lang.JraceSites.resolved;
import static java.lang.JraceSites.visits;

import java.lang.reflect.Array;
import java.util.LinkedHashMap;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Calls of the program on objects of the library, as accesses to what these hold: finds the object whose contents are meant, and the
 * word that stands for them. What becomes of the access is the engine's affair ({@link JraceAccess}).
 *
 * <p>What methods of the program's own classes do that extend those of the library is woven, so that calls of these are left out, but
 * for those of super ({@link JraceInherited}).
 */
final class JraceContents {
    private JraceContents() {}

    private static final long ACCESS_ORDER = U.objectFieldOffset(LinkedHashMap.class, "accessOrder");

    @ForceInline
    static void access(Object object, int site, boolean write) {
        accessAt(object, index(write), site, write);
    }

    /** What is read of a list may be each element; what is written is which there are. */
    @ForceInline
    private static int index(boolean write) {
        return write ? JraceElements.NONE : JraceElements.EACH;
    }

    /** A call that comes to an element of a list, to each, or to none. */
    @ForceInline
    static void accessAt(Object object, int index, int site, boolean write) {
        if (object == null) {
            return;
        }
        Class<?> type = object.getClass();
        JraceKind kind = JraceKind.numbered(resolved(site));
        if (kind.type == type) {
            int word = kind.word();
            if (word != 0) {
                if (word > 0) {
                    access(object, kind, index, site, write, false);
                }
                return;
            }
            JraceKind target = kind.target();
            if (target != null) {
                Object meant = U.getReference(object, kind.step());
                if (meant != null && meant.getClass() == target.type) {
                    access(meant, target, kind.index(object, index, write), site, write, false);
                    return;
                }
            }
        }
        resolveAndAccess(object, index, site, write);
    }

    /** A look-up in a map. In one that keeps the order of look-ups, it moves the entry. */
    static void lookUp(Object map, int site) {
        access(map, site, map instanceof LinkedHashMap && U.getBoolean(map, ACCESS_ORDER));
    }

    /** A look-up in a map by a call of super. */
    static void lookUpOwn(Object map, int site) {
        accessOwn(map, site, map instanceof LinkedHashMap && U.getBoolean(map, ACCESS_ORDER));
    }

    /** A call of super. */
    @DontInline
    static void accessOwn(Object object, int site, boolean write) {
        if (object == null) {
            return;
        }
        try {
            accessOf(object, JraceKind.ofSuper(object.getClass(), site), index(write), site, write);
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // The program is about to see the same; the access goes unchecked.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    @DontInline
    private static void resolveAndAccess(Object object, int index, int site, boolean write) {
        try {
            accessOf(object, JraceKind.of(object.getClass(), site), index, site, write);
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // As above.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    private static void accessOf(Object object, JraceKind kind, int index, int site, boolean write) {
        boolean isNew = site != 0 && kind.number != 0 && resolved(site) == 0 && visits(site, kind.number);
        Object meant = object;
        Object lock = null;
        JraceKind met = kind;
        while (met.step() != 0) {
            if (met.lock() != 0) {
                lock = U.getReference(meant, met.lock());
            }
            index = met.index(meant, index, write);
            meant = U.getReference(meant, met.step());
            if (meant == null) {
                return;
            }
            JraceKind next = JraceKind.of(meant.getClass());
            if (met == kind) {
                kind.leadsTo(next);
            }
            met = next;
        }
        if (met.word() < 0) {
            return;
        }
        if (lock == null) {
            access(meant, met, index, site, write, isNew);
        } else if (ORDERING) {
            orderedUnder(lock, meant, met, index, site, write, isNew);
        } else if (!TRACING) {
            JraceLocks.acquire(lock, site, 0);
            try {
                access(meant, met, index, site, write, isNew);
            } finally {
                JraceLocks.release(lock, 0);
            }
        }
    }

    /** As if the thread held a lock. It orders nothing here: the wrapper is about to take it, and tells of that. */
    private static void orderedUnder(Object lock, Object meant, JraceKind kind, int index, int site, boolean write, boolean isNew) {
        Thread thread = Thread.currentThread();
        JraceOrder order = JraceContext.of(thread).order;
        JraceHeld outer = order.held;
        order.hold(thread, outer.with(JraceShadow.of(lock), lock, false));
        try {
            access(meant, kind, index, site, write, isNew);
        } finally {
            order.hold(thread, outer);
        }
    }

    /** Where a class was loaded too early to carry words, its objects have them in the weak table, and elements have none. */
    @ForceInline
    private static void access(Object meant, JraceKind kind, int index, int site, boolean write, boolean isNew) {
        int word = kind.word();
        if (word <= 0) {
            inTable(meant, site, write, isNew);
        } else if (ORDERING && !TRACING && kind.elements() != 0 && (write || index != JraceElements.NONE)) {
            JraceElements.access(meant, kind, index, site, write, isNew);
        } else {
            JraceAccess.contents(meant, word, meant, site, write, isNew);
        }
    }

    @DontInline
    private static void inTable(Object meant, int site, boolean write, boolean isNew) {
        JraceAccess.contents(JraceShadow.of(meant), JraceLocation.ARRAY, meant, site, write, isNew);
    }

    // ---- arrays ---------------------------------------------------------------------------------------------------

    /** A call that goes over a whole array. */
    static void elements(Object array, int site, boolean write) {
        if (array != null && array.getClass().isArray()) {
            elements(array, 0, Array.getLength(array), site, write);
        }
    }

    /** The next call that goes over a part of an array comes to elements from one index up to another. */
    static void range(int from, int until) {
        try {
            JraceContext context = JraceContext.of(Thread.currentThread());
            context.from = from;
            context.until = until;
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // Nobody knows which part it is.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    /** A call that goes over a part of an array. Where elements have states of their own, and it is not known which part, it is not checked. */
    static void part(Object array, int site, boolean write) {
        JraceContext context = JraceThread.context(Thread.currentThread());
        int until = context == null ? 0 : context.until;
        if (until > 0) {
            context.until = 0;
            elements(array, context.from, until - context.from, site, write);
        } else if (KEEPING_APART && array != null && array.getClass().isArray() && Array.getLength(array) > 1) {
            access(array, JraceChecks.ANY, site, write);
        } else {
            elements(array, site, write);
        }
    }

    /** A call that goes over a part of an array; it may lie outside. Nobody else knows the array of site 0. */
    static void elements(Object array, int from, int length, int site, boolean write) {
        if (site == 0 || array == null || from < 0 || length <= 0 || !array.getClass().isArray()) {
            return;
        }
        int size = Array.getLength(array);
        boolean isOne = length == 1 || size == 1;
        if (KEEPING_APART && !isOne && !JraceChecks.isFine(array, site)) {
            access(array, from == 0 && length >= size ? JraceChecks.ALL : JraceChecks.ANY, site, write);
            if (!JraceChecks.isFine(array, site)) {
                return;
            }
        }
        int until = KEEPING_APART || BY_ELEMENT ? from + Math.min(length, size) : from + 1;
        for (int index = from; index < until; index++) {
            access(array, index, site, write);
        }
    }

    private static void access(Object array, int index, int site, boolean write) {
        if (write) {
            JraceAccess.writeArray(array, index, site);
        } else {
            JraceAccess.readArray(array, index, site);
        }
    }

    /** An array has one state until its elements get their own. A trace has one access for all. */
    private static final boolean KEEPING_APART = ORDERING && !BY_ELEMENT && !TRACING;
}
