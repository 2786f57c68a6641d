package annotated;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import net.jcip.annotations.GuardedBy;

/** Bodies of lambdas run under the lock of who makes them if they run at once. */
public class AtOnce {
    private final Object lock = new Object(); // type: final
    private final List<Integer> list = new ArrayList<>(); // type: final
    private final Map<String, Integer> map = new HashMap<>(); // type: final
    private Supplier<Integer> later; // type: unsafe

    @GuardedBy("this") private int byEach; // type: guarded this
    @GuardedBy("this") private int byMap; // type: guarded this
    @GuardedBy("this") private int bySort; // type: guarded this
    @GuardedBy("lock") private int byOwn; // type: guarded this.lock
    private int unsaid; // type: guarded this.lock
    @GuardedBy("this") private int keptForLater; // type: unsafe
    @GuardedBy("this") private int usedTwice; // type: unsafe
    @GuardedBy("this") private int inStream; // type: unsafe
    @GuardedBy("this") private int composed; // type: unsafe
    @GuardedBy("this") private int withoutLock; // type: unsafe
    @GuardedBy("this") private int byLazyList; // type: unsafe
    private Runnable kept; // type: unsafe

    synchronized void each() {
        list.forEach(n -> byEach += n);
    }

    synchronized int make(String name) {
        return map.computeIfAbsent(name, key -> ++byMap);
    }

    synchronized void sort() {
        list.sort((a, b) -> {
            bySort++;
            return a - b;
        });
    }

    int own() {
        synchronized (lock) {
            Supplier<Integer> next = () -> ++byOwn + ++unsaid;
            return next.get();
        }
    }

    synchronized void keep() {
        later = () -> keptForLater++; // error: unguarded-access unguarded-access
    }

    synchronized void useTwice() {
        Runnable body = () -> usedTwice++; // error: unguarded-access unguarded-access
        body.run();
        kept = body;
    }

    synchronized void stream() {
        list.stream().forEach(n -> inStream += n); // error: unguarded-access unguarded-access
    }

    synchronized IntUnaryOperator compose(IntUnaryOperator first) {
        IntUnaryOperator own = n -> n + composed++; // error: unguarded-access unguarded-access
        return own.andThen(first);
    }

    /** Does later what it is asked to do. */
    static class Lazy extends java.util.AbstractCollection<Integer> {
        private java.util.function.Consumer<? super Integer> last; // type: unsafe

        @Override
        public void forEach(java.util.function.Consumer<? super Integer> action) {
            last = action;
        }

        @Override
        public java.util.Iterator<Integer> iterator() {
            last.accept(1);
            return null;
        }

        @Override
        public int size() {
            return 0;
        }
    }

    synchronized void lazily(Iterable<Integer> lazy) {
        lazy.forEach(n -> byLazyList += n); // error: unguarded-access unguarded-access
    }

    void hold() {
        new Lazy().iterator();
        list.forEach(n -> withoutLock += n); // error: unguarded-access unguarded-access
        Runnable now = kept;
        if (now != null) {
            now.run();
        }
        Supplier<Integer> then = later;
        if (then != null) {
            then.get();
        }
    }
}
