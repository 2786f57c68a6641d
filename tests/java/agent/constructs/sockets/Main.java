package sockets;

import static schedule.Schedule.mark;
import static schedule.Schedule.pause;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.Pipe.SinkChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import schedule.Program;

/** What is sent to another thread by a socket comes before what that does when it has received it. */
final class Addresses {
    static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private Addresses() {}

    static ServerSocket server() throws IOException {
        return new ServerSocket(0, 5, LOOPBACK);
    }

    static Socket connect(ServerSocket server) throws IOException {
        return new Socket(LOOPBACK, server.getLocalPort());
    }

    static void fails(Callable<?> call) throws Exception {
        try {
            call.call();
        } catch (IOException expected) {
            return;
        }
        throw new IllegalStateException("it is not closed");
    }
}

final class Streams implements Program {
    int request; // ordered: Streams.request
    int response; // ordered: Streams.response
    int afterSending; // race: Streams.afterSending
    int beforeReceiving; // race: Streams.beforeReceiving

    @Override
    public void run() throws Exception {
        try (ServerSocket server = Addresses.server()) {
            together(() -> {
                try (Socket socket = Addresses.connect(server)) {
                    request = 1;
                    beforeReceiving = 1;
                    socket.getOutputStream().write(1);
                    afterSending = 1;
                    mark(this);
                    socket.getInputStream().read();
                    response++;
                }
            }, () -> {
                try (Socket socket = server.accept()) {
                    until(this);
                    beforeReceiving++;
                    socket.getInputStream().read();
                    request++;
                    afterSending++;
                    response = 1;
                    socket.getOutputStream().write(1);
                }
            });
        }
    }
}

/** The end of what is sent is received, too. */
final class Closed implements Program {
    int beforeShutdown; // ordered: Closed.beforeShutdown
    int beforeClose; // ordered: Closed.beforeClose

    @Override
    public void run() throws Exception {
        try (ServerSocket server = Addresses.server()) {
            together(() -> {
                try (Socket socket = Addresses.connect(server)) {
                    beforeShutdown = 1;
                    socket.shutdownOutput();
                    while (socket.getInputStream().read() >= 0) {
                        // Until the other end is closed.
                    }
                    beforeClose++;
                }
            }, () -> {
                try (Socket socket = server.accept()) {
                    while (socket.getInputStream().read() >= 0) {
                        // Until the other one sends no more.
                    }
                    beforeShutdown++;
                    beforeClose = 1;
                }
            });
        }
    }
}

/** What is sent by one connection says nothing to who receives by another. */
final class Connections implements Program {
    int count; // race: Connections.count

    @Override
    public void run() throws Exception {
        try (ServerSocket server = Addresses.server();
                Socket first = Addresses.connect(server);
                Socket ofFirst = server.accept();
                Socket second = Addresses.connect(server);
                Socket ofSecond = server.accept()) {
            second.getOutputStream().write(1);
            together(() -> {
                count++;
                first.getOutputStream().write(1);
                mark(this);
            }, () -> {
                until(this);
                ofSecond.getInputStream().read();
                count++;
            });
        }
    }
}

final class Channels implements Program {
    int request; // ordered: Channels.request
    int response; // ordered: Channels.response

    @Override
    public void run() throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(Addresses.LOOPBACK, 0))) {
            together(() -> {
                try (SocketChannel channel = SocketChannel.open(server.getLocalAddress())) {
                    request = 1;
                    channel.write(ByteBuffer.wrap(new byte[1]));
                    channel.read(new ByteBuffer[] {ByteBuffer.allocate(1)});
                    response++;
                }
            }, () -> {
                try (SocketChannel channel = server.accept()) {
                    channel.read(ByteBuffer.allocate(1));
                    request++;
                    response = 1;
                    channel.write(new ByteBuffer[] {ByteBuffer.wrap(new byte[1])});
                }
            });
        }
    }
}

final class Selected implements Program {
    int request; // ordered: Selected.request

    @Override
    public void run() throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(Addresses.LOOPBACK, 0));
                SocketChannel client = SocketChannel.open(server.getLocalAddress());
                SocketChannel channel = server.accept()) {
            together(() -> {
                request = 1;
                client.write(ByteBuffer.wrap(new byte[1]));
            }, () -> {
                try (Selector selector = Selector.open()) {
                    channel.configureBlocking(false);
                    channel.register(selector, SelectionKey.OP_READ);
                    selector.select();
                    channel.read(ByteBuffer.allocate(1));
                    request++;
                }
            });
        }
    }
}

