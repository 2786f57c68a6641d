/** Monitors, which are left whatever happens. */
final class Locks {
    static final Object LOCK = new Object();
    final Locks inner;

    Locks(Locks inner) {
        this.inner = inner;
    }

    static long held() {
        return (Thread.holdsLock(LOCK) ? 1 : 0) + (Thread.holdsLock(Locks.class) ? 2 : 0);
    }

    static long caseBlock(int n) {
        long seen = held();
        synchronized (LOCK) {
            seen = seen * 4 + held();
            if (n == 0) return seen;
            synchronized (Locks.class) {
                seen = seen * 4 + held();
            }
        }
        return seen * 4 + held();
    }

    static long caseBlockThatFails(int n) {
        long seen = 1;
        try {
            synchronized (LOCK) {
                seen = seen * 4 + held();
                synchronized (LOCK) {
                    seen += 100 / n;
                }
                seen = seen * 4 + held();
                seen += 100 / (n - 1);
            }
        } catch (ArithmeticException e) {
            seen = -seen * 4 + held();
        }
        return seen * 4 + held();
    }

    static long caseLoop(int n) {
        long seen = 0;
        for (int i = 0; i < 8; i++) {
            synchronized (LOCK) {
                if (i == (n & 7)) continue;
                if (i > n) break;
                seen = seen * 4 + held();
            }
        }
        return seen * 4 + held();
    }

    static long caseMethods(int n) {
        long seen;
        try {
            seen = statically(n);
        } catch (ArithmeticException e) {
            seen = -1;
        }
        return seen * 4 + held() + new Locks(null).itself(n) * 100;
    }

    private static synchronized long statically(int n) {
        return held() + 100 / n;
    }

    private synchronized long itself(int n) {
        return Thread.holdsLock(this) ? n : -n;
    }

    static long caseNull(int n) {
        Locks outer = new Locks(n > 0 ? new Locks(null) : null);
        synchronized (outer.inner) {
            return Thread.holdsLock(outer.inner) && !Thread.holdsLock(outer) ? 1 : 0;
        }
    }
}
