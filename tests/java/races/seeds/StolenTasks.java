package seeds;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.TimeUnit;

/** A task takes others out of its pool, and has them run elsewhere: the pool does not wait for these. */
public class StolenTasks {
    private static int stolen; // race

    static class Thief extends RecursiveAction {
        private static final long serialVersionUID = 1;

        @Override
        protected void compute() {
            ForkJoinTask<?> other = pollSubmission();
            if (other != null) {
                new Thread(other::invoke).start();
            }
        }
    }

    static void stolen() throws InterruptedException {
        ForkJoinPool pool = new ForkJoinPool(2);
        pool.execute(new Thief());
        pool.execute(() -> {
            synchronized (StolenTasks.class) {
                stolen++;
            }
        });
        pool.shutdown();
        if (pool.awaitTermination(1, TimeUnit.MINUTES)) {
            stolen++;
        }
    }

    public static void main(String[] args) throws Exception {
        stolen();
    }
}
