package crawler;

/** What a search has found; which page is best does not depend on the order in which they come. */
final class Results {
    private int pages;
    private int occurrences;
    private String best = "";
    private int highest;

    synchronized void add(String url, int score) {
        pages++;
        occurrences += score;
        if (score > highest || score == highest && url.compareTo(best) < 0) {
            highest = score;
            best = url;
        }
    }

    @Override
    public synchronized String toString() {
        return occurrences + " times on " + pages + " pages, the best " + best;
    }
}
