package java.lang;

import static java.lang.JraceMemory.U;
import static java.lang.JraceMode.BY_ELEMENT;

import java.util.ArrayList;
import java.util.Arrays;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The elements of a list that is an array inside, where order counts. To come to an element by its index reads the list, so that it races
 * with what changes which elements there are; and it reads or writes the element.
 *
 * <p>As long as nobody has written to an index, of the elements is known only to which threads came: to one, to each, or to several. The
 * first write gives them states of their own. Where an element moves to another index, its state stays behind.
 */
final class JraceElements {
    private JraceElements() {}

    /** In place of an index: each element. */
    static final int EACH = JraceChecks.ALL;
    /** In place of an index: none, but which elements there are. */
    static final int NONE = -3;

    /** What an index of an element is ored with to which an iterator comes. */
    static final int ITERATED = 1 << 30;

    /**
     * Of a list, in place of the only index to which each access was, and of states: each access was to each element; nobody knows to which;
     * nor is that known, but some were by iterators, which come to many.
     */
    private static final Object ALL = new Object();
    private static final Object SEVERAL = new Object();
    private static final Object GONE_OVER = new Object();

    /** The states of so many elements are made at once. */
    private static final int CHUNK = 64;
    /** Before these there are some that are not used, so that no state is where an object has the one of its contents. */
    private static final int UNUSED = 8;
    /** Where in the table of chunks the state is of elements that have none yet. */
    private static final int BEFORE = 0;

    private static final long SIZE = U.objectFieldOffset(ArrayList.class, "size");

    /** Takes what is known of a list through an access. */
    @ForceInline
    static void access(Object list, JraceKind kind, int index, int site, boolean write, boolean isNew) {
        if (write) {
            change(list, kind, index, site, isNew);
            return;
        }
        JraceAccess.contents(list, kind.word(), list, site, false, isNew);
        if (BY_ELEMENT || !covers(U.getReference(list, kind.elements()), index)) {
            accessElements(list, kind, index, site, false, isNew);
        }
    }

    private static void change(Object list, JraceKind kind, int index, int site, boolean isNew) {
        int word = kind.word();
        if (index == NONE) {
            Object known = U.getReference(list, kind.elements());
            if (known instanceof Object[]) {
                take(list, (Object[]) known, site);
            } else if (known != null) {
                // It comes after all reads, or races with them.
                U.compareAndSetReference(list, kind.elements(), known, null);
            }
            JraceAccess.contents(list, word, list, site, true, isNew);
        } else if (isNew || !isTold(list, kind, site, true)) {
            part(list, kind, site);
            JraceAccess.contents(list, word, list, site, false, isNew);
            accessElements(list, kind, index, site, true, isNew);
        }
    }

    /**
     * Whether an access to an element tells nothing new, as the thread has changed by the same stamp which elements there are: who races
     * with the access races with that.
     */
    @ForceInline
    private static boolean isTold(Object list, JraceKind kind, int site, boolean write) {
        return JraceLocation.isLatestWrite(list, kind.word()) && !JraceLocation.isHandedOver(site, write);
    }

    /** The thread may take out the first element or the last one, and find what another has left there. */
    private static void take(Object list, Object[] chunks, int site) {
        if ((JraceSites.handing(site) & JraceSites.FINDS_ELEMENTS) != 0) {
            find(list, chunks, 0, site);
            find(list, chunks, U.getInt(list, SIZE) - 1, site);
        }
    }

