package annotated;

import net.jcip.annotations.GuardedBy;

/** A lock is looked for as javac looks for a name: in the class, in those above it, then around it. */
public class Scope {
    private static final Object ALL = new Object(); // type: final
    private final Object lock = new Object(); // type: final
    private final Pair pair = new Pair(); // type: final

    static final class Pair {
        final Object left = new Object(); // type: final
    }

    public class Inner {
        @GuardedBy("lock") private int one; // type: guarded this.this$0.lock
        @GuardedBy("ALL") private int two; // type: guarded Scope.ALL
        @GuardedBy("pair.left") private int three; // type: guarded this.this$0.pair.left
        @GuardedBy("lock") private int wrong; // type: unsafe

        public void count() {
            synchronized (lock) {
                one++;
                wrong++;
            }
            synchronized (ALL) {
                two++;
            }
            synchronized (pair.left) {
                three++;
            }
        }

        public int wrong() {
            return wrong; // error: unguarded-access
        }
    }

    public class Around {
        public class Innermost {
            @GuardedBy("lock") private int deep; // type: guarded this.this$1.this$0.lock
            @GuardedBy("Scope.this.lock") private int named; // type: guarded this.this$1.this$0.lock

            public void count() {
                synchronized (lock) {
                    deep++;
                    named++;
                }
            }
        }
    }

    public static class Nested {
        @GuardedBy("ALL") private int ours; // type: guarded Scope.ALL
        @GuardedBy("lock") private int nobodys; // type: unsafe error: no-lock

        public void count() {
            synchronized (ALL) {
                ours++;
            }
            nobodys++;
        }
    }
}
