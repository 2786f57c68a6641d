package seeds;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;

/** Tasks that a library runs at once, in the thread that gives them; and one that it only keeps. */
public class RunHere extends Thread {
    private static int found; // race
    private static int absent; // race
    private static int absentNumber; // race
    private static int kept;

    @Override
    public void run() {
        Optional.of("found").ifPresentOrElse(one -> found++, () -> {});
        Optional.empty().ifPresentOrElse(one -> {}, () -> absent++);
        OptionalInt.empty().ifPresentOrElse(one -> {}, () -> absentNumber++);
        Queue<Runnable> tasks = new ArrayDeque<>();
        tasks.add(() -> kept++);
    }

    public static void main(String[] arguments) {
        new RunHere().start();
        new RunHere().start();
    }
}
