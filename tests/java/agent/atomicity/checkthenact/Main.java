package checkthenact;

import static util.Threads.inTurns;

/** A map whose every method is atomic. */
final class Table {
    private final int[] owners = new int[8];

    synchronized boolean has(int key) {
        return owners[key] != 0;
    }

    synchronized void put(int key, int owner) {
        owners[key] = owner;
    }

    synchronized boolean putIfAbsent(int key, int owner) {
        boolean absent = owners[key] == 0;
        if (absent) {
            owners[key] = owner;
        }
        return absent;
    }
}

final class Seats {
    private final Table table = new Table();

    // atomicity: Seats.reserveBad
    boolean reserveBad(int seat, int owner) {
        if (table.has(seat)) {
            return false;
        }
        table.put(seat, owner);
        return true;
    }

    boolean reserveOk(int seat, int owner) {
        return table.putIfAbsent(seat, owner);
    }
}

public final class Main {
    public static void main(String[] args) {
        Seats bad = new Seats();
        inTurns(() -> bad.reserveBad(1, 7), () -> bad.reserveBad(2, 8));
        Seats ok = new Seats();
        inTurns(() -> ok.reserveOk(1, 7), () -> ok.reserveOk(2, 8));
    }
}
