package tsp;

/** The best tour so far. Improving it holds the lock; the length used for pruning is read without. */
final class Best {
    // race: Best.length
    private int length = Integer.MAX_VALUE;
    private int[] tour;

    /** Bug: no lock. A stale bound only costs time, which is why nobody noticed. */
    int bound() {
        return length;
    }

    synchronized void offer(int[] candidate, int candidateLength) {
        if (candidateLength < length) {
            length = candidateLength;
            tour = candidate.clone();
        }
    }

    synchronized int length() {
        return length;
    }

    /** The length of the stored tour, computed again. */
    synchronized int measure(Distances distances) {
        int measured = distances.between(tour[tour.length - 1], tour[0]);
        for (int i = 1; i < tour.length; i++) {
            measured += distances.between(tour[i - 1], tour[i]);
        }
        return measured;
    }
}
