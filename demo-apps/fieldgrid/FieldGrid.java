package fieldgrid;

/**
 * Runs all grids: every type of field, as a field of an object, of a class and as an element of an array, under every
 * kind of guard. Three threads, because with two of them a field under wrong locks goes unnoticed when one thread
 * runs after the other: the first thread's lock is never part of the lock set.
 *
 * <p>Arguments: rounds, threads.
 */
public final class FieldGrid {
    private FieldGrid() {}

    public static void main(String[] args) throws InterruptedException {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 20;
        int threads = args.length > 1 ? Integer.parseInt(args[1]) : 3;
        Grid[] grids = {
            new MonitorGrid(), new SynchronizedGrid(), new LockGrid(), new ReadWriteGrid(), new StampedGrid(),
            new UnguardedGrid(), new VolatileGrid(), new FinalGrid(threads),
        };
        run(grids, rounds, threads);
        for (Grid grid : grids) {
            System.out.println(grid.getClass().getSimpleName() + ": " + grid.total());
        }
    }

    private static void run(Grid[] grids, int rounds, int nThreads) throws InterruptedException {
        Thread[] threads = new Thread[nThreads];
        for (int i = 0; i < nThreads; i++) {
            threads[i] = new Thread(() -> touch(grids, rounds));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void touch(Grid[] grids, int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (Grid grid : grids) {
                grid.round();
            }
        }
    }
}
