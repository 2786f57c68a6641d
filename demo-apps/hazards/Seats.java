package hazards;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Each method of a concurrent map is atomic by itself; a check and an act are not. */
final class Seats {
    private final ConcurrentMap<Integer, String> owners = new ConcurrentHashMap<>();

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
}
