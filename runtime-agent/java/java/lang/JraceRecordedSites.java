package java.lang;

import static java.lang.JraceMemory.U;
import static java.lang.JraceMode.SPARING;
import static java.lang.JraceSites.CHUNK;
import static java.lang.JraceSites.CHUNKS;
import static java.lang.JraceSites.CHUNK_BITS;
import static java.lang.JraceSites.plainName;
import static java.lang.JraceSites.resolved;

import java.lang.JraceLayout.Member;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/** Where the objects of recorded sites have their numbers and shadow words. */
final class JraceRecordedSites {
    private JraceRecordedSites() {}

    /**
     * For each site the offset of the number of its object and, in the low half, that of its shadow word, or for a static field the
     * slot; 0 if there is none, and {@link #VOLATILE} for a volatile field. It may also be one of the negative values below. For an array, once spans
     * are left out, whether its site is in a constructor.
     */
    @Stable
    private static final long[][] RECORDED = new long[CHUNKS][];

    static final long OFFSET = 0x3FFF_FFFFL;
    /** In place of an offset or a slot: the field is volatile. */
    static final long VOLATILE = 1L << 30;
    /** With the offset of a shadow word: the site is in a constructor or class initializer. */
    static final long INITIALIZES = 1L << 31;

    static final long UNRECORDED = -1;
    /** Objects have no field for their numbers. */
    static final long UNNUMBERED = -2;
    /** A static field; keeps the value from being 0. */
    static final long STATIC = 1L << 62;

    @ForceInline
    static long recorded(int site) {
        long[] chunk = RECORDED[site >>> CHUNK_BITS];
        return chunk == null ? 0 : chunk[site & (CHUNK - 1)];
    }

    static long resolve(Object object, int site) {
        return resolve(site, where(object, site));
    }

    static long resolve(int site) {
        long where = where(site);
        return where == 0 ? 0 : resolve(site, where);
    }

    /** What {@link #RECORDED} holds for the site of an instance field. */
    static long where(Object object, int site) {
        int offset = resolved(site) == 0 ? JraceSites.fieldOffset(object, site) : resolved(site);
        if (!JraceAgent.isRecorded(site)) {
            return UNRECORDED;
        }
        long number = numberOffset(object.getClass(), site);
        long flag = SPARING && JraceAgent.initializes(site) ? INITIALIZES : 0;
        return number == 0 ? UNNUMBERED : number << 32 | flag | wordOf(site, offset);
    }

    /** What {@link #RECORDED} holds for that of a static field; 0 if its class is not known. */
    static long where(int site) {
        int slot = resolved(site) == 0 ? JraceSites.staticSlot(site) : resolved(site);
        if (slot == 0) {
            return 0;
        }
        return JraceAgent.isRecorded(site) ? STATIC | wordOf(site, slot) : UNRECORDED;
    }

    private static long wordOf(int site, int where) {
        return JraceAgent.isVolatile(site) ? VOLATILE : Math.max(where, 0);
    }

    static synchronized long resolve(int site, long value) {
        int high = site >>> CHUNK_BITS;
        long[] chunk = RECORDED[high];
        if (chunk == null) {
            chunk = new long[CHUNK];
            U.storeFence();
            RECORDED[high] = chunk;
        }
        chunk[site & (CHUNK - 1)] = value;
        return value;
    }

    /** Where the objects of a site have their numbers: in the topmost class that has the field. 0 if there is none. */
    private static long numberOffset(Class<?> of, int site) {
        String name = JraceAgent.owner(site);
        Class<?> start = of;
        while (start != null && !plainName(start).equals(name)) {
            start = start.getSuperclass();
        }
        long found = 0;
        for (Class<?> c = start; c != null; c = c.getSuperclass()) {
            long offset = JraceMemory.offset(c, Member.NUMBER);
            // A class without is not woven, or has a superclass that is.
            found = offset == JraceMemory.NOWHERE ? found : offset;
        }
        return found;
    }
}
