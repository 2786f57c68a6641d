import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;

/** One member without a network; four threads count in a distributed map under its locks. */
public final class Grid {
    public static void main(String[] args) throws Exception {
        Config config = new Config();
        config.setProperty("hazelcast.logging.type", "none");
        config.setProperty("hazelcast.phone.home.enabled", "false");
        config.setProperty("hazelcast.shutdownhook.enabled", "false");
        config.setProperty("hazelcast.partition.count", "11");
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        config.getNetworkConfig().getJoin().getAutoDetectionConfig().setEnabled(false);
        config.getNetworkConfig().getJoin().getMulticastConfig().setEnabled(false);
        HazelcastInstance member = Hazelcast.newHazelcastInstance(config);
        IMap<String, Integer> counts = member.getMap("counts");
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> count(counts));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(counts.values().stream().mapToInt(Integer::intValue).sum());
        member.shutdown();
    }

    private static void count(IMap<String, Integer> counts) {
        for (int i = 0; i < 50; i++) {
            String key = "key" + i % 5;
            counts.lock(key);
            try {
                counts.merge(key, 1, Integer::sum);
            } finally {
                counts.unlock(key);
            }
        }
    }
}
