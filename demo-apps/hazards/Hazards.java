package hazards;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * Methods that hold a lock at every access, so that nothing races, and yet break when another thread comes in between; each beside
 * one that does not. The threads take turns, so nothing goes wrong in any run: what could is foreseen.
 *
 * <p>Arguments: the hazards to run; without any, all of them.
 */
public final class Hazards {
    private Hazards() {}

    public static void main(String[] args) {
        Map<String, Runnable> hazards = all();
        for (String name : args.length == 0 ? hazards.keySet().toArray(new String[0]) : args) {
            hazards.getOrDefault(name, () -> System.out.print("no such hazard: ")).run();
            System.out.println(name);
        }
    }

    private static Map<String, Runnable> all() {
        Map<String, Runnable> hazards = new LinkedHashMap<>();
        hazards.put("append", Hazards::append);
        hazards.put("counter", Hazards::counter);
        hazards.put("point", Hazards::point);
        hazards.put("seats", Hazards::seats);
        hazards.put("sort", Hazards::sort);
        hazards.put("stack", Hazards::stack);
        hazards.put("transfer", Hazards::transfer);
        return hazards;
    }

    private static void append() {
        Buffer bad = new Buffer();
        Buffer shrinking = new Buffer();
        inTurns(() -> bad.appendBad(shrinking), () -> shrinking.setLength(0));
        Buffer ok = new Buffer();
        Buffer alsoShrinking = new Buffer();
        inTurns(() -> ok.appendOk(alsoShrinking), () -> alsoShrinking.setLength(0));
    }

    private static void counter() {
        Counter bad = new Counter();
        inTurns(() -> bad.addBad(1), () -> bad.addBad(2));
        Counter ok = new Counter();
        inTurns(() -> ok.addOk(1), () -> ok.addOk(2));
    }

    private static void point() {
        Point written = new Point();
        inTurns(() -> written.moveBad(1, 2), written::sum);
        Point read = new Point();
        inTurns(() -> read.moveOk(1, 2), read::readBad);
        Point ok = new Point();
        inTurns(() -> ok.moveOk(1, 2), ok::sum, () -> ok.moveOk(3, 4));
    }

    private static void seats() {
        Seats bad = new Seats();
        inTurns(() -> bad.reserveBad(1, "A"), () -> bad.reserveBad(2, "B"));
        Seats ok = new Seats();
        inTurns(() -> ok.reserveOk(1, "A"), () -> ok.reserveOk(2, "B"));
    }

    private static void sort() {
        Workers bad = new Workers();
        inTurns(() -> new MergeSort(bad, bad::mayForkBad).run(), () -> new MergeSort(bad, bad::mayForkBad).run());
        Workers ok = new Workers();
        inTurns(() -> new MergeSort(ok, ok::mayForkOk).run(), () -> new MergeSort(ok, ok::mayForkOk).run());
    }

    private static void stack() {
        Stack bad = new Stack();
        inTurns(() -> bad.push(1), bad::takeBad, bad::takeBad);
        Stack ok = new Stack();
        inTurns(() -> ok.push(1), ok::takeOk, ok::takeOk);
    }

    private static void transfer() {
        Bank bad = new Bank();
        inTurns(() -> bad.transferBad(10), bad::total);
        Bank ok = new Bank();
        inTurns(() -> ok.transferOk(10), ok::total, () -> ok.transferOk(20));
    }

    /** Runs each body in a thread of its own, one after the other, though by latches, which no lock set knows of. */
    private static void inTurns(Runnable... bodies) {
        CountDownLatch[] turns = new CountDownLatch[bodies.length + 1];
        Arrays.setAll(turns, turn -> new CountDownLatch(turn == 0 ? 0 : 1));
        for (int i = 0; i < bodies.length; i++) {
            Runnable body = bodies[i];
            CountDownLatch begin = turns[i];
            CountDownLatch end = turns[i + 1];
            new Thread(() -> takeTurn(body, begin, end)).start();
        }
        await(turns[bodies.length]);
    }

    private static void takeTurn(Runnable body, CountDownLatch begin, CountDownLatch end) {
        await(begin);
        try {
            body.run();
        } finally {
            end.countDown();
        }
    }

    private static void await(CountDownLatch turn) {
        try {
            turn.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
