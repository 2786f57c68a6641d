/** Exceptions: what a handler sees of the variables, and in which order things run. */
final class Failures {
    /** What the JVM throws by itself: an interpreter finds the classes here. */
    static final Class<?>[] THROWN = {
        ArithmeticException.class, ArrayIndexOutOfBoundsException.class, ArrayStoreException.class,
        ClassCastException.class, NegativeArraySizeException.class, NullPointerException.class,
    };

    public static final class Checked extends Exception {
        public final int code;

        public Checked(int code) {
            this.code = code;
        }
    }

    public static final class Resource implements AutoCloseable {
        public static int open;
        public final boolean fails;

        public Resource(boolean fails) {
            this.fails = fails;
            open++;
        }

        @Override
        public void close() throws Checked {
            open--;
            if (fails) throw new Checked(open + 50);
        }
    }

    static int failIf(boolean fail, int code) throws Checked {
        if (fail) throw new Checked(code);
        return code;
    }

    static long caseVariableInHandler(int n) {
        int x = 1;
        try {
            x = 2;
            x = failIf(n == 0, 3);
            x += failIf(n == 1, 40);
            x++;
            x = x * 5 + failIf(n == 2, 6);
        } catch (Checked e) {
            return x * 1000L + e.code;
        }
        return x;
    }

    static long caseWideVariableInHandler(int n) {
        long x = 1;
        double y = 0.5;
        try {
            x = 5_000_000_000L;
            y = x / (n - 1);
            x /= n - 2;
            y += x % n;
        } catch (ArithmeticException e) {
            return x * 10 + (long) (y * 2);
        }
        return x + (long) y;
    }

    static long caseAssignmentThatFails(int n) {
        int[] a = {1, 2, 3};
        int x = 7;
        try {
            x = a[n];
            a[n] = x = 10 / (n - 1);
            a = null;
            x = n == 2 ? a[0] : 5;
        } catch (ArrayIndexOutOfBoundsException e) {
            x += 100;
        } catch (ArithmeticException | NullPointerException e) {
            x += 200;
        }
        return x + (a == null ? 1000 : a[0] * 10);
    }

    static long caseHandlerInLoop(int n) {
        int x = n & 7;
        long sum = 0;
        for (int i = 0; i < 10; i++) {
            int before = x;
            try {
                x = x + 3;
                sum += 100 / (x - 9);
                x = x * 2 % 13;
            } catch (ArithmeticException e) {
                sum = sum * 2 + before - x;
                x -= 5;
                continue;
            } finally {
                sum = sum * 3 + x;
            }
            sum ^= x;
        }
        return sum;
    }

    static long caseFinally(int n) {
        long trace = 1;
        try {
            trace = trace * 10 + 1;
            try {
                trace = trace * 10 + failIf(n == 1, 2);
                if (n == 2) return trace;
            } catch (Checked e) {
                trace = trace * 10 + 3;
                failIf(n == 1, 9);
            } finally {
                trace = trace * 10 + 4;
                if (n == 3) throw new IllegalStateException();
                if (n == 7) return -trace;
            }
            trace = trace * 10 + 5;
        } catch (Checked e) {
            trace = trace * 10 + 6;
        } finally {
            trace = trace * 10 + 7;
        }
        return trace;
    }

    static long caseFinallyThatReturns(int n) {
        int x = n;
        for (;;) {
            try {
                x++;
                if (x > 3) return x;
                x += 10 / x;
            } finally {
                x *= 2;
                if (x < 100) continue;
                break;
            }
        }
        return x;
    }

    static long caseReturnedBeforeFinally(int n) {
        int[] seen = {0};
        return returned(n, seen) * 1000L + seen[0];
    }

    private static int returned(int n, int[] seen) {
        int x = n & 7;
        try {
            return x++;
        } finally {
            seen[0] = ++x;
        }
    }

    static long caseRethrown(int n) throws Exception {
        try {
            failIf(n > 1, n);
            return 10 / n;
        } catch (Exception e) {
            if (n == 2) return e instanceof Checked ? ((Checked) e).code : -1;
            throw e;
        }
    }

    static long caseHandlersOfManyKinds(int n) {
        int at = 0;
        try {
            switch (n & 7) {
                case 0: at = ((int[]) null).length;
                case 1: at = 1; at = new int[n & 7][n | -1 << 31].length;
                case 2: at = 2; Object[] strings = new String[1]; strings[0] = new Object[0];
                case 3: at = 3; at = ((Checked) (Object) strings(n)).code;
                case 4: at = 4; throw null;
                case 5: at = 5; throw new Error();
                case 6: at = 6; at = at / (at - 6);
                default: at = 7; at = new int[3][2][2][3].length;
            }
        } catch (NegativeArraySizeException e) {
            return at * 10 + 1;
        } catch (ArrayStoreException | ClassCastException e) {
            return at * 10 + (e instanceof ClassCastException ? 2 : 3);
        } catch (RuntimeException e) {
            return at * 10 + (e instanceof NullPointerException ? 4 : 5);
        } catch (Throwable e) {
            return at * 10 + 6;
        }
        return at;
    }

    private static Object strings(int n) {
        return n > 0 ? new String[n] : new Object();
    }

    static long caseResources(int n) {
        int code = 0;
        try (Resource a = new Resource(n == 1 || n == 3); Resource b = new Resource(n == 2 || n == 3)) {
            code = Resource.open * 1000 + (a.fails == b.fails ? 1 : 0);
            code += failIf(n == 7, 400);
        } catch (Checked e) {
            code = code * 10 + e.code;
        }
        return code * 10L + Resource.open;
    }

    static long caseUncaught(int n) throws Checked {
        int[] a = new int[n % 1000];
        if (n == 3) failIf(true, 1);
        a[n / 2] = n;
        return a[n - 1] / (a.length - 2);
    }

    /** Entered with a value on the stack, which the handler drops. */
    static long caseStackInHandler(int n) {
        return n + guarded(n) * (n + guarded(n - 1));
    }

    private static int guarded(int n) {
        int x = n;
        try {
            x = x + 100 / (x = x - 1) + (x = x * 2) / (x - 2);
        } catch (ArithmeticException e) {
            x += 1000;
        }
        return x;
    }
}
