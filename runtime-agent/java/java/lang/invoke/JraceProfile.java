package java.lang.invoke;

import jdk.internal.vm.annotation.ForceInline;

/**
 * Branch profiles of the checks, one for each site. The compiler keeps one profile for each method, which all the sites of a
 * hook would share; a site whose slow path has never run deserves code without one.
 */
public final class JraceProfile {
    private JraceProfile() {}

    /** Whether this is compiled code that knows the object, and with it the site. */
    @ForceInline
    public static boolean isConstant(Object object) {
        return MethodHandleImpl.isCompileConstant(object);
    }

    /** Counts the outcome; what was never seen becomes an uncommon trap in compiled code. */
    @ForceInline
    public static boolean count(boolean outcome, int[] counts) {
        return MethodHandleImpl.profileBoolean(outcome, counts);
    }
}
