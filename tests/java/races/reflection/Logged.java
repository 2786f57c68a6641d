import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/** Properties name what runs by reflection; comments tell what the runs of the test log in a line. */
public class Logged {
    private static int initialized; // race
    private static int called; // race
    private static int second; // race
    private static int made; // race
    private static int loaded; // race
    private static int locked;
    private static int never;

    /** What two runs call. */
    static class Found {
        static {
            for (int n = 0; n < 2; n++) {
                new Thread(() -> initialized++).start();
            }
        }

        public static void run() {
            called++;
            synchronized (Logged.class) {
                locked++;
            }
        }
    }

    /** What ends one of them. */
    static class Second {
        public static void run() {
            second++;
            Runtime.getRuntime().halt(0);
        }
    }

    /** What no run calls. */
    static class Never {
        public static void run() {
            never++;
        }
    }

    /** Made by its constructor. */
    static class Made {
        @Override
        public String toString() {
            made++;
            return "made";
        }
    }

    /** Found by a loader, and made by its class. */
    static class Loaded {
        Loaded() {
            loaded++;
        }
    }

    /** A field that is written. */
    static class Written {
        static int written; // race
    }

    /** A field that is only read. */
    static class Read {
        static int read;
    }

    public static void main(String[] args) {
        for (int n = 0; n < 2; n++) {
            new Thread(Logged::work).start();
        }
    }

    private static void work() {
        try {
            Object object = constructor(found("made")).newInstance(); // log: make Logged$Made.<init>()V
            object.toString();
            field(found("written")).setInt(null, 1); // log: set Logged$Written.written:I
            Class<?> read = Class.forName(System.getProperty("read")); // log: class Logged$Read
            read.getDeclaredFields()[0].getInt(null); // log: get Logged$Read.read:I
            make();
            method(found("called")).invoke(null); // log: call Logged$Found.run()V, call Logged$Second.run()V
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Class<?> found(String key) throws ClassNotFoundException {
        try {
            Class.forName("nowhere." + key);
        } catch (ClassNotFoundException e) {
            // What is not found is not logged.
        }
        return Class.forName(System.getProperty(key)); // log: class Logged$Made, class Logged$Written, class Logged$Found, class Logged$Second
    }

    private static Constructor<?> constructor(Class<?> of) {
        return of.getDeclaredConstructors()[0];
    }

    private static Field field(Class<?> of) {
        return of.getDeclaredFields()[0];
    }

    private static Method method(Class<?> of) throws NoSuchMethodException {
        return of.getMethod(System.getProperty("method"));
    }

    private static void make() throws ReflectiveOperationException {
        Class<?> of = Logged.class.getClassLoader().loadClass(System.getProperty("loaded")); // log: class Logged$Loaded
        of.newInstance(); // log: make Logged$Loaded.<init>()V
    }
}
