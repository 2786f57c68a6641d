package requests;

import jakarta.servlet.http.HttpServlet;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentHashMap;

/** Requests that a test sends to a servlet one after the other, in its own thread. */
public final class Main extends HttpServlet {
    private int count; // race: Main.count
    private int locked;
    private int looked;
    private int toldLater;
    private int perUser; // race: Main.perUser
    private int decoded; // race: Main.decoded
    private boolean fails;
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
        if (fails) {
            looked++;
            toldLater++;
            throw new IllegalStateException();
        }
    }

    private void send() {
        service(null, null);
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
    }
}
