// Write Later, Reach Task, Begin Task, Threads Task, Lock NoLock, Owner Unkept
// alone: Reach Task, Begin Task, Threads Task
package task;

import java.util.concurrent.Executors;

class X implements Runnable {
    int hits;

    @Override
    public void run() {
        hits++;
    }
}

final class Main {
    public static void main(String[] given) throws Exception {
        new Thread(Thread::yield).start();
        Executors.newCachedThreadPool().execute(new X());
    }
}
