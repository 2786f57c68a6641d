package annotated;

import net.jcip.annotations.GuardedBy;
import net.jcip.annotations.Immutable;
import net.jcip.annotations.NotThreadSafe;
import net.jcip.annotations.ThreadSafe;

public class Annotated {
    private final Object lock = new Object(); // type: final
    private Object loose = new Object(); // type: unique
    private static final Object SHARED = new Object(); // type: final

    @GuardedBy("this") private int bySelf; // type: unsafe
    @GuardedBy("lock") private int byLock; // type: guarded this.lock
    @GuardedBy("Annotated.SHARED") private static int byShared; // type: guarded Annotated.SHARED
    @GuardedBy("Annotated.class") private static int byClass; // type: unsafe
    @GuardedBy("loose") private int byLoose; // type: unsafe error: no-lock
    @GuardedBy("nothing") private int byNothing; // type: unsafe error: no-lock

    synchronized int good() {
        return bySelf;
    }

    int bad() {
        return bySelf; // error: unguarded-access
    }

    synchronized void set(int n) {
        bySelf = n;
    }

    void locks() {
        synchronized (lock) {
            byLock++;
            holding();
        }
        synchronized (SHARED) {
            byShared++;
        }
        byLoose++;
        byNothing++;
        byClass++; // error: unguarded-access unguarded-access
        holding(); // error: unheld-call
    }

    @GuardedBy("lock")
    private void holding() {
        bySelf = 0; // error: unguarded-access
    }

    class Inner {
        @GuardedBy("Annotated.this") int n; // type: guarded this.this$0

        void set() {
            synchronized (Annotated.this) {
                n = 1;
            }
        }
    }

    @Immutable
    static class Value {
        private int n; // type: read-only
        private int cached; // type: unsafe

        Value(int n) {
            this.n = n;
        }

        int hash() {
            cached = n; // error: mutable-class
            return cached;
        }
    }

    @ThreadSafe
    static class Safe {
        private int n; // type: unsafe

        void add() {
            n++; // error: unsafe-class
        }
    }

    @NotThreadSafe
    static class Plain {
        private int n; // type: unsafe

        void add() {
            n++;
        }
    }
}
