package montecarlo;

/** Normally distributed pseudo-random numbers by the polar method; each path has a generator of its own. */
final class Gaussian {
    private long state;
    private double spare;
    private boolean hasSpare;

    Gaussian(long seed) {
        state = seed * 0x9E3779B97F4A7C15L + 1;
    }

    double next() {
        if (hasSpare) {
            hasSpare = false;
            return spare;
        }
        double x;
        double y;
        double square;
        do {
            x = 2 * uniform() - 1;
            y = 2 * uniform() - 1;
            square = x * x + y * y;
        } while (square >= 1 || square == 0);
        double scale = Math.sqrt(-2 * Math.log(square) / square);
        spare = y * scale;
        hasSpare = true;
        return x * scale;
    }

    /** A 64-bit xorshift step; its upper 53 bits make a number in [0, 1). */
    private double uniform() {
        state ^= state << 13;
        state ^= state >>> 7;
        state ^= state << 17;
        return (state >>> 11) * 0x1.0p-53;
    }
}
