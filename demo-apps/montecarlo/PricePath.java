package montecarlo;

/** One simulated history of the price. */
final class PricePath {
    private final double[] prices;
    private int length;

    PricePath(int steps) {
        prices = new double[steps + 1];
    }

    void simulate(Option option, Gaussian gaussian) {
        int steps = prices.length - 1;
        double drift = option.drift(steps);
        double deviation = option.deviation(steps);
        append(option.spot());
        for (int step = 0; step < steps; step++) {
            append(last() * Math.exp(drift + deviation * gaussian.next()));
        }
    }

    double last() {
        return prices[length - 1];
    }

    double highest() {
        double highest = 0;
        for (int i = 0; i < length; i++) {
            highest = Math.max(highest, prices[i]);
        }
        return highest;
    }

    private void append(double price) {
        prices[length] = price;
        length++;
    }
}
