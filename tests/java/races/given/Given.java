package given;

import java.lang.ref.SoftReference;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Gives out tasks in every way that clients come to them, and keeps one to itself. Nobody can name their classes. */
public class Given {
    int inList; // race
    int inOptional; // race
    int inMap; // race
    int byCallback; // race
    int returned; // race
    int inArray; // race
    int inIterator; // race
    int inStream; // race
    int inOwn; // race
    int asObject; // race
    int inAtomic; // race
    int called; // race
    int asTask; // race
    int inFuture; // race
    int inReference; // race
    int inEntry; // race
    static int kept;
    private static final List<Runnable> WAITING = new ArrayList<>();

    abstract static class Task implements Runnable {
        final Given given;

        Task(Given given) {
            this.given = given;
        }
    }

    static final class InList extends Task {
        InList(Given given) {
            super(given);
        }

        @Override
        public void run() {
            given.inList++;
        }
    }

    static final class InOptional extends Task {
        InOptional(Given given) {
            super(given);
        }

        @Override
        public void run() {
            given.inOptional++;
        }
    }

    static final class InMap extends Task {
        InMap(Given given) {
            super(given);
        }

        @Override
        public void run() {
            given.inMap++;
        }
    }

    static final class ByCallback extends Task {
        ByCallback(Given given) {
            super(given);
        }

        @Override
        public void run() {
            given.byCallback++;
        }
    }

    static final class Returned extends Task {
        Returned(Given given) {
            super(given);
        }

        @Override
        public void run() {
            given.returned++;
        }
    }

    static final class InArray extends Task {
        InArray(Given given) {
            super(given);
        }

        @Override
        public void run() {
            given.inArray++;
        }
    }

    static final class InIterator extends Task {
        InIterator(Given given) {
            super(given);
        }

        @Override
        public void run() {
            given.inIterator++;
        }
    }

    static final class InStream extends Task {
        InStream(Given given) {
            super(given);
        }

        @Override
        public void run() {
            given.inStream++;
        }
    }

    static final class InOwn extends Task {
        InOwn(Given given) {
            super(given);
        }

        @Override
        public void run() {
            given.inOwn++;
        }
    }

    static final class AsObject extends Task {
        AsObject(Given given) {
            super(given);
        }

        @Override
        public void run() {
            given.asObject++;
        }
    }

    static final class InAtomic extends Task {
        InAtomic(Given given) {
            super(given);
        }

        @Override
        public void run() {
            given.inAtomic++;
        }
    }

    static final class InFuture extends Task {
        InFuture(Given given) {
            super(given);
        }

        @Override
        public void run() {
            given.inFuture++;
        }
    }

    static final class InReference extends Task {
        InReference(Given given) {
            super(given);
        }

        @Override
        public void run() {
            given.inReference++;
        }
    }

    static final class InEntry extends Task {
        InEntry(Given given) {
            super(given);
        }

        @Override
        public void run() {
            given.inEntry++;
        }
    }

    /** A type that clients can name. */
    public abstract static class Named implements Runnable {}

    static final class AsTask extends Named {
        private final Given given;

        AsTask(Given given) {
            this.given = given;
        }

        @Override
        public void run() {
            given.asTask++;
        }
    }

    static final class Called implements Callable<Object> {
        private final Given given;

        Called(Given given) {
            this.given = given;
        }

        @Override
        public Object call() {
            return given.called++;
        }
    }

    /** Its lock is that of what it waits in. */
    static final class Kept extends Task {
        Kept(Given given) {
            super(given);
        }

        @Override
        public void run() {
            kept++;
        }
    }

    /** Holds something of a type that says nothing. */
    public static class Box {
        private Object value;

        public Object get() {
            return value;
        }
    }

    public List<Runnable> list() {
        List<Runnable> list = new ArrayList<>();
        list.add(new InList(this));
        return list;
    }

    public Optional<Runnable> optional() {
        return Optional.of(new InOptional(this));
    }

    public Map<String, Runnable> map() {
        Map<String, Runnable> map = new HashMap<>();
        map.put("task", new InMap(this));
        return map;
    }

    public void each(Consumer<Runnable> consumer) {
        consumer.accept(new ByCallback(this));
    }

    public Runnable task() {
        return new Returned(this);
    }

    public Runnable[] array() {
        return new Runnable[] {new InArray(this)};
    }

    public Iterator<Runnable> iterator() {
        return List.<Runnable>of(new InIterator(this)).iterator();
    }

    public Stream<Runnable> stream() {
        return Stream.of(new InStream(this));
    }

    public Box box() {
        Box box = new Box();
        box.value = new InOwn(this);
        return box;
    }

    public Object object() {
        return new AsObject(this);
    }

    public AtomicReference<Runnable> reference() {
        return new AtomicReference<>(new InAtomic(this));
    }

    public CompletableFuture<Runnable> future() {
        return CompletableFuture.completedFuture(new InFuture(this));
    }

    public SoftReference<Runnable> soft() {
        return new SoftReference<>(new InReference(this));
    }

    public Map.Entry<String, Runnable> entry() {
        return new SimpleEntry<>("task", new InEntry(this));
    }

    public Named named() {
        return new AsTask(this);
    }

    public Callable<Object> callable() {
        return new Called(this);
    }

    public void add() {
        synchronized (WAITING) {
            WAITING.add(new Kept(this));
        }
    }

    public void drain() {
        synchronized (WAITING) {
            WAITING.forEach(Runnable::run);
            WAITING.clear();
        }
    }

    public static void run(Runnable task) {
        task.run();
    }

    public static Object call(Callable<Object> task) throws Exception {
        return task.call();
    }
}
