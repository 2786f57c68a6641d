package jdbf;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** Figure 2 of paper 000. */
public class Database {
    private final ConnectionManager cm = new ConnectionManager();

    public int insert() {
        return cm.getConnection("").id;
    }

    public int delete() {
        return cm.getConnection("").id;
    }
}

class ConnectionManager {
    private final Map<String, ConnectionSource> conns = Collections.synchronizedMap(new HashMap<>());

    ConnectionManager() {
        conns.put("", new ConnectionSource());
    }

    Connection getConnection(String s) {
        ConnectionSource c = conns.get(s);
        if (c != null) {
            return c.getConnection();
        }
        throw new IllegalStateException();
    }
}

class ConnectionSource {
    private final Connection conn = new Connection();
    private boolean used;

    Connection getConnection() {
        if (!used) {
            used = true;
            return conn;
        }
        throw new IllegalStateException();
    }
}

class Connection {
    final int id = 1;
}
