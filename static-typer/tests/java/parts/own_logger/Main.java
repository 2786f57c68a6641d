package own_logger;

class Caller0 {
    static class Told {
        @Override
        public String toString() {
            called();
            return "";
        }
    }

    static void called() {}

    static void run() {
        System.getLogger("own").log(System.Logger.Level.INFO, "{0}", new Told());
    }
}

/** The logger of the JDK itself. */
public class Main {
    public static void main(String[] args) {
        Caller0.run();
    }
}
