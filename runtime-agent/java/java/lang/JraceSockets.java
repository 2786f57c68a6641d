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
 * <p>Ends are known by their ports. A direction of a connection has an object that stands for what was sent that way. So has a port, for who connects to
 * it or sends datagrams there: who accepts a connection, or receives a datagram, knows what all had done by then. So a race is missed with one whose own
 * connection or datagram comes later.
 */
final class JraceSockets {
    /** So many directions are known; of more, those that were not used for longest are forgotten. */
    private static final int MOST = 1 << 12;
    /** From nowhere in particular. */
    private static final long ANY = 1L << 2 * Short.SIZE;

    private static final String CHANNEL = "sun.nio.ch.SocketChannelImpl";
    private static final String SERVER = "sun.nio.ch.ServerSocketChannelImpl";
    private static final String DATAGRAMS = "sun.nio.ch.DatagramChannelImpl";
    private static final long CHANNEL_LOCAL = offset(CHANNEL, "localAddress");
    private static final long CHANNEL_REMOTE = offset(CHANNEL, "remoteAddress");
    private static final long SERVER_LOCAL = offset(SERVER, "localAddress");
    private static final long DATAGRAMS_LOCAL = offset(DATAGRAMS, "localAddress");
    private static final long DATAGRAMS_REMOTE = offset(DATAGRAMS, "remoteAddress");
    private static final long PORT = U.objectFieldOffset(SocketImpl.class, "port");
    private static final long LOCAL_PORT = U.objectFieldOffset(SocketImpl.class, "localport");
    private static final long ADDRESS = U.objectFieldOffset(SocketImpl.class, "address");

    private static final Map<Long, Object> DIRECTIONS = new LinkedHashMap<>(16, 0.75f, true);

    private JraceSockets() {}

    private static long offset(String channel, String field) {
        try {
            return U.objectFieldOffset(Class.forName(channel, false, null), field);
        } catch (ClassNotFoundException noSuchChannel) {
            throw new InternalError(noSuchChannel);
        }
    }

    /** What stands for what is sent by a socket, or to an address; null if it may not be to this JVM. */
    static Object sent(Object to) {
        long direction = to instanceof InetSocketAddress address ? direction(address) : direction(to, false);
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

    /** The ports of a connection, that from which it is sent before the other one, or one port that all send to; 0 if it may be to another machine. */
    private static long direction(Object socket, boolean backwards) {
        if (socket instanceof SocketImpl) {
            return ofStream(socket, backwards);
        }
        return switch (socket.getClass().getName()) {
            case CHANNEL -> direction(end(socket, CHANNEL_LOCAL), end(socket, CHANNEL_REMOTE), backwards);
            case SERVER -> to(end(socket, SERVER_LOCAL));
            case DATAGRAMS -> backwards ? to(end(socket, DATAGRAMS_LOCAL)) : direction(end(socket, DATAGRAMS_REMOTE));
            default -> 0;
        };
    }

    /** That which listens has no other end. */
    private static long ofStream(Object socket, boolean backwards) {
        int port = U.getInt(socket, PORT);
        int local = U.getInt(socket, LOCAL_PORT);
        if (port == 0) {
            return backwards && local != 0 ? ANY | local : 0;
        }
        InetAddress address = (InetAddress) U.getReference(socket, ADDRESS);
        return isLocal(address) ? direction(local, port, backwards) : 0;
    }

    private static InetSocketAddress end(Object channel, long offset) {
        Object end = U.getReference(channel, offset);
        return end instanceof InetSocketAddress address ? address : null;
    }

    private static long direction(InetSocketAddress from, InetSocketAddress to, boolean backwards) {
        boolean isLocal = from != null && to != null && (isLocal(to.getAddress()) || to.getAddress() != null && to.getAddress().equals(from.getAddress()));
        return isLocal ? direction(from.getPort(), to.getPort(), backwards) : 0;
    }

    private static long direction(int local, int remote, boolean backwards) {
        long from = backwards ? remote : local;
        long to = backwards ? local : remote;
        return from == 0 || to == 0 ? 0 : from << Short.SIZE | to;
    }

    /** To an address, from nowhere in particular. */
    private static long direction(InetSocketAddress address) {
        return address != null && isLocal(address.getAddress()) ? to(address) : 0;
    }

    private static long to(InetSocketAddress address) {
        return address == null || address.getPort() == 0 ? 0 : ANY | address.getPort();
    }

    /** Who sends to no address in particular sends to this machine. */
    private static boolean isLocal(InetAddress address) {
        return address != null && (address.isLoopbackAddress() || address.isAnyLocalAddress());
    }
}
