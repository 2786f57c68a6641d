package executors;

import static schedule.Schedule.mark;
import static schedule.Schedule.until;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import schedule.Program;

/** Pools end with each program. */
abstract class Pooled implements Program {
    ExecutorService pool;

    abstract ExecutorService make();

    abstract void body() throws Exception;

    public void run() throws Exception {
        pool = make();
        body();
        pool.shutdown();
        if (!pool.awaitTermination(1, TimeUnit.MINUTES)) {
            System.out.println("late");
        }
    }
}

final class SubmitAndGet extends Pooled {
    int value;

    ExecutorService make() {
        return Executors.newFixedThreadPool(2);
    }

    void body() throws Exception {
        value = 1;
        Future<Integer> future = pool.submit(() -> ++value);
        if (future.get(1, TimeUnit.MINUTES) == 2) {
            value++;
        }
    }
}

final class NotWaited extends Pooled {
    int value; // race: NotWaited.value

    ExecutorService make() {
        return Executors.newCachedThreadPool();
    }

    void body() {
        pool.execute(() -> {
            value = 1;
            mark(this);
        });
        until(this);
        value++;
    }
}

/** Written after the task was submitted. */
final class WrittenAfterSubmit extends Pooled {
    int value; // race: WrittenAfterSubmit.value

    ExecutorService make() {
        return Executors.newSingleThreadExecutor();
    }

    void body() throws Exception {
        Future<?> future = pool.submit(() -> {
            until(this);
            value++;
        });
        value = 1;
        mark(this);
        future.get();
    }
}

/** What only the one thread of a pool uses. */
final class Confined extends Pooled {
    final List<String> log = new ArrayList<>();
    int size;

    ExecutorService make() {
        return Executors.newSingleThreadExecutor();
    }

    void body() throws Exception {
        Thread[] clients = new Thread[2];
        for (int i = 0; i < clients.length; i++) {
            clients[i] = schedule.Schedule.start(() -> {
                for (int n = 0; n < 5; n++) {
                    pool.execute(() -> {
                        log.add("x");
                        size++;
                    });
                }
            });
        }
        for (Thread client : clients) {
            client.join();
        }
    }
}

/** Two threads do not confine. */
final class NotConfined extends Pooled {
    int size; // race: NotConfined.size

    ExecutorService make() {
        return Executors.newFixedThreadPool(2);
    }

    void body() {
        pool.execute(() -> {
            size++;
            mark(this);
            until(this, 2);
        });
        pool.execute(() -> {
            until(this);
            size++;
            mark(this, 2);
        });
    }
}

/** Asked from outside while the thread of the pool works. */
final class AskedFromOutside extends Pooled {
    final List<String> log = new ArrayList<>(); // race: AskedFromOutside.log

    ExecutorService make() {
        return Executors.newSingleThreadExecutor();
    }

    void body() {
        pool.execute(() -> {
            log.add("x");
            mark(this);
        });
        until(this);
        log.size();
    }
}

final class InvokedAll extends Pooled {
    final int[] squares = new int[4];

    ExecutorService make() {
        return Executors.newFixedThreadPool(3);
    }

    void body() throws Exception {
        List<Callable<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < squares.length; i++) {
            int at = i;
            tasks.add(() -> squares[at] = at * at);
        }
        pool.invokeAll(tasks);
        for (int i = 0; i < squares.length; i++) {
            squares[i]++;
        }
    }
}

/** The first result ends the call, and others may still run. */
final class InvokedAny extends Pooled {
    int best; // race: InvokedAny.best

    ExecutorService make() {
        return Executors.newFixedThreadPool(2);
    }

    void body() throws Exception {
        pool.invokeAny(List.of(() -> {
            until(this);
            return 1;
        }, () -> {
            best = 2;
            mark(this);
            try {
                Thread.sleep(60_000);
            } catch (InterruptedException cancelled) {
                // It is not wanted any more.
            }
            until(this, 2);
            best++;
            return 2;
        }));
        best = 0;
        mark(this, 2);
    }
}

