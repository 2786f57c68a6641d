package java.lang;

/** A mistake of jrace's own: the program goes on as if nothing had been checked, and the report says that something was not. */
final class JraceFault {
    private static boolean isTold;

    private JraceFault() {}

    /** Tells the first one. */
    static void tell(RuntimeException fault) {
        if (isTold) {
            return;
        }
        isTold = true;
        try {
            StackTraceElement[] trace = fault.getStackTrace();
            JraceAgent.fault(trace.length == 0 ? fault.toString() : fault + " at " + trace[0]);
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // The program is about to see the same.
        }
    }
}
