package crawler;

import java.util.Locale;

/**
 * A meta search: each question goes to several archives, whose pages workers fetch, read and follow, and to two archives that
 * never answer and are given up after a while. Everything is guarded as it should be, except how one of the two is given up.
 * No network is needed: the pages are made from a seed, and fetching one takes as long as it is told to.
 *
 * <p>Arguments: workers, pages of each archive, questions, microseconds that a page takes.
 */
public final class Crawler {
    private static final int ARCHIVES = 3;
    private static final int PATIENCE_MILLIS = 5;
    private static final String[] QUESTIONS = {"flare", "corona", "radio", "spectrum", "eclipse"};

    private final Web web;
    private final Frontier frontier = new Frontier();
    private final PageCache cache;
    private final Worker[] workers;

    private Crawler(int nWorkers, int pages, int latencyMicros) {
        web = new Web(ARCHIVES, pages, latencyMicros * 1000L);
        // Room for half of them, so that each question fetches the others again.
        cache = new PageCache(web, ARCHIVES * pages / 2);
        workers = new Worker[nWorkers];
        for (int i = 0; i < nWorkers; i++) {
            workers[i] = new Worker(frontier);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int nWorkers = args.length > 0 ? Integer.parseInt(args[0]) : 4;
        int pages = args.length > 1 ? Integer.parseInt(args[1]) : 20;
        int questions = args.length > 2 ? Integer.parseInt(args[2]) : 2;
        int latencyMicros = args.length > 3 ? Integer.parseInt(args[3]) : 50;
        new Crawler(nWorkers, pages, latencyMicros).run(questions);
    }

    private void run(int questions) throws InterruptedException {
        Thread[] threads = new Thread[workers.length];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(workers[i]);
            threads[i].start();
        }
        for (int i = 0; i < questions; i++) {
            ask(i);
        }
        frontier.close();
        for (Thread thread : threads) {
            thread.join();
        }
        report();
    }

    private void ask(int number) throws InterruptedException {
        String word = QUESTIONS[number % QUESTIONS.length];
        Search search = new Search(word, web, cache, frontier);
        search.run(PATIENCE_MILLIS);
        if (number < QUESTIONS.length) {
            System.out.println(String.format(Locale.ROOT, "%s: %s", word, search.results()));
        }
    }

    private void report() {
        int tasks = 0;
        for (Worker worker : workers) {
            tasks += worker.tasks();
        }
        System.out.println("tasks: " + tasks);
        System.out.println("schedule-dependent fetched: " + cache.misses());
    }
}
