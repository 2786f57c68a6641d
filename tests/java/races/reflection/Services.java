import java.util.ServiceLoader;

/** Services that files name. */
public class Services {
    private static int one; // race
    private static int two; // race
    private static int made; // race
    private static int other;

    /** A service. */
    public interface Plugin {
        void go();
    }

    /** A provider. */
    public static class One implements Plugin {
        public One() {
            made++;
        }

        @Override
        public void go() {
            one++;
        }
    }

    /** Another one. */
    public static class Two implements Plugin {
        @Override
        public void go() {
            two++;
        }
    }

    /** No file names it. */
    public static class Three implements Plugin {
        @Override
        public void go() {
            other++;
        }
    }

    private static void load() {
        for (Plugin plugin : ServiceLoader.load(Plugin.class)) {
            plugin.go();
        }
    }

    public static void main(String[] args) {
        new Thread(Services::load).start();
        new Thread(Services::load).start();
    }
}
