package handles;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

class Caller0 {
    private static final VarHandle TASK;

    static {
        try {
            TASK = MethodHandles.lookup().findVarHandle(Caller0.class, "task", Runnable.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Runnable task;

    static void called() {}

    static void run() {
        Caller0 caller = new Caller0();
        TASK.setRelease(caller, (Runnable) () -> called());
        ((Runnable) TASK.getAcquire(caller)).run();
    }
}

/** Method handles. */
public class Main {
    public static void main(String[] args) {
        Caller0.run();
    }
}
