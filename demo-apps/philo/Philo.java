package philo;

/**
 * Dining philosophers with ordered forks: no race, no deadlock, nothing to report.
 *
 * <p>Arguments: philosophers, meals of each.
 */
public final class Philo {
    private Philo() {}

    public static void main(String[] args) throws InterruptedException {
        int seats = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        int meals = args.length > 1 ? Integer.parseInt(args[1]) : 200;
        Table table = new Table(seats);
        Philosopher[] philosophers = new Philosopher[seats];
        for (int i = 0; i < seats; i++) {
            philosophers[i] = table.seat(i, meals);
        }
        dine(philosophers);
        report(table, philosophers);
    }

    private static void dine(Philosopher[] philosophers) throws InterruptedException {
        Thread[] threads = new Thread[philosophers.length];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(philosophers[i]);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void report(Table table, Philosopher[] philosophers) {
        long thoughts = 0;
        for (Philosopher philosopher : philosophers) {
            thoughts += philosopher.thoughts();
        }
        System.out.println("meals: " + table.meals());
        System.out.println("fork uses: " + table.forkUses());
        System.out.println("thoughts: " + thoughts);
    }
}
