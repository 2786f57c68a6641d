import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import io.undertow.server.handlers.PathHandler;
import io.undertow.util.Headers;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An embedded Undertow server on the loopback interface, and clients in the same JVM.
 *
 * <p>It prints how many answers were right; that is the same in every run.
 */
public final class ServerLoad {
    private static final int THREADS = 4;
    private static final int REQUESTS = 200;

    private static final AtomicInteger RIGHT = new AtomicInteger();
    private static final AtomicInteger WRONG = new AtomicInteger();
    private static final AtomicLong CHECKSUM = new AtomicLong();

    private ServerLoad() {}

    public static void main(String[] args) throws Exception {
        PathHandler paths = new PathHandler()
            .addExactPath("/greet", ServerLoad::greet)
            .addExactPath("/echo", new BlockingHandler(ServerLoad::echo));
        Undertow server = Undertow.builder().addHttpListener(0, "127.0.0.1").setIoThreads(2).setWorkerThreads(4)
            .setHandler(paths).build();
        server.start();
        InetSocketAddress address = (InetSocketAddress) server.getListenerInfo().get(0).getAddress();
        String root = "http://127.0.0.1:" + address.getPort();

        HttpClient client = HttpClient.newHttpClient();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            Thread thread = new Thread(() -> request(client, root, number), "client-" + i);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        server.stop();
        System.out.println("right " + RIGHT.get() + ", wrong " + WRONG.get() + ", checksum " + CHECKSUM.get());
        System.exit(WRONG.get() == 0 ? 0 : 1);
    }

    private static void greet(HttpServerExchange exchange) {
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "text/plain");
        exchange.getResponseSender().send("hello " + exchange.getQueryParameters().get("name").getFirst());
    }

    private static void echo(HttpServerExchange exchange) throws Exception {
        byte[] body = exchange.getInputStream().readAllBytes();
        for (int low = 0, high = body.length - 1; low < high; low++, high--) {
            byte swapped = body[low];
            body[low] = body[high];
            body[high] = swapped;
        }
        exchange.getOutputStream().write(body);
    }

    private static void request(HttpClient client, String root, int number) {
        for (int i = 0; i < REQUESTS; i++) {
            String name = "client" + number + "-" + i;
            try {
                if (i % 2 == 0) {
                    HttpRequest request = HttpRequest.newBuilder(URI.create(root + "/greet?name=" + name)).build();
                    check(client, request, "hello " + name);
                } else {
                    String body = name.repeat(20 + i);
                    HttpRequest request = HttpRequest.newBuilder(URI.create(root + "/echo"))
                        .POST(HttpRequest.BodyPublishers.ofString(body, StandardCharsets.US_ASCII)).build();
                    check(client, request, new StringBuilder(body).reverse().toString());
                }
            } catch (Exception e) {
                e.printStackTrace();
                WRONG.incrementAndGet();
            }
        }
    }

    private static void check(HttpClient client, HttpRequest request, String expected) throws Exception {
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.US_ASCII));
        if (response.statusCode() == 200 && response.body().equals(expected)) {
            RIGHT.incrementAndGet();
            CHECKSUM.addAndGet(response.body().hashCode());
        } else {
            System.err.println(response.statusCode() + " " + response.body());
            WRONG.incrementAndGet();
        }
    }
}