final class InvokedAnyResult extends Pooled {
    static final class Answer {
        int value;
    }

    ExecutorService make() {
        return Executors.newFixedThreadPool(2);
    }

    void body() throws Exception {
        Callable<Answer> task = () -> {
            Answer answer = new Answer();
            answer.value = 1;
            return answer;
        };
        pool.invokeAny(List.of(task, task)).value++;
    }
}

/** Results in the order in which they come. */
final class Completion extends Pooled {
    static final class Part {
        int size;
    }

    ExecutorService make() {
        return Executors.newFixedThreadPool(2);
    }

    void body() throws Exception {
        CompletionService<Part> service = new ExecutorCompletionService<>(pool);
        for (int i = 0; i < 4; i++) {
            int size = i;
            service.submit(() -> {
                Part part = new Part();
                part.size = size;
                return part;
            });
        }
        for (int i = 0; i < 4; i++) {
            service.take().get().size++;
        }
    }
}

final class PolledDone extends Pooled {
    int value;

    ExecutorService make() {
        return Executors.newSingleThreadExecutor();
    }

    void body() {
        Future<?> future = pool.submit(() -> value++);
        while (!future.isDone()) {
            Thread.onSpinWait();
        }
        value++;
    }
}

/** Who is cancelled may still run: the future says nothing of its end. */
final class Cancelled extends Pooled {
    int value; // race: Cancelled.value

    ExecutorService make() {
        return Executors.newSingleThreadExecutor();
    }

    void body() throws Exception {
        Future<?> future = pool.submit(() -> {
            value = 1;
            mark(this);
            boolean wasInterrupted = false;
            while (!wasInterrupted) {
                wasInterrupted = Thread.interrupted();
            }
            until(this, 2);
            value = 2;
        });
        until(this);
        future.cancel(true);
        try {
            future.get();
        } catch (CancellationException expected) {
            value = 3;
        }
        mark(this, 2);
    }
}

/** Waits too short for the end of the pool. */
final class AwaitedTooShort implements Program {
    int value; // race: AwaitedTooShort.value

    public void run() throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        pool.execute(() -> {
            value = 1;
            mark(this);
            until(this, 2);
        });
        until(this);
        pool.shutdown();
        if (!pool.awaitTermination(5, TimeUnit.MILLISECONDS)) {
            value++;
        }
        mark(this, 2);
        pool.awaitTermination(1, TimeUnit.MINUTES);
    }
}

final class Awaited implements Program {
    int value;
    final List<String> names = new ArrayList<>();

    public void run() throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        pool.execute(() -> {
            value = 1;
            names.add("x");
        });
        pool.shutdown();
        while (!pool.isTerminated()) {
            Thread.onSpinWait();
        }
        value++;
        names.clear();
    }
}

/** What shutdownNow gives back was never run. */
final class GivenBack implements Program {
    static final class Job implements Runnable {
        int state;

        @Override
        public void run() {
            state++;
        }
    }

    public void run() throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        pool.execute(() -> {
            mark(this);
            while (!Thread.interrupted()) {
                Thread.onSpinWait();
            }
        });
        until(this);
        pool.execute(new Job());
        for (Runnable job : pool.shutdownNow()) {
            ((Job) job).state = 5;
        }
        pool.awaitTermination(1, TimeUnit.MINUTES);
    }
}

final class Scheduled implements Program {
    int value;

    public void run() throws Exception {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(2);
        value = 1;
        ScheduledFuture<Integer> future = pool.schedule(() -> ++value, 1, TimeUnit.MILLISECONDS);
        future.get();
        value++;
        pool.shutdownNow();
        pool.awaitTermination(1, TimeUnit.MINUTES);
    }
}

