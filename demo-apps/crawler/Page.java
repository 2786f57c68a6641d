package crawler;

import java.util.ArrayList;
import java.util.List;

/** A page that was read: its text and the pages that it names. Nothing is changed afterwards. */
final class Page {
    private static final String LINK = "href=\"";

    private final String text;
    private final List<String> links;

    private Page(String text, List<String> links) {
        this.text = text;
        this.links = links;
    }

    static Page parse(String text) {
        List<String> links = new ArrayList<>();
        int at = text.indexOf(LINK);
        while (at >= 0) {
            int end = text.indexOf('"', at + LINK.length());
            links.add(text.substring(at + LINK.length(), end));
            at = text.indexOf(LINK, end);
        }
        return new Page(text, List.copyOf(links));
    }

    List<String> links() {
        return links;
    }

    int occurrences(String word) {
        int found = 0;
        for (int at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length())) {
            found++;
        }
        return found;
    }
}
