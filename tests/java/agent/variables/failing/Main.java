package failing;

import static util.Threads.thrice;

/** Accesses that fail: the same exceptions with the same messages, and nothing is reported for what did not happen. */
final class Data {
    int value;
    static Data none;
    int[] elements;
    Object[] objects = new String[1]; // false-alarm: Data.objects[] -- the hook comes before the array's own checks
    int guarded;
}

public final class Main {
    static final Data DATA = new Data();

    static void attempt(Runnable body) {
        try {
            body.run();
            System.out.println("no exception");
        } catch (RuntimeException e) {
            System.out.println(e);
        }
    }

    // ordered: Main.outOfBounds -- the hook comes before the array's own checks
    static void outOfBounds(int[] array, int index) {
        array[index] = 4;
    }

    static Data nothing() {
        return null;
    }

    public static void main(String[] args) {
        int[] three = new int[3];
        int[] noArray = null;
        thrice(() -> {
            attempt(() -> System.out.println(nothing().value));
            attempt(() -> nothing().value = 1);
            attempt(() -> nothing().value++);
            attempt(() -> Data.none.value++);
            attempt(() -> System.out.println(DATA.elements[0]));
            attempt(() -> DATA.elements[0] = 1);
            attempt(() -> System.out.println(noArray[1]));
            attempt(() -> outOfBounds(three, 3));
            attempt(() -> outOfBounds(three, -1));
            attempt(() -> DATA.objects[0] = 1);
            attempt(() -> System.out.println(new int[-1].length));
            attempt(() -> System.out.println(((Object[]) DATA.objects)[1]));
            attempt(() -> nothing().elements[0] = nothing().value);
            attempt(() -> {
                synchronized (DATA) {
                    DATA.guarded += nothing().value;
                }
            });
        });
    }
}
