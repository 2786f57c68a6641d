package java.lang;

import static java.lang.JraceLocation.ARRAY;
import static java.lang.JraceLocation.check;
import static java.lang.JraceLocation.mayRead;
import static java.lang.JraceLocation.mayWrite;
import static java.lang.JraceMemory.U;
import static java.lang.JraceMode.BY_ELEMENT;
import static java.lang.JraceSites.UNCHECKED;
import static java.lang.JraceSites.passes;
import static java.lang.JraceSites.resolved;
import static java.lang.JraceSites.visits;
import static java.lang.JraceSites.wordOffset;
import static java.lang.JraceSites.words;

import java.lang.reflect.Array;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The doors of accesses that are checked: they find where the state of the location is, and hand it to the engine
 * ({@link JraceLocation}). The inlined fast paths pass only states that the engine would leave as they are.
 *
 * <p>The hooks here are longer than the 35 bytes that C1 inlines (a test sees to it), and are not {@code @ForceInline}: C1 then
 * compiles a call (it spent six times as long on javac when it inlined them), and C2 inlines them where they run often. What they
 * consist of is {@code @ForceInline}.
 */
class JraceChecks {
    JraceChecks() {}

    /** In place of an index: several elements. */
    static final int ANY = -1;
    /** In place of an index: each element. */
    static final int ALL = -2;

    // ---- fields ---------------------------------------------------------------------------------------------------

    public static void readField(Object object, int site) {
        if (object == null) {
            return;
        }
        int offset = resolved(site);
        if (offset == UNCHECKED || offset > 0 && mayRead(object, offset, site)) {
            return;
        }
        slowField(object, site, false);
    }

    public static void writeField(Object object, int site) {
        if (object == null) {
            return;
        }
        int offset = resolved(site);
        if (offset == UNCHECKED || offset > 0 && mayWrite(object, offset, site)) {
            return;
        }
        slowField(object, site, true);
    }

    public static void readOwned(Object object, int site) {
        if (object != null && !conforms(object, site)) {
            slowOwned(object, site, false);
        }
    }

    public static void writeOwned(Object object, int site) {
        if (object != null && !conforms(object, site)) {
            slowOwned(object, site, true);
        }
    }

    /** Whether the thread holds the monitor of the object, or nothing new would be reported if it does not. */
    @ForceInline
    private static boolean conforms(Object object, int site) {
        int offset = resolved(site);
        if (offset == UNCHECKED || offset > 0 && JraceLocation.isReported(object, offset)) {
            return true;
        }
        JraceContext context = JraceThread.context(Thread.currentThread());
        return context != null && context.holds(object);
    }

    /** Nobody else knows the object yet, so its word needs neither a look nor an atomic update. */
    public static void initField(Object object, int site) {
        int offset = resolved(site);
        if (offset == UNCHECKED) {
            return;
        }
        Thread thread = Thread.currentThread();
        if (offset > 0 && JraceLocation.initialize(thread, object, offset, site)) {
            return;
        }
        slowField(object, site, true);
    }

    public static void readStatic(int site) {
        int slot = resolved(site);
        if (slot == UNCHECKED || slot > 0 && mayRead(words(slot), wordOffset(slot), site)) {
            return;
        }
        slowStatic(site, false);
    }

    public static void writeStatic(int site) {
        int slot = resolved(site);
        if (slot == UNCHECKED || slot > 0 && mayWrite(words(slot), wordOffset(slot), site)) {
            return;
        }
        slowStatic(site, true);
    }

    // ---- arrays ---------------------------------------------------------------------------------------------------

    public static void readArray(Object array, int index, int site) {
        if (array == null) {
            return;
        }
        if (!BY_ELEMENT && resolved(site) != 0) {
            JraceShadow shadow = JraceShadow.latest(site);
            if (shadow.refersTo(array) && JraceLocation.isAt(shadow, index) && mayRead(shadow, ARRAY, site)) {
                return;
            }
        }
        slowArray(array, index, site, false);
    }

    /** An array of one state need not be checked again for another element than was just read. */
    @ForceInline
    public static void readArrayBeside(Object array, int index, Object last, int site) {
        if (array != last) {
            readArray(array, index, site);
        }
    }

    public static void writeArray(Object array, int index, int site) {
        if (array == null) {
            return;
        }
        if (!BY_ELEMENT && resolved(site) != 0) {
            JraceShadow shadow = JraceShadow.latest(site);
            if (shadow.refersTo(array) && JraceLocation.isAt(shadow, index) && mayWrite(shadow, ARRAY, site)) {
                return;
            }
        }
        slowArray(array, index, site, true);
    }

    @ForceInline
    public static Object readArrayAgain(Object array, int index, Object last, int site) {
        if (array == last) {
            return last;
        }
        if (!BY_ELEMENT && array != null && resolved(site) != 0) {
            JraceShadow shadow = JraceShadow.latest(site);
            if (shadow.refersTo(array) && JraceLocation.isAt(shadow, ANY) && mayRead(shadow, ARRAY, site)) {
                return array;
            }
        }
        return again(array, index, site, false);
    }

