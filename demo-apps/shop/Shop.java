package shop;

/**
 * Suppliers and customers around a bounded shelf: the shelf waits and notifies correctly, but customers look at it
 * from outside the monitor, and the till adds up its takings without a lock.
 *
 * <p>Arguments: pairs of a supplier and a customer, items of each.
 */
public final class Shop {
    private Shop() {}

    public static void main(String[] args) throws InterruptedException {
        int pairs = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int items = args.length > 1 ? Integer.parseInt(args[1]) : 300;
        Stock stock = new Stock(8);
        Till till = new Till();
        Customer[] customers = new Customer[pairs];
        for (int i = 0; i < pairs; i++) {
            customers[i] = new Customer(stock, till, items);
        }
        trade(stock, customers, items);
        report(till, customers);
    }

    private static void trade(Stock stock, Customer[] customers, int items) throws InterruptedException {
        Thread[] threads = new Thread[2 * customers.length];
        for (int i = 0; i < customers.length; i++) {
            threads[2 * i] = new Thread(customers[i]);
            threads[2 * i + 1] = new Thread(new Supplier(stock, items));
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void report(Till till, Customer[] customers) {
        int glances = 0;
        for (Customer customer : customers) {
            glances += customer.emptyGlances();
        }
        System.out.println("sales: " + till.sales());
        System.out.println("schedule-dependent empty glances: " + glances);
    }
}
