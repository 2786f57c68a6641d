package papers;

import java.util.Collections;
import java.util.HashSet;
import java.util.Set;

/** Paper 002, figure 3: a crawler whose enumeration of links is local to a thread. */
public class Crawlers {
    static class LinkEnumerator {
        private String text; // type: unique
        private int index; // type: unique

        void init(String t) {
            text = t;
            index = 0;
        }

        boolean hasMoreLinks() {
            return text.indexOf("http:", index) >= 0;
        }

        String nextLink() {
            int start = text.indexOf("http:", index);
            index = text.indexOf(' ', start);
            return text.substring(start, index);
        }
    }

    static class Crawler {
        private final Set<String> visited = Collections.synchronizedSet(new HashSet<>()); // type: final

        void process(String url) {
            if (visited.add(url)) {
                String page = "http:a http:b ";
                LinkEnumerator links = new LinkEnumerator();
                links.init(page);
                while (links.hasMoreLinks()) {
                    String link = links.nextLink();
                    new Thread(() -> process(link)).start();
                }
            }
        }
    }

    public static void main(String[] arguments) {
        new Crawler().process("http:start");
    }
}
