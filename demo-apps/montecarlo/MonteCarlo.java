package montecarlo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Prices an option by simulating price paths on a thread pool. Everything is each worker's own or guarded, except
 * a static debug flag that every path sets for itself.
 *
 * <p>Arguments: paths, steps of each, threads.
 */
public final class MonteCarlo {
    private MonteCarlo() {}

    public static void main(String[] args) throws InterruptedException, ExecutionException {
        int paths = args.length > 0 ? Integer.parseInt(args[0]) : 400;
        int steps = args.length > 1 ? Integer.parseInt(args[1]) : 100;
        int threads = args.length > 2 ? Integer.parseInt(args[2]) : 2;
        Option option = new Option(105, 1);
        option.setMarket(100, 0.03, 0.2);
        Totals totals = new Totals();
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            workers.add(new Worker(option, totals, new Worker.Share(i, threads, paths, steps)));
        }
        report(run(workers), totals.paths());
    }

    /** A fixed pool starts a new thread for each task until it is full: every worker gets a thread of its own. */
    private static List<Tally> run(List<Worker> workers) throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newFixedThreadPool(workers.size());
        try {
            List<Tally> tallies = new ArrayList<>();
            for (Future<Tally> result : pool.invokeAll(workers)) {
                tallies.add(result.get());
            }
            return tallies;
        } finally {
            pool.shutdown();
        }
    }

    /** Adds the tallies in the order of the workers, so that rounding is the same on every run. */
    private static void report(List<Tally> tallies, int paths) {
        double payoffs = 0;
        double highest = 0;
        for (Tally tally : tallies) {
            payoffs += tally.payoffs();
            highest = Math.max(highest, tally.highest());
        }
        System.out.println("paths: " + paths);
        System.out.println(String.format(Locale.ROOT, "price: %.6f, highest: %.4f", payoffs / paths, highest));
    }
}
