package seeds;

import java.util.concurrent.Executors;

/** The ways to start a thread that came with JDK 21; each once more with a lock. */
public class Virtual {
    private int started; // race
    private int startedLocked;
    private int built; // race
    private int builtLocked;
    private int platform; // race
    private int platformLocked;
    private int executed; // race
    private int executedLocked;
    private int made; // race
    private int madeLocked;

    private synchronized void started() {
        startedLocked++;
    }

    private synchronized void built() {
        builtLocked++;
    }

    private synchronized void platform() {
        platformLocked++;
    }

    private synchronized void executed() {
        executedLocked++;
    }

    private synchronized void made() {
        madeLocked++;
    }

    public static void main(String[] args) {
        Virtual virtual = new Virtual();
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int n = 0; n < 2; n++) {
                Thread.startVirtualThread(() -> {
                    virtual.started++;
                    virtual.started();
                });
                Thread.ofVirtual().name("built").start(() -> {
                    virtual.built++;
                    virtual.built();
                });
                Thread.ofPlatform().daemon().start(() -> {
                    virtual.platform++;
                    virtual.platform();
                });
                Thread.ofVirtual().factory().newThread(() -> {
                    virtual.made++;
                    virtual.made();
                }).start();
                pool.submit(() -> {
                    virtual.executed++;
                    virtual.executed();
                });
            }
        }
    }
}