    @ForceInline
    public static Object writeArrayAgain(Object array, int index, Object last, int site) {
        if (array == last) {
            return last;
        }
        if (!BY_ELEMENT && array != null && resolved(site) != 0) {
            JraceShadow shadow = JraceShadow.latest(site);
            if (shadow.refersTo(array) && JraceLocation.isAt(shadow, ANY) && mayWrite(shadow, ARRAY, site)) {
                return array;
            }
        }
        return again(array, index, site, true);
    }

    @ForceInline
    public static Object readArrayLater(Object array, int index, Object last, int site) {
        if (!BY_ELEMENT && passes(last == array || last == null && !JraceLocation.mayBeFine(), site)) {
            return array;
        }
        if (last != null) {
            readArrayBefore(last, site);
        }
        return later(array, index, site, false);
    }

    @ForceInline
    public static Object writeArrayLater(Object array, int index, Object last, int site) {
        if (!BY_ELEMENT && passes(last == array || last == null && !JraceLocation.mayBeFine(), site)) {
            return array;
        }
        if (last != null) {
            writeArrayBefore(last, site);
        }
        return later(array, index, site, true);
    }

    /** Checks an array that code goes over, now if each element has its own state; gives what need not be checked again. */
    @DontInline
    private static Object again(Object array, int index, int site, boolean write) {
        boolean isFine = isFine(array, site);
        access(array, isFine ? index : ANY, site, write);
        return isFine ? null : array;
    }

    /** The same, of one that is checked when code has gone over it. */
    @DontInline
    private static Object later(Object array, int index, int site, boolean write) {
        if (!isFine(array, site)) {
            return array;
        }
        access(array, index, site, write);
        return null;
    }

    private static void access(Object array, int index, int site, boolean write) {
        if (write) {
            writeArray(array, index, site);
        } else {
            readArray(array, index, site);
        }
    }

    /** Without a profile: that of the site tells how often the array changes. */
    public static void readArrayBefore(Object array, int site) {
        if (array == null) {
            return;
        }
        JraceShadow shadow = JraceShadow.latest(site);
        if (resolved(site) != 0 && shadow.refersTo(array) && JraceLocation.isAt(shadow, ANY) && JraceLocation.passesRead(shadow, ARRAY)) {
            return;
        }
        slowArray(array, ANY, site, false);
    }

    public static void writeArrayBefore(Object array, int site) {
        if (array == null) {
            return;
        }
        JraceShadow shadow = JraceShadow.latest(site);
        if (resolved(site) != 0 && shadow.refersTo(array) && JraceLocation.isAt(shadow, ANY) && JraceLocation.passesWrite(shadow, ARRAY)) {
            return;
        }
        slowArray(array, ANY, site, true);
    }

    /** After a loop that came to each element up to one, which may be more than there are. */
    public static void readArrayUntil(Object array, int until, int site) {
        if (array == null || until < Array.getLength(array)) {
            readArrayBefore(array, site);
            return;
        }
        JraceShadow shadow = JraceShadow.latest(site);
        if (resolved(site) != 0 && shadow.refersTo(array) && JraceLocation.isAt(shadow, ALL) && JraceLocation.passesRead(shadow, ARRAY)) {
            return;
        }
        slowArray(array, ALL, site, false);
    }

    public static void writeArrayUntil(Object array, int until, int site) {
        if (array == null || until < Array.getLength(array)) {
            writeArrayBefore(array, site);
            return;
        }
        JraceShadow shadow = JraceShadow.latest(site);
        if (resolved(site) != 0 && shadow.refersTo(array) && JraceLocation.isAt(shadow, ALL) && JraceLocation.passesWrite(shadow, ARRAY)) {
            return;
        }
        slowArray(array, ALL, site, true);
    }

    public static void readFinalArray(Object array, int index, Object object, int site) {
        int offset = resolved(site);
        if (!BY_ELEMENT && offset > 0) {
            JraceShadow shadow = (JraceShadow) U.getReference(object, offset);
            if (shadow != null && JraceLocation.isAt(shadow, index) && mayRead(shadow, ARRAY, site)) {
                return;
            }
        }
        slowFinalArray(array, index, object, site, false);
    }

    public static void writeFinalArray(Object array, int index, Object object, int site) {
        int offset = resolved(site);
        if (!BY_ELEMENT && offset > 0) {
            JraceShadow shadow = (JraceShadow) U.getReference(object, offset);
            if (shadow != null && JraceLocation.isAt(shadow, index) && mayWrite(shadow, ARRAY, site)) {
                return;
            }
        }
        slowFinalArray(array, index, object, site, true);
    }

    // ---- contents of objects of the library -----------------------------------------------------------------------

