package java.lang;

import java.util.Hashtable;
import java.util.Map;

/**
 * What the JDK synchronizes for itself: the counter of {@link ThreadLocal}, the caches of {@link java.util.Locale}, how many elements a
 * queue has. It orders threads in a run, and promises that to nobody. So atomic variables and maps of the JDK's own hand nothing over.
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
        // Not lists that are copied when they are written: those of the JDK have listeners of the program.
        boolean isMap = of.equals(CONCURRENT) && object instanceof Map || object instanceof Hashtable && !of.isEmpty();
        return (isAtomic || isMap) && JraceAgent.isInternal(isAtomic);
    }
}
