package callbacks;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A library calls back what gives the lock back: by what it gets, in a callee, in the callee of a callee. */
final class Callbacks implements Runnable {
    private static final ReentrantLock LOCK = new ReentrantLock(); // type: final
    static int direct; // type: unsafe
    static int within; // type: unsafe
    static int deep; // type: unsafe
    static int concatenated; // type: unsafe
    static int reflected; // type: unsafe
    static int plain; // type: guarded Callbacks.LOCK
    static int lambda; // type: guarded Callbacks.LOCK
    static int told; // type: guarded Callbacks.LOCK

    @Override
    public void run() {
        LOCK.unlock();
    }

    @Override
    public String toString() {
        LOCK.unlock();
        return "";
    }

    static void add(List<Runnable> tasks) {
        LOCK.lock();
        tasks.forEach(Runnable::run);
        direct++;
    }

    static void all(List<Runnable> tasks) {
        tasks.forEach(Runnable::run);
    }

    static void more(List<Runnable> tasks) {
        all(tasks);
    }

    static void indirectly(List<Runnable> tasks) {
        LOCK.lock();
        all(tasks);
        within++;
    }

    static void deeply(List<Runnable> tasks) {
        LOCK.lock();
        more(tasks);
        deep++;
    }

    static void concatenates(Callbacks told) {
        LOCK.lock();
        String text = "it is " + told;
        concatenated += text.length();
    }

    static void reflects(Method method) throws ReflectiveOperationException {
        LOCK.lock();
        method.invoke(null);
        reflected++;
    }

    /** What gets no object of the application calls nothing back. */
    static void plainly(Condition condition, AtomicReference<Object> last, Object given, int n) throws InterruptedException {
        LOCK.lock();
        try {
            condition.await(1, TimeUnit.SECONDS);
            last.set(given);
            new ArrayList<>(Math.max(n, 1));
            new StringBuilder().append(n).append("text").reverse();
            given.getClass();
            plain++;
            Runnable task = () -> System.arraycopy(new int[1], 0, new int[1], 0, n);
            lambda++;
            String text = "it is " + n;
            told += text.length();
        } finally {
            LOCK.unlock();
        }
    }
}
