package pool;

/**
 * An object pool that one client closes while another one still borrows.
 *
 * <p>Arguments: clients, rounds of each; a third one, "resize", lets that client also change its limit.
 */
public final class Pool {
    private static final int CAPACITY = 8;

    private Pool() {}

    public static void main(String[] args) throws InterruptedException {
        int nClients = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 500;
        boolean resize = args.length > 2 && args[2].equals("resize");
        ResourcePool pool = warmPool();
        Client[] clients = new Client[nClients];
        for (int i = 0; i < nClients; i++) {
            clients[i] = new Client(pool, rounds, i == 0 && nClients > 1, i == 0 && resize);
        }
        work(clients);
        report(pool, clients);
    }

    /** One round in main puts a first resource into the pool before anybody waits for it. */
    private static ResourcePool warmPool() {
        ResourcePool pool = new ResourcePool(CAPACITY);
        pool.giveBack(pool.borrow());
        return pool;
    }

    private static void work(Client[] clients) throws InterruptedException {
        Thread[] threads = new Thread[clients.length];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(clients[i]);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void report(ResourcePool pool, Client[] clients) {
        int served = 0;
        for (Client client : clients) {
            served += client.served();
        }
        System.out.println("served: " + served);
        System.out.println("still borrowed: " + pool.active());
    }
}
