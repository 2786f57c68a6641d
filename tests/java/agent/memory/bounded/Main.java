package bounded;

import static util.Memory.resident;
import static util.Threads.each;

/** What two threads share under locks of its own, two of them nested, so that lock sets are made. */
final class Guarded {
    final Object outer = new Object();
    final Object inner = new Object();
    int value;

    void add() {
        synchronized (outer) {
            synchronized (inner) {
                value++;
            }
        }
    }
}

final class Plain {
    int value;
    int[] elements;
}

/**
 * Locks, objects, arrays and threads that come and go: ROUNDS times LOCKS THOUSANDS THREADS. Prints the resident set in
 * kilobytes after each round.
 */
public final class Main {
    private Main() {}

    static void locks(int n) {
        Guarded[] all = new Guarded[n];
        each(
                () -> {
                    for (int i = 0; i < n; i++) {
                        all[i] = new Guarded();
                        all[i].add();
                    }
                },
                () -> addAll(all),
                () -> addAll(all));
    }

    static void addAll(Guarded[] all) {
        for (Guarded guarded : all) {
            guarded.add();
        }
    }

    static void objects(int thousands) {
        Plain[] all = new Plain[1000];
        for (int i = 0; i < thousands / 100; i++) {
            each(() -> make(all, 100), () -> read(all));
        }
    }

    /** Only the last of the objects are shared; an array comes with every tenth. */
    static void make(Plain[] all, int times) {
        for (int time = 0; time < times; time++) {
            for (int i = 0; i < all.length; i++) {
                Plain plain = new Plain();
                plain.value = i;
                if (i % 10 == 0) {
                    plain.elements = new int[2];
                    plain.elements[1] = i;
                }
                all[i] = plain;
            }
        }
    }

    static int read(Plain[] all) {
        int sum = 0;
        for (Plain plain : all) {
            sum += plain.value + (plain.elements == null ? 0 : plain.elements[1]);
        }
        return sum;
    }

    static void threads(int n) {
        Guarded guarded = new Guarded();
        for (int i = 0; i < n; i++) {
            each("thread " + i, guarded::add);
        }
    }

    public static void main(String[] args) throws Exception {
        for (int round = 0; round < Integer.parseInt(args[0]); round++) {
            locks(Integer.parseInt(args[1]));
            objects(Integer.parseInt(args[2]));
            threads(Integer.parseInt(args[3]));
            System.gc();
            System.out.println(resident());
        }
    }
}
