import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/** Four threads ask a cache that is too small for all. */
public final class Caches {
    public static void main(String[] args) throws Exception {
        Cache<Integer, String> cache = Caffeine.newBuilder().maximumSize(100).recordStats().build();
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            int own = i;
            threads[i] =
                    new Thread(
                            () -> {
                                for (int key = 0; key < 5000; key++) {
                                    int wanted = (key * (own + 1)) % 300;
                                    if (!cache.get(wanted, k -> "v" + k).equals("v" + wanted)) {
                                        System.out.println("wrong");
                                    }
                                }
                            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        cache.cleanUp();
        System.out.println(cache.stats().requestCount() + " requests, " + (cache.estimatedSize() <= 100));
    }
}
