package java.lang;

import static java.lang.JraceMode.CONTENTS;
import static java.lang.JraceMode.LEAVING_OUT;
import static java.lang.JraceMode.ORDERING;
import static java.lang.JraceMode.RECORDING;
import static java.lang.JraceMode.TELLING;
import static java.lang.JraceMode.TRACING;

import java.lang.JraceLayout.Member;
import java.lang.JraceLayout.Operation;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.util.concurrent.ConcurrentMap;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The methods that woven code calls (the hook table of {@code facts::hook}). Those of accesses are inherited from the engine that this
 * JVM was started for ({@link JraceAccess}), those of locks from {@link JraceLocking}, and those of hand-over from {@link JraceHandOver}.
 *
 * <p>The class is defined by the boot loader, so it belongs to java.base and every class of every module and loader can call it.
 *
 * <p>No hook may throw into the program: slow paths give up silently when memory or stack runs out.
 */
public final class JraceHooks extends JraceLocking {
    private JraceHooks() {}

    // ---- copies ----------------------------------------------------------------------------------------------------

    public static void cloned(Object clone) {
        JraceClones.cloned(clone, false);
    }

    public static void clonedOwn(Object clone) {
        JraceClones.cloned(clone, true);
    }

    // ---- reflection ------------------------------------------------------------------------------------------------

    public static void readingReflected(Object handle, Object object, int call) {
        if (handle != null) {
            try {
                JraceReflectedField field = JraceReflectedField.by(handle);
                JraceContext context = JraceContext.of(Thread.currentThread());
                context.reflecting = field.site(call, object, false);
                context.reflected = object;
                context.reflectsStatic = field.isStatic;
            } catch (Throwable giveUp) {
                // The access goes unnoticed.
            }
        }
    }

    public static void hasReadReflected() {
        JraceContext context = JraceThread.context(Thread.currentThread());
        if (context != null && context.reflecting != 0) {
            int site = context.reflecting;
            Object object = context.reflected;
            context.reflecting = 0;
            context.reflected = null;
            if (context.reflectsStatic) {
                readStatic(site);
            } else {
                readField(object, site);
            }
        }
    }

    public static void writingReflected(Object handle, Object object, int call) {
        if (handle != null) {
            try {
                JraceReflectedField field = JraceReflectedField.by(handle);
                int site = field.site(call, object, true);
                if (site == 0) {
                    return;
                }
                if (field.isStatic) {
                    publishStatic(site);
                    writeStatic(site);
                } else {
                    writeField(object, site);
                }
            } catch (Throwable giveUp) {
                // The access goes unnoticed.
            }
        }
    }

    public static void readElement(Object array, int index, int site) {
        if (array != null && array.getClass().isArray()) {
            readArray(array, index, site);
        }
    }

    public static void writeElement(Object array, int index, int site) {
        if (array != null && array.getClass().isArray()) {
            writeArray(array, index, site);
        }
    }

    /** A member is about to be accessed by reflection or a handle. */
    public static void reflected(Object member) {
        if (member != null) {
            JraceReflection.reflected(member);
        }
    }

    public static Field[] filterFields(Field[] fields) {
        int kept = 0;
        for (Field field : fields) {
            if (!woven(field)) {
                kept++;
            }
        }
        if (kept == fields.length) {
            return fields;
        }
        Field[] filtered = new Field[kept];
        int next = 0;
        for (Field field : fields) {
            if (!woven(field)) {
                filtered[next++] = field;
            }
        }
        return filtered;
    }

    private static boolean woven(Field field) {
        return field.isSynthetic() && field.getName().startsWith(Member.PREFIX);
    }

    // ---- transactions, for traces ----------------------------------------------------------------------------------

    public static void begin(int site) {
        if (!LEAVING_OUT || !JraceSpans.entersLeftOut(Thread.currentThread(), site)) {
            transaction(Operation.BEGIN, site);
        }
    }

    public static void end(int site) {
        if (!LEAVING_OUT || !JraceSpans.leavesLeftOut(Thread.currentThread())) {
            transaction(Operation.END, site);
        }
    }