/** The runs of a periodic task come one after the other, in whichever threads. */
final class Periodic implements Program {
    int runs;
    final StringBuilder log = new StringBuilder();
    final CountDownLatch enough = new CountDownLatch(5);

    public void run() throws Exception {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(3);
        pool.scheduleAtFixedRate(() -> {
            runs++;
            log.append(runs);
            enough.countDown();
        }, 0, 2, TimeUnit.MILLISECONDS);
        enough.await();
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
        runs++;
        log.setLength(0);
    }
}

/** Two periodic tasks of one pool. */
final class TwoPeriodic implements Program {
    int runs; // race: TwoPeriodic.runs

    public void run() throws Exception {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(2);
        CountDownLatch enough = new CountDownLatch(2);
        pool.scheduleWithFixedDelay(() -> {
            if (enough.getCount() == 2) {
                runs++;
                mark(this);
                until(this, 2);
                enough.countDown();
            }
        }, 0, 1, TimeUnit.MILLISECONDS);
        pool.schedule(() -> {
            until(this);
            runs++;
            mark(this, 2);
            enough.countDown();
        }, 0, TimeUnit.MILLISECONDS);
        enough.await();
        pool.shutdownNow();
        pool.awaitTermination(1, TimeUnit.MINUTES);
    }
}

/** A pool of one thread that counts in its own hooks. */
final class Hooks implements Program {
    static final class Counting extends ThreadPoolExecutor {
        int begun;
        int ended;

        Counting() {
            super(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(8));
        }

        @Override
        protected void beforeExecute(Thread thread, Runnable task) {
            begun++;
        }

        @Override
        protected void afterExecute(Runnable task, Throwable failure) {
            ended++;
        }

        @Override
        protected void terminated() {
            begun -= ended;
        }
    }

    public void run() throws Exception {
        Counting pool = new Counting();
        for (int i = 0; i < 3; i++) {
            pool.execute(() -> {});
        }
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
        if (pool.begun != 0) {
            System.out.println(pool.begun);
        }
    }
}

/** Counts in the hooks of a pool of two. */
final class RacyHooks implements Program {
    static final class Metered extends ThreadPoolExecutor {
        int begun; // race: Metered.begun

        Metered() {
            super(2, 2, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        }

        @Override
        protected void beforeExecute(Thread thread, Runnable task) {
            begun++;
        }
    }

    public void run() throws Exception {
        ThreadPoolExecutor pool = new Metered();
        pool.execute(() -> {
            mark(this);
            until(this, 2);
        });
        until(this);
        pool.execute(() -> mark(this, 2));
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
    }
}

/** A full pool makes the caller run its task. */
final class CallerRuns implements Program {
    int value;

    public void run() throws Exception {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new SynchronousQueue<>(), new ThreadPoolExecutor.CallerRunsPolicy());
        pool.execute(() -> until(this));
        value = 1;
        pool.execute(() -> value++);
        value++;
        mark(this);
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
    }
}

final class Futures implements Program {
    int value;

    public void run() throws Exception {
        FutureTask<Integer> task = new FutureTask<>(() -> ++value) {
            @Override
            protected void done() {
                value++;
            }
        };
        value = 1;
        new Thread(task).start();
        task.get();
        while (task.isCancelled()) {
            Thread.onSpinWait();
        }
    }
}

/** A memoizer with futures. */
final class Memoizer implements Program {
    static final class Result {
        int value;
    }

    final ConcurrentMap<Integer, Future<Result>> cache = new ConcurrentHashMap<>();

    Result compute(int key) throws Exception {
        Future<Result> future = cache.get(key);
        if (future == null) {
            FutureTask<Result> task = new FutureTask<>(() -> {
                Result result = new Result();
                result.value = key;
                return result;
            });
            future = cache.putIfAbsent(key, task);
            if (future == null) {
                future = task;
                task.run();
            }
        }
        return future.get();
    }

    public void run() throws Exception {
        int[] values = new int[2];
        schedule.Schedule.together(() -> values[0] = compute(1).value, () -> values[1] = compute(1).value);
    }
}

