import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/** What rewriters of class files get wrong. Prints what it computes; nothing here races. */
public class Traps {
    int count;
    long total;
    double mean;
    boolean done;
    static int shared;
    static long wide;
    int[] numbers = {1, 2, 3};
    long[][] table = new long[3][4];
    Object[] objects = new Object[2];
    volatile int ticks;
    final int fixed;

    Traps() {
        this(7);
    }

    Traps(int fixed) {
        super();
        this.fixed = fixed;
    }

    /** The loop begins at bytecode 0, and so does the hook of the entry. */
    synchronized void loopAtZero() {
        while (!done) {
            count++;
            if (count > 5) {
                done = true;
            }
        }
    }

    static void staticLoopAtZero() {
        do {
            shared++;
        } while (shared < 10);
    }

    /** The gap between the frames is below 64 before weaving and above it after. */
    int stretchedGap(boolean b) {
        int result = b ? count : 0;
        count += 1; count += 2; count += 3;
        return b ? result + count : result;
    }

    String tableSwitch(int n) {
        count = n;
        switch (n) {
            case 0: return "zero" + count;
            case 1: count++;
            case 2: total += count; break;
            case 3: mean = total; return "three" + mean;
            default: shared = n;
        }
        return "end" + total;
    }

    String lookupSwitch(String s) {
        shared++;
        switch (s) {
            case "a": return "A" + shared;
            case "bb": return "BB" + count;
            case "ccc": count++;
            default: return s + count;
        }
    }

    int nestedTry(int n) {
        try {
            try {
                if (n == 0) throw new IllegalStateException("inner");
                return numbers[n];
            } catch (IllegalStateException e) {
                count += 100;
                throw new RuntimeException(e);
            } finally {
                shared += 1;
            }
        } catch (ArrayIndexOutOfBoundsException e) {
            return -1;
        } catch (RuntimeException e) {
            return -2;
        } finally {
            total += n;
        }
    }

    class Inner {
        int own;
        Inner(int n) {
            own = n + count;
            count = own;
        }
    }

    static class Base {
        final IntSupplier supplier;
        int value;
        Base(IntSupplier supplier) {
            this.supplier = supplier;
            value = supplier.getAsInt();
        }
    }

    /** Branches, a loop's worth of calls and a captured variable before super(). */
    static class Derived extends Base {
        int late = 5;
        Derived(int n, Traps traps) {
            super(n > 0 ? () -> traps.count + n : traps.numbers[0] > 0 ? () -> traps.numbers[1] : new Base(() -> n).supplier);
            late += value;
        }
    }

    static Base anonymous(int captured) {
        return new Base(() -> captured * 2) {
            int twice = value + captured;
            @Override public String toString() { return "anonymous " + twice; }
        };
    }

    enum Color {
        RED, GREEN { @Override int weight() { return shared; } }, BLUE;
        int seen;
        int weight() { return ++seen; }
    }

    static final int[] WEIGHTS;
    static {
        int[] weights = new int[Color.values().length];
        for (Color color : Color.values()) {
            switch (color) {
                case RED: weights[0] = 10; break;
                case GREEN: weights[1] = 20; break;
                default: weights[2] = color.ordinal();
            }
        }
        WEIGHTS = weights;
    }

    record Point(int x, int y) {
        static int made;
        Point {
            made++;
            if (x < 0) throw new IllegalArgumentException("negative");
        }
        int sum() { return x + y + made; }
    }

    interface Greeter {
        int[] LENGTHS = {1, 2};
        default synchronizedHolder hold() { return new synchronizedHolder(); }
        private int length() { return LENGTHS[1]; }
        default String greet() { return "hello " + length(); }
    }

    static class synchronizedHolder implements Greeter {
        static int uses;
        static synchronized int use() { return ++uses; }
        synchronized long wide(long a, double b) {
            if (a < 0) throw new IllegalArgumentException("negative");
            return a + (long) b;
        }
        void blocks(Object a, Object b) {
            synchronized (a) {
                uses++;
                synchronized (b) {
                    if (uses > 100) return;
                    uses++;
                }
            }
        }
    }

