package shop;

/** Delivers a fixed number of items. */
final class Supplier implements Runnable {
    private final Stock stock;
    private final int items;

    Supplier(Stock stock, int items) {
        this.stock = stock;
        this.items = items;
    }

    @Override
    public void run() {
        try {
            for (int i = 0; i < items; i++) {
                stock.put(new Item(i, 1 + i % 9));
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a supplier", e);
        }
    }
}
