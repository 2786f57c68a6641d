/** Methods whose receiver, or another variable, is dead where arrays are accessed. */
class Dead {
    final int[] ints = {1, 2, 3};
    final long[][] rows = {{4, 5}, {6}};
    private final Object lock = new Object();

    int sum() {
        int[] local = this.ints;
        int sum = 0;
        for (int i = 0; i < local.length; i++) {
            sum += local[i];
            Thread.yield();
        }
        return sum;
    }

    long fill(long value, boolean again) {
        long[] row = rows[0];
        long sum = value;
        for (int i = 0; i < row.length; i++) {
            row[i] = sum;
            sum += row[i];
        }
        int[] local = ints;
        if (again) {
            Thread.yield();
        }
        local[0]++;
        return sum;
    }

    int locked() {
        int[] local = ints;
        int sum = 0;
        synchronized (lock) {
            for (int each : local) {
                sum += each;
            }
        }
        do {
            sum += local[1];
            Thread.yield();
        } while (sum < 20);
        return sum;
    }

    synchronized int thrown(String text) {
        int[] local = ints;
        int sum = 0;
        try {
            sum = local[text.length()];
        } catch (ArrayIndexOutOfBoundsException expected) {
            sum = local[0];
        } finally {
            local[2] = sum;
        }
        return sum + local[2];
    }

    public static void main(String[] args) {
        Dead dead = new Dead();
        System.out.println(dead.sum() + " " + dead.fill(7, true) + " " + dead.locked() + " " + dead.thrown("abcdef"));
    }
}
