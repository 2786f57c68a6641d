package arrays;

import static util.Threads.each;
import static util.Threads.thrice;

/** Arrays; the test runs this with each `arrays=` and expects what its table says. */
final class Data {
    final int[] disjoint = new int[3];
    final int[] shared = new int[3];
    final int[] guarded = new int[3];
    final int[] pair = new int[2];
    final boolean[] booleans = new boolean[1];
    final byte[] bytes = new byte[1];
    final char[] chars = new char[1];
    final short[] shorts = new short[1];
    final long[] longs = new long[1];
    final float[] floats = new float[1];
    final double[] doubles = new double[1];
    final Object[] objects = new Object[1];
    final int[][] grid = new int[2][2];
    final String[][][] cube = new String[1][1][1];
    int[] replaced = new int[1];
}

public final class Main {
    static final Data DATA = new Data();

    static void phase(int me) {
        DATA.disjoint[me]++;
        DATA.shared[0]++;
        synchronized (DATA) {
            DATA.guarded[me % 2]++;
            DATA.replaced[0]++;
        }
        DATA.booleans[0] = !DATA.booleans[0];
        DATA.bytes[0]++;
        DATA.chars[0]++;
        DATA.shorts[0]++;
        DATA.longs[0]++;
        DATA.floats[0]++;
        DATA.doubles[0]++;
        DATA.objects[0] = DATA;
        DATA.grid[1][1]++;
        DATA.cube[0][0][0] = "x";
        local(DATA.shared);
        if (me == 1) {
            DATA.pair[1] = me;
        }
        both();
    }

    static int both() {
        return DATA.pair[0] + DATA.pair[1];
    }

    static void local(int[] argument) {
        argument[1]++;
    }

    public static void main(String[] args) {
        each(() -> phase(0), () -> phase(1), () -> phase(2));
        thrice(() -> {
            int[] own = new int[4];
            own[3] = own.clone()[2] + 1;
            System.arraycopy(own, 0, own, 1, 3);
        });
    }
}
