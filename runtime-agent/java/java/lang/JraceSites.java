package java.lang;

import static java.lang.JraceMemory.NOWHERE;
import static java.lang.JraceMemory.U;

import java.lang.JraceLayout.Site;
import java.lang.invoke.JraceProfile;
import java.util.Arrays;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/**
 * What is known of sites: where the shadow words of their fields lie, and how often their fast paths have passed. Static fields have
 * their words here.
 */
final class JraceSites {
    private JraceSites() {}

    /**
     * A site whose accesses need no check. Those of volatile fields have values below: {@code UNCHECKED} less the offset, or the slot, of
     * the field's clock.
     */
    static final int UNCHECKED = -1;

    static final int CHUNK_BITS = 12;
    static final int CHUNK = 1 << CHUNK_BITS;
    /** Static slots beyond as many as there are sites are not checked. */
    static final int CHUNKS = 1 << Site.SITE_BITS - CHUNK_BITS;

    /** How many visits of a site take the slow path, so that they can be remembered as previous accesses. */
    private static final int REMEMBERED = 4;

    /**
     * For each site the offset of the shadow word in its object, or for a static field its slot; 0 in its first visits. Stable,
     * so that compiled code holds it as a constant.
     */
    @Stable
    private static final int[][] RESOLVED = new int[CHUNKS][];

    /** The same as RESOLVED from the first visit on. */
    private static final int[][] PENDING = new int[CHUNKS][];

    /** For each site, how often it was visited early on. */
    private static final byte[][] VISITS = new byte[CHUNKS][];

    /** How often a fast path passes for each time that it fails, if it does at all. */
    private static final int PASSES = 1000;

    /** For each resolved site whether its fast path has failed (1 or 0), and {@code PASSES}, in the form of a branch profile. */
    @Stable
    private static final Object[][] COUNTS = new Object[CHUNKS][];

    /** For each site that has counts, when its fast path failed first, in units of {@code 1 << MILLISECOND} ns; 0 if never. */
    private static final int[][] FAILED = new int[CHUNKS][];

    private static final int MILLISECOND = 20;

    /** For how long failures may be those of one event: HotSpot takes that long to compile what is hot. */
    private static final int TRANSIENT = 500;

    /** The states of static fields: chunks of what the engine keeps of a location, declared so that only the outer array is stable. */
    @Stable
    private static final Object[] STATICS = new Object[CHUNKS];

    /** For each static field, what is kept of the class that declares it. */
    private static final JraceShadow[][] DECLARING = new JraceShadow[CHUNKS][];

    static {
        // The agent numbers sites from 1, and hands out 0 when it has no numbers left.
        resolve(RESOLVED, 0, UNCHECKED);
    }

    // ---- where their words are ------------------------------------------------------------------------------------

    @ForceInline
    static int resolved(int site) {
        int[] chunk = RESOLVED[site >>> CHUNK_BITS];
        return chunk == null ? 0 : chunk[site & (CHUNK - 1)];
    }

    /** The chunk that holds a static field's word. */
    @ForceInline
    static Object words(int slot) {
        return STATICS[slot >>> CHUNK_BITS];
    }

    @ForceInline
    static long wordOffset(int slot) {
        return JraceLocation.offset(slot & (CHUNK - 1));
    }

    /** The offset of the shadow word of a field, for a site that is not resolved yet. */
    static int fieldOffset(Object object, int site) {
        int offset = pending(site);
        return offset == 0 ? resolveField(object, site) : offset;
    }

    /** The offset of the shadow of an array in the final field of an object, in the same way. */
    static int finalArrayOffset(Object object, int site) {
        int offset = pending(site);
        return offset == 0 ? resolveFinalArray(object, site) : offset;
    }

    /** The slot of a static field, in the same way; 0 if its class is not known. */
    static int staticSlot(int site) {
        int slot = pending(site);
        return slot == 0 ? resolveStatic(site) : slot;
    }

    /**
     * Counts the early visits of a site, whose accesses are remembered; after them the site is {@linkplain #RESOLVED resolved}
     * to this value. Says whether this is one of them.
     */
    static boolean visits(int site, int value) {
        byte[] chunk = VISITS[site >>> CHUNK_BITS];
        if (chunk == null) {
            chunk = new byte[CHUNK];
            VISITS[site >>> CHUNK_BITS] = chunk;
        }
        if (chunk[site & (CHUNK - 1)]++ < REMEMBERED) {
            return true;
        }
        profile(site);
        resolve(RESOLVED, site, value);
        return false;
    }

    private static int pending(int site) {
        int[] chunk = PENDING[site >>> CHUNK_BITS];
        return chunk == null ? 0 : chunk[site & (CHUNK - 1)];
    }

    private static synchronized int resolve(int[][] table, int site, int value) {
        int high = site >>> CHUNK_BITS;
        int[] chunk = table[high];
        if (chunk == null) {
            chunk = new int[CHUNK];
            U.storeFence();
            table[high] = chunk;
        }
        chunk[site & (CHUNK - 1)] = value;
        return value;
    }

