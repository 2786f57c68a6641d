import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A server on the loopback address, with virtual threads where there are some, and a hundred requests. */
public final class Jetty {
    public static void main(String[] args) throws Exception {
        QueuedThreadPool pool = new QueuedThreadPool(20);
        if (VirtualThreads.areSupported()) {
            pool.setVirtualThreadsExecutor(VirtualThreads.getDefaultVirtualThreadsExecutor());
        }
        Server server = new Server(pool);
        ServerConnector connector = new ServerConnector(server);
        connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
        server.addConnector(connector);
        server.setHandler(
                new Handler.Abstract() {
                    @Override
                    public boolean handle(Request request, Response response, Callback callback) {
                        byte[] text = request.getHttpURI().getPath().getBytes(StandardCharsets.UTF_8);
                        response.write(true, ByteBuffer.wrap(text), callback);
                        return true;
                    }
                });
        server.start();
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        String base = "http://" + connector.getHost() + ":" + connector.getLocalPort() + "/";
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        int right = 0;
        for (int i = 0; i < 100; i++) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(base + i)).build();
            answers.add(client.sendAsync(request, HttpResponse.BodyHandlers.ofString()));
            if (i % 10 == 9) {
                for (CompletableFuture<HttpResponse<String>> answer : answers) {
                    HttpResponse<String> response = answer.get();
                    right += response.body().equals(response.uri().getPath()) ? 1 : 0;
                }
                answers.clear();
            }
        }
        System.out.println(right + " right answers");
        server.stop();
        System.exit(0);
    }
}
