package crawler;

/** Reads one page for a search and follows its links. */
final class Visit implements Task {
    private final Search search;
    private final String url;

    Visit(Search search, String url) {
        this.search = search;
        this.url = url;
    }

    @Override
    public void run() {
        Page page = search.cache().page(url);
        for (String link : page.links()) {
            search.visit(link);
        }
        int score = page.occurrences(search.word());
        if (score > 0) {
            search.results().add(url, score);
        }
        search.ended();
    }
}
