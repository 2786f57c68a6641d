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

    @DontInline
    private static void change(Object list, JraceKind kind, int index, int site, boolean isNew) {
        try {
            if (index == NONE) {
                leave(list, kind, site);
                JraceAccess.contents(list, kind.word(), list, site, true, isNew);
            } else if (isNew || !isTold(list, kind, site, true)) {
                part(list, kind, site);
                JraceAccess.contents(list, kind.word(), list, site, false, isNew);
                accessElements(list, kind, index, site, true, isNew);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // The program is about to see the same; the access goes unchecked.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    /** The thread is about to change which elements there are: it may take out the first or the last, and find what another has left there. */
    private static void leave(Object list, JraceKind kind, int site) {
        Object known = U.getReferenceAcquire(list, kind.elements());
        if (!(known instanceof Object[])) {
            // It comes after all reads, or races with them.
            U.compareAndSetReference(list, kind.elements(), known, null);
        } else if ((JraceSites.handing(site) & JraceSites.FINDS_ELEMENTS) != 0) {
            find(list, (Object[]) known, 0, site);
            find(list, (Object[]) known, U.getInt(list, SIZE) - 1, site);
        }
    }

    private static void find(Object list, Object[] chunks, int index, int site) {
        int at = 1 + index / CHUNK;
        if (index >= 0 && at < chunks.length && chunks[at] != null) {
            accessElement(list, (Object[]) chunks[at], index, site, false, false);
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

    /** Gives elements their own states, before the list knows of the write. */
    private static void part(Object list, JraceKind kind, int site) {
        Object known = U.getReferenceAcquire(list, kind.elements());
        if (!(known instanceof Object[])) {
            U.compareAndSetReference(list, kind.elements(), known, chunks(list, kind, known, site));
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

    /** The index without what says that an iterator came to it. */
    private static int at(int index) {
        return index == EACH ? EACH : index & ~ITERATED;
    }

    @DontInline
    private static void accessElements(Object list, JraceKind kind, int index, int site, boolean write, boolean isNew) {
        try {
            if (at(index) < U.getInt(list, SIZE) && (write || isNew || !isTold(list, kind, site, false))) {
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
                access(list, kind, (Object[]) known, at(index), site, write, isNew);
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
            accessElement(list, states(table(list, kind, chunks, index), index), index, site, write, isNew);
            return;
        }
        int size = U.getInt(list, SIZE);
        Object[] table = table(list, kind, chunks, size - 1);
        for (int i = 0; i < size; i++) {
            accessElement(list, states(table, i), i, site, write, isNew);
        }
    }

    private static void accessElement(Object list, Object[] states, int index, int site, boolean write, boolean isNew) {
        long offset = offset(index);
        boolean passes = write ? JraceLocation.passesWrite(states, offset) : JraceLocation.passesRead(states, offset);
        if (isNew || !passes || JraceLocation.isHandedOver(site, write)) {
            JraceLocation.check(states, offset, list, site, write, isNew);
        }
    }

    /** The table, made larger if it has no place for the chunk of an element. */
    private static Object[] table(Object list, JraceKind kind, Object[] chunks, int index) {
        int at = 1 + index / CHUNK;
        if (at < chunks.length) {
            return chunks;
        }
        Object[] larger = Arrays.copyOf(chunks, at + (at >> 1) + 1);
        Object other = U.compareAndExchangeReference(list, kind.elements(), chunks, larger);
        return other instanceof Object[] && at < ((Object[]) other).length ? (Object[]) other : larger;
    }

    /** The states of the chunk of an element, made if there are none. */
    private static Object[] states(Object[] table, int index) {
        long place = JraceLocation.offset(1 + index / CHUNK);
        Object[] states = (Object[]) U.getReferenceAcquire(table, place);
        if (states != null) {
            return states;
        }
        states = (Object[]) JraceLocation.newStates(UNUSED + CHUNK);
        Arrays.fill(states, table[BEFORE]);
        Object other = U.compareAndExchangeReference(table, place, null, states);
        return other == null ? states : (Object[]) other;
    }
}
