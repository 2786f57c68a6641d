package annotated;

import jrace.annotations.GuardedBy;
import jrace.annotations.Holds;
import jrace.annotations.NoWarn;
import jrace.annotations.Requires;
import jrace.annotations.ThreadLocal;

/** The annotations of jrace itself. */
public class Ours {
    static class Required {
        @GuardedBy("this") private int n; // type: guarded this

        @Requires("this")
        private void add() {
            n++;
        }

        synchronized void call() {
            add();
        }
    }

    static class Broken {
        @GuardedBy("this") private int n; // type: unsafe

        @Requires("this")
        private void add() {
            n++;
        }

        void call() {
            add(); // error: unheld-call
        }

        @NoWarn("only tests call it")
        void silenced() {
            add();
        }
    }

    static class Believed {
        @GuardedBy("this") private int n; // type: unsafe
        @NoWarn @GuardedBy("this") int benign; // type: unsafe

        @Holds("this")
        void held() {
            n++;
        }

        void notHeld() {
            n++; // error: unguarded-access unguarded-access
            benign++;
        }
    }

    @GuardedBy("this")
    static class Whole {
        private int n; // type: guarded this
        final int m = 1; // type: final

        synchronized void add() {
            n += m;
        }
    }

    @ThreadLocal
    static class Local {
        int n; // type: unique

        void add() {
            n++;
        }
    }

    @ThreadLocal
    static class Leaked {
        static Leaked last; // type: unsafe
        int n; // type: unsafe

        void add() {
            n++; // error: shared-object
        }
    }

    public static void run() {
        new Local().add();
        Leaked leaked = new Leaked();
        Leaked.last = leaked;
        leaked.add();
        new Thread(() -> Leaked.last.add()).start();
    }
}
