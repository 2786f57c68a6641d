package alone;

import java.util.concurrent.CompletionService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Clients give executors of whichever kind, which run tasks in other threads. */
public class Scheduling {
    private final ScheduledExecutorService executor;
    private int ticks; // race
    private int done; // race

    public Scheduling(ScheduledExecutorService executor) {
        this.executor = executor;
    }

    public void start() {
        executor.scheduleWithFixedDelay(() -> ticks++, 1, 1, TimeUnit.SECONDS);
    }

    public void submit(CompletionService<Integer> service) {
        service.submit(() -> done++);
    }
}