    void wideLocals() {
        long a0 = 0, a1 = 1, a2 = 2, a3 = 3, a4 = 4, a5 = 5, a6 = 6, a7 = 7, a8 = 8, a9 = 9;
        WIDE
        long last = a0 + a9 + count;
        total = last;
        table[1][2] = last;
        table[1][2] += a5;
        wide = table[1][2];
    }

    String arrays(int n) {
        int[] fresh = new int[n];
        for (int i = 0; i < n; i++) fresh[i] = i * i;
        byte[] bytes = {1, 2, (byte) n};
        boolean[] flags = new boolean[2];
        flags[1] = true;
        char[] chars = "xyz".toCharArray();
        chars[0] = 'X';
        short[] shorts = new short[1];
        shorts[0]++;
        float[] floats = {1.5f};
        floats[0] *= 2;
        double[] doubles = {2.5};
        doubles[0] /= 2;
        objects[0] = fresh;
        objects[1] = new String[] {"s" + n, null};
        fresh[0] = 9;
        ((String[]) objects[1])[1] = "t";
        return fresh[0] + fresh[n - 1] + bytes[2] + (flags[1] ? "T" : "F") + chars[0] + shorts[0] + floats[0]
            + doubles[0] + ((Object[]) objects[1])[1] + ((int[]) objects[0])[1];
    }

    String failures() {
        List<String> seen = new ArrayList<>();
        Traps none = null;
        int[] noArray = null;
        for (int i = 0; i < 6; i++) {
            try {
                switch (i) {
                    case 0: none.count = 1; break;
                    case 1: seen.add("" + noArray[0]); break;
                    case 2: numbers[3] = 1; break;
                    case 3: objects = new String[1]; objects[0] = 5; break;
                    case 4: synchronized (none) { count = 1; } break;
                    default: new synchronizedHolder().wide(-1, 2);
                }
            } catch (RuntimeException e) {
                StackTraceElement top = e.getStackTrace()[0];
                seen.add(e.getClass().getSimpleName() + "@" + top.getMethodName() + ":" + top.getLineNumber());
            }
        }
        return seen.toString();
    }

    public static void main(String[] args) throws Exception {
        Traps t = new Traps();
        t.loopAtZero();
        staticLoopAtZero();
        System.out.println(t.count + " " + shared + " " + t.stretchedGap(true) + " " + t.stretchedGap(false));
        for (int i = 0; i < 5; i++) System.out.println(t.tableSwitch(i));
        for (String s : new String[] {"a", "bb", "ccc", "d"}) System.out.println(t.lookupSwitch(s));
        for (int i = 0; i < 5; i++) System.out.println(t.nestedTry(i) + " " + t.total + " " + t.count);
        System.out.println(t.new Inner(4).own + " " + t.fixed);
        System.out.println(new Derived(1, t).late + " " + new Derived(0, t).late + " " + anonymous(3));
        System.out.println(Color.RED.weight() + Color.GREEN.weight() + Color.valueOf("BLUE").weight() + WEIGHTS[2]);
        System.out.println(new Point(1, 2).sum() + " " + new Point(3, 4).equals(new Point(3, 4)));
        synchronizedHolder holder = new synchronizedHolder();
        System.out.println(holder.greet() + holder.hold().wide(2, 3.5) + synchronizedHolder.use());
        holder.blocks(t, holder);
        t.wideLocals();
        System.out.println(t.total + " " + wide + " " + synchronizedHolder.uses);
        System.out.println(t.arrays(4));
        System.out.println(t.failures());
        Object lock = new Object();
        synchronized (lock) {
            lock.wait(1);
            lock.notifyAll();
            lock.notify();
        }
        try { lock.wait(); } catch (IllegalMonitorStateException e) { System.out.println("no owner"); }
        try { new Point(-1, 0); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        System.out.println(Far.near(3) + " " + Far.loop(3) + " " + Far.loop(-1) + " " + Far.count);
    }
}