/** What comes before the call that wakes a selector comes before what its thread does then. */
final class Woken implements Program {
    int beforeWakeup; // ordered: Woken.beforeWakeup
    int afterWakeup; // race: Woken.afterWakeup
    int beforeSelect; // race: Woken.beforeSelect

    @Override
    public void run() throws Exception {
        try (Selector selector = Selector.open()) {
            together(() -> {
                beforeWakeup = 1;
                beforeSelect = 1;
                selector.wakeup();
                afterWakeup = 1;
                mark(this);
            }, () -> {
                until(this);
                beforeSelect++;
                selector.select();
                beforeWakeup++;
                afterWakeup++;
            });
        }
    }
}

/** So does what comes before a key is asked to be ready for more. */
final class Interested implements Program {
    int beforeInterest; // ordered: Interested.beforeInterest
    int afterInterest; // race: Interested.afterInterest

    @Override
    public void run() throws Exception {
        Pipe pipe = Pipe.open();
        try (Selector selector = Selector.open(); SinkChannel sink = pipe.sink()) {
            sink.configureBlocking(false);
            SelectionKey key = sink.register(selector, 0);
            together(() -> {
                beforeInterest = 1;
                key.interestOps(SelectionKey.OP_WRITE);
                afterInterest = 1;
                mark(this);
            }, () -> {
                until(this);
                selector.select();
                beforeInterest++;
                afterInterest++;
            });
        }
        pipe.source().close();
    }
}

/** A channel as a socket. */
final class Adapted implements Program {
    int request; // ordered: Adapted.request

    @Override
    public void run() throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(Addresses.LOOPBACK, 0));
                SocketChannel client = SocketChannel.open(server.getLocalAddress());
                SocketChannel channel = server.accept()) {
            together(() -> {
                request = 1;
                client.socket().getOutputStream().write(1);
            }, () -> {
                channel.socket().getInputStream().read();
                request++;
            });
        }
    }
}

/** What comes before a connection is asked for comes before what is done when it has been accepted. */
final class Accepted implements Program {
    int beforeConnect; // ordered: Accepted.beforeConnect
    int afterConnect; // race: Accepted.afterConnect

    @Override
    public void run() throws Exception {
        try (ServerSocket server = Addresses.server()) {
            together(() -> {
                beforeConnect = 1;
                try (Socket socket = Addresses.connect(server)) {
                    afterConnect = 1;
                    mark(this);
                }
            }, () -> {
                try (Socket socket = server.accept()) {
                    beforeConnect++;
                    until(this);
                    afterConnect++;
                }
            });
        }
    }
}

final class AcceptedChannel implements Program {
    int beforeConnect; // ordered: AcceptedChannel.beforeConnect
    int afterConnect; // race: AcceptedChannel.afterConnect

    @Override
    public void run() throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(Addresses.LOOPBACK, 0))) {
            together(() -> {
                beforeConnect = 1;
                try (SocketChannel channel = SocketChannel.open(server.getLocalAddress())) {
                    afterConnect = 1;
                    mark(this);
                }
            }, () -> {
                try (SocketChannel channel = server.accept()) {
                    beforeConnect++;
                    until(this);
                    afterConnect++;
                }
            });
        }
    }
}

/** By a channel as a server socket, and by one as a socket, which waits no longer than it is told; at no address in particular, which is this machine. */
final class AcceptedAdapted implements Program {
    int beforeConnect; // ordered: AcceptedAdapted.beforeConnect

    @Override
    public void run() throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(0))) {
            together(() -> {
                beforeConnect = 1;
                try (SocketChannel channel = SocketChannel.open()) {
                    channel.socket().connect(new InetSocketAddress(server.socket().getLocalPort()), 10_000);
                }
            }, () -> {
                try (Socket socket = server.socket().accept()) {
                    beforeConnect++;
                }
            });
        }
    }
}

/** What is accepted by one server says nothing to who asks another. */
final class OtherServer implements Program {
    int count; // race: OtherServer.count

    @Override
    public void run() throws Exception {
        try (ServerSocket server = Addresses.server();
                ServerSocket other = Addresses.server();
                Socket earlier = Addresses.connect(other)) {
            together(() -> {
                count++;
                try (Socket socket = Addresses.connect(server)) {
                    mark(this);
                }
            }, () -> {
                until(this);
                try (Socket socket = other.accept()) {
                    count++;
                }
            });
        }
    }
}

/** Who accepts one connection is taken to know of another, too, that was asked for by then. */
final class LaterConnection implements Program {
    int count; // missed: LaterConnection.count -- who accepts, or receives a datagram, is taken to know of all that have come to the port so far

