package tsp;

/** Distances between cities at pseudo-random places; filled by main, only read by the solvers. */
final class Distances {
    private static final int MAP_SIZE = 1000;

    private final int[][] between;
    private final int[] cheapest;

    Distances(int cities) {
        between = new int[cities][cities];
        cheapest = new int[cities];
        fill(places(cities), places(cities + 1));
    }

    int cities() {
        return cheapest.length;
    }

    int between(int from, int to) {
        return between[from][to];
    }

    /** The shortest road out of a city: any tour pays at least this to leave it. */
    int cheapest(int city) {
        return cheapest[city];
    }

    private static int[] places(int n) {
        int[] places = new int[n];
        long state = 977L * n + 31;
        for (int i = 0; i < n; i++) {
            state = state * 0x5851F42D4C957F2DL + 0x14057B7EF767814FL;
            places[i] = (int) ((state >>> 33) % MAP_SIZE);
        }
        return places;
    }

    private static int road(int dx, int dy) {
        return (int) Math.sqrt(dx * dx + dy * dy);
    }

    private void fill(int[] x, int[] y) {
        for (int from = 0; from < cheapest.length; from++) {
            cheapest[from] = Integer.MAX_VALUE;
            for (int to = 0; to < cheapest.length; to++) {
                between[from][to] = road(x[from] - x[to], y[from] - y[to]);
                if (from != to) {
                    cheapest[from] = Math.min(cheapest[from], between[from][to]);
                }
            }
        }
    }
}
