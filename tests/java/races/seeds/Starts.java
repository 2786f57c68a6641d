package seeds;

import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Every way in which the JDK runs code in another thread; each once more with a lock. */
public class Starts {
    private int thread; // race
    private int threadLocked;
    private int timer; // race
    private int timerLocked;
    private int scheduled; // race
    private int scheduledLocked;
    private int executed; // race
    private int executedLocked;
    private int future; // race
    private int futureLocked;
    private int stage; // race
    private int stageLocked;
    private int action; // race
    private int actionLocked;
    private int task; // race
    private int taskLocked;
    private int stream; // race
    private int streamLocked;
    private int hook; // race
    private int hookLocked;

    private synchronized void thread() {
        threadLocked++;
    }

    private synchronized void timer() {
        timerLocked++;
    }

    private synchronized void scheduled() {
        scheduledLocked++;
    }

    private synchronized void executed() {
        executedLocked++;
    }

    private synchronized void future() {
        futureLocked++;
    }

    private synchronized void stage() {
        stageLocked++;
    }

    private synchronized void action() {
        actionLocked++;
    }

    private synchronized int task() {
        return taskLocked++;
    }

    private synchronized void stream() {
        streamLocked++;
    }

    private synchronized void hook() {
        hookLocked++;
    }

    /** Two halves in two threads. */
    private static final class Action extends RecursiveAction {
        private final Starts starts;
        private final int depth;

        Action(Starts starts, int depth) {
            this.starts = starts;
            this.depth = depth;
        }

        @Override
        protected void compute() {
            if (depth > 0) {
                invokeAll(new Action(starts, depth - 1), new Action(starts, depth - 1));
            } else {
                starts.action++;
                starts.action();
            }
        }
    }

    private static final class Task extends RecursiveTask<Integer> {
        private final Starts starts;
        private final int depth;

        Task(Starts starts, int depth) {
            this.starts = starts;
            this.depth = depth;
        }

        @Override
        protected Integer compute() {
            if (depth == 0) {
                starts.task++;
                return starts.task();
            }
            Task other = new Task(starts, depth - 1);
            other.fork();
            return new Task(starts, depth - 1).compute() + other.join();
        }
    }

    public static void main(String[] args) throws Exception {
        Starts starts = new Starts();
        for (int n = 0; n < 2; n++) {
            new Thread(null, () -> {
                starts.thread++;
                starts.thread();
            }, "thread").start();
            new Timer().schedule(new TimerTask() {
                @Override
                public void run() {
                    starts.timer++;
                    starts.timer();
                    cancel();
                }
            }, 1);
            new Thread(new FutureTask<>(() -> {
                starts.future++;
                starts.future();
                return null;
            })).start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                starts.hook++;
                starts.hook();
            }));
        }
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(2);
        pool.scheduleAtFixedRate(() -> {
            starts.scheduled++;
            starts.scheduled();
        }, 0, 1, TimeUnit.MILLISECONDS);
        pool.scheduleAtFixedRate(() -> {
            starts.scheduled--;
            starts.scheduled();
        }, 0, 1, TimeUnit.MILLISECONDS);
        Executors.newCachedThreadPool().invokeAll(List.of(() -> starts.execute(), () -> starts.execute()));
        CompletableFuture<Integer> first = CompletableFuture.supplyAsync(() -> 1);
        for (int n = 0; n < 2; n++) {
            first.thenAcceptAsync(number -> {
                starts.stage += number;
                starts.stage();
            });
        }
        ForkJoinPool.commonPool().invoke(new Action(starts, 1));
        new ForkJoinPool().submit(new Task(starts, 1)).get();
        IntStream.range(0, 2).parallel().forEach(number -> {
            starts.stream += number;
            starts.stream();
        });
        pool.shutdownNow();
    }

    private Object execute() {
        executed++;
        executed();
        return null;
    }
}
