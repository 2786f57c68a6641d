package crawler;

import java.util.HashMap;
import java.util.Map;

/**
 * The pages that were fetched first, as many as there is room for. A page is fetched without the lock, so two workers may fetch the
 * same one.
 */
final class PageCache {
    private final Web web;
    private final int capacity;
    private final Object lock = new Object();
    private final Map<String, Page> pages = new HashMap<>();
    private int misses;

    PageCache(Web web, int capacity) {
        this.web = web;
        this.capacity = capacity;
    }

    Page page(String url) {
        Page known = find(url);
        if (known != null) {
            return known;
        }
        Page fetched = Page.parse(web.fetch(url));
        keep(url, fetched);
        return fetched;
    }

    int misses() {
        synchronized (lock) {
            return misses;
        }
    }

    private Page find(String url) {
        synchronized (lock) {
            return pages.get(url);
        }
    }

    private void keep(String url, Page page) {
        synchronized (lock) {
            misses++;
            if (pages.size() < capacity) {
                pages.put(url, page);
            }
        }
    }
}
