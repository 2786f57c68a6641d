package concurrentmap;

import static util.Threads.inTurns;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** Each method of a concurrent map is atomic by itself; two of them are not. */
final class Seats {
    private final ConcurrentMap<Integer, String> owners = new ConcurrentHashMap<>();
    private final Map<String, Integer> counts = new ConcurrentSkipListMap<>();
    private final Map<Integer, String> guarded = new HashMap<>();

    // atomicity: Seats.reserveBad
    boolean reserveBad(int seat, String owner) {
        if (owners.containsKey(seat)) {
            return false;
        }
        owners.put(seat, owner);
        return true;
    }

    boolean reserveOk(int seat, String owner) {
        return owners.putIfAbsent(seat, owner) == null;
    }

    // atomicity: Seats.countBad
    void countBad(String owner) {
        Integer count = counts.get(owner);
        counts.put(owner, count == null ? 1 : count + 1);
    }

    void countOk(String owner) {
        counts.compute(owner, (key, count) -> count == null ? 1 : count + 1);
    }

    // atomicity: Seats.takeBad
    String takeBad() {
        return owners.size() > 1 ? owners.remove(1) : null;
    }

    synchronized boolean guardedOk(int seat, String owner) {
        if (guarded.containsKey(seat)) {
            return false;
        }
        guarded.put(seat, owner);
        return true;
    }
}

public final class Main {
    public static void main(String[] args) {
        Seats seats = new Seats();
        inTurns(() -> use(seats, 1), () -> use(seats, 2));
    }

    private static void use(Seats seats, int seat) {
        String name = "thread " + seat;
        seats.reserveBad(seat, name);
        seats.reserveOk(seat + 2, name);
        seats.countBad(name);
        seats.countOk(name);
        seats.takeBad();
        seats.guardedOk(seat, name);
    }
}
