package mergesort;

import static util.Threads.inTurns;

import java.util.Arrays;

/** How many threads sort, so that there are never more than the limit. */
final class Workers {
    private static final int LIMIT = 8;
    private int count;

    synchronized int count() {
        return count;
    }

    synchronized void begin() {
        count++;
    }

    synchronized void end() {
        count--;
    }

    /** Another thread may begin between the look at the count and its change. */
    // atomicity: Workers.mayForkBad
    boolean mayForkBad() {
        if (count() == LIMIT) {
            return false;
        }
        begin();
        return true;
    }

    synchronized boolean mayForkOk() {
        if (count() == LIMIT) {
            return false;
        }
        begin();
        return true;
    }
}

interface Fork {
    boolean isAllowed();
}

public final class Main {
    public static void main(String[] args) {
        Workers bad = new Workers();
        inTurns(() -> sort(bad, bad::mayForkBad), () -> sort(bad, bad::mayForkBad));
        Workers ok = new Workers();
        inTurns(() -> sort(ok, ok::mayForkOk), () -> sort(ok, ok::mayForkOk));
    }

    private static void sort(Workers workers, Fork fork) throws InterruptedException {
        int[] items = {4, 2, 3, 1};
        sort(items, workers, fork);
        if (!Arrays.equals(items, new int[] {1, 2, 3, 4})) {
            throw new AssertionError(Arrays.toString(items));
        }
    }

    private static void sort(int[] items, Workers workers, Fork fork) throws InterruptedException {
        if (items.length < 2) {
            return;
        }
        int[] left = Arrays.copyOfRange(items, 0, items.length / 2);
        int[] right = Arrays.copyOfRange(items, items.length / 2, items.length);
        if (fork.isAllowed()) {
            Thread thread = new Thread(() -> sortQuietly(left, workers, fork));
            thread.start();
            thread.join();
            workers.end();
        } else {
            sort(left, workers, fork);
        }
        sort(right, workers, fork);
        merge(left, right, items);
    }

    private static void sortQuietly(int[] items, Workers workers, Fork fork) {
        try {
            sort(items, workers, fork);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void merge(int[] left, int[] right, int[] into) {
        int fromLeft = 0;
        for (int at = 0; at < into.length; at++) {
            int fromRight = at - fromLeft;
            boolean isLeft = fromRight == right.length || fromLeft < left.length && left[fromLeft] < right[fromRight];
            into[at] = isLeft ? left[fromLeft++] : right[fromRight];
        }
    }
}