    @Override
    public void run() throws Exception {
        try (ServerSocket server = Addresses.server(); Socket earlier = Addresses.connect(server)) {
            together(() -> {
                count++;
                try (Socket socket = Addresses.connect(server)) {
                    mark(this);
                }
            }, () -> {
                until(this);
                try (Socket socket = server.accept()) {
                    count++;
                }
            });
        }
    }
}

/** Who waits for a connection is told that nobody does any more, after what comes before that is said. */
final class ClosedServer implements Program {
    int beforeClose; // ordered: ClosedServer.beforeClose
    int afterClose; // race: ClosedServer.afterClose

    @Override
    public void run() throws Exception {
        ServerSocket server = Addresses.server();
        together(() -> {
            pause(200);
            beforeClose = 1;
            server.close();
            afterClose = 1;
            mark(this);
        }, () -> {
            Addresses.fails(() -> server.accept());
            beforeClose++;
            until(this);
            afterClose++;
        });
    }
}

/** So is who asks too late. */
final class ClosedBefore implements Program {
    int beforeClose; // ordered: ClosedBefore.beforeClose
    int afterClose; // race: ClosedBefore.afterClose

    @Override
    public void run() throws Exception {
        ServerSocket server = Addresses.server();
        together(() -> {
            beforeClose = 1;
            server.close();
            afterClose = 1;
            mark(this);
        }, () -> {
            until(this);
            Addresses.fails(() -> server.accept());
            beforeClose++;
            until(this);
            afterClose++;
        });
    }
}

final class ClosedServerChannel implements Program {
    int beforeClose; // ordered: ClosedServerChannel.beforeClose
    int afterClose; // race: ClosedServerChannel.afterClose

    @Override
    public void run() throws Exception {
        ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(Addresses.LOOPBACK, 0));
        together(() -> {
            pause(200);
            beforeClose = 1;
            server.close();
            afterClose = 1;
            mark(this);
        }, () -> {
            Addresses.fails(() -> server.accept());
            beforeClose++;
            until(this);
            afterClose++;
        });
    }
}

final class ClosedDatagrams implements Program {
    int beforeClose; // ordered: ClosedDatagrams.beforeClose
    int afterClose; // race: ClosedDatagrams.afterClose

    @Override
    public void run() throws Exception {
        DatagramSocket socket = new DatagramSocket(0, Addresses.LOOPBACK);
        together(() -> {
            pause(200);
            beforeClose = 1;
            socket.close();
            afterClose = 1;
            mark(this);
        }, () -> {
            Addresses.fails(() -> {
                socket.receive(new DatagramPacket(new byte[1], 1));
                return null;
            });
            beforeClose++;
            until(this);
            afterClose++;
        });
    }
}

final class ClosedStream implements Program {
    int beforeClose; // ordered: ClosedStream.beforeClose
    int afterClose; // race: ClosedStream.afterClose

    @Override
    public void run() throws Exception {
        ServerSocket server = Addresses.server();
        Socket socket = Addresses.connect(server);
        together(() -> {
            pause(200);
            beforeClose = 1;
            socket.close();
            afterClose = 1;
            mark(this);
        }, () -> {
            Addresses.fails(() -> socket.getInputStream().read());
            beforeClose++;
            until(this);
            afterClose++;
        });
        server.close();
    }
}

/** Who has read a little counts as knowing all that was sent by then. */
final class Unread implements Program {
    int between; // missed: Unread.between -- what is sent is known by its direction, not by the byte

    @Override
    public void run() throws Exception {
        try (ServerSocket server = Addresses.server(); Socket sender = Addresses.connect(server); Socket reader = server.accept()) {
            together(() -> {
                sender.getOutputStream().write(1);
                between = 1;
                sender.getOutputStream().write(2);
                mark(this);
            }, () -> {
                until(this);
                reader.getInputStream().read();
                between++;
            });
        }
    }
}

/** What is sent in a datagram comes before what its receiver does. */
final class Datagrams implements Program {
    int beforeSending; // ordered: Datagrams.beforeSending
    int afterSending; // race: Datagrams.afterSending

    @Override
    public void run() throws Exception {
        try (DatagramSocket receiver = new DatagramSocket(0, Addresses.LOOPBACK); DatagramSocket sender = new DatagramSocket()) {
            together(() -> {
                beforeSending = 1;
                sender.send(new DatagramPacket(new byte[1], 1, receiver.getLocalSocketAddress()));
                afterSending = 1;
                mark(this);
            }, () -> {
                receiver.receive(new DatagramPacket(new byte[1], 1));
                beforeSending++;
                until(this);
                afterSending++;
            });
        }
    }
}

