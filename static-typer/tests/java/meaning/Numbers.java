/** Arithmetic on all number types. Results are mixed into one {@code long}, so that each of them counts. */
final class Numbers {
    static long mix(long sum, long next) {
        return sum * 31 + next;
    }


    static long caseInt(int n) {
        int m = n * 7 - 3;
        long sum = mix(n + m, n - m);
        sum = mix(sum, n * m);
        sum = mix(sum, -n);
        sum = mix(sum, n & m);
        sum = mix(sum, n | m);
        sum = mix(sum, n ^ m);
        return mix(sum, ~n);
    }

    static long caseIntDivision(int n) {
        return mix(1000 / n, n % 7 + Integer.MIN_VALUE / n + 77 % n);
    }

    static long caseLong(int n) {
        long m = n * 0x1_0000_0001L - 3;
        long sum = mix(m + n, m - 5);
        sum = mix(sum, m * m);
        sum = mix(sum, -m);
        sum = mix(sum, m & 0xff00ff00ff00L);
        sum = mix(sum, m | n);
        return mix(sum, m ^ 0x5555_5555_5555_5555L);
    }

    static long caseLongDivision(int n) {
        long divisor = n;
        return mix(0x7fff_ffff_ffffL / divisor, Long.MIN_VALUE % divisor + Long.MIN_VALUE / divisor);
    }

    static long caseShifts(int n) {
        int i = 0x8765_4321;
        long l = 0x8765_4321_0fed_cba9L;
        long sum = mix(i << n, i >> n);
        sum = mix(sum, i >>> n);
        sum = mix(sum, l << n);
        sum = mix(sum, l >> n);
        return mix(sum, l >>> n);
    }

    static long caseFloat(int n) {
        float f = n / 3f;
        return (long) (f * 1e6f) + (long) (f - 2.5f) + (long) (f / (n + 1)) + (long) (-f) + (long) (f % 1.25f * 1000);
    }

    static long caseDouble(int n) {
        double d = n / 3.0;
        return (long) (d * 1e9) + (long) (d - 2.5) + (long) (d / (n + 1)) + (long) (-d) + (long) (d % 1.25 * 1e6);
    }

    static long caseFloatsThatAreNoNumbers(int n) {
        float zero = n - n;
        float[] floats = {n / zero, -n / zero, zero / zero, -0f, 1e30f * n};
        long sum = 0;
        for (float f : floats) {
            for (float g : floats) {
                sum = sum * 3 + (f < g ? 1 : 0) + (f >= g ? 1 : 0);
                sum = sum * 3 + (f > g ? 1 : 0) + (f <= g ? 1 : 0);
                sum = sum * 3 + (f == g ? 1 : 0);
            }
            sum = sum * 7 + (int) f + (long) f;
        }
        return sum;
    }

    static long caseDoublesThatAreNoNumbers(int n) {
        double zero = n - n;
        double[] doubles = {n / zero, -n / zero, zero / zero, -0.0, 1e300 * n};
        long sum = 0;
        for (double d : doubles) {
            for (double e : doubles) {
                sum = sum * 3 + (d < e ? 1 : 0) + (d >= e ? 1 : 0);
                sum = sum * 3 + (d > e ? 1 : 0) + (d <= e ? 1 : 0);
                sum = sum * 3 + (d != e ? 1 : 0);
            }
            sum = sum * 7 + (int) d + (long) d + (long) (float) d;
        }
        return sum;
    }

    static long caseConversions(int n) {
        long l = n * 0x123_4567_89abL;
        float f = l;
        double d = l;
        long sum = mix((byte) n, (short) n);
        sum = mix(sum, (char) n);
        sum = mix(sum, (int) l);
        sum = mix(sum, (int) f);
        sum = mix(sum, (long) f);
        sum = mix(sum, (int) d);
        sum = mix(sum, (long) d);
        sum = mix(sum, (long) (float) (d * 1.0000001));
        sum = mix(sum, (long) ((double) (float) n * 3));
        return mix(sum, (byte) f + (char) d + (short) l);
    }

    static long caseComparisons(int n) {
        long l = n * 5_000_000_000L;
        int sum = 0;
        if (n < 2) sum += 1;
        if (n <= 2) sum += 2;
        if (n == 2) sum += 4;
        if (n != 2) sum += 8;
        if (n > 2) sum += 16;
        if (n >= 2) sum += 32;
        if (l < 10_000_000_000L) sum += 64;
        if (l == 10_000_000_000L) sum += 128;
        if (n < 0 || n > 5 && l != 0) sum += 256;
        boolean odd = (n & 1) != 0;
        return odd ^ n > 0 ? sum : -sum;
    }

    static long caseConstants(int n) {
        return n + 5 + 100 + 1000 + 100_000 + 1L + 0L + 7_000_000_000L + (long) (1f + 2f + 3.5f) + (long) (1.0 + 2.5) - 'x';
    }

    static long caseWide(int n) {
        long sum = n;
        double half = n * 0.5;
        long product = sum * (n = n + 300);
        n += 3000;
        n -= 30000;
        sum += product += n++ + ++n;
        half += sum -= n-- - --n;
        return sum + product + (long) half + n;
    }
}