    /** Their word is at {@code base + offset}; the base is the object, or its entry in the weak table. */
    static void contents(Object base, long offset, Object object, int site, boolean write, boolean isNew) {
        if (isNew || !(write ? mayWrite(base, offset, site) : mayRead(base, offset, site)) || JraceLocation.isHandedOver(site, write)) {
            slowContents(base, offset, object, site, write, isNew);
        }
    }

    @DontInline
    private static void slowContents(Object base, long offset, Object object, int site, boolean write, boolean isNew) {
        try {
            check(base, offset, object, site, write, isNew);
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // The program is about to see the same; the call goes unchecked.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    /** Whether the elements of an array have states of their own, though arrays in general have one. */
    static boolean isFine(Object array, int site) {
        return BY_ELEMENT || JraceLocation.mayBeFine() && array != null && JraceLocation.isFine(entry(array, site));
    }

    private static JraceShadow entry(Object array, int site) {
        JraceShadow latest = JraceShadow.latest(site);
        return latest.refersTo(array) ? latest : meet(array, site);
    }

    private static JraceShadow meet(Object array, int site) {
        try {
            Thread thread = Thread.currentThread();
            JraceContext.of(thread);
            return JraceShadow.meet(thread, array, site);
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            return JraceContext.NOTHING;
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
            return JraceContext.NOTHING;
        }
    }

    // ---- what does not --------------------------------------------------------------------------------------------

    // The engine that these call is never inlined into them. An object that compiled code keeps in registers is made when that code is left; if there is
    // no memory for it then, the error comes out of all of that code, past the handlers here.

    @DontInline
    private static void slowField(Object object, int site, boolean write) {
        try {
            int offset = resolved(site);
            boolean isNew = offset == 0;
            if (isNew) {
                offset = JraceSites.fieldOffset(object, site);
            }
            if (offset > 0) {
                check(object, offset, object, site, write, isNew && visits(site, offset));
            } else if (offset < UNCHECKED) {
                JraceLocation.synchronize(object, UNCHECKED - offset, site, write);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // The program is about to see the same; the access goes unchecked.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    @DontInline
    private static void slowOwned(Object object, int site, boolean write) {
        try {
            int offset = resolved(site);
            boolean isNew = offset == 0;
            if (isNew) {
                offset = JraceSites.fieldOffset(object, site);
            }
            if (offset > 0) {
                JraceLocation.conform(object, offset, site, write, isNew && visits(site, offset));
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // As above.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    @DontInline
    private static void slowStatic(int site, boolean write) {
        try {
            int slot = resolved(site);
            boolean isNew = slot == 0;
            if (isNew) {
                slot = JraceSites.staticSlot(site);
            }
            if (slot > 0) {
                check(words(slot), wordOffset(slot), null, site, write, isNew && visits(site, slot));
            } else if (slot < UNCHECKED && !write) {
                JraceLocation.synchronizeStatic(words(UNCHECKED - slot), wordOffset(UNCHECKED - slot), declaring(site), false);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // As above.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    private static Object declaring(int site) {
        JraceShadow declaring = JraceSites.declaring(site);
        return declaring == null ? null : declaring.object();
    }

    /** A static field is about to be written, perhaps a volatile one. */
    static void publishStatic(int site) {
        try {
            int slot = resolved(site);
            if (slot == 0) {
                slot = JraceSites.staticSlot(site);
            }
            if (slot < UNCHECKED) {
                JraceLocation.synchronizeStatic(words(UNCHECKED - slot), wordOffset(UNCHECKED - slot), declaring(site), true);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // What comes after seems to be unordered.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    @DontInline
    private static void slowFinalArray(Object array, int index, Object object, int site, boolean write) {
        if (array == null) {
            return;
        }
        int offset = resolved(site);
        if (BY_ELEMENT || offset == UNCHECKED) {
            slowArray(array, index, site, write);
            return;
        }
        try {
            boolean isNew = offset == 0;
            if (isNew) {
                offset = JraceSites.finalArrayOffset(object, site);
            }
            JraceShadow shadow = JraceShadow.inTable(array);
            if (offset > 0) {
                U.putReferenceRelease(object, offset, shadow);
            }
            JraceLocation.checkArray(shadow, array, index, site, write, isNew && visits(site, offset));
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // As above.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    @DontInline
    private static void slowArray(Object array, int index, int site, boolean write) {
        int place = index == ANY && Array.getLength(array) == 1 ? 0 : index;
        try {
            Thread thread = Thread.currentThread();
            JraceContext.of(thread);
            JraceShadow shadow = JraceShadow.meet(thread, array, site);
            boolean isNew = resolved(site) == 0 && visits(site, UNCHECKED);
            if (!BY_ELEMENT) {
                JraceLocation.checkArray(shadow, array, place, site, write, isNew);
            } else if (place >= 0 && place < Array.getLength(array)) {
                check(JraceLocation.elements(shadow, array), JraceLocation.offset(place), array, site, write, isNew);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // As above.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }
}
