package java.lang;

import static java.lang.JraceMemory.U;

import java.lang.JraceLayout.Member;
import java.util.Arrays;
import jdk.internal.vm.annotation.DontInline;

/**
 * Clones: what is kept of an object lies in its fields, so its clone begins with copies, which tell of accesses to another object. Has
 * for each class where those are.
 */
final class JraceClones {
    private static final Classes OF_CLASS = new Classes();

    /** Whether the objects are cloned by a method of the library, which says nothing of it. */
    private final boolean byLibrary;
    /** Offsets; negative for the number of an object, which is no location. */
    private long[] offsets = {};

    private static final class Classes extends ClassValue<JraceClones> {
        @Override
        protected JraceClones computeValue(Class<?> type) {
            return new JraceClones(type);
        }
    }

    private JraceClones(Class<?> type) {
        Class<?> cloner = null;
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            String names = JraceAgent.added(c);
            if (cloner == null && (names.endsWith("clone") || c.getClassLoader0() == null)) {
                cloner = c;
            }
            for (int from = 0, to; (to = names.indexOf(';', from)) >= 0; from = to + 1) {
                add(c, names.substring(from, to));
            }
        }
        byLibrary = cloner.getClassLoader0() == null;
    }

    private void add(Class<?> c, String name) {
        long offset = U.objectFieldOffset(c, name);
        offsets = Arrays.copyOf(offsets, offsets.length + 1);
        offsets[offsets.length - 1] = name.equals(Member.NUMBER) ? -offset : offset;
    }

    /**
     * Forgets what was kept of the original: the thread has just made the clone, and nobody else knows it.
     *
     * @param isSuper whether a class calls this to clone its own objects; who overrides that gives what it likes
     */
    @DontInline
    static void cloned(Object clone, boolean isSuper) {
        if (clone == null) {
            return;
        }
        try {
            Thread thread = Thread.currentThread();
            JraceContext.of(thread);
            JraceClones kept = OF_CLASS.get(clone.getClass());
            if (isSuper || kept.byLibrary) {
                kept.renew(thread, clone);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // The program is about to see the same; the clone seems to be its original.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    private void renew(Thread thread, Object clone) {
        for (long offset : offsets) {
            if (offset < 0) {
                U.putInt(clone, -offset, 0);
            } else {
                JraceLocation.renew(thread, clone, offset);
            }
        }
    }
}
