package seeds;

import java.util.Arrays;

/** Arrays that one thread accesses only by calls. */
public final class ArrayCalls {
    private static void both(Runnable one, Runnable other) {
        new Thread(one).start();
        other.run();
    }

    private static void copiedTo() {
        int[] to = new int[2]; // race
        both(() -> System.arraycopy(new int[2], 0, to, 0, 2), () -> System.out.println(to[0]));
    }

    private static void copiedFrom() {
        int[] from = new int[2]; // race
        both(() -> System.arraycopy(from, 0, new int[2], 0, 2), () -> from[1] = 1);
    }

    private static void copiedByBoth() {
        int[] both = new int[2]; // race
        both(() -> System.arraycopy(both, 0, both, 1, 1), () -> System.arraycopy(both, 1, both, 0, 1));
    }

    private static void cloned() {
        int[] of = new int[2]; // race
        both(() -> System.out.println(of.clone().length), () -> of[0] = 1);
    }

    private static void filled() {
        long[] counts = new long[2]; // race
        both(() -> Arrays.fill(counts, 1), () -> System.out.println(counts[1]));
    }

    private static void sorted() {
        String[] names = new String[2]; // race
        both(() -> Arrays.sort(names), () -> System.out.println(Arrays.toString(names)));
    }

    private static void clonedByBoth() {
        int[] clean = new int[2];
        both(() -> System.out.println(clean.clone().length), () -> System.out.println(Arrays.hashCode(clean)));
    }

    private static void filledUnderALock() {
        int[] guarded = new int[2];
        Runnable fill = () -> {
            synchronized (ArrayCalls.class) {
                Arrays.fill(guarded, 1);
            }
        };
        both(fill, fill);
    }

    public static void main(String[] args) {
        copiedTo();
        copiedFrom();
        copiedByBoth();
        cloned();
        filled();
        sorted();
        clonedByBoth();
        filledUnderALock();
    }
}
