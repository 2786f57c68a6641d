package java.lang;

import java.text.Format;
import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Calendar;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Calls on objects of the program's own classes that extend one of the library: whether code of the library does what they do. What
 * the program's own methods do is woven. Source: {@code facts::models::inherited}.
 */
final class JraceInherited {
    private JraceInherited() {}

    /** Numbers of methods are lower. */
    private static final int NUMBERS = 512;

    private static final byte LIBRARY = 1;
    private static final byte SHARED = 2;

    /** Of a site, in its lowest bit, whether it names a class of the program; above it, the number of the method, 0 for none of these. */
    private static final int KNOWN = 1 << 14;

    /** By site, these bits; 0 where that was not asked. */
    private static short[] calls = {};

    /** Whether an object may inherit from a class that has contents. Where its class is known, compiled code knows the answer. */
    @ForceInline
    static boolean mayHold(Object object) {
        return object instanceof AbstractCollection
                || object instanceof AbstractMap
                || object instanceof BitSet
                || object instanceof Calendar
                || object instanceof Format;
    }

    /** Whether a call of a method of an object does nothing but what the library's class does. */
    static boolean isOfLibrary(Class<?> type, Class<?> library, int site) {
        return isOfLibrary(type, library, number(site), true);
    }

    /** The same for a call of the method above the class that calls it. */
    static boolean isOfLibraryAbove(Class<?> type, Class<?> library, int site) {
        boolean isNamed = (call(site) & 1) == 0;
        int number = number(site);
        if (number == 0) {
            return isNamed;
        }
        return isOfLibrary(type, library, number, false) && (isNamed || isOfLibrary(above(type, site), library, number, true));
    }

    /** The class above the one whose code is at a site, from one below. */
    private static Class<?> above(Class<?> type, int site) {
        Class<?> caller = type;
        while (caller.getClassLoader0() != null && !JraceAgent.isIn(caller, site)) {
            caller = caller.getSuperclass();
        }
        return caller.getClassLoader0() == null ? caller : caller.getSuperclass();
    }

    /** Whether no class below the library's has a part in what a method does: by having this one, if that counts, or one that it calls. */
    private static boolean isOfLibrary(Class<?> type, Class<?> library, int number, boolean itself) {
        if (type.getClassLoader0() == null) {
            return true;
        }
        byte[] known = JraceShadow.of(type).inherited(2 * NUMBERS);
        int at = 2 * number + (itself ? 1 : 0);
        if (known[at] == 0) {
            known[at] = number != 0 && !isTouched(type, library, number, itself) ? LIBRARY : SHARED;
        }
        return known[at] == LIBRARY;
    }

    private static boolean isTouched(Class<?> type, Class<?> library, int number, boolean itself) {
        for (Class<?> c = type; c.getClassLoader0() != null; c = c.getSuperclass()) {
            if (JraceAgent.touches(c, library.getName(), number, itself)) {
                return true;
            }
        }
        return false;
    }

    private static int number(int site) {
        return call(site) >> 1 & NUMBERS - 1;
    }

    private static int call(int site) {
        short[] known = calls;
        int call = site < known.length ? known[site] : 0;
        return call != 0 ? call : ask(site);
    }

    @DontInline
    private static int ask(int site) {
        short[] known = calls;
        if (site >= known.length) {
            known = Arrays.copyOf(known, Integer.highestOneBit(site + 1) << 1);
            calls = known;
        }
        known[site] = (short) (JraceAgent.callee(site) | KNOWN);
        return known[site];
    }
}
