package nothing;

import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicReference;

/** What the JDK does by handles of its own. */
class More {
    static class Atomic {
        static void called() {}

        static void run() {
            AtomicReference<Runnable> task = new AtomicReference<>();
            task.setRelease(() -> called());
            task.getAcquire().run();
        }
    }

    static class Pool {
        static void called() {}

        static void run() {
            ForkJoinPool.commonPool().execute(() -> called());
        }
    }

    static class Task {
        static void called() {}

        static void run() {
            Executors.newCachedThreadPool().execute(new FutureTask<>(() -> called(), null));
        }
    }

    static class Phases {
        static void called() {}

        static void run() {
            Phaser phaser = new Phaser(1) {
                @Override
                protected boolean onAdvance(int phase, int registered) {
                    called();
                    return true;
                }
            };
            phaser.arrive();
        }
    }

    record Shown(Object inner) {}

    static class InRecord {
        static void called() {}

        @Override
        public String toString() {
            called();
            return "";
        }

        static void run() {
            System.out.println(new Shown(new InRecord()));
        }
    }

    static class InText {
        static void called() {}

        @Override
        public String toString() {
            called();
            return "";
        }

        static void run() {
            System.out.println("text " + new InText());
        }
    }

    static void run() {
        Atomic.run();
        Pool.run();
        Task.run();
        Phases.run();
        InRecord.run();
        InText.run();
    }
}
