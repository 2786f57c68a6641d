package tsp;

/**
 * Travelling salesman by branch and bound. The solvers share the length of the best tour; they write it under its
 * lock and read it, at every node of the search, without.
 *
 * <p>Arguments: cities, threads.
 */
public final class Tsp {
    private Tsp() {}

    public static void main(String[] args) throws InterruptedException {
        int cities = args.length > 0 ? Integer.parseInt(args[0]) : 9;
        int threads = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        Distances distances = new Distances(cities);
        Best best = new Best();
        // A first tour gives the solvers something to prune with, and to improve: it is far from the best.
        offerInOrder(distances, best);
        long nodes = solve(distances, best, threads);
        System.out.println("shortest tour: " + best.length() + ", measured: " + best.measure(distances));
        System.out.println("racy nodes: " + nodes);
    }

    private static void offerInOrder(Distances distances, Best best) {
        int[] tour = new int[distances.cities()];
        int length = distances.between(tour.length - 1, 0);
        for (int i = 1; i < tour.length; i++) {
            tour[i] = i;
            length += distances.between(i - 1, i);
        }
        best.offer(tour, length);
    }

    private static long solve(Distances distances, Best best, int nSolvers) throws InterruptedException {
        Solver[] solvers = new Solver[nSolvers];
        Thread[] threads = new Thread[nSolvers];
        for (int i = 0; i < nSolvers; i++) {
            solvers[i] = new Solver(distances, best, i, nSolvers);
            threads[i] = new Thread(solvers[i]);
            threads[i].start();
        }
        long nodes = 0;
        for (int i = 0; i < nSolvers; i++) {
            threads[i].join();
            nodes += solvers[i].nodes();
        }
        return nodes;
    }
}