    @DontInline
    private static void find(Object list, Object[] chunks, int index, int site) {
        try {
            int at = 1 + index / CHUNK;
            if (index >= 0 && at < chunks.length && chunks[at] != null) {
                accessElement(list, (Object[]) chunks[at], index, site, false, false);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // The program is about to see the same; the access goes unchecked.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    /** Gives elements their own states, before the list knows of the write. */
    private static void part(Object list, JraceKind kind, int site) {
        Object known = U.getReferenceAcquire(list, kind.elements());
        if (!(known instanceof Object[])) {
            tryPart(list, kind, known, site);
        }
    }

    @DontInline
    private static void tryPart(Object list, JraceKind kind, Object known, int site) {
        try {
            U.compareAndSetReference(list, kind.elements(), known, chunks(list, kind, known, site));
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // As above.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    /** Whether what is known of the elements says of a read already to which it was. */
    @ForceInline
    private static boolean covers(Object known, int index) {
        if (index >= ITERATED) {
            return known == GONE_OVER;
        }
        return known == SEVERAL || known == GONE_OVER || (index == EACH ? known == ALL || known instanceof Integer : isAt(known, index));
    }

    @ForceInline
    private static boolean isAt(Object known, int index) {
        return known instanceof Integer && (Integer) known == index;
    }

    @DontInline
    private static void accessElements(Object list, JraceKind kind, int index, int site, boolean write, boolean isNew) {
        try {
            if ((index == EACH ? 0 : index & ~ITERATED) < U.getInt(list, SIZE) && (write || isNew || !isTold(list, kind, site, false))) {
                tryElements(list, kind, index, site, write, isNew);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // As above.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    private static void tryElements(Object list, JraceKind kind, int index, int site, boolean write, boolean isNew) {
        while (true) {
            Object known = U.getReferenceAcquire(list, kind.elements());
            if (known instanceof Object[]) {
                access(list, kind, (Object[]) known, index == EACH ? EACH : index & ~ITERATED, site, write, isNew);
                return;
            }
            Object next = write || BY_ELEMENT ? chunks(list, kind, known, site) : reach(known, index);
            boolean isSet = U.compareAndSetReference(list, kind.elements(), known, next);
            if (isSet && !(next instanceof Object[])) {
                return;
            }
        }
    }

    /** What is known after a read. */
    private static Object reach(Object known, int index) {
        if (covers(known, index)) {
            return known;
        }
        if (index == EACH) {
            return ALL;
        }
        if (index >= ITERATED) {
            return GONE_OVER;
        }
        return known == null || known == ALL ? (Object) index : SEVERAL;
    }

    /** The table of a list that gets states: an element to which each access was has the state that the list had, the others none. */
    private static Object[] chunks(Object list, JraceKind kind, Object known, int site) {
        Object[] chunks = new Object[1 + U.getInt(list, SIZE) / CHUNK + 1];
        Object state = U.getReferenceAcquire(list, kind.word());
        Object before = state instanceof JraceOpen ? null : state;
        if (known == ALL) {
            chunks[BEFORE] = before;
        } else if (known instanceof Integer && 1 + (Integer) known / CHUNK < chunks.length) {
            int index = (Integer) known;
            Object[] states = (Object[]) JraceLocation.newStates(UNUSED + CHUNK);
            states[UNUSED + index % CHUNK] = before;
            chunks[1 + index / CHUNK] = states;
            JraceAgent.parted(System.identityHashCode(list), kind.word(), (int) offset(index));
        } else if (known == SEVERAL || known == GONE_OVER) {
            JraceLocation.mayRaceAtIndex(list, kind.word(), site, known == GONE_OVER);
        }
        U.storeFence();
        return chunks;
    }

    private static long offset(int index) {
        return JraceLocation.offset(UNUSED + index % CHUNK);
    }

    private static void access(Object list, JraceKind kind, Object[] chunks, int index, int site, boolean write, boolean isNew) {
        if (index != EACH) {
            accessElement(list, states(list, kind, chunks, index), index, site, write, isNew);
            return;
        }
        int size = Math.min(U.getInt(list, SIZE), (chunks.length - 1) * CHUNK);
        for (int begin = 0; begin < size; begin += CHUNK) {
            accessEach(list, states(list, kind, chunks, begin), Math.min(size - begin, CHUNK), site, write, isNew);
        }
    }

    /** What one access makes of a state, it makes of the same one of another element. That of a race is of its element alone. */
    private static void accessEach(Object list, Object[] states, int n, int site, boolean write, boolean isNew) {
        Object before = null;
        Object after = null;
        for (int i = 0; i < n; i++) {
            Object state = states[UNUSED + i];
            if (before == null || state != before || !U.compareAndSetReference(states, offset(i), before, after)) {
                accessElement(list, states, i, site, write, isNew);
                after = states[UNUSED + i];
                before = after instanceof JraceOpen ? null : state;
            }
        }
    }

    private static void accessElement(Object list, Object[] states, int index, int site, boolean write, boolean isNew) {
        long offset = offset(index);
        boolean passes = write ? JraceLocation.passesWrite(states, offset) : JraceLocation.passesRead(states, offset);
        if (isNew || !passes || JraceLocation.isHandedOver(site, write)) {
            JraceLocation.check(states, offset, list, site, write, isNew);
        }
    }

    /** The states of the chunk of an element, made if there are none. */
    private static Object[] states(Object list, JraceKind kind, Object[] chunks, int index) {
        Object[] table = chunks;
        int at = 1 + index / CHUNK;
        if (at >= table.length) {
            table = Arrays.copyOf(chunks, at + (at >> 1) + 1);
            if (!U.compareAndSetReference(list, kind.elements(), chunks, table)) {
                Object other = U.getReferenceAcquire(list, kind.elements());
                table = other instanceof Object[] && at < ((Object[]) other).length ? (Object[]) other : table;
            }
        }
        Object[] states = (Object[]) U.getReferenceAcquire(table, JraceLocation.offset(at));
        if (states == null) {
            states = (Object[]) JraceLocation.newStates(UNUSED + CHUNK);
            Arrays.fill(states, table[BEFORE]);
            Object other = U.compareAndExchangeReference(table, JraceLocation.offset(at), null, states);
            states = other == null ? states : (Object[]) other;
        }
        return states;
    }
}
