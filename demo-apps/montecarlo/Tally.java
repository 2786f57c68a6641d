package montecarlo;

/** The sums of one worker, made and filled by it and read by main afterwards. */
final class Tally {
    private double payoffs;
    private double highest;

    void add(double payoff, double peak) {
        payoffs += payoff;
        highest = Math.max(highest, peak);
    }

    double payoffs() {
        return payoffs;
    }

    double highest() {
        return highest;
    }
}
