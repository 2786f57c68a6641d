import java.lang.reflect.Method;

/** Constants name everything that runs by reflection. */
public class Known {
    private static int racy; // race
    private static int locked;

    /** Run by its name. */
    public static class Task implements Runnable {
        @Override
        public void run() {
            racy++;
            add();
        }

        private static synchronized void add() {
            locked++;
        }
    }

    private static Method method() throws ReflectiveOperationException {
        Method method = Class.forName("Known$Task").getDeclaredMethod("run");
        method.setAccessible(true);
        return method;
    }

    public static void main(String[] args) {
        for (int n = 0; n < 2; n++) {
            new Thread(Known::work).start();
        }
    }

    private static void work() {
        try {
            method().invoke(Task.class.getConstructor().newInstance());
        } catch (ReflectiveOperationException e) {
            racy++;
        }
    }

    /** The same with a class that comes from outside. */
    public static class Unknown {
        public static void main(String[] args) throws ReflectiveOperationException {
            Class.forName(args[0]).getMethod("run").invoke(null);
        }
    }

    /** The same with a class that only a log names. */
    public static class Named {
        public static void main(String[] args) throws ReflectiveOperationException {
            Class<?> named = Class.forName(System.getProperty("named")); // log: class Known$Task
            named.getConstructor().newInstance();
        }
    }
}
