package client;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** What classes have of the JDK leads to code of their own. */
public class Inherited {
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
}
