package java.lang;

import static java.lang.JraceMemory.U;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketImpl;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Connections of this machine with itself. Both ends of one may be in this JVM, as where a test sends requests to a server that it has
 * started: what is done before something is sent is then known to who receives it.
 *
 * <p>Ends are known by their ports. A direction of a connection has an object that stands for what was sent that way.
 */
final class JraceSockets {
    /** So many directions are known; of more, those that were not used for longest are forgotten. */
    private static final int MOST = 1 << 12;

    private static final String CHANNEL = "sun.nio.ch.SocketChannelImpl";
    private static final long PORT = U.objectFieldOffset(SocketImpl.class, "port");
    private static final long LOCAL_PORT = U.objectFieldOffset(SocketImpl.class, "localport");
    private static final long ADDRESS = U.objectFieldOffset(SocketImpl.class, "address");

    private static final Map<Long, Object> DIRECTIONS = new LinkedHashMap<>(16, 0.75f, true);

    /** Where a channel has its addresses; asked for when there is one. */
    private static long local;
    private static long remote;

    private JraceSockets() {}

    /** What stands for what is sent by a socket; null if it may not be to this JVM. */
    static Object sent(Object socket) {
        long direction = direction(socket, false);
        return direction == 0 ? null : standsFor(direction);
    }

    /** The same for what is received; null also if nothing was sent. */
    static Object received(Object socket) {
        long direction = direction(socket, true);
        return direction == 0 ? null : known(direction);
    }

    private static synchronized Object standsFor(long direction) {
        Object object = DIRECTIONS.get(direction);
        if (object == null) {
            if (DIRECTIONS.size() == MOST) {
                DIRECTIONS.remove(DIRECTIONS.keySet().iterator().next());
            }
            object = new Object();
            DIRECTIONS.put(direction, object);
        }
        return object;
    }

    private static synchronized Object known(long direction) {
        return DIRECTIONS.get(direction);
    }

    /** The ports of a connection, that from which it is sent before the other one; 0 if it may be to another machine. */
    private static long direction(Object socket, boolean backwards) {
        if (socket instanceof SocketImpl) {
            InetAddress address = (InetAddress) U.getReference(socket, ADDRESS);
            boolean isLocal = address != null && address.isLoopbackAddress();
            return isLocal ? direction(U.getInt(socket, LOCAL_PORT), U.getInt(socket, PORT), backwards) : 0;
        }
        if (!socket.getClass().getName().equals(CHANNEL)) {
            return 0;
        }
        if (local == 0) {
            remote = U.objectFieldOffset(socket.getClass(), "remoteAddress");
            local = U.objectFieldOffset(socket.getClass(), "localAddress");
        }
        return direction(U.getReference(socket, local), U.getReference(socket, remote), backwards);
    }

    private static long direction(Object local, Object remote, boolean backwards) {
        if (!(local instanceof InetSocketAddress from) || !(remote instanceof InetSocketAddress to)) {
            return 0;
        }
        InetAddress address = to.getAddress();
        boolean isLocal = address != null && (address.isLoopbackAddress() || address.equals(from.getAddress()));
        return isLocal ? direction(from.getPort(), to.getPort(), backwards) : 0;
    }

    private static long direction(int local, int remote, boolean backwards) {
        long from = backwards ? remote : local;
        long to = backwards ? local : remote;
        return from == 0 || to == 0 ? 0 : from << Short.SIZE | to;
    }
}