/** Divide and conquer over slices of one array. */
final class ForkJoin implements Program {
    static final class Increment extends RecursiveAction {
        final int[] values;
        final int from;
        final int to;

        Increment(int[] values, int from, int to) {
            this.values = values;
            this.from = from;
            this.to = to;
        }

        @Override
        protected void compute() {
            if (to - from < 4) {
                for (int i = from; i < to; i++) {
                    values[i]++;
                }
            } else {
                int middle = (from + to) / 2;
                invokeAll(new Increment(values, from, middle), new Increment(values, middle, to));
            }
        }
    }

    public void run() throws Exception {
        int[] values = new int[64];
        ForkJoinPool pool = new ForkJoinPool(2);
        pool.invoke(new Increment(values, 0, values.length));
        int sum = 0;
        for (int value : values) {
            sum += value;
        }
        if (sum != 64) {
            System.out.println(sum);
        }
        values[0] = sum;
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
    }
}

/** Forks, and does not join. */
final class ForkedOnly implements Program {
    int done; // race: ForkedOnly.done

    public void run() throws Exception {
        ForkJoinPool pool = new ForkJoinPool(2);
        ForkJoinTask<?> task = pool.submit(() -> {
            done++;
            mark(this);
        });
        until(this);
        done++;
        task.join();
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
    }
}

/** Two tasks that any of two workers may run, each when there is one to run it. */
final class OneWorker implements Program {
    int done; // missed: OneWorker.done -- the worker that ran the first task runs the second one, too

    public void run() throws Exception {
        ForkJoinPool pool = new ForkJoinPool(2);
        pool.execute(() -> {
            done++;
            mark(this);
        });
        until(this);
        Thread.sleep(300);
        pool.execute(() -> done++);
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
    }
}

/** Tasks that count down to their parent. */
final class Completers implements Program {
    static final class Leaf extends CountedCompleter<Void> {
        final int[] counts;
        int own;

        Leaf(CountedCompleter<?> parent, int[] counts) {
            super(parent);
            this.counts = counts;
        }

        @Override
        public void compute() {
            own = 1;
            tryComplete();
        }
    }

    static final class Root extends CountedCompleter<Void> {
        final Leaf[] leaves = new Leaf[4];
        int total;

        @Override
        public void compute() {
            setPendingCount(leaves.length);
            for (int i = 0; i < leaves.length; i++) {
                leaves[i] = new Leaf(this, null);
                leaves[i].fork();
            }
            tryComplete();
        }

        @Override
        public void onCompletion(CountedCompleter<?> caller) {
            for (Leaf leaf : leaves) {
                total += leaf.own;
            }
        }
    }

    public void run() throws Exception {
        ForkJoinPool pool = new ForkJoinPool(2);
        Root root = new Root();
        pool.invoke(root);
        if (root.total != 4) {
            System.out.println(root.total);
        }
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
    }
}

/** What a completer does when its children are done is known to the one above it. */
final class SumsOfSums implements Program {
    /** A tree; the second child of the root waits until the first one is summed up. */
    final class Sum extends CountedCompleter<Void> {
        final int depth;
        final boolean waits;
        Sum first;
        Sum second;
        int total;

        Sum(CountedCompleter<?> parent, int depth, boolean waits) {
            super(parent, depth == 0 ? 0 : 2);
            this.depth = depth;
            this.waits = waits;
        }

        @Override
        public void compute() {
            if (depth > 0) {
                first = new Sum(this, depth - 1, waits);
                second = new Sum(this, depth - 1, waits || depth == 2);
                second.fork();
                first.fork();
            } else {
                if (waits) {
                    until(SumsOfSums.this);
                }
                total = 1;
            }
            tryComplete();
        }

        @Override
        public void onCompletion(CountedCompleter<?> caller) {
            if (depth > 0) {
                total = first.total + second.total;
                first.total = 0;
            }
            if (depth == 1 && !waits) {
                mark(SumsOfSums.this);
            }
        }
    }

