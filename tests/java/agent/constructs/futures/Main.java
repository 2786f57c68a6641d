package futures;

import static schedule.Schedule.mark;
import static schedule.Schedule.start;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import java.util.function.Consumer;
import schedule.Program;
import schedule.Schedule;

final class Chain implements Program {
    int value;

    public void run() throws Exception {
        value = 1;
        int result = CompletableFuture.supplyAsync(() -> ++value)
                .thenApply(n -> value += n)
                .thenApplyAsync(n -> value += n)
                .thenCompose(n -> CompletableFuture.supplyAsync(() -> value += n))
                .get();
        value += result;
    }
}

final class Unjoined implements Program {
    int value; // race: Unjoined.value

    public void run() throws Exception {
        CompletableFuture<Void> future = CompletableFuture.runAsync(() -> {
            value = 1;
            mark(this);
        });
        until(this);
        value++;
        future.join();
    }
}

/** Two stages of one future run side by side. */
final class TwoDependents implements Program {
    int value; // race: TwoDependents.value

    public void run() throws Exception {
        CompletableFuture<Integer> source = new CompletableFuture<>();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        CompletableFuture<Void> a = source.thenAcceptAsync(n -> {
            value++;
            mark(this);
        }, pool);
        CompletableFuture<Void> b = source.thenAcceptAsync(n -> {
            until(this);
            value++;
        }, pool);
        source.complete(1);
        CompletableFuture.allOf(a, b).get();
        pool.shutdown();
    }
}

final class Combined implements Program {
    int left;
    int right;

    public void run() throws Exception {
        CompletableFuture<Integer> a = CompletableFuture.supplyAsync(() -> left = 1);
        CompletableFuture<Integer> b = CompletableFuture.supplyAsync(() -> right = 2);
        a.thenCombine(b, (x, y) -> left + right).thenAccept(sum -> left += sum).join();
        right += left;
    }
}

final class AfterBoth implements Program {
    int left;
    int right;

    public void run() throws Exception {
        CompletableFuture<Void> a = CompletableFuture.runAsync(() -> left = 1);
        CompletableFuture<Void> b = CompletableFuture.runAsync(() -> right = 2);
        a.runAfterBoth(b, () -> left += right).join();
        left++;
    }
}

/** One of two has come; the other still writes. */
final class AfterEither implements Program {
    int slow; // race: AfterEither.slow

    public void run() throws Exception {
        CompletableFuture<Integer> quick = new CompletableFuture<>();
        CompletableFuture<Void> late = CompletableFuture.runAsync(() -> {
            slow = 1;
            mark(this);
            until(this, 2);
        });
        until(this);
        quick.complete(1);
        CompletableFuture.anyOf(quick, late).join();
        slow++;
        mark(this, 2);
        late.join();
    }
}

final class AllOf implements Program {
    final int[] results = new int[3];
    int sum;

    public void run() throws Exception {
        CompletableFuture<?>[] futures = new CompletableFuture<?>[3];
        for (int i = 0; i < 3; i++) {
            int at = i;
            futures[i] = CompletableFuture.runAsync(() -> results[at] = at);
        }
        CompletableFuture.allOf(futures).thenRunAsync(() -> {
            for (int result : results) {
                sum += result;
            }
        }).join();
        sum++;
    }
}

final class Failing implements Program {
    int value;
    String message;

    public void run() throws Exception {
        CompletableFuture<Integer> failed = CompletableFuture.supplyAsync(() -> {
            value = 1;
            throw new IllegalStateException("expected");
        });
        failed.exceptionally(failure -> {
            message = failure.getMessage();
            return value++;
        }).join();
        value++;
        failed.handle((n, failure) -> value++).join();
        failed.whenComplete((n, failure) -> value++).exceptionally(failure -> 0).join();
        value++;
        try {
            failed.get();
        } catch (ExecutionException expected) {
            value++;
        }
        try {
            failed.join();
        } catch (CompletionException expected) {
            value++;
        }
    }
}

/** Gives up waiting: the task goes on. */
final class TimedOut implements Program {
    int value; // race: TimedOut.value

