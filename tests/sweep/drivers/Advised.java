import java.util.concurrent.atomic.AtomicInteger;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;

/** An aspect that is woven as classes load: four threads call a method, and each call is counted and its result doubled. */
public final class Advised {
    /** Counts calls. */
    @Aspect
    public static class Counting {
        static final AtomicInteger CALLS = new AtomicInteger();

        @Around("execution(int Advised.Work.square(int))")
        public Object twice(ProceedingJoinPoint point) throws Throwable {
            CALLS.incrementAndGet();
            return 2 * (Integer) point.proceed();
        }
    }

    /** What is advised. */
    static final class Work {
        private int last;

        int square(int of) {
            last = of;
            return last * last;
        }
    }

    public static void main(String[] args) throws Exception {
        long[] sums = new long[4];
        Thread[] threads = new Thread[sums.length];
        for (int i = 0; i < threads.length; i++) {
            int own = i;
            threads[i] = new Thread(() -> {
                Work work = new Work();
                long sum = 0;
                for (int j = 0; j < 1000; j++) {
                    sum += work.square(j);
                }
                sums[own] = sum;
            });
            threads[i].start();
        }
        long all = 0;
        for (int i = 0; i < threads.length; i++) {
            threads[i].join();
            all += sums[i];
        }
        System.out.println(Counting.CALLS + " calls, " + all);
    }
}