    public void run() throws Exception {
        ForkJoinPool pool = new ForkJoinPool(4);
        Sum root = new Sum(null, 2, false);
        pool.invoke(root);
        if (root.total != 4) {
            System.out.println(root.total);
        }
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
    }
}

/** A child goes on when it is complete. */
final class CompletedTooEarly implements Program {
    final class Child extends CountedCompleter<Void> {
        final boolean goesOn;
        int late; // race: Child.late

        Child(CountedCompleter<?> parent, boolean goesOn) {
            super(parent);
            this.goesOn = goesOn;
        }

        @Override
        public void compute() {
            // Each in a thread of its own.
            if (goesOn) {
                until(CompletedTooEarly.this, 2);
            } else {
                mark(CompletedTooEarly.this, 2);
                until(CompletedTooEarly.this);
            }
            tryComplete();
            if (goesOn) {
                late = 1;
                mark(CompletedTooEarly.this);
            }
        }
    }

    final class Root extends CountedCompleter<Void> {
        final Child early = new Child(this, true);
        final Child other = new Child(this, false);

        Root() {
            super(null, 2);
        }

        @Override
        public void compute() {
            early.fork();
            other.fork();
            tryComplete();
        }

        @Override
        public void onCompletion(CountedCompleter<?> caller) {
            if (early.late > 1) {
                System.out.println(early.late);
            }
        }
    }

    public void run() throws Exception {
        ForkJoinPool pool = new ForkJoinPool(4);
        pool.invoke(new Root());
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
    }
}

/** All tasks of a timer run in one thread. */
final class OneTimer implements Program {
    int ticks;
    final CountDownLatch done = new CountDownLatch(2);

    TimerTask task() {
        return new TimerTask() {
            @Override
            public void run() {
                ticks++;
                done.countDown();
            }
        };
    }

    public void run() throws Exception {
        Timer timer = new Timer(true);
        timer.schedule(task(), 1);
        timer.schedule(task(), 2);
        done.await();
        timer.cancel();
        ticks++;
    }
}

/** Two timers are two threads. */
final class TwoTimers implements Program {
    int ticks; // race: TwoTimers.ticks
    final CountDownLatch done = new CountDownLatch(2);

    TimerTask task(boolean first) {
        return new TimerTask() {
            @Override
            public void run() {
                if (!first) {
                    until(TwoTimers.this);
                }
                ticks++;
                mark(TwoTimers.this);
                done.countDown();
            }
        };
    }

    public void run() throws Exception {
        Timer a = new Timer(true);
        Timer b = new Timer(true);
        a.schedule(task(true), 1);
        b.schedule(task(false), 1);
        done.await();
        a.cancel();
        b.cancel();
    }
}

/** Changed after the timer knows of the task. */
final class TimerTooEarly implements Program {
    int delay; // race: TimerTooEarly.delay
    final CountDownLatch done = new CountDownLatch(1);

    public void run() throws Exception {
        Timer timer = new Timer(true);
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                until(TimerTooEarly.this);
                delay++;
                done.countDown();
            }
        }, 1);
        delay = 1;
        mark(this);
        done.await();
        timer.cancel();
    }
}

/** Tasks that are handed to two pools in turn. */
final class Pipeline implements Program {
    static final class Document {
        int words;
        String text;
    }

    public void run() throws Exception {
        ExecutorService readers = Executors.newFixedThreadPool(2);
        ExecutorService counters = Executors.newFixedThreadPool(2);
        List<Document> counted = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch done = new CountDownLatch(4);
        for (int i = 0; i < 4; i++) {
            readers.execute(() -> {
                Document document = new Document();
                document.text = "a b";
                counters.execute(() -> {
                    document.words = document.text.length();
                    counted.add(document);
                    done.countDown();
                });
            });
        }
        done.await();
        for (Document document : counted) {
            document.words++;
        }
        readers.shutdown();
        counters.shutdown();
        readers.awaitTermination(1, TimeUnit.MINUTES);
        counters.awaitTermination(1, TimeUnit.MINUTES);
    }
}

