package java.lang;

import java.util.Hashtable;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import jdk.internal.loader.ClassLoaders;

/**
 * What the JDK synchronizes for itself: the counter of {@link ThreadLocal}, the caches of {@link java.util.Locale}, how many elements a
 * queue has. It orders threads in a run, and promises that to nobody. So atomic variables, maps, and lists that are copied on write,
 * hand nothing over where they are the JDK's own, but objects of the program.
 */
final class JraceInternal {
    private JraceInternal() {}

    private static final String CONCURRENT = "java.util.concurrent";
    private static final String ATOMIC = "java.util.concurrent.atomic";

    /** Whether it is the JDK, and not the program, that makes something known through an object, for the first time, now. */
    static boolean isInternal(Object object) {
        Class<?> c = object.getClass();
        String of = c.getClassLoader0() == null ? c.getPackageName() : "";
        boolean isAtomic = of.equals(ATOMIC);
        boolean isCollection = of.equals(CONCURRENT) && (object instanceof Map || object instanceof CopyOnWriteArrayList)
                || object instanceof Hashtable && !of.isEmpty();
        return (isAtomic || isCollection) && JraceAgent.isInternal(isAtomic);
    }

    /** Whether an object may be one of the program: its class is, or it is an array that has such objects. */
    static boolean isOfProgram(Object object) {
        if (object instanceof Object[]) {
            for (Object each : (Object[]) object) {
                if (each != null && !isOfLibrary(each.getClass())) {
                    return true;
                }
            }
            return false;
        }
        return !isOfLibrary(object.getClass());
    }

    private static boolean isOfLibrary(Class<?> c) {
        ClassLoader loader = c.getClassLoader0();
        return loader == null || loader == ClassLoaders.platformClassLoader();
    }
}
