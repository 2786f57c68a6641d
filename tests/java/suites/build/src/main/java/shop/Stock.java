package shop;

/** Counts what is sold under a lock, and what was earned without. */
public final class Stock {
    private final Prices prices;
    private int sold;
    private int earned; // test: StockTest.sells

    public Stock(Prices prices) {
        this.prices = prices;
    }

    public void sell(String good) {
        synchronized (this) {
            sold++;
        }
        earned += prices.of(good);
    }

    public synchronized int sold() {
        return sold;
    }

    public boolean isRich() {
        return earned > 100 ? sold > 1 : false;
    }
}
