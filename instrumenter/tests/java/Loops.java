/** Each method says which hooks it calls for arrays in loops: at once, or when the loop has ended. */
public class Loops {
    static final int[] NONE = { 0, 0 };
    static final int[] FOUR = new int[4];
    static final long[] LONGS = new long[2];
    static final int[][] GRID = { { 1, 2 }, { 3, 4 } };

    // hooks: readArrayLater readArrayLater readArrayUntil
    public int sum() { return sum(NONE); }
    private int sum(int[] a) { int sum = 0; for (int i = 0; i < a.length; i++) sum += a[i]; return sum; }

    // hooks: writeArrayLater writeArrayLater writeArrayUntil
    public void fill() { long[] a = LONGS; for (int i = 0; i < a.length; i++) a[i] = i; }

    // hooks: readArrayLater readArrayLater readArrayBefore
    public int backwards() { int[] a = NONE; int sum = 0; for (int i = a.length - 1; i >= 0; i--) sum += a[i]; return sum; }

    // hooks: readArrayLater readArrayLater readArrayUntil
    public int each() { int sum = 0; for (int value : NONE) sum += value; return sum; }

    // hooks: readArrayLater readArrayBefore
    public int returns() { int[] a = NONE; for (int i = 0; i < 9; i++) if (a[i] == 0) return i; return -1; }

    // hooks: readArrayLater readArrayLater readArrayBefore
    public int breaks() { int[] a = NONE; int i; for (i = 0; i < 9; i++) if (a[i] + i == 1) break; return i; }

    // hooks: readArrayLater readArrayLater readArrayUntil
    public int continues() {
        int[] a = NONE; int n = 0; for (int i = 0; i < 2; i++) { if (a[i] == 0) continue; n++; } return n;
    }

    // hooks: readArrayLater readArrayLater readArrayLater readArrayBefore
    public boolean throwing() {
        try { return tooFar(NONE) == 0; } catch (ArrayIndexOutOfBoundsException e) { return false; }
    }
    private int tooFar(int[] a) { int sum = 0; for (int i = 0; i < 9; i++) sum += a[i]; return sum; }

    // hooks: readArrayLater readArrayLater readArrayLater readArrayBefore
    public int caught() {
        int[] a = NONE; int sum = 0;
        try { for (int i = 0; i < 9; i++) sum += a[i]; } catch (ArrayIndexOutOfBoundsException e) { sum = -sum; }
        return sum;
    }

    // hooks: readArrayLater readArrayBefore readArrayLater readArrayBefore readArrayBefore
    public int caughtInside() {
        int[] a = NONE; int sum = 0;
        for (int i = 2; i < 4; i++) { try { sum += a[i]; } catch (ArrayIndexOutOfBoundsException e) { sum--; } }
        return sum;
    }

    // hooks: readArrayLater readArrayLater readArrayLater readArrayBefore
    public int caughtElsewhere() {
        int[] a = NONE; int sum = 0;
        try { sum /= 1; } catch (ArithmeticException e) { sum--; }
        try { for (int i = 0; i < 9; i++) sum += a[i]; } catch (NullPointerException e) { sum--; }
        catch (RuntimeException e) { sum++; }
        return sum;
    }

    // hooks: enterMethod readArrayLater readArrayLater readArrayUntil exitMethod
    public synchronized int locked() { int[] a = NONE; int sum = 0; for (int i = 0; i < 2; i++) sum += a[i]; return sum; }

    // hooks: enterMethod readArrayLater readArrayLater readArrayLater readArrayBefore exitMethod
    public boolean lockedThrowing() {
        try { return lockedTooFar(NONE) == 0; } catch (ArrayIndexOutOfBoundsException e) { return false; }
    }
    private synchronized int lockedTooFar(int[] a) { int sum = 0; for (int i = 0; i < 9; i++) sum += a[i]; return sum; }

    // hooks: enter readArrayLater readArrayLater readArrayLater readArrayBefore exit readArrayBefore
    public int inBlock() {
        int[] a = NONE; int sum = 0;
        try { synchronized (a) { for (int i = 0; i < 9; i++) sum += a[i]; } } catch (RuntimeException e) { sum--; }
        return sum;
    }

