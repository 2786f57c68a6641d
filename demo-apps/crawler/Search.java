package crawler;

/** One question: what is visited for it and what was found. It has ended when all its tasks have. */
final class Search {
    private final String word;
    private final Web web;
    private final PageCache cache;
    private final Frontier frontier;
    private final Visited visited = new Visited();
    private final Results results = new Results();
    private int open;
    private int asked;

    Search(String word, Web web, PageCache cache, Frontier frontier) {
        this.word = word;
        this.web = web;
        this.cache = cache;
        this.frontier = frontier;
    }

    /** Visits the archives and asks two that do not answer; gives these up when patience ends. */
    void run(int patienceMillis) throws InterruptedException {
        Inquiry[] inquiries = {new LooseInquiry(this), new GuardedInquiry(this)};
        for (Inquiry inquiry : inquiries) {
            put(inquiry);
        }
        for (String page : web.frontPages()) {
            visit(page);
        }
        awaitAsked(inquiries.length);
        awaitEnd(patienceMillis);
        for (Inquiry inquiry : inquiries) {
            inquiry.cancel();
        }
        awaitEnd();
    }

    /** Has a page visited, if it was not before. */
    void visit(String url) {
        if (visited.add(url)) {
            put(new Visit(this, url));
        }
    }

    String word() {
        return word;
    }

    PageCache cache() {
        return cache;
    }

    Results results() {
        return results;
    }

    private void put(Task task) {
        opened();
        frontier.put(task);
    }

    private synchronized void opened() {
        open++;
    }

    /** One of the tasks has ended. */
    synchronized void ended() {
        open--;
        notifyAll();
    }

    /** One of the archives was asked. */
    synchronized void asked() {
        asked++;
        notifyAll();
    }

    private synchronized void awaitAsked(int inquiries) throws InterruptedException {
        while (asked < inquiries) {
            wait();
        }
    }

    /** Waits so long at most. */
    private synchronized void awaitEnd(int millis) throws InterruptedException {
        long until = System.nanoTime() + millis * 1_000_000L;
        long left = millis;
        while (open > 0 && left > 0) {
            wait(left);
            left = (until - System.nanoTime()) / 1_000_000;
        }
    }

    private synchronized void awaitEnd() throws InterruptedException {
        while (open > 0) {
            wait();
        }
    }
}