    @DontInline
    private static void transaction(int operation, int site) {
        try {
            if (RECORDING) {
                JraceRecorder.event(operation, Thread.currentThread(), site, 0);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // A lost end is noticed at that of the transaction around it.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    // ---- objects of the library ------------------------------------------------------------------------------------

    public static void readContents(Object object, int site) {
        if (TRACING && object instanceof ConcurrentMap) {
            JraceRecorder.contents(object, site, false);
        } else if (CONTENTS) {
            JraceContents.access(object, site, false);
        }
    }

    public static void lookUpContents(Object map, int site) {
        if (TRACING && map instanceof ConcurrentMap) {
            JraceRecorder.contents(map, site, false);
        } else if (CONTENTS) {
            JraceContents.lookUp(map, site);
        }
    }

    public static void writeContents(Object object, int site) {
        if (TRACING && object instanceof ConcurrentMap) {
            JraceRecorder.contents(object, site, true);
        } else if (CONTENTS) {
            JraceContents.access(object, site, true);
        }
    }

    /** An index that no list has is the program's affair. */
    public static void readAt(Object list, int index, int site) {
        if (TRACING) {
            readContents(list, site);
        } else if (CONTENTS && index >= 0) {
            JraceContents.accessAt(list, index, site, false);
        }
    }

    public static void writeAt(Object list, int index, int site) {
        if (TRACING) {
            writeContents(list, site);
        } else if (CONTENTS && index >= 0) {
            JraceContents.accessAt(list, index, site, true);
        }
    }

    public static void readShape(Object object, int site) {
        if (TRACING) {
            readContents(object, site);
        } else if (CONTENTS) {
            JraceContents.accessAt(object, JraceElements.NONE, site, false);
        }
    }

    public static void readInherited(Object object, int site) {
        if (JraceInherited.mayHold(object)) {
            readContents(object, site);
        }
    }

    public static void writeInherited(Object object, int site) {
        if (JraceInherited.mayHold(object)) {
            writeContents(object, site);
        }
    }

    public static void lookUpInherited(Object map, int site) {
        if (JraceInherited.mayHold(map)) {
            lookUpContents(map, site);
        }
    }

    public static void lookUpOwnContents(Object map, int site) {
        if (CONTENTS) {
            JraceContents.lookUpOwn(map, site);
        }
    }

    public static void readOwnContents(Object object, int site) {
        if (CONTENTS) {
            JraceContents.accessOwn(object, site, false);
        }
    }

    public static void writeOwnContents(Object object, int site) {
        if (CONTENTS) {
            JraceContents.accessOwn(object, site, true);
        }
    }

    public static void readElements(Object array, int site) {
        JraceContents.elements(array, site, false);
    }

    public static void writeElements(Object array, int site) {
        JraceContents.elements(array, site, true);
    }

    public static void range(int from, int until) {
        JraceContents.range(from, until);
    }

    public static void readPart(Object array, int site) {
        JraceContents.part(array, site, false);
    }

    public static void writePart(Object array, int site) {
        JraceContents.part(array, site, true);
    }

    @Hidden
    public static void copyElements(
            Object from, int fromIndex, Object to, int toIndex, int length, int readSite, int writeSite) {
        JraceContents.elements(from, fromIndex, length, readSite, false);
        JraceContents.elements(to, toIndex, length, writeSite, true);
        System.arraycopy(from, fromIndex, to, toIndex, length);
    }

    // ---- classes ---------------------------------------------------------------------------------------------------

    /** A method runs that the proofs of the focus set know no call of, or that they know one thread to run. */
    public static void unreached(int site) {
        JraceAgent.unreached(site);
    }

    public static void classInitBegin(int site) {
        classInit(Operation.CLASS_INIT_BEGIN, site);
    }

    public static void classInitEnd(int site) {
        classInit(Operation.CLASS_INIT_END, site);
    }

    private static void classInit(int operation, int site) {
        boolean begins = operation == Operation.CLASS_INIT_BEGIN;
        Class<?> caller = RECORDING || ORDERING && begins ? JraceAgent.caller(site) : null;
        if (ORDERING) {
            initializes(begins, caller);
        }
        if (RECORDING && caller != null) {
            JraceRecorder.event(operation, Thread.currentThread(), site, JraceShadow.of(caller).id);
            if (TELLING && !begins) {
                JraceRecorder.publish(caller);
            }
        }
    }

    private static void initializes(boolean begins, Class<?> declaring) {
        try {
            Thread thread = Thread.currentThread();
            JraceOrder order = JraceContext.of(thread).order;
            if (begins) {
                order.initializes(thread, declaring == null ? null : JraceShadow.of(declaring));
            } else {
                order.hasInitialized(thread);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // What the initializer does seems to be unordered.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    public static byte[] weaveHidden(byte[] bytes, Object lookup) {
        try {
            Class<?> host = ((MethodHandles.Lookup) lookup).lookupClass();
            byte[] woven = bytes == null ? null : JraceAgent.weave(bytes, host.getClassLoader());
            return woven == null ? bytes : woven;
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            return bytes;
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
            return bytes;
        }
    }
}
