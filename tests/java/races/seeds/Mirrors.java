package seeds;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Objects that come and go by reflection. */
public class Mirrors {
    private static int fromEach; // race
    private static int fromThread; // race
    private static int fromParent; // race
    private static int fromCause; // race
    private static int underManyLocks; // race
    private static int underOneLock;
    private static int ofOther;
    private static Item stored;
    private static Item kept;

    /** What is stored and loaded. */
    static class Item {
        int loaded; // race
        int set; // race
        int own;
    }

    /** Runs each of its methods. */
    static class Each {
        void first() {
            fromEach++;
        }

        void needsMore(int n) {
            ofOther += n;
        }
    }

    /** Is a thread. */
    public static class Worker extends Thread {
        @Override
        public void run() {
            fromThread++;
        }
    }

    /** Has what the one below inherits. */
    public static class Parent {
        public void inherited() {
            touch();
        }

        void touch() {}
    }

    /** Inherits. */
    public static class Child extends Parent {
        @Override
        void touch() {
            fromParent++;
        }
    }

    /** Is thrown. */
    static class Failure extends RuntimeException {
        @Override
        public String getMessage() {
            fromCause++;
            return "";
        }

        static void fail() {
            throw new Failure();
        }
    }

    private static <T> T make(Class<T> of) throws ReflectiveOperationException {
        return of.getDeclaredConstructor().newInstance();
    }

    private static void calls() throws ReflectiveOperationException {
        for (Method method : Each.class.getDeclaredMethods()) {
            method.invoke(make(Each.class));
        }
        make(Worker.class).start();
        Child.class.getMethod("inherited").invoke(make(Child.class));
        try {
            Failure.class.getDeclaredMethod("fail").invoke(null);
        } catch (InvocationTargetException e) {
            e.getCause().getMessage();
        }
    }

    private static void items() throws ReflectiveOperationException {
        Field field = Mirrors.class.getDeclaredField("stored");
        ((Item) field.get(null)).loaded++;
        Mirrors.class.getDeclaredField("kept").get(null).getClass();
        kept.set++;
        make(Item.class).own++;
    }

    private static void locks(Object lock) throws ReflectiveOperationException {
        synchronized (make(Item.class)) {
            underManyLocks++;
        }
        synchronized (lock) {
            underOneLock++;
        }
    }

    public static void main(String[] args) throws ReflectiveOperationException {
        stored = new Item();
        Mirrors.class.getDeclaredField("kept").set(null, new Item());
        Object lock = Class.forName("seeds.Mirrors$Item").getDeclaredConstructor().newInstance();
        for (int n = 0; n < 2; n++) {
            new Thread(() -> {
                try {
                    calls();
                    items();
                    locks(lock);
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException(e);
                }
            }).start();
        }
    }
}
