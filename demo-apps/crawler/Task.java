package crawler;

/** What a worker does for a search. */
interface Task {
    void run();
}
