package montecarlo;

import java.util.concurrent.Callable;

/** Simulates every n-th path. The seed is the number of the path, so the result does not depend on the schedule. */
final class Worker implements Callable<Tally> {
    /** The path to trace; none, unless somebody edits this. */
    private static final int TRACED_PATH = -1;

    private final Option option;
    private final Totals totals;
    private final Share share;

    Worker(Option option, Totals totals, Share share) {
        this.option = option;
        this.totals = totals;
        this.share = share;
    }

    @Override
    public Tally call() {
        Tally tally = new Tally();
        for (int path = share.first(); path < share.paths(); path += share.stride()) {
            simulate(path, tally);
            totals.pathDone();
        }
        return tally;
    }

    private void simulate(int number, Tally tally) {
        Trace.set(number == TRACED_PATH);
        PricePath path = new PricePath(share.steps());
        path.simulate(option, new Gaussian(number + 1L));
        if (Trace.isOn()) {
            System.err.println("path " + number + " ends at " + path.last());
        }
        tally.add(option.discountedPayoff(path.last()), path.highest());
    }

    /** Which paths a worker simulates, and in how many steps each. */
    record Share(int first, int stride, int paths, int steps) {}
}
