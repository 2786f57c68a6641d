package crawler;

import java.util.ArrayDeque;

/** What is to be done, first come, first served. After {@link #close} takers get what is left, then null. */
final class Frontier {
    private final ArrayDeque<Task> waiting = new ArrayDeque<>();
    private boolean closed;

    synchronized void put(Task task) {
        waiting.addLast(task);
        notify();
    }

    synchronized Task take() throws InterruptedException {
        while (waiting.isEmpty() && !closed) {
            wait();
        }
        return waiting.pollFirst();
    }

    synchronized void close() {
        closed = true;
        notifyAll();
    }
}
