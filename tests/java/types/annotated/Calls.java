package annotated;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import java.util.function.Supplier;
import net.jcip.annotations.GuardedBy;

/** What a method says of its callers is held against all of them, however they call. */
public class Calls {
    private static final Object LOCK = new Object(); // type: final

    @GuardedBy("this") private int hits; // type: unsafe
    @GuardedBy("LOCK") private static int all; // type: unsafe
    @GuardedBy("Names.thisLock") private static int named; // type: guarded Names.thisLock

    /** A lock whose name begins with the word. */
    static class Names {
        static final Object thisLock = new Object(); // type: final
    }

    @GuardedBy("this") void hit() {
        hits++;
    }

    @GuardedBy("LOCK") static void count() {
        all++;
    }

    @GuardedBy("LOCK") static Calls make() {
        all++;
        return new Calls();
    }

    static void name() {
        synchronized (Names.thisLock) {
            named++;
        }
    }

    void directly() {
        hit(); // error: unheld-call
    }

    synchronized void bound(Consumer<Runnable> others) {
        others.accept(this::hit); // error: unheld-call
    }

    synchronized void unbound(Consumer<Consumer<Calls>> others) {
        others.accept(Calls::hit); // error: unheld-call
    }

    void toStatic(Consumer<Runnable> others) {
        synchronized (LOCK) {
            others.accept(Calls::count); // error: unheld-call
        }
    }

    void makes(Consumer<Supplier<Calls>> others) {
        others.accept(Calls::make); // error: unheld-call
    }

    void inThread() {
        new Thread(Calls::count).start(); // error: unheld-call
    }

    /** Each of these runs while the lock is held. */
    void atOnce(List<Calls> calls) {
        synchronized (LOCK) {
            Runnable count = Calls::count;
            count.run();
            calls.stream().findFirst().orElseGet(Calls::make);
        }
    }

    void atOnceWithoutIt() {
        Runnable count = Calls::count; // error: unheld-call
        count.run();
    }

    /** Which object it is called of is not known here. */
    synchronized void each(List<Calls> calls) {
        calls.forEach(Calls::hit); // error: unheld-call
    }

    /** Says it of what others implement. */
    interface Step {
        @GuardedBy("this") void go();
    }

    /** One that does. */
    static class Own implements Step {
        @Override public void go() {}
    }

    void goes(Step step, Step other) {
        synchronized (step) {
            step.go();
            other.go(); // error: unheld-call
        }
    }

    /** A thread holds no lock when it runs its task. */
    static class Task implements Callable<Integer> {
        @GuardedBy("this") private int runs; // type: unsafe

        @GuardedBy("this") @Override public Integer call() { // declared, error: unheld-call
            return runs++;
        }
    }

    /** What is called says nothing of its callers, though others of its type do. */
    int own() throws Exception {
        Callable<Integer> one = () -> 1;
        return one.call();
    }

    void start(Task task, ExecutorService pool) {
        pool.submit(task);
        synchronized (task) {
            task.call();
        }
    }
}
