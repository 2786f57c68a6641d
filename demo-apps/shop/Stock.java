package shop;

/** A bounded shelf: suppliers wait for room, customers for goods. The monitor guards everything but a glance. */
final class Stock {
    private final Item[] shelf;
    private int first;
    // race: Stock.count
    private int count;

    Stock(int capacity) {
        shelf = new Item[capacity];
    }

    synchronized void put(Item item) throws InterruptedException {
        while (count == shelf.length) {
            wait();
        }
        shelf[(first + count) % shelf.length] = item;
        count++;
        notifyAll();
    }

    synchronized Item take() throws InterruptedException {
        while (count == 0) {
            wait();
        }
        Item item = shelf[first];
        first = (first + 1) % shelf.length;
        count--;
        notifyAll();
        return item;
    }

    /** Bug: a glance through the window, without the lock. */
    boolean looksEmpty() {
        return count == 0;
    }
}