    public void run() throws Exception {
        CompletableFuture<Integer> slow = CompletableFuture.supplyAsync(() -> {
            value = 1;
            mark(this);
            until(this, 2);
            return 1;
        });
        until(this);
        try {
            slow.get(5, TimeUnit.MILLISECONDS);
        } catch (TimeoutException expected) {
            value++;
        }
        mark(this, 2);
        slow.join();
    }
}

/** A value in place of the one that does not come. */
final class CompletedOnTimeout implements Program {
    int value; // race: CompletedOnTimeout.value

    public void run() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<Integer> slow = CompletableFuture.supplyAsync(() -> {
            value = 1;
            mark(this);
            until(this, 2);
            end.countDown();
            return 1;
        });
        until(this);
        slow.completeOnTimeout(7, 5, TimeUnit.MILLISECONDS).join();
        value++;
        mark(this, 2);
        end.await();
    }
}

final class InTime implements Program {
    int value;

    public void run() throws Exception {
        CompletableFuture.runAsync(() -> value = 1).orTimeout(1, TimeUnit.MINUTES).join();
        value++;
    }
}

final class Polled implements Program {
    int value;

    public void run() throws Exception {
        CompletableFuture<Integer> future = CompletableFuture.supplyAsync(() -> value = 1);
        while (future.getNow(0) == 0) {
            Thread.onSpinWait();
        }
        value++;
        CompletableFuture<Integer> next = CompletableFuture.supplyAsync(() -> ++value);
        while (!next.isDone()) {
            Thread.onSpinWait();
        }
        value++;
    }
}

/** A promise that one thread keeps and another waits for. */
final class Promise implements Program {
    static final class Reply {
        int code;
    }

    final CompletableFuture<Reply> promise = new CompletableFuture<>();

    public void run() throws Exception {
        together(() -> {
            Reply reply = new Reply();
            reply.code = 200;
            promise.complete(reply);
        }, () -> promise.get().code++);
    }
}

/** The promise is kept before the reply is complete. */
final class PromisedTooEarly implements Program {
    static final class Response {
        int code; // race: Response.code
    }

    final CompletableFuture<Response> promise = new CompletableFuture<>();

    public void run() throws Exception {
        together(() -> {
            Response response = new Response();
            promise.complete(response);
            response.code = 200;
            mark(this);
        }, () -> {
            Response response = promise.get();
            until(this);
            response.code++;
        });
    }
}

/** Who loses has changed nothing that others may see as its own. */
final class CompletedTwice implements Program {
    int writes; // race: CompletedTwice.writes
    final CompletableFuture<String> promise = new CompletableFuture<>();

    public void run() throws Exception {
        together(() -> {
            promise.complete("a");
            writes++;
            mark(this);
        }, () -> {
            until(this);
            if (!promise.complete("b")) {
                writes++;
            }
        });
    }
}

final class ByStage implements Program {
    int value;

    CompletionStage<Integer> load() {
        return CompletableFuture.supplyAsync(() -> value = 1);
    }

    public void run() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        load().thenAccept(n -> value += n).whenComplete((n, failure) -> done.countDown());
        done.await();
        value++;
    }
}

/** Completed by a thread of one's own, its stages run there or here. */
final class OwnThread implements Program {
    int value;

    public void run() throws Exception {
        CompletableFuture<Integer> future = new CompletableFuture<>();
        CompletableFuture<Void> added = future.thenAccept(n -> value += n);
        Thread thread = start(() -> {
            value = 1;
            future.complete(2);
        });
        added.join();
        value++;
        thread.join();
    }
}

/** A failure is a result, too. */
final class FailedByHand implements Program {
    int value;

    public void run() throws Exception {
        CompletableFuture<Integer> future = new CompletableFuture<>();
        Thread thread = start(() -> {
            value = 1;
            future.completeExceptionally(new IllegalStateException());
        });
        while (!future.isCompletedExceptionally()) {
            Thread.onSpinWait();
        }
        value++;
        thread.join();
    }
}

/** Who waits says nothing to who finds no result yet. */
final class WaitedFor implements Program {
    int value; // race: WaitedFor.value

    public void run() throws Exception {
        CompletableFuture<Integer> source = new CompletableFuture<>();
        CompletableFuture<Void> asked = source.thenAccept(n -> value++);
        Thread thread = start(() -> {
            Schedule.pause(50);
            source.complete(1);
        });
        value++;
        asked.join();
        thread.join();
    }
}

