package covered;

import static util.Threads.each;
import static util.Threads.thrice;

/** Partly covered, partly racy. */
interface Shape {
    default int corners() {
        return 4;
    }

    static Shape unit() {
        return new Square();
    }
}

final class Square implements Shape {
    int side = 1;
}

enum Size {
    SMALL, LARGE;

    static Size of(int n) {
        return n > 10 ? LARGE : SMALL;
    }
}

record Range(int from, int to) {
    boolean has(int n) {
        return from <= n && n < to;
    }
}

final class Data {
    int racy; // race: Data.racy
    static int racyStatic; // race: Data.racyStatic
    int guarded;
    final int[] cells = new int[2]; // race: Data.cells[]

    synchronized int add(int n) {
        guarded += n;
        return guarded;
    }

    int branches(int n) {
        int result = 0;
        for (int i = 0; i < n; i++) {
            switch (i % 4) {
                case 0:
                    result += 1;
                    break;
                case 1:
                    result += n > 5 ? 2 : 3;
                    break;
                case 9:
                    result = -1;
                    break;
                default:
                    synchronized (this) {
                        result += guarded > 0 ? 1 : 0;
                    }
            }
        }
        return result;
    }

    void neverCalled() {
        racy = 5;
    }

    synchronized void failing() {
        try {
            throw new IllegalStateException("x");
        } finally {
            guarded++;
        }
    }
}

public final class Main {
    static final Data DATA = new Data();

    public static void main(String[] args) {
        thrice(() -> {
            DATA.racy++;
            Data.racyStatic++;
            DATA.cells[0]++;
            DATA.add(3);
            try {
                DATA.failing();
            } catch (IllegalStateException expected) {
                DATA.add(1);
            }
        });
        each(() -> System.out.println(DATA.branches(4) + " " + DATA.branches(3)));
        System.out.println(Shape.unit().corners() + " " + Size.of(3) + " " + new Range(1, 4).has(2));
        Runnable never = () -> System.out.println("never");
        System.out.println(never != null);
    }
}
