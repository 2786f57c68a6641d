package requests;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServlet;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Requests that a test sends to a servlet one after the other, in its own thread. */
public final class Main extends HttpServlet {
    private int count; // race: Main.count
    private int locked;
    private int looked;
    private int toldLater;
    private int perUser; // race: Main.perUser
    private int decoded; // race: Main.decoded
    private int inPool; // race: Main.inPool
    private int inThread; // race: Main.inThread
    private boolean fails;
    private static final ExecutorService POOL = Executors.newFixedThreadPool(2);
    private final ConcurrentHashMap<String, Integer> users = new ConcurrentHashMap<>();

    private Main() {}

    @Override
    protected void handle() {
        count++;
        synchronized (this) {
            locked++;
        }
        users.computeIfAbsent("a", key -> 1);
        perUser++;
        users.computeIfAbsent("a", key -> 1);
        // The JDK has decoders for each thread.
        StandardCharsets.UTF_8.decode(ByteBuffer.wrap(new byte[1]));
        decoded++;
        work();
        if (fails) {
            looked++;
            toldLater++;
            throw new IllegalStateException();
        }
    }

    /** What others do for a request belongs to it. */
    private void work() {
        Thread thread = new Thread(() -> inThread++);
        thread.start();
        try {
            thread.join();
            POOL.submit(() -> inPool++).get();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        inThread++;
        inPool++;
    }

    private void send() {
        service(null, null);
    }

    private static final class Again implements ServletRequest {
        private int parts;
    }

    /** A servlet that is called twice for one request. */
    private static final class Parts extends HttpServlet {
        private Again request;

        @Override
        protected void handle() {
            request.parts++;
        }

        void send(Again request) {
            this.request = request;
            service(request, null);
            service(request, null);
        }
    }

    /** What the test does between requests comes after one and before the next. */
    public static void main(String[] none) throws Exception {
        Main servlet = new Main();
        servlet.send();
        servlet.send();
        servlet.looked = servlet.count;
        servlet.locked = 0;
        servlet.fails = true;
        try {
            servlet.send();
        } catch (IllegalStateException expected) {
            servlet.looked = 0;
        }
        Thread after = new Thread(() -> {
            servlet.count++;
            servlet.looked++;
            servlet.toldLater++;
        });
        after.start();
        after.join();
        servlet.fails = false;
        servlet.count = 0;
        servlet.send();
        new Parts().send(new Again());
        POOL.shutdown();
    }
}
