package virtual;

import static schedule.Schedule.mark;
import static schedule.Schedule.pause;
import static schedule.Schedule.runnable;
import static schedule.Schedule.until;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import schedule.Program;

final class Started implements Program {
    int value;

    public void run() throws Exception {
        value = 1;
        Thread thread = Thread.startVirtualThread(() -> value++);
        thread.join();
        value++;
    }
}

final class Built implements Program {
    int value;

    public void run() throws Exception {
        value = 1;
        Thread virtual = Thread.ofVirtual().name("worker").unstarted(() -> value++);
        virtual.start();
        if (virtual.join(Duration.ofMinutes(1))) {
            value++;
        }
        Thread platform = Thread.ofPlatform().daemon().start(() -> value++);
        if (platform.join(Duration.ofMinutes(1))) {
            value++;
        }
        Thread made = Thread.ofVirtual().factory().newThread(() -> value++);
        made.start();
        while (made.isAlive()) {
            Thread.onSpinWait();
        }
        value++;
        Thread last = Thread.ofVirtual().start(() -> value++);
        while (last.getState() != Thread.State.TERMINATED) {
            Thread.onSpinWait();
        }
        value++;
    }
}

final class NotJoined implements Program {
    int value; // race: NotJoined.value

    public void run() throws Exception {
        Thread thread = Thread.startVirtualThread(() -> {
            value = 1;
            mark(this);
        });
        until(this);
        value++;
        thread.join();
    }
}

final class Siblings implements Program {
    int value; // race: Siblings.value

    public void run() throws Exception {
        Thread a = Thread.startVirtualThread(() -> {
            value++;
            mark(this);
        });
        Thread b = Thread.startVirtualThread(() -> {
            until(this);
            value++;
        });
        a.join();
        b.join();
    }
}

/** A thread for each task; `close` waits for all. */
final class Closed implements Program {
    final int[] results = new int[8];
    int sum;

    public void run() {
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < results.length; i++) {
                int at = i;
                pool.submit(() -> results[at] = at);
            }
        }
        for (int result : results) {
            sum += result;
        }
    }
}

final class ClosedPool implements Program {
    int count;

    public void run() {
        try (ExecutorService pool = Executors.newFixedThreadPool(1)) {
            pool.execute(() -> count++);
            pool.execute(() -> count++);
        }
        count++;
    }
}

/** Before there is any `FutureTask`. */
final class SleptFirst implements Program {
    public void run() throws Exception {
        Thread.startVirtualThread(() -> {
            try {
                Thread.sleep(5);
            } catch (InterruptedException unlikely) {
                throw new IllegalStateException(unlikely);
            }
        }).join();
        new AllTasks().run();
    }
}

final class AllTasks implements Program {
    static final class Page {
        int size;
    }

    public void run() throws Exception {
        try (ExecutorService pool = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("fetch-", 0).factory())) {
            List<Callable<Page>> tasks = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                int size = i;
                tasks.add(() -> {
                    Page page = new Page();
                    page.size = size;
                    return page;
                });
            }
            for (Future<Page> future : pool.invokeAll(tasks)) {
                future.resultNow().size++;
            }
        }
    }
}

/** Tasks of one executor are no order. */
final class SharedByTasks implements Program {
    int count; // race: SharedByTasks.count

    public void run() {
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            pool.execute(() -> {
                count++;
                mark(this);
            });
            pool.execute(() -> {
                until(this);
                count++;
            });
        }
    }
}

/** An executor looks after its threads: that it has forgotten one before it knows another is no order. */
final class AfterManyTasks implements Program {
    int count; // race: AfterManyTasks.count

    public void run() {
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            pool.execute(() -> {
                count++;
                mark(this);
            });
            until(this);
            pause(50);
            for (int i = 0; i < 1000; i++) {
                pool.execute(() -> {});
            }
            pool.execute(() -> count++);
        }
    }
}

/** So does the JDK after all virtual threads. */
final class AfterManyThreads implements Program {
    int count; // race: AfterManyThreads.count

    public void run() throws Exception {
        Thread first = Thread.startVirtualThread(() -> {
            count++;
            mark(this);
        });
        until(this);
        pause(50);
        for (int i = 0; i < 1000; i++) {
            Thread.startVirtualThread(() -> {});
        }
        Thread last = Thread.startVirtualThread(() -> count++);
        first.join();
        last.join();
    }
}

final class Locked implements Program {
    final ReentrantLock lock = new ReentrantLock();
    int count;
    int guarded;

    void add() {
        lock.lock();
        try {
            count++;
        } finally {
            lock.unlock();
        }
        synchronized (this) {
            guarded++;
        }
    }

    public void run() {
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 50; i++) {
                pool.execute(this::add);
            }
        }
    }
}

final class Queued implements Program {
    static final class Request {
        int status;
    }

    final BlockingQueue<Request> requests = new LinkedBlockingQueue<>();
    final BlockingQueue<Request> replies = new LinkedBlockingQueue<>();

    public void run() throws Exception {
        Thread server = Thread.startVirtualThread(runnable(() -> {
            for (int i = 0; i < 5; i++) {
                Request request = requests.take();
                request.status++;
                replies.put(request);
            }
        }));
        for (int i = 0; i < 5; i++) {
            Request request = new Request();
            request.status = 1;
            requests.put(request);
            replies.take().status++;
        }
        server.join();
    }
}

final class Interrupted implements Program {
    int command;

    public void run() throws Exception {
        Thread worker = Thread.startVirtualThread(() -> {
            try {
                Thread.sleep(60_000);
            } catch (InterruptedException stop) {
                command++;
            }
        });
        command = 1;
        worker.interrupt();
        worker.join();
    }
}

/** New methods of old collections. */
final class Sequenced implements Program {
    final List<String> names = new ArrayList<>(); // race: Sequenced.names

    public void run() throws Exception {
        Thread a = Thread.startVirtualThread(() -> {
            names.addFirst("a");
            mark(this);
            until(this, 2);
            names.addLast("b");
        });
        Thread b = Thread.startVirtualThread(() -> {
            until(this);
            names.getFirst();
            mark(this, 2);
        });
        a.join();
        b.join();
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new SleptFirst(), new Started(), new Built(), new NotJoined(), new Siblings(), new Closed(), new ClosedPool(), new AllTasks(),
                new SharedByTasks(), new AfterManyTasks(), new AfterManyThreads(), new Locked(), new Queued(), new Interrupted(), new Sequenced());
    }
}
