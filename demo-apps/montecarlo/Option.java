package montecarlo;

/** A European call and the market it is priced in: set up by main, only read afterwards. */
final class Option {
    private final double strike;
    private final double years;
    private double spot;
    private double rate;
    private double volatility;

    Option(double strike, double years) {
        this.strike = strike;
        this.years = years;
    }

    void setMarket(double newSpot, double newRate, double newVolatility) {
        spot = newSpot;
        rate = newRate;
        volatility = newVolatility;
    }

    double spot() {
        return spot;
    }

    /** The drift of the logarithm of the price over one of the given number of steps. */
    double drift(int steps) {
        return (rate - volatility * volatility / 2) * years / steps;
    }

    double deviation(int steps) {
        return volatility * Math.sqrt(years / steps);
    }

    double discountedPayoff(double price) {
        return Math.exp(-rate * years) * Math.max(price - strike, 0);
    }
}
