package bound;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * What is bound to a scoped value stays bound to the subtasks of a scope, whatever is used there for the first time. By reflection: both classes are
 * previews in some releases, and a scope is made otherwise in each.
 */
public final class Main {
    static final Class<?> SCOPE = named("java.util.concurrent.StructuredTaskScope");
    static final Class<?> VALUE = named("java.lang.ScopedValue");
    static Object value;

    static final class Own {
        int field;
        static final VarHandle FIELD = handle();

        private static VarHandle handle() {
            try {
                return MethodHandles.lookup().findVarHandle(Own.class, "field", int.class);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static final class Copied implements Cloneable {
        int field = 1;

        Copied copy() throws CloneNotSupportedException {
            return (Copied) clone();
        }
    }

    interface Use {
        Object use() throws Exception;
    }

    private static Class<?> named(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object scope() throws Exception {
        return SCOPE.isInterface() ? SCOPE.getMethod("open").invoke(null) : SCOPE.getConstructor().newInstance();
    }

    private static void runBound(Runnable body) throws Exception {
        Method where = VALUE.getMethod("where", VALUE, Object.class);
        Object carrier = where.invoke(null, value, "bound");
        carrier.getClass().getMethod("run", Runnable.class).invoke(carrier, body);
    }

    private static Object read() throws Exception {
        return VALUE.getMethod("get").invoke(value);
    }

    static void use(String name, Use use) throws Exception {
        runBound(() -> {
            try (AutoCloseable scope = (AutoCloseable) scope()) {
                use.use();
                Callable<Object> task = () -> {
                    System.out.println(name + ": " + read());
                    return null;
                };
                SCOPE.getMethod("fork", Callable.class).invoke(scope, task);
                SCOPE.getMethod("join").invoke(scope);
            } catch (Exception e) {
                System.out.println(name + ": " + (e.getCause() == null ? e : e.getCause()));
            }
        });
    }

    public static void main(String[] arguments) throws Exception {
        value = VALUE.getMethod("newInstance").invoke(null);
        use("nothing", () -> null);
        use("nothing else", () -> null);
        use("a queue", () -> new LinkedBlockingQueue<>().offer("x"));
        use("a format", () -> String.format("%s %tF", "a", new Date(0)));
        use("a pattern", () -> "a1".matches("[a-z]\\d"));
        use("a map", () -> new LinkedHashMap<>().put("a", "b"));
        use("a sorted map", () -> new ConcurrentSkipListMap<>().put("a", "b"));
        use("a lock", () -> new ReentrantReadWriteLock().readLock().tryLock());
        use("a class", () -> new Own().field++);
        use("a handle", () -> Own.FIELD.getAndAdd(new Own(), 1));
        use("a copy", () -> new Copied().copy().field++);
        use("a mirror", () -> Own.class.getDeclaredField("field").get(new Own()));
        use("a thread", () -> {
            Thread thread = new Thread(() -> {});
            thread.start();
            thread.join();
            return thread;
        });
    }
}
