package shop;

/** Buys a fixed number of items and glances at the shelf before each. */
final class Customer implements Runnable {
    private final Stock stock;
    private final Till till;
    private final int items;
    private int emptyGlances;

    Customer(Stock stock, Till till, int items) {
        this.stock = stock;
        this.till = till;
        this.items = items;
    }

    @Override
    public void run() {
        try {
            for (int i = 0; i < items; i++) {
                buy();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a customer", e);
        }
    }

    /** Read by main after the thread has ended. */
    int emptyGlances() {
        return emptyGlances;
    }

    private void buy() throws InterruptedException {
        if (stock.looksEmpty()) {
            emptyGlances++;
        }
        till.pay(stock.take());
    }
}
