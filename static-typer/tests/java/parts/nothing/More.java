package nothing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Properties;
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

    static class Read {
        static class Source extends InputStream {
            @Override
            public int read() {
                called();
                return -1;
            }
        }

        static void called() {}

        static void run() throws IOException {
            new Properties().loadFromXML(new Source());
        }
    }

    static class Written {
        static class Sink extends OutputStream {
            @Override
            public void write(int b) {
                called();
            }
        }

        static void called() {}

        static void run() throws IOException {
            new Properties().storeToXML(new Sink(), "");
        }
    }

    static void run() throws IOException {
        Read.run();
        Written.run();
        Atomic.run();
        Pool.run();
        Task.run();
        Phases.run();
        InRecord.run();
        InText.run();
    }
}