    // hooks: readArrayLater readArrayLater readArrayLater readArrayLater readArrayBefore
    public int flat() {
        int[] a = FOUR; int sum = 0;
        for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) sum += a[i * 2 + j];
        return sum;
    }

    // hooks: readArrayLater readArrayLater readArrayLater readArrayLater readArrayUntil readArray
    public int grid() {
        int[][] a = GRID; int sum = 0;
        for (int i = 0; i < 2; i++) sum += a[i][0] + a[i][0];
        return sum;
    }

    // hooks: readArrayLater readArrayUntil readArrayAgain
    public int notCounted() {
        int[] a = NONE; int sum = 0;
        for (int i = 0; i < 1; i++) sum += a[i];
        int i = 0;
        while (true) { if (a[i] == 0) break; i++; }
        return sum + i;
    }

    // hooks: readArrayAgain readArrayAgain
    public int waiting() { int[] a = NONE; int i = 0; while (i < 2) { if (a[i] == 0) { i++; } } return i; }

    // hooks: readArrayAgain readArrayAgain
    public int resetting() { int[] a = NONE; int n = 0; for (int i = 0; i < 2; i++) { n += a[i]; if (n > 0) i = 0; } return n; }

    // hooks: readArrayAgain
    public int waitingInside() {
        int[] a = NONE; int sum = 0;
        for (int i = 0; i < 1; i++) { while (a[i] != 0) { sum++; } }
        return sum;
    }

    // hooks: readArray readArray
    public int calling() { int[] a = NONE; int sum = 0; for (int i = 0; i < 2; i++) { sum += a[i]; other(); } return sum; }
    private void other() { }

    // hooks: readArrayLater readArrayBeside readArrayLater readArrayBeside readArrayUntil
    public int beside() { int[] a = NONE; int sum = 0; for (int i = 0; i < 2; i++) { sum += a[i] + a[1 - i] + a[i]; } return sum; }

    // hooks: readArray readArray
    public int besideOutside() { int[] a = NONE; return a.length > 1 ? a[0] + a[1] : 0; }

    // hooks: writeArrayLater writeArrayLater writeArray
    public void same() { int[] a = FOUR; for (int i = 0; i < 2; i++) a[3]++; }

    // hooks: writeArrayLater writeArrayLater writeArrayUntil
    public void counts() { int[] a = NONE; for (int i = 0; i < a.length; i++) a[i] += i * 2; }

    // hooks: writeArrayLater writeArrayLater writeArrayUntil
    public void upTo() { long[] a = LONGS; for (int i = 0; i < 2; i++) a[i] = (long) i << 3; }

    // hooks: readArrayLater readArrayBefore
    public int notTheFirst() { int[] a = NONE; int sum = 0; for (int i = 1; i < a.length; i++) sum += a[i]; return sum; }

    // hooks: readArrayLater readArrayLater readArrayBefore
    public int everyOther() { int[] a = FOUR; int sum = 0; for (int i = 0; i < a.length; i += 2) sum += a[i]; return sum; }

    // hooks: readArrayLater readArrayBefore
    public int some() {
        int[] a = NONE; int sum = 0; for (int i = 0; i < a.length; i++) { if (i > 0) sum += a[i]; } return sum;
    }

    // hooks: readArrayLater readArrayBefore
    public int butTheLast() { int[] a = NONE; int sum = 0; for (int i = 0; i + 1 < a.length; i++) sum += a[i]; return sum; }

    // hooks: readArrayLater readArrayLater readArrayBefore
    public int half() { int[] a = FOUR; int sum = 0; for (int i = 0; i * 2 < a.length; i++) sum += a[i]; return sum; }

    // hooks: readArrayLater readArrayBefore
    public boolean nowhere() {
        int[] a = NONE; int sum = 0;
        try { for (int i = 0; i < 2; i++) sum += a[-2]; } catch (ArrayIndexOutOfBoundsException e) { sum--; }
        return sum < 0;
    }

    // hooks: readArrayLater readArrayLater readArrayBefore
    public int allAndOne() {
        int[] a = NONE; int sum = 0; for (int i = 0; i < a.length; i++) { if (sum > 0) sum += a[1]; sum += a[i]; } return sum;
    }

    // hooks: readArrayLater readArrayLater readArrayBefore
    public int toAnother() {
        int[] a = FOUR; int sum = 0; for (int i = 0; i < NONE.length; i++) sum += a[i]; return sum;
    }

    // hooks: readArrayLater readArrayLater readArrayBefore
    public int another() { int[] a = FOUR; int sum = 0; for (int i = 0; i < 2; i++) { sum += a[i]; a = NONE; } return sum; }

    static int[] other = { 0, 0 };

    // hooks: readStatic writeArrayLater writeArrayLater writeArrayUntil
    public void ofField() { int[] a = other; for (int i = 0; i < a.length; i++) a[i] = 1; }

    // hooks: readStatic readStatic writeArrayLater writeStatic readStatic readStatic writeArrayLater writeStatic readStatic writeArrayBefore
    public void ofFieldThatChanges() { for (int i = 0; i < other.length; i++) { other[i] = 1; other = NONE; } }

    // hooks: readArrayLater readArrayLater readArrayBefore
    public int twoPlaces() {
        int[] a = FOUR; int sum = 0;
        for (int i = 0; i < a.length; i++) { if (i < 2) sum += a[i]; else break; }
        return sum;
    }

    // hooks: readArrayLater readArrayLater readArrayLater readArrayLater readArrayUntil
    public int inAnother() {
        int[] a = NONE; int sum = 0;
        for (int j = 0; j < 2; j++) { for (int i = 0; i < a.length; i++) sum += a[i]; if (sum > 3) break; }
        return sum;
    }
}