    // ---- resolution -----------------------------------------------------------------------------------------------

    private static int resolveField(Object object, int site) {
        Class<?> declaring = JraceAgent.declaring(object.getClass(), site, false);
        if (declaring == null) {
            return resolve(RESOLVED, site, UNCHECKED);
        }
        int offset = (int) JraceMemory.offset(declaring, JraceAgent.shadow(site));
        // A class that keeps its bytes has no shadow words.
        return offset == NOWHERE ? resolve(RESOLVED, site, UNCHECKED) : located(site, offset);
    }

    private static int resolveFinalArray(Object object, int site) {
        String name = JraceAgent.owner(site);
        try {
            for (Class<?> c = object.getClass(); c != null; c = c.getSuperclass()) {
                if (plainName(c).equals(name)) {
                    // Where the class's loader has not met the type of the field, compiled code casts what it reads.
                    Class.forName("java.lang.JraceShadow", false, c.getClassLoader());
                    int offset = (int) JraceMemory.offset(c, JraceAgent.shadow(site));
                    // A class that was loaded before keeps its fields.
                    return offset == NOWHERE ? resolve(RESOLVED, site, UNCHECKED) : resolve(PENDING, site, offset);
                }
            }
        } catch (ClassNotFoundException notOfLoader) {
            // Nor has its class a field of that type.
        }
        return resolve(RESOLVED, site, UNCHECKED);
    }

    private static int resolveStatic(int site) {
        Class<?> start = start(site);
        return start == null ? 0 : resolveStatic(site, start);
    }

    /** The same of a field that a class has or inherits. */
    static int resolveStatic(int site, Class<?> start) {
        Class<?> declaring = JraceAgent.declaring(start, site, true);
        int slot = declaring == null ? Integer.MAX_VALUE : JraceAgent.slot(JraceShadow.of(declaring).id, site);
        if (slot >= CHUNKS * CHUNK) {
            return resolve(RESOLVED, site, UNCHECKED);
        }
        newSlot(slot, declaring);
        return located(site, slot);
    }

    /** Takes note of an offset or a slot; that of a volatile field is told from others ({@link #UNCHECKED}). */
    private static int located(int site, int where) {
        return JraceAgent.isVolatile(site) ? resolve(RESOLVED, site, UNCHECKED - where) : resolve(PENDING, site, where);
    }

    private static Class<?> start(int site) {
        Class<?> caller = JraceAgent.caller(site);
        if (caller == null) {
            return null;
        }
        String name = JraceAgent.owner(site);
        for (Class<?> c = caller; c != null; c = c.getSuperclass()) {
            if (plainName(c).equals(name)) {
                return c;
            }
        }
        try {
            return Class.forName(name, false, caller.getClassLoader());
        } catch (ClassNotFoundException | LinkageError unresolvable) {
            return null;
        }
    }

    /** The name of a hidden class has a suffix, which its own constant pool does not know. */
    static String plainName(Class<?> c) {
        String name = c.getName();
        return c.isHidden() ? name.substring(0, name.lastIndexOf('/')) : name;
    }

    private static synchronized void newSlot(int slot, Class<?> declaring) {
        if (STATICS[slot >>> CHUNK_BITS] == null) {
            STATICS[slot >>> CHUNK_BITS] = JraceLocation.newStates(CHUNK);
            DECLARING[slot >>> CHUNK_BITS] = new JraceShadow[CHUNK];
        }
        DECLARING[slot >>> CHUNK_BITS][slot & (CHUNK - 1)] = JraceShadow.of(declaring).knows(declaring);
    }

    /** What is kept of the class that declares the static field of a site, if the field is not volatile. */
    static JraceShadow declaring(int site) {
        int slot = pending(site);
        return slot <= 0 ? null : DECLARING[slot >>> CHUNK_BITS][slot & (CHUNK - 1)];
    }

    // ---- code of the program's own --------------------------------------------------------------------------------

    /** By site, 1 where it is, 2 where it is not, 0 where that was not asked. */
    private static byte[] owners = {};

    /** Whether a site is in code of the program's own, and not in a library. */
    static boolean isOwn(int site) {
        byte[] known = owners;
        if (site >= known.length) {
            known = Arrays.copyOf(known, Integer.highestOneBit(site + 1) << 1);
            owners = known;
        }
        if (known[site] == 0) {
            known[site] = (byte) (JraceAgent.isOwnSite(site) ? 1 : 2);
        }
        return known[site] == 1;
    }

    // ---- fields that are accessed by what stands for them ---------------------------------------------------------

    /** By site of a field, 1 if none of its class is, 2 if one may be, 0 where that was not asked. */
    private static byte[] handles = {};

    /** Whether a handle, an updater, or the like was made for some field of the class that a site names, or of one that it extends. */
    static boolean hasHandles(Object object, int site) {
        byte[] known = handles;
        int has = site < known.length ? known[site] : 0;
        return (has != 0 ? has : askHandles(object, site)) == 2;
    }

