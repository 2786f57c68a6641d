package options;

import static util.Threads.each;

/** Two racy fields in two classes. */
final class First {
    int racy; // race: First.racy
}

final class Second {
    int racy; // race: Second.racy
}

public final class Main {
    static final First FIRST = new First();
    static final Second SECOND = new Second();

    public static void main(String[] args) {
        each(() -> FIRST.racy++, () -> FIRST.racy++);
        System.out.println("between");
        each(() -> SECOND.racy++, () -> SECOND.racy++);
        System.out.println("end");
    }
}
