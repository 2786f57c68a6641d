package handles;

import static util.Threads.thrice;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** Accesses that are no instructions of the program: they work, and are seen. */
final class Data {
    int byVarHandle; // race: Data.byVarHandle
    int byMethodHandle; // race: Data.byMethodHandle
    int byReflection; // race: Data.byReflection
    volatile int byUpdater;
    int mixed; // race: Data.mixed
    static long statically; // race: Data.statically
}

interface Greeter {
    String greet(String name);

    default int length(String name) {
        return greet(name).length();
    }
}

public final class Main {
    static final Data DATA = new Data();

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        VarHandle var = lookup.findVarHandle(Data.class, "byVarHandle", int.class);
        VarHandle staticVar = lookup.findStaticVarHandle(Data.class, "statically", long.class);
        VarHandle mixed = lookup.findVarHandle(Data.class, "mixed", int.class);
        MethodHandle getter = lookup.findGetter(Data.class, "byMethodHandle", int.class);
        MethodHandle setter = lookup.findSetter(Data.class, "byMethodHandle", int.class);
        Field field = Data.class.getDeclaredField("byReflection");
        AtomicIntegerFieldUpdater<Data> updater = AtomicIntegerFieldUpdater.newUpdater(Data.class, "byUpdater");
        Greeter greeter = (Greeter) Proxy.newProxyInstance(Main.class.getClassLoader(), new Class<?>[] {Greeter.class},
            (proxy, method, arguments) -> {
                synchronized (DATA) {
                    return method.getName() + " " + arguments[0];
                }
            });
        thrice(() -> {
            var.getAndAdd(DATA, 1);
            var.set(DATA, (int) var.get(DATA) + 1);
            staticVar.set((long) staticVar.get() + 1);
            try {
                setter.invokeExact(DATA, (int) getter.invokeExact(DATA) + 1);
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
            field.setInt(DATA, field.getInt(DATA) + 1);
            updater.incrementAndGet(DATA);
            DATA.mixed += (int) mixed.getAndAdd(DATA, 1);
            System.out.println(greeter.greet("you"));
        });
        System.out.println(var.get(DATA) + " " + staticVar.get() + " " + field.get(DATA) + " " + (int) getter.invoke(DATA)
            + " " + updater.get(DATA) + " " + (int) mixed.get(DATA));
    }
}
