package webserver;

import java.util.HashMap;
import java.util.Map;

/** All sessions by id; the table's monitor guards the map. */
final class SessionTable {
    private final Map<Integer, Session> sessions = new HashMap<>();

    synchronized Session find(int id) {
        return sessions.computeIfAbsent(id, unused -> new Session());
    }

    synchronized int visits() {
        int visits = 0;
        for (Session session : sessions.values()) {
            visits += session.visits();
        }
        return visits;
    }
}
