package shop;

/** The cash box. The number of sales is guarded, the amount was forgotten. */
final class Till {
    private int sales;
    // race: Till.revenue
    private long revenue;

    void pay(Item item) {
        synchronized (this) {
            sales++;
        }
        revenue += item.price();
    }

    synchronized int sales() {
        return sales;
    }
}
