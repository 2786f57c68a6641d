package hazards;

import java.util.Arrays;
import java.util.function.BooleanSupplier;

/** Sorts left halves in threads of their own, as long as it may. */
final class MergeSort {
    private final Workers workers;
    private final BooleanSupplier mayFork;

    MergeSort(Workers workers, BooleanSupplier mayFork) {
        this.workers = workers;
        this.mayFork = mayFork;
    }

    void run() {
        int[] items = {4, 2, 3, 1};
        sort(items);
        if (!Arrays.equals(items, new int[] {1, 2, 3, 4})) {
            throw new AssertionError(Arrays.toString(items));
        }
    }

    private void sort(int[] items) {
        if (items.length < 2) {
            return;
        }
        int[] left = Arrays.copyOfRange(items, 0, items.length / 2);
        int[] right = Arrays.copyOfRange(items, items.length / 2, items.length);
        if (mayFork.getAsBoolean()) {
            fork(left);
        } else {
            sort(left);
        }
        sort(right);
        merge(left, right, items);
    }

    private void fork(int[] items) {
        Thread thread = new Thread(() -> sort(items));
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        workers.end();
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
