package sor;

import java.util.Locale;

/**
 * Red-black successive over-relaxation. The workers meet at a barrier after each colour: no point is written while
 * another worker reads it, and nothing races. A lock set sees no lock, and a row as one variable, and reports the rows
 * that two workers share.
 *
 * <p>Arguments: size of the grid, sweeps, threads.
 */
public final class Sor {
    private Sor() {}

    public static void main(String[] args) throws InterruptedException {
        int size = args.length > 0 ? Integer.parseInt(args[0]) : 100;
        int sweeps = args.length > 1 ? Integer.parseInt(args[1]) : 20;
        int threads = args.length > 2 ? Integer.parseInt(args[2]) : 2;
        Grid grid = new Grid(size);
        double moved = relax(grid, sweeps, threads);
        System.out.println(String.format(Locale.ROOT, "sum: %.6f, moved: %.6f", grid.sum(), moved));
    }

    private static double relax(Grid grid, int sweeps, int nWorkers) throws InterruptedException {
        Barrier barrier = new Barrier(nWorkers);
        Worker[] workers = new Worker[nWorkers];
        Thread[] threads = new Thread[nWorkers];
        for (int i = 0; i < nWorkers; i++) {
            int from = grid.size() * i / nWorkers;
            int to = grid.size() * (i + 1) / nWorkers;
            workers[i] = new Worker(grid, barrier, from, to, sweeps);
            threads[i] = new Thread(workers[i]);
            threads[i].start();
        }
        double moved = 0;
        for (int i = 0; i < nWorkers; i++) {
            threads[i].join();
            moved += workers[i].moved();
        }
        return moved;
    }
}
