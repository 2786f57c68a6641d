package sor;

/** The plate: temperatures, with a fixed border. Red points only look at black ones and the reverse. */
final class Grid {
    private static final double OMEGA = 1.25;

    // chance-alarm: Grid.cells[][] -- workers share rows between blocks: a phase writes one colour and reads the other
    private final double[][] cells;

    Grid(int size) {
        cells = new double[size][size];
    }

    int size() {
        return cells.length;
    }

    /** Every worker starts its own rows, so that inner rows stay with one thread. */
    void start(int row) {
        for (int column = 0; column < cells.length; column++) {
            cells[row][column] = (row * 31 + column * 17) % 100 / 100.0;
        }
    }

    /** Relaxes the points of one colour (0 red, 1 black) in one row and returns how much they moved. */
    double relax(int row, int colour) {
        double moved = 0;
        for (int column = 1 + (row + colour) % 2; column < cells.length - 1; column += 2) {
            double around = cells[row - 1][column] + cells[row + 1][column]
                + cells[row][column - 1] + cells[row][column + 1];
            double step = OMEGA * (around / 4 - cells[row][column]);
            cells[row][column] += step;
            moved += Math.abs(step);
        }
        return moved;
    }

    double sum() {
        double sum = 0;
        for (int row = 0; row < cells.length; row++) {
            for (int column = 0; column < cells.length; column++) {
                sum += cells[row][column];
            }
        }
        return sum;
    }
}
