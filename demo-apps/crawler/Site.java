package crawler;

import java.util.Random;

/** The pages of one archive. Each is made from its number when it is asked for, always the same, so no state is shared. */
final class Site {
    private static final String[] WORDS = {
        "sun", "flare", "telescope", "corona", "satellite", "radio", "of", "the", "spectrum", "eclipse", "image", "and",
    };
    private static final int LENGTH = 200;

    private final String prefix;
    private final int pages;
    private final int seed;

    Site(String prefix, int pages, int seed) {
        this.prefix = prefix;
        this.pages = pages;
        this.seed = seed;
    }

    String url(int number) {
        return prefix + number;
    }

    /** Words, and links: to two pages each, so that all can be reached, and to some page. */
    String page(int number) {
        Random random = new Random(31L * number + seed);
        StringBuilder text = new StringBuilder();
        link(text, 2 * number + 1);
        link(text, 2 * number + 2);
        for (int i = 0; i < LENGTH; i++) {
            text.append(WORDS[random.nextInt(WORDS.length)]).append(' ');
        }
        link(text, random.nextInt(pages));
        return text.toString();
    }

    private void link(StringBuilder text, int number) {
        if (number < pages) {
            text.append("<a href=\"").append(url(number)).append("\">more</a> ");
        }
    }
}
