import java.util.concurrent.Callable;

/** Each method says which hooks it calls. */
public class Subject {
    int plain;
    volatile int hot;
    final int fixed = 3;
    static int shared;
    static final Object LOCK = new Object();
    int[] array = new int[4];
    static long[][] grid = new long[2][2];

    // hooks: readField writeField
    public void increment() { plain++; }
    // hooks: writeField readField
    public void volatiles() { hot = hot(); int x = hot; }
    private int hot() { return 1; }
    // hooks: -
    public int fixed() { return fixed; }
    // hooks: readStatic writeStatic
    public void statics() { shared++; }
    // hooks: readField readArray
    public int load() { return array[1]; }
    // hooks: readField writeArray
    public void store() { array[1] = 2; }
    // hooks: readStatic readArray readArray writeArray
    public void grid() { grid[1][0]++; }
    // hooks: -
    public int[] fresh() { int[] a = new int[3]; for (int i = 0; i < 3; i++) a[i] = i; return a; }
    // hooks: writeField writeArray
    public void escaped() { int[] a = new int[3]; a[0] = 1; array = a; a[1] = 2; }
    // hooks: writeArray
    public void passed() { int[] a = new int[3]; take(a); a[1] = 2; }
    private void take(int[] a) { }
    // hooks: writeArray writeArray
    public void escapesInLoop() { int[] a = new int[2]; for (int i = 0; i < 3; i++) { if (i > 0) a[0] = i; take(a); } }
    // hooks: writeArray
    public void escapesInTry() { int[] a = new int[1]; try { fail(a); } catch (RuntimeException e) { a[0] = 1; } }
    private void fail(int[] a) { throw new RuntimeException(); }
    // hooks: enter writeField exit
    public void block() { synchronized (this) { plain = 1; } }
    // hooks: enter exit
    public void failingBlock() { try { synchronized (this) { fail(null); } } catch (RuntimeException e) { } }
    // hooks: enterMethod writeField exitMethod
    public synchronized void method() { plain = 1; }
    // hooks: enterMethod exitMethod
    public static synchronized void staticMethod() { }
    // hooks: enterMethod exitMethod
    public void failingMethod() { try { failing(); } catch (RuntimeException e) { } }
    private synchronized void failing() { fail(null); }
    // hooks: enter waitOn notifyOne notifyEvery exit
    public void waiting() throws Exception { Object l = LOCK; synchronized (l) { l.wait(1); l.notify(); l.notifyAll(); } }
    // hooks: classInitBegin writeStatic classInitEnd
    public void initializer() { new Initialized(); }
    static class Initialized { static int x = 1; }
    // hooks: classInitBegin classInitEnd
    public void failingInitializer() { try { new Failing(); } catch (ExceptionInInitializerError e) { } }
    static class Failing { static { if (true) throw new RuntimeException(); } }
    // hooks: -
    public void probes() { boolean[] p = $jacocoInit(); p[0] = true; }
    private static boolean[] $jacocoData;
    private static boolean[] $jacocoInit() { if ($jacocoData == null) $jacocoData = new boolean[1]; return $jacocoData; }
    // hooks: acquired
    public void models() { acquires(); }
    private void acquires() { }
    // hooks: acquiredIf acquiredIf
    public void modelledResult() { acquiresIf(true); acquiresIf(false); }
    private boolean acquiresIf(boolean b) { return b ? b : !b; }
    // hooks: acquiredStamp
    public void modelledStamp() { acquiresStamp(); }
    private long acquiresStamp() { return 7; }
    private int acquiresStamp(int otherResult) { return 7; }
    // hooks: releasing starting joined
    public void modelledEnds() { releases(); starts(); joins(); }
    private boolean releases() { return true; }
    private void starts() { }
    private void joins() { }
    // hooks: -
    public void constructor() { new Captured(5); }
    static class Captured { final int y; Captured(int y) { this.y = y; } }
}
