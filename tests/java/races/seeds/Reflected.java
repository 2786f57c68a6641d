package seeds;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/** Classes, constructors, methods and fields by name. */
public class Reflected {
    private static final String TASK = "seeds.Reflected$ByName";
    private static final Class<?> MADE = Certain.class;
    private static int fromName; // race
    private static int fromLiteral; // race
    private static int fromObject; // race
    private static int fromSecret; // race
    private static int fromArguments; // race
    private static int fromAny; // race
    private static int fromResult; // race
    private static int fromInitializer; // race
    private static int fromUnlocked; // race
    private static int byField; // race
    private static int byCast; // race
    private static int byCastWithText; // race
    private static int ofAbstract;
    private static int lockedByField;
    private static int lockedByMethod;
    private static int notNamed;
    private static int otherCount;
    private int inObject; // race
    private int inOther;

    /** Made by its name. */
    public static class ByName implements Runnable {
        static {
            for (int n = 0; n < 2; n++) {
                new Thread(() -> fromInitializer++).start();
            }
        }

        @Override
        public void run() {
            fromName++;
        }
    }

    /** Made by its constructor. */
    static class Certain {
        private final Box box;

        Certain(Box box) {
            this.box = box;
        }

        Certain(Box box, int other) {
            this.box = box;
            otherCount += other;
        }

        void touch() {
            box.value++;
            fromLiteral++;
        }

        public Certain again() {
            fromObject++;
            return new Certain(box);
        }

        private void secret() {
            fromSecret++;
        }

        private static synchronized void underLock() {
            lockedByMethod++;
        }

        private static void noLock() {
            fromUnlocked++;
        }

        static synchronized void callsNoLock() {
            noLock();
        }

        void notCalled() {
            notNamed++;
        }

        void pass(Box passed, String text) {
            passed.value++;
            fromArguments++;
        }
    }

    /** What is passed. */
    static class Box {
        int value; // race
    }

    /** Made whatever its name is. */
    interface Plugin {
        void go();
    }

    static class First implements Plugin {
        @Override
        public void go() {
            byCast++;
        }
    }

    static class Second implements Plugin {
        private final String text;

        Second(String text) {
            this.text = text;
        }

        @Override
        public void go() {
            byCastWithText += text.length();
        }
    }

    abstract static class Third implements Plugin {
        Third() {
            ofAbstract++;
        }
    }

    /** Any method of it. */
    public static class Any {
        public void one() {
            fromAny++;
        }

        public Runnable two() {
            return () -> fromResult++;
        }
    }

    private static Object make(String name) throws Exception {
        return Class.forName(name).getDeclaredConstructor().newInstance();
    }

    private static void call(Object on, String name) throws Exception {
        Method method = on.getClass().getMethod(name);
        Object result = method.invoke(on);
        if (result instanceof Runnable) {
            ((Runnable) result).run();
        }
    }

    private static void all(Box box, String[] args) throws Exception {
        ((Runnable) make(TASK)).run();
        Constructor<?> constructor = MADE.getDeclaredConstructor(Box.class);
        constructor.setAccessible(true);
        Certain certain = (Certain) constructor.newInstance(box);
        certain.touch();
        Object again = Certain.class.getMethod("again").invoke(certain);
        again.getClass().getDeclaredMethod("secret").invoke(again);
        Certain.class.getDeclaredMethod("underLock").invoke(null);
        Certain.class.getDeclaredMethod("noLock").invoke(null);
        Certain.callsNoLock();
        Certain.class.getDeclaredMethod("pass", Box.class, String.class).invoke(again, box, "text");
        call(new Any(), args[0]);
    }

    private static void unknown(String name, String text) throws Exception {
        Class<?> found = Class.forName(name);
        Plugin plugin = (Plugin) found.getDeclaredConstructor().newInstance(); // resolved: by cast
        plugin.go();
        ((Plugin) found.getDeclaredConstructor(String.class).newInstance(text)).go(); // resolved: by cast
        found.getMethod("go").invoke(plugin); // resolved: no
        found.getDeclaredField("text").set(plugin, null); // resolved: no
    }

    private static void fields(Reflected reflected, Reflected other) throws Exception {
        Field shared = Reflected.class.getDeclaredField("byField");
        shared.setInt(null, shared.getInt(null) + 1);
        Field locked = Reflected.class.getDeclaredField("lockedByField");
        synchronized (Reflected.class) {
            locked.set(null, 1);
        }
        Reflected.class.getDeclaredField("inObject").set(reflected, 1);
        Reflected.class.getDeclaredField("inOther").set(other, 1);
    }

    public static void main(String[] args) {
        Box box = new Box();
        Reflected reflected = new Reflected();
        for (int n = 0; n < 2; n++) {
            new Thread(() -> {
                try {
                    all(box, args);
                    fields(reflected, new Reflected());
                    unknown(args[1], args[2]);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }).start();
        }
    }
}
