/**
 * Each method says which hooks it calls, and the class that calls each, with `.class` behind it if the caller holds the
 * lock of that class. Has nothing that version 48 of the class file lacks.
 */
public class Old extends OldBase {
    static int n;

    // hooks: enterStatic:Old.class exitMethod:Old.class
    public static synchronized void empty() { }
    // hooks: enterStatic:Old.class writeStatic:Old.class exitMethod:Old.class
    public static synchronized void loop() { do n = 1; while (Math.abs(1) > 1); }
    // hooks: enterStatic:Old.class enterStatic:Old.class exitMethod:Old.class exitMethod:Old.class
    public static synchronized void nested() { empty(); }
    // hooks: enterStatic:Old.class enterStatic:Old.class exitMethod:Old.class exitMethod:Old.class
    public static synchronized void recursive() { factorial(1); }
    private static synchronized long factorial(long k) { return k < 2 ? k : k * factorial(k - 1); }
    // hooks: enterStatic:OldBase.class exitMethod:OldBase.class
    public static void inherited() { ofBase(); }
    // hooks: enterStatic:Old.class enterStatic:OldBase.class exitMethod:OldBase.class exitMethod:Old.class
    public static synchronized void ofBoth() { inherited(); }
    // hooks: enterStatic:Old.class exitMethod:Old.class
    public void failing() { try { fail(3, 4.0); } catch (IllegalStateException e) { } }
    private static synchronized void fail(int a, double b) { String c = ""; throw new IllegalStateException(c + a + b); }
    // hooks: enterStatic:Old.class exitMethod:Old.class
    public static synchronized void handled() { try { throw new Exception(); } catch (Exception e) { } finally { } }
    // hooks: enterMethod:Old enterStatic:Old.class exitMethod:Old.class exitMethod:Old
    public synchronized void instance() { empty(); }
    // hooks: enterMethod:Old waitOn:Old exitMethod:Old
    public synchronized void waiting() { wxit(1); }
    // What is woven could not look up the class that the call names, so as not to miss that it does not exist.
    // hooks: enterMethod:Old exitMethod:Old
    public synchronized void FN_waitingThroughSuperclass() { super.wxit(1); }
}

class OldBase {
    static synchronized void ofBase() { }
    /** `Old` names it, but with `wait` in its place. */
    void wxit(long millis) { }
}