    @DontInline
    private static int askHandles(Object object, int site) {
        byte[] before = handles;
        Class<?> named = object.getClass();
        String name = JraceAgent.owner(site);
        while (named != null && !plainName(named).equals(name)) {
            named = named.getSuperclass();
        }
        int has = named == null || hasHandles(named) ? 2 : 1;
        knowHandles(before, site, has);
        return has;
    }

    private static boolean hasHandles(Class<?> of) {
        for (Class<?> c = of; c != null; c = c.getSuperclass()) {
            if (JraceShadow.of(c).hasHandles) {
                return true;
            }
        }
        return false;
    }

    /** Nothing is known if a handle has been made since. */
    private static synchronized void knowHandles(byte[] before, int site, int has) {
        if (handles == before) {
            byte[] known = site < before.length ? before : Arrays.copyOf(before, Integer.highestOneBit(site + 1) << 1);
            known[site] = (byte) has;
            handles = known;
        }
    }

    /** A handle is about to be made for a field of a class. */
    static void handles(Class<?> declaring) {
        JraceShadow shadow = JraceShadow.of(declaring);
        if (!shadow.hasHandles) {
            forgetHandles(shadow);
        }
    }

    private static synchronized void forgetHandles(JraceShadow declaring) {
        declaring.hasHandles = true;
        handles = new byte[0];
    }

    /** Some field of an object is accessed by a handle, of which nobody has seen the making. */
    static void handlesOf(Class<?> of) {
        for (Class<?> c = of; c != null && c != Object.class && !c.isArray(); c = c.getSuperclass()) {
            handles(c);
        }
    }

    // ---- what is handed over under locks --------------------------------------------------------------------------

    /**
     * Threads find at the site what another has left last; what others have left; leave something; do so in place of a reference that they have found;
     * find elements of a collection.
     */
    static final int FINDS_LATEST = 1;
    static final int FINDS_ALL = 2;
    static final int LEAVES = 4;
    static final int TAKES = 8;
    static final int FINDS_ELEMENTS = 16;
    private static final int KNOWN = 32;

    /** By site, these bits; 0 where that was not asked. */
    private static byte[] handings = {};

    /** What is handed over at a site, in bits. */
    @ForceInline
    static int handing(int site) {
        byte[] known = handings;
        int handing = site < known.length ? known[site] : 0;
        return handing != 0 ? handing : askHanding(site);
    }

    @DontInline
    private static int askHanding(int site) {
        byte[] known = handings;
        if (site >= known.length) {
            known = Arrays.copyOf(known, Integer.highestOneBit(site + 1) << 1);
            handings = known;
        }
        known[site] = (byte) (JraceAgent.handing(site) | KNOWN);
        return known[site];
    }

    // ---- profiles -------------------------------------------------------------------------------------------------

    /**
     * Keeps a profile of the site: whether the location was the thread's own or decided. Where it always was, compiled code has
     * neither the other comparison nor the slow path. Code that does not know its site only takes note of a failure: counting was
     * a third of what the calls cost.
     */
    @ForceInline
    static boolean passes(boolean passes, int site) {
        Object[] chunk = COUNTS[site >>> CHUNK_BITS];
        if (chunk != null && JraceProfile.isConstant(chunk)) {
            int[] counts = (int[]) chunk[site & (CHUNK - 1)];
            // A processor that reorders loads may show the site as resolved before its counts.
            return counts == null ? passes : JraceProfile.count(passes, counts);
        }
        if (!passes) {
            failed(site);
        }
        return passes;
    }

    /** Makes a failure possible, and unlikely: how often it comes is not counted. */
    private static void failed(int site) {
        Object[] chunk = COUNTS[site >>> CHUNK_BITS];
        int[] counts = chunk == null ? null : (int[]) chunk[site & (CHUNK - 1)];
        if (counts != null && counts[0] == 0 && failsStill(site)) {
            counts[0] = 1;
        }
    }

    /**
     * Whether the site has failed for some time. When objects come to other threads, many sites fail that never will again: code
     * compiled for them need not expect it.
     */
    private static boolean failsStill(int site) {
        int[] chunk = FAILED[site >>> CHUNK_BITS];
        if (chunk == null) {
            return false; // As above.
        }
        int now = (int) (System.nanoTime() >>> MILLISECOND) | 1;
        int first = chunk[site & (CHUNK - 1)];
        if (first == 0) {
            chunk[site & (CHUNK - 1)] = now;
        }
        return first != 0 && now - first > TRANSIENT;
    }

    /** Begins the profile of a site. */
    static synchronized void profile(int site) {
        int high = site >>> CHUNK_BITS;
        if (COUNTS[high] == null) {
            FAILED[high] = new int[CHUNK];
            COUNTS[high] = new Object[CHUNK];
        }
        if (COUNTS[high][site & (CHUNK - 1)] == null) {
            COUNTS[high][site & (CHUNK - 1)] = new int[] {0, PASSES};
        }
        U.storeFence();
    }
}
