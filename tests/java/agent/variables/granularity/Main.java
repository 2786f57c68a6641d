package granularity;

import static util.Threads.each;

/** Two fields under two locks: fine for each field, not for the object. The test runs it with both granularities. */
class Pair {
    int left;
    int right;
    int racy;
    volatile int signal;
    final int fixed = 1;
}

class Wider extends Pair {
    int below;
}

final class Single {
    int only;
    static int statically;
}

public final class Main {
    static final Object LEFT = new Object();
    static final Object RIGHT = new Object();
    static final Pair PAIR = new Pair();
    static final Wider WIDER = new Wider();
    static final Single SINGLE = new Single();
    static final Pair RACY = new Pair();

    static void left() {
        synchronized (LEFT) {
            PAIR.left++;
            WIDER.left++;
            SINGLE.only++;
        }
    }

    static void right() {
        synchronized (RIGHT) {
            PAIR.right++;
            WIDER.below++;
            Single.statically++;
        }
    }

    public static void main(String[] args) {
        each(Main::left, Main::left, Main::right, Main::right, Main::left);
        each(() -> RACY.racy++, () -> RACY.racy++);
        each(() -> PAIR.signal += PAIR.fixed, () -> WIDER.signal += WIDER.fixed);
    }
}
