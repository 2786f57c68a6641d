package raytracer;

/** The pixels, one array for each row, so that rows of different workers are different variables. */
final class Picture {
    private final int[][] rows;

    Picture(int size) {
        rows = new int[size][size];
    }

    int size() {
        return rows.length;
    }

    void set(int row, int column, int rgb) {
        rows[row][column] = rgb;
    }

    /** Depends on every pixel and its place. */
    long hash() {
        long hash = 0;
        for (int row = 0; row < rows.length; row++) {
            for (int column = 0; column < rows.length; column++) {
                hash = 31 * hash + rows[row][column];
            }
        }
        return hash;
    }
}
