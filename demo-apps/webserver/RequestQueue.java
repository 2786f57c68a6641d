package webserver;

import java.util.ArrayDeque;

/** A queue of requests on wait and notify. After {@link #close} takers get what is left, then null. */
final class RequestQueue {
    private final ArrayDeque<Request> waiting = new ArrayDeque<>();
    private boolean closed;

    synchronized void put(Request request) {
        waiting.addLast(request);
        notify();
    }

    synchronized Request take() throws InterruptedException {
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
