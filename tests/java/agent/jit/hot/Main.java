package hot;

/** Hot synchronized methods and blocks: each shape must stay compilable when woven. */
public final class Main {
    private int field;
    private long wide;
    private static int statically;
    private final int[] cells = new int[16];
    private final Object lock = new Object();

    synchronized int method(int n) {
        field += n;
        return field;
    }

    static synchronized int staticMethod(int n) {
        statically += n;
        return statically;
    }

    synchronized long several(int n) {
        if (n % 3 == 0) {
            return wide++;
        }
        for (int i = 0; i < 3; i++) {
            if (i == n % 5) {
                return i;
            }
        }
        try {
            wide += cells[n & 15];
            return wide / (n % 7);
        } catch (ArithmeticException e) {
            return 0;
        } finally {
            field++;
        }
    }

    int block(int n) {
        synchronized (lock) {
            field += n;
            cells[n & 15]++;
            return field;
        }
    }

    int nested(int n) {
        synchronized (lock) {
            if (n % 2 == 0) {
                return 0;
            }
            synchronized (this) {
                field++;
                synchronized (Main.class) {
                    statically++;
                }
            }
            return field;
        }
    }

    int loop(int n) {
        int sum = 0;
        for (int i = 0; i < 4; i++) {
            synchronized (lock) {
                if (i > n % 4) {
                    break;
                }
                if (i == 2) {
                    continue;
                }
                sum += cells[i];
            }
        }
        return sum;
    }

    int throwing(int n) {
        try {
            synchronized (lock) {
                if (n % 50 == 0) {
                    throw new IllegalStateException();
                }
                return field++;
            }
        } catch (IllegalStateException e) {
            return -1;
        }
    }

    int accesses(int n) {
        int sum = 0;
        for (int i = 0; i < cells.length; i++) {
            cells[i] += n;
            sum += cells[i] + field + statically;
            wide += sum;
        }
        return sum;
    }

    public static void main(String[] args) {
        Main main = new Main();
        long sum = 0;
        for (int i = 1; i <= 60_000; i++) {
            sum += main.method(1) + staticMethod(1) + main.several(i) + main.block(i) + main.nested(i) + main.loop(i)
                + main.throwing(i) + main.accesses(i & 3);
        }
        System.out.println(sum);
    }
}
