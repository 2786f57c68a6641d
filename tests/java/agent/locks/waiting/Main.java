package waiting;

import static util.Threads.thrice;

/** Object.wait gives the monitor up and takes it again: afterwards it is held as before. */
final class Data {
    boolean ready;
    int afterWait;
    int afterTimeout;
    int afterInterrupt;
    int nested;
    int afterBlock; // race: Data.afterBlock
}

public final class Main {
    static final Data DATA = new Data();

    static void timeouts() throws InterruptedException {
        synchronized (DATA) {
            synchronized (DATA) {
                DATA.wait(1);
                DATA.afterTimeout++;
                DATA.wait(0, 1);
                DATA.nested++;
            }
            DATA.nested++;
            Thread.currentThread().interrupt();
            try {
                DATA.wait();
            } catch (InterruptedException expected) {
                DATA.afterInterrupt++;
            }
        }
        DATA.afterBlock++;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] waiters = new Thread[4];
        for (int i = 0; i < waiters.length; i++) {
            waiters[i] = new Thread(() -> {
                synchronized (DATA) {
                    while (!DATA.ready) {
                        try {
                            DATA.wait();
                        } catch (InterruptedException e) {
                            return;
                        }
                    }
                    DATA.afterWait++;
                    DATA.notify();
                }
            });
            waiters[i].start();
        }
        Thread.sleep(20);
        synchronized (DATA) {
            DATA.ready = true;
            DATA.notifyAll();
        }
        for (Thread waiter : waiters) {
            waiter.join();
        }
        thrice(Main::timeouts);
        try {
            DATA.notify();
        } catch (IllegalMonitorStateException expected) {
            System.out.println("not the owner");
        }
        try {
            DATA.wait(-1);
        } catch (IllegalArgumentException expected) {
            System.out.println(expected.getMessage());
        }
        try {
            DATA.wait(10);
        } catch (IllegalMonitorStateException expected) {
            System.out.println(expected.getMessage());
        }
    }
}