/** The task has still to begin when somebody waits for it. */
final class WaitedForInQueue implements Program {
    int value; // race: WaitedForInQueue.value

    public void run() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        pool.submit(() -> Schedule.pause(50));
        CompletableFuture<Void> queued = CompletableFuture.runAsync(() -> value++, pool);
        value++;
        queued.join();
        pool.shutdown();
    }
}

/** Nobody has a result: neither who gives up, nor who asks. */
final class AskedInVain implements Program {
    int value; // race: AskedInVain.value
    final CompletableFuture<Integer> never = new CompletableFuture<>();

    public void run() throws Exception {
        together(() -> {
            value++;
            try {
                never.get(5, TimeUnit.MILLISECONDS);
            } catch (TimeoutException expected) {
                mark(this);
            }
        }, () -> {
            until(this);
            if (!never.isDone()) {
                value++;
            }
        });
    }
}

/** Nobody has a result: neither who wants something done, nor who asks. */
final class AskedForInVain implements Program {
    int value; // race: AskedForInVain.value
    final CompletableFuture<Integer> never = new CompletableFuture<>();

    public void run() throws Exception {
        together(() -> {
            value++;
            never.thenRun(() -> {});
            mark(this);
        }, () -> {
            until(this);
            if (never.getNow(0) == 0) {
                value++;
            }
        });
    }
}

/** What is asked for knows what was done before it was, whoever does it. */
final class AskedBefore implements Program {
    static final class Cell {
        int value;
    }

    interface Asking {
        void ask(CompletableFuture<Integer> first, CompletableFuture<Integer> second, Runnable what);
    }

    static final List<Asking> RESULTS = List.of(
            (a, b, what) -> a.thenApply(n -> done(what)),
            (a, b, what) -> a.thenAccept(n -> what.run()),
            (a, b, what) -> a.thenRun(what),
            (a, b, what) -> a.thenCompose(n -> CompletableFuture.completedFuture(done(what))),
            (a, b, what) -> a.handle((n, failure) -> done(what)),
            (a, b, what) -> a.whenComplete((n, failure) -> what.run()),
            (a, b, what) -> a.thenCombine(b, (n, m) -> done(what)),
            (a, b, what) -> a.thenAcceptBoth(b, (n, m) -> what.run()),
            (a, b, what) -> a.runAfterBoth(b, what),
            (a, b, what) -> a.applyToEither(b, n -> done(what)),
            (a, b, what) -> a.acceptEither(b, n -> what.run()),
            (a, b, what) -> a.runAfterEither(b, what),
            (a, b, what) -> CompletableFuture.anyOf(a, b).thenRun(what),
            (a, b, what) -> CompletableFuture.allOf(a, b).thenRun(what));
    static final List<Asking> FAILURES = List.of(
            (a, b, what) -> a.exceptionally(failure -> done(what)),
            (a, b, what) -> a.exceptionallyCompose(failure -> CompletableFuture.completedFuture(done(what))),
            (a, b, what) -> a.whenComplete((n, failure) -> what.run()));

    static int done(Runnable what) {
        what.run();
        return 1;
    }

    public void run() throws Exception {
        List<CompletableFuture<Integer>> results = futures(RESULTS);
        List<CompletableFuture<Integer>> failures = futures(FAILURES);
        Thread thread = start(() -> {
            until(this);
            results.forEach(future -> future.complete(1));
            failures.forEach(future -> future.completeExceptionally(new IllegalStateException("expected")));
        });
        askAll(RESULTS, results);
        askAll(FAILURES, failures);
        mark(this);
        thread.join();
    }

    static List<CompletableFuture<Integer>> futures(List<Asking> of) {
        return Stream.generate(CompletableFuture<Integer>::new).limit(2L * of.size()).toList();
    }

    static void askAll(List<Asking> all, List<CompletableFuture<Integer>> of) {
        for (int i = 0; i < all.size(); i++) {
            Cell cell = new Cell();
            cell.value = 1;
            all.get(i).ask(of.get(2 * i), of.get(2 * i + 1), () -> cell.value++);
        }
    }
}

final class Summing implements Flow.Subscriber<Integer> {
    final CountDownLatch done = new CountDownLatch(1);
    int sum;
    Flow.Subscription subscription;

