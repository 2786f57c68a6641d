package crawler;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The archives, in this very process. Fetching a page takes a while, in which its thread only waits. */
final class Web {
    private static final String SCHEME = "http://archive";

    private final Site[] sites;
    private final long latencyNanos;

    Web(int archives, int pages, long latencyNanos) {
        sites = new Site[archives];
        for (int i = 0; i < archives; i++) {
            sites[i] = new Site(SCHEME + i + "/", pages, i);
        }
        this.latencyNanos = latencyNanos;
    }

    /** Where a search begins. */
    List<String> frontPages() {
        List<String> urls = new ArrayList<>();
        for (Site site : sites) {
            urls.add(site.url(0));
        }
        return urls;
    }

    String fetch(String url) {
        pause(latencyNanos);
        int slash = url.indexOf('/', SCHEME.length());
        int archive = Integer.parseInt(url.substring(SCHEME.length(), slash));
        return sites[archive].page(Integer.parseInt(url.substring(slash + 1)));
    }

    /** Being woken up early, for a task that the thread had before, does not matter. */
    private static void pause(long nanos) {
        long until = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