final class ConnectedDatagrams implements Program {
    int request; // ordered: ConnectedDatagrams.request
    int response; // ordered: ConnectedDatagrams.response

    @Override
    public void run() throws Exception {
        try (DatagramSocket server = new DatagramSocket(0, Addresses.LOOPBACK);
                DatagramSocket client = new DatagramSocket(0, Addresses.LOOPBACK)) {
            client.connect(server.getLocalSocketAddress());
            server.connect(client.getLocalSocketAddress());
            together(() -> {
                request = 1;
                client.send(new DatagramPacket(new byte[1], 1));
                client.receive(new DatagramPacket(new byte[1], 1));
                response++;
            }, () -> {
                server.receive(new DatagramPacket(new byte[1], 1));
                request++;
                response = 1;
                server.send(new DatagramPacket(new byte[1], 1, client.getLocalSocketAddress()));
            });
        }
    }
}

final class DatagramChannels implements Program {
    int bySend; // ordered: DatagramChannels.bySend
    int byWrite; // ordered: DatagramChannels.byWrite
    int byRead; // ordered: DatagramChannels.byRead

    @Override
    public void run() throws Exception {
        InetSocketAddress any = new InetSocketAddress(Addresses.LOOPBACK, 0);
        try (DatagramChannel server = DatagramChannel.open().bind(any); DatagramChannel client = DatagramChannel.open().bind(any)) {
            together(() -> {
                bySend = 1;
                client.send(ByteBuffer.wrap(new byte[1]), server.getLocalAddress());
                client.connect(server.getLocalAddress());
                until(this);
                byWrite = 1;
                client.write(ByteBuffer.wrap(new byte[1]));
                client.read(ByteBuffer.allocate(1));
                byRead++;
            }, () -> {
                server.receive(ByteBuffer.allocate(1));
                bySend++;
                mark(this);
                server.receive(ByteBuffer.allocate(1));
                byWrite++;
                byRead = 1;
                server.send(ByteBuffer.wrap(new byte[1]), client.getLocalAddress());
            });
        }
    }
}

/** What is sent to one port says nothing to who receives at another. */
final class OtherPort implements Program {
    int count; // race: OtherPort.count

    @Override
    public void run() throws Exception {
        try (DatagramSocket receiver = new DatagramSocket(0, Addresses.LOOPBACK);
                DatagramSocket other = new DatagramSocket(0, Addresses.LOOPBACK);
                DatagramSocket sender = new DatagramSocket()) {
            sender.send(new DatagramPacket(new byte[1], 1, other.getLocalSocketAddress()));
            together(() -> {
                count++;
                sender.send(new DatagramPacket(new byte[1], 1, receiver.getLocalSocketAddress()));
                mark(this);
            }, () -> {
                until(this);
                other.receive(new DatagramPacket(new byte[1], 1));
                count++;
            });
        }
    }
}

/** A test that sends requests to the server that it has started. */
final class Requests implements Program {
    int setUp; // ordered: Requests.setUp
    int result; // ordered: Requests.result

    @Override
    public void run() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        HttpServer server = HttpServer.create(new InetSocketAddress(Addresses.LOOPBACK, 0), 0);
        server.setExecutor(pool);
        server.createContext("/", exchange -> {
            result = setUp + 1;
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        URI uri = URI.create("http://localhost:" + server.getAddress().getPort() + "/");
        HttpClient client = HttpClient.newHttpClient();
        for (int i = 0; i < 4; i++) {
            setUp = i;
            if (i % 2 == 0) {
                try (InputStream response = uri.toURL().openStream()) {
                    response.readAllBytes();
                }
            } else {
                client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
            }
            if (result != i + 1) {
                throw new IllegalStateException("result " + result);
            }
        }
        server.stop(0);
        pool.shutdown();
    }
}

public final class Main {
    private Main() {}

    public static void main(String[] names) throws Exception {
        Program.all(
                names,
                new Streams(),
                new Closed(),
                new Connections(),
                new Channels(),
                new Selected(),
                new Woken(),
                new Interested(),
                new Adapted(),
                new Accepted(),
                new AcceptedChannel(),
                new AcceptedAdapted(),
                new OtherServer(),
                new LaterConnection(),
                new Unread(),
                new ClosedServer(),
                new ClosedBefore(),
                new ClosedServerChannel(),
                new ClosedDatagrams(),
                new ClosedStream(),
                new Datagrams(),
                new ConnectedDatagrams(),
                new DatagramChannels(),
                new OtherPort(),
                new Requests());
    }
}
