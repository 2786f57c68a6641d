package seeds;

import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** Executors that start a thread for each task: each is searched by itself, as threads of others would do for its own. */
class VirtualPerTask {
    static int virtualPerTask; // race

    public static void main(String[] args) {
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            pool.execute(() -> virtualPerTask++);
            pool.execute(() -> virtualPerTask++);
        }
    }
}

class PlatformPerTask {
    static int platformPerTask; // race

    public static void main(String[] args) {
        Executor pool = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory());
        pool.execute(() -> platformPerTask++);
        pool.execute(() -> platformPerTask++);
    }
}

class MadePerTask {
    static int madePerTask; // race

    public static void main(String[] args) {
        Executor pool = Executors.newThreadPerTaskExecutor(Thread::new);
        pool.execute(() -> madePerTask++);
        pool.execute(() -> madePerTask++);
    }
}

class Pooled {
    static int pooled; // race

    public static void main(String[] args) {
        try (var pool = Executors.newFixedThreadPool(2)) {
            pool.execute(() -> pooled++);
            pool.execute(() -> pooled++);
        }
    }
}

class Closed {
    static int closed;

    public static void main(String[] args) {
        try (var pool = Executors.newFixedThreadPool(2)) {
            pool.execute(() -> closed++);
        }
        closed++;
    }
}

class NotClosed {
    static int notClosed; // race

    public static void main(String[] args) {
        var pool = Executors.newFixedThreadPool(2);
        pool.execute(() -> notClosed++);
        if (args.length > 0) {
            pool.close();
        }
        notClosed++;
    }
}