    @Override
    public void onSubscribe(Flow.Subscription subscribed) {
        subscription = subscribed;
        subscription.request(1);
    }

    @Override
    public void onNext(Integer item) {
        sum += item;
        subscription.request(1);
    }

    @Override
    public void onError(Throwable failure) {
        failure.printStackTrace();
    }

    @Override
    public void onComplete() {
        sum++;
        done.countDown();
    }
}

/** A subscriber is called by one thread at a time. */
final class Subscribed implements Program {
    public void run() throws Exception {
        Summing summing = new Summing();
        try (SubmissionPublisher<Integer> publisher = new SubmissionPublisher<>()) {
            publisher.subscribe(summing);
            for (int i = 0; i < 50; i++) {
                publisher.submit(i);
            }
        }
        summing.done.await();
        summing.sum++;
    }
}

/** The publisher is closed while the subscriber is at work: who then calls it knows of what was done before. */
final class ClosedWhileBusy implements Program {
    private final Consumer<SubmissionPublisher<Integer>> close;
    private final int step;
    private int data;

    ClosedWhileBusy(int step, Consumer<SubmissionPublisher<Integer>> close) {
        this.step = step;
        this.close = close;
    }

    public void run() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        SubmissionPublisher<Integer> publisher = new SubmissionPublisher<>();
        publisher.subscribe(new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription subscribed) {
                subscribed.request(9);
            }

            @Override
            public void onNext(Integer item) {
                mark(ClosedWhileBusy.this, step);
                until(ClosedWhileBusy.this, step + 1);
            }

            @Override
            public void onError(Throwable failure) {
                onComplete();
            }

            @Override
            public void onComplete() {
                data++;
                done.countDown();
            }
        });
        publisher.submit(1);
        until(this, step);
        data = 1;
        close.accept(publisher);
        mark(this, step + 1);
        done.await();
    }
}

/** What is published is handed over. */
final class PublishedItems implements Program {
    static final class Tick {
        int price;
    }

    public void run() throws Exception {
        CompletableFuture<Void> consumed;
        try (SubmissionPublisher<Tick> publisher = new SubmissionPublisher<>()) {
            consumed = publisher.consume(tick -> tick.price++);
            for (int i = 0; i < 20; i++) {
                Tick tick = new Tick();
                tick.price = i;
                publisher.submit(tick);
            }
        }
        consumed.get();
    }
}

/** The sum is read while items still come. */
final class ReadTooEarly implements Program {
    int sum; // race: ReadTooEarly.sum

    public void run() throws Exception {
        CompletableFuture<Void> consumed;
        try (SubmissionPublisher<Integer> publisher = new SubmissionPublisher<>()) {
            consumed = publisher.consume(item -> {
                sum += item;
                mark(this);
            });
            publisher.submit(1);
            until(this);
            sum++;
        }
        consumed.get();
    }
}

/** An item is changed after it was submitted. */
final class ChangedAfterSubmit implements Program {
    static final class Quote {
        int price; // race: Quote.price
    }

    public void run() throws Exception {
        CompletableFuture<Void> consumed;
        try (SubmissionPublisher<Quote> publisher = new SubmissionPublisher<>()) {
            consumed = publisher.consume(quote -> {
                mark(this);
                until(this, 2);
                quote.price++;
            });
            Quote quote = new Quote();
            publisher.submit(quote);
            until(this);
            quote.price = 1;
            mark(this, 2);
        }
        consumed.get();
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new Chain(), new Unjoined(), new TwoDependents(), new Combined(), new AfterBoth(), new AfterEither(), new AllOf(),
                new Failing(), new TimedOut(), new CompletedOnTimeout(), new InTime(), new Polled(), new Promise(), new PromisedTooEarly(),
                new CompletedTwice(), new ByStage(), new OwnThread(), new FailedByHand(), new WaitedFor(),
                new WaitedForInQueue(), new AskedInVain(), new AskedForInVain(), new AskedBefore(), new Subscribed(), new ClosedWhileBusy(1, SubmissionPublisher::close), new ClosedWhileBusy(3, publisher -> publisher.closeExceptionally(new IllegalStateException("as it should be"))), new PublishedItems(),
                new ReadTooEarly(), new ChangedAfterSubmit());
    }
}