/** Nobody waits for the task; its pool says that it is done, as tests ask of it. */
final class CountedAsDone implements Program {
    private final Predicate<ThreadPoolExecutor> isDone;
    private final int step;
    int value;

    CountedAsDone(int step, Predicate<ThreadPoolExecutor> isDone) {
        this.step = step;
        this.isDone = isDone;
    }

    public void run() throws Exception {
        ThreadPoolExecutor pool = (ThreadPoolExecutor) Executors.newFixedThreadPool(1);
        pool.execute(() -> {
            value++;
            mark(this, step);
        });
        until(this, step);
        while (!isDone.test(pool)) {
            Thread.onSpinWait();
        }
        value++;
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
    }
}

/** The task has thrown. */
final class CountedAsFailed implements Program {
    int value;

    public void run() throws Exception {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(), task -> {
            Thread worker = new Thread(task);
            worker.setUncaughtExceptionHandler((thread, failure) -> {});
            return worker;
        });
        pool.execute(() -> {
            value++;
            throw new IllegalStateException("as it should be");
        });
        while (pool.getCompletedTaskCount() == 0) {
            Thread.onSpinWait();
        }
        value++;
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
    }
}

/** No worker has anything to do. */
final class Quiescent implements Program {
    int value;

    public void run() throws Exception {
        ForkJoinPool pool = new ForkJoinPool(2);
        pool.execute(() -> value++);
        while (pool.hasQueuedSubmissions() || !pool.isQuiescent()) {
            Thread.onSpinWait();
        }
        value++;
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
    }
}

/** That a task goes on says nothing of what it has done. */
final class CompletedCount implements Program {
    final AtomicInteger started = new AtomicInteger();
    int value; // race: CompletedCount.value

    public void run() throws Exception {
        ThreadPoolExecutor pool = (ThreadPoolExecutor) Executors.newFixedThreadPool(1);
        pool.execute(() -> {
            value++;
            mark(this);
            until(this, 2);
        });
        until(this);
        if (pool.getActiveCount() == 1) {
            value++;
        }
        mark(this, 2);
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
    }
}

/** That another task is done says nothing of this one. */
final class CompletedAnother implements Program {
    int value; // race: CompletedAnother.value

    public void run() throws Exception {
        ThreadPoolExecutor pool = (ThreadPoolExecutor) Executors.newFixedThreadPool(2);
        pool.execute(() -> {});
        pool.execute(() -> {
            value++;
            mark(this);
            until(this, 2);
        });
        until(this);
        while (pool.getCompletedTaskCount() == 0) {
            Thread.onSpinWait();
        }
        value++;
        mark(this, 2);
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new SubmitAndGet(), new NotWaited(), new WrittenAfterSubmit(), new Confined(), new NotConfined(),
                new AskedFromOutside(), new InvokedAll(), new InvokedAny(), new InvokedAnyResult(), new Completion(), new PolledDone(),
                new Cancelled(), new AwaitedTooShort(), new Awaited(), new GivenBack(), new Scheduled(), new Periodic(), new TwoPeriodic(),
                new Hooks(), new RacyHooks(), new CallerRuns(), new Futures(), new Memoizer(), new ForkJoin(), new ForkedOnly(), new OneWorker(),
                new Completers(), new SumsOfSums(), new CompletedTooEarly(), new OneTimer(), new TwoTimers(), new TimerTooEarly(), new Pipeline(),
                new CountedAsDone(1, pool -> pool.getCompletedTaskCount() == 1), new CountedAsDone(2, pool -> pool.getActiveCount() == 0), new CountedAsFailed(), new Quiescent(), new CompletedCount(), new CompletedAnother());
    }
}
