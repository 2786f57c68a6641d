/** Loops, branches and switches. */
final class Flow {
    static long caseLoopAtTheBeginning(int n) {
        do {
            n = n / 2 - 3;
        } while (n > 0);
        return n;
    }

    static long caseNestedLoops(int n) {
        long sum = 0;
        outer:
        for (int i = 0; i < (n & 15); i++) {
            for (int j = i; ; j += 2) {
                if (j > 12) break;
                if ((i * j & 3) == 1) continue outer;
                if (i * j > 60) break outer;
                sum = sum * 5 + i - j;
            }
            sum++;
        }
        return sum;
    }

    /** In each round the variables change places, which takes phis that are evaluated at once. */
    static long caseSwaps(int n) {
        int a = 1, b = 2, c = n;
        for (int i = 0; i < (n & 31); i++) {
            int old = a;
            a = b;
            b = c;
            c = old;
        }
        return a * 10_000L + b * 100L + c;
    }

    static long caseFibonacci(int n) {
        long a = 0, b = 1;
        while (n-- > 0 && b < 1L << 60) {
            b += a;
            a = b - a;
        }
        return a;
    }

    static long caseDenseSwitch(int n) {
        int result = 0;
        switch (n) {
            case 0: result += 1;
            case 1: result += 10; break;
            case 2: return -5;
            case 3:
            case 7: result = n * n;
            default: result--;
        }
        return result;
    }

    static long caseSparseSwitch(int n) {
        switch (n) {
            case -100: return 1;
            case 7: n++;
            case 31: return n * 2L;
            case 1_000_000: return 4;
            case Integer.MIN_VALUE: return 5;
            default: return 6;
        }
    }

    static long caseSwitchAtTheEdges(int n) {
        switch (n) {
            case Integer.MAX_VALUE - 1: return 1;
            case Integer.MAX_VALUE: return 2;
            default: return 3;
        }
    }

    static long caseStringSwitch(int n) {
        String[] words = {"one", "two", "Aa", "BB", "", "other"};
        switch (words[(n & 7) % 6]) {
            case "one": return 1;
            case "two": return 2;
            case "Aa": return 3;
            case "BB": return 4;
            case "": return 5;
            default: return 6;
        }
    }

    /** Branches while values are on the stack. */
    static long caseConditionalsInExpressions(int n) {
        long big = n > 3 ? n : -1L;
        int x = n + (n > 0 ? n > 10 ? 5 : 6 : n < -5 ? 7 : 8) * (n == 1 || n == 2 ? 3 : 4);
        return big * (x > 20 ? 1 : 2) + twice(n < 0, n >= 0 ? x : -x);
    }

    private static int twice(boolean negate, int n) {
        return negate ? -2 * n : 2 * n;
    }

    static long caseShortCircuit(int n) {
        int[] calls = {0};
        boolean result = count(calls, n > 0) && count(calls, n > 2) || count(calls, n < -2) && !count(calls, n == -7);
        return calls[0] * 2 + (result ? 1 : 0);
    }

    private static boolean count(int[] calls, boolean result) {
        calls[0]++;
        return result;
    }

    static long caseRecursion(int n) {
        return ackermann(2, n & 3) + (even(n & 15) ? 1000 : 0);
    }

    private static int ackermann(int m, int n) {
        return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
    }

    private static boolean even(int n) {
        return n == 0 || !even(n - 1);
    }
}
