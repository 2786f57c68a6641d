/** Each method says which hooks it calls when checks that an earlier one covers are left out. */
public class Needless {
    int plain;
    volatile int hot;
    Needless next = null;
    int[] array = new int[4];
    final int[] fixed = new int[4];
    final int[][] grid = new int[4][4];

    // hooks: readField
    public int twice() { return plain + plain; }
    // hooks: readField readField
    public int called() { int a = plain; other(); return a + plain; }
    private void other() { }
    // hooks: readField enter readField exit
    public int locked() { int a = plain; synchronized (this) { a += plain; } return a; }
    // hooks: readField readField
    public int throughVolatile() { int a = plain; int b = hot; return a + b + plain; }
    // hooks: readField
    public int arithmetic() { return Math.abs(plain) + plain; }
    // hooks: readField initField readField readField
    public int otherObject() { Needless n = this; int a = n.plain; n = new Needless2(this).it; return a + n.plain; }
    static class Needless2 { Needless it; Needless2(Needless it) { this.it = it; } }
    // hooks: readField
    public int branches() { if (plain > 2) return plain; return plain < 0 ? plain : 0; }
    // hooks: readField readField
    public int joined() { int a = 0; if (plain > -1) a = 1; return a + plain; }
    // hooks: writeField
    public void written() { plain = plain + plain; }
    // hooks: writeField
    public int counted() { return plain++ + 1; }
    // hooks: writeField
    public int countedBefore() { return ++plain; }
    // hooks: writeField writeStatic
    public void countedWide() { wide += 2; total++; }
    long wide;
    static double total;
    // hooks: readField writeField
    public void countedByField() { wide = wide * 3 + (long) plain; }
    // hooks: readField writeField
    public void mayThrow() { plain = plain / 3; }
    // hooks: readField writeField
    public void mayBranch() { plain += hot > 0 ? 1 : 2; }
    // hooks: readField writeField
    public void mayWait() { plain = plain + hot; }
    // hooks: readField writeField
    public void calls() { plain = plain + zero(); }
    private int zero() { return 0; }
    // hooks: initField readField readField writeField
    public void ofAnother() { Needless n = new Needless2(this).it; n.plain = plain + 1; }
    // hooks: initField readField readField readField writeField
    public void ofThisOrAnother() { Needless n = new Needless2(this).it; (plain > 0 ? n : this).plain = this.plain + 1; }
    // hooks: readField writeArray
    public void countedElement() { array[1]++; }
    // hooks: readField writeArray
    public int countedElementBefore() { return ++array[1]; }
    // hooks: readFinalArray writeArray
    public int countedRow() { return grid[1][2]--; }
    // hooks: readFinalArray writeFinalArray
    public void otherElement() { fixed[1] = fixed[0] + 1; }
    // hooks: writeField readField readField writeField readField
    public int otherPath() { Needless t = this; next = t; int a = next.plain; next = t; return a + next.plain; }
    // hooks: readFinalArray readFinalArray readFinalArray writeFinalArray
    public void finalArray() { int i = fixed[0] + fixed[0] + fixed[1]; i++; fixed[i] = fixed[i - 1]; }
    // hooks: readFinalArray readArray readArray
    public int rows() { int i = 1; return grid[i][0] + grid[i][1] + grid[i][0]; }
    // hooks: readFinalArray readArray readFinalArray readArray
    public int otherRow() { int i = 1; int a = grid[i][0]; i++; return a + grid[i][0]; }
    // hooks: readField readArrayLater readArrayLater readArrayUntil
    public int loop() { int[] a = array; int sum = 0; for (int i = 0; i < 2; i++) sum += a[i] + a[i]; return sum; }
    // hooks: readField readArray readArray
    public int loopWithCalls() { int[] a = array; int sum = 0; for (int i = 0; i < 2; i++) { sum += a[i]; other(); } return sum; }
}
