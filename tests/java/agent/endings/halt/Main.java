package halt;

import static util.Threads.each;

/** Runtime.halt runs no hooks and no callbacks worth relying on. */
public final class Main {
    static int racy; // race: Main.racy

    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("must not run")));
        each(() -> racy++, () -> racy++);
        System.out.println("halting");
        System.out.flush();
        Runtime.getRuntime().halt(4);
    }
}
