package tsp;

/** A worker: depth-first search through its own share of the tours, cut off by the shared bound. */
final class Solver implements Runnable {
    private final Distances distances;
    private final Best best;
    private final int id;
    private final int solvers;
    private final int[] path;
    private final boolean[] visited;
    private long nodes;

    Solver(Distances distances, Best best, int id, int solvers) {
        this.distances = distances;
        this.best = best;
        this.id = id;
        this.solvers = solvers;
        path = new int[distances.cities()];
        visited = new boolean[distances.cities()];
    }

    /** Deals out the pairs of second and third city: fine enough a division to keep all solvers busy. */
    @Override
    public void run() {
        int rest = restOfAll();
        enter(0, 0);
        int branch = 0;
        for (int second = 1; second < path.length; second++) {
            for (int third = 1; third < path.length; third++) {
                if (third != second && branch++ % solvers == id) {
                    searchBelow(second, third, rest);
                }
            }
        }
    }

    /** Read by main after the thread has ended. */
    long nodes() {
        return nodes;
    }

    private int restOfAll() {
        int rest = 0;
        for (int city = 0; city < path.length; city++) {
            rest += distances.cheapest(city);
        }
        return rest;
    }

    private void searchBelow(int second, int third, int restOfAll) {
        int length = distances.between(0, second) + distances.between(second, third);
        enter(1, second);
        enter(2, third);
        search(3, length, restOfAll - distances.cheapest(0) - distances.cheapest(second));
        leave(third);
        leave(second);
    }

    /** The path has depth cities and the given length; rest bounds the roads still to take from below. */
    private void search(int depth, int length, int rest) {
        nodes++;
        if (length + rest >= best.bound()) {
            return;
        }
        int last = path[depth - 1];
        if (depth == path.length) {
            best.offer(path, length + distances.between(last, path[0]));
            return;
        }
        for (int city = 1; city < path.length; city++) {
            if (!visited[city]) {
                enter(depth, city);
                search(depth + 1, length + distances.between(last, city), rest - distances.cheapest(last));
                leave(city);
            }
        }
    }

    private void enter(int depth, int city) {
        path[depth] = city;
        visited[city] = true;
    }

    private void leave(int city) {
        visited[city] = false;
    }
}
