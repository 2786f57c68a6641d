package sor;

/** Relaxes one block of neighbouring rows, in step with the other workers. */
final class Worker implements Runnable {
    private static final int COLOURS = 2;

    private final Grid grid;
    private final Barrier barrier;
    private final int from;
    private final int to;
    private final int sweeps;
    private double moved;

    /** The block is rows from (inclusive) to to (exclusive). */
    Worker(Grid grid, Barrier barrier, int from, int to, int sweeps) {
        this.grid = grid;
        this.barrier = barrier;
        this.from = from;
        this.to = to;
        this.sweeps = sweeps;
    }

    @Override
    public void run() {
        for (int row = from; row < to; row++) {
            grid.start(row);
        }
        barrier.await();
        for (int sweep = 0; sweep < sweeps; sweep++) {
            sweep();
        }
    }

    /** How much the points moved in the last sweep; read by main after the thread has ended. */
    double moved() {
        return moved;
    }

    private void sweep() {
        moved = 0;
        for (int colour = 0; colour < COLOURS; colour++) {
            for (int row = Math.max(from, 1); row < Math.min(to, grid.size() - 1); row++) {
                moved += grid.relax(row, colour);
            }
            barrier.await();
        }
    }
}
