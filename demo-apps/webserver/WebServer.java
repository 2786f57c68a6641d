package webserver;

/**
 * A web server without the network: main accepts requests and hands each to a worker through that worker's queue.
 * Sessions, pages and the queues are locked as they should be, most statistics are not.
 *
 * <p>Arguments: workers, requests.
 */
public final class WebServer {
    private static final int SESSIONS = 3;
    private static final String[] PATHS = {"/", "/news", "/images", "/missing"};

    private final Site site = new Site(PATHS.length);
    private final SessionTable sessions = new SessionTable();
    private final Stats stats = new Stats();
    private final RequestQueue[] queues;
    private final Worker[] workers;

    private WebServer(int nWorkers) {
        queues = new RequestQueue[nWorkers];
        workers = new Worker[nWorkers];
        for (int i = 0; i < nWorkers; i++) {
            queues[i] = new RequestQueue();
            workers[i] = new Worker(queues[i], site, sessions, stats);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int nWorkers = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int requests = args.length > 1 ? Integer.parseInt(args[1]) : 600;
        WebServer server = new WebServer(nWorkers);
        server.publish();
        server.run(requests);
        server.report();
    }

    /** All pages but the last path, which is to be missing. */
    private void publish() {
        for (int i = 0; i + 1 < PATHS.length; i++) {
            site.publish(PATHS[i]);
        }
    }

    private void run(int requests) throws InterruptedException {
        Thread[] threads = new Thread[workers.length];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = start(workers[i]);
        }
        Probe probe = new Probe(stats);
        Thread probeThread = start(probe);
        accept(requests);
        for (Thread thread : threads) {
            thread.join();
        }
        probe.stop();
        probeThread.join();
        System.out.println("schedule-dependent: " + probe);
    }

    private static Thread start(Runnable task) {
        Thread thread = new Thread(task);
        thread.start();
        return thread;
    }

    /** Deals the requests out in turn, so that every worker meets every session on every schedule. */
    private void accept(int requests) {
        for (int i = 0; i < requests; i++) {
            Request request = new Request(PATHS[i / 5 % PATHS.length], i / workers.length % SESSIONS);
            request.route();
            queues[i % workers.length].put(request);
        }
        for (RequestQueue queue : queues) {
            queue.close();
        }
    }

    private void report() {
        int served = 0;
        int revisits = 0;
        for (Worker worker : workers) {
            served += worker.served();
            revisits += worker.revisits();
        }
        System.out.println("served: " + served + ", visits: " + sessions.visits());
        System.out.println("errors: " + stats.errors() + ", bytes: " + stats.bytes());
        System.out.println("racy revisits: " + revisits + ", hits: " + stats.hits());
    }
}
