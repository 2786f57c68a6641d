package client;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** What classes have of the JDK leads to code of their own. */
public class Inherited {
    private int stepped; // race

    /** Its map asks it for each entry that is put. */
    public static final class Recent extends LinkedHashMap<String, String> {
        private int evicted; // race

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            evicted++;
            return false;
        }

        public synchronized int evicted() {
            return evicted;
        }
    }

    /** Threads of the pool come by. */
    public static final class Pool extends ThreadPoolExecutor {
        private int ended; // race

        public Pool() {
            super(2, 2, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        }

        @Override
        protected void afterExecute(Runnable task, Throwable failure) {
            ended++;
        }
    }

    /** Whoever runs it. */
    public static final class Work extends FutureTask<String> {
        private int done; // race

        public Work() {
            super(() -> "done");
        }

        @Override
        protected void done() {
            done++;
        }

        public synchronized int count() {
            return done;
        }
    }

    /** Clients close it by a method that only the JDK declares. */
    public interface Connection extends AutoCloseable {
        void send();

        static Connection open() {
            return new Hidden();
        }
    }

    private static final class Hidden implements Connection {
        private boolean open = true; // race
        private int told; // race
        private int alone;

        @Override
        public synchronized void send() {
            if (open) {
                told++;
                alone++;
            }
        }

        @Override
        public void close() {
            open = false;
        }

        @Override
        public String toString() {
            return "told " + told;
        }

        void never() {
            alone++;
        }
    }

    /** Its method is the JDK's. */
    public interface Step extends Runnable {}

    public Step step() {
        return () -> stepped++;
    }

    public synchronized int stepped() {
        return stepped;
    }
}
