package crawler;

/** Does what the frontier has until that is closed. */
final class Worker implements Runnable {
    private final Frontier frontier;
    private int tasks;

    Worker(Frontier frontier) {
        this.frontier = frontier;
    }

    @Override
    public void run() {
        try {
            Task task = frontier.take();
            while (task != null) {
                task.run();
                tasks++;
                task = frontier.take();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a worker", e);
        }
    }

    /** Read by main after the thread has ended. */
    int tasks() {
        return tasks;
    }
}
