package proxies;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** What proxies, method handles and walks over the stack call. Each counter that is named `racy…` is used by two threads. */
public final class Proxies {
    interface Service {
        void call(Counter counter);

        default void callTwice(Counter counter) {
            call(counter);
        }
    }

    interface Named {
        String name();
    }

    static final class Counter {
        int racyArgument;
        int racyTarget;
        int racyLambda;
        int racyDefault;
        int racyText;
        int racyInterfaces;
        int racyGeneric;
        int racySecond;
        int racyCast;
        int racyVirtual;
        int racyStatic;
        int racySetter;
        int racyGetter;
        int racyMade;
        int racySpecial;
        int racyLocal;
        int racyWalk;
        int neverCalled;

        void byVirtual() {
            racyVirtual++;
        }

        void byVirtual(int n) {
            neverCalled += n;
        }

        static void byStatic(Counter counter) {
            counter.racyStatic++;
        }
    }

    static final class Target implements Service {
        public void call(Counter counter) {
            counter.racyTarget++;
        }
    }

    /** Hands on what it is given. */
    static final class Logging implements InvocationHandler {
        private final Object target;

        Logging(Object target) {
            this.target = target;
        }

        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            if (arguments != null) {
                ((Counter) arguments[0]).racyArgument++;
            }
            return method.invoke(target, arguments);
        }
    }

    static class Making {
        Making(Counter counter) {
            counter.racyMade++;
        }

        void special(Counter counter) {
            counter.racySpecial++;
        }
    }

    static final class MakingMore extends Making {
        private static final MethodHandle SPECIAL;

        static {
            try {
                MethodType type = MethodType.methodType(void.class, Counter.class);
                SPECIAL = MethodHandles.lookup().findSpecial(Making.class, "special", type, MakingMore.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        MakingMore(Counter counter) {
            super(counter);
        }

        @Override
        void special(Counter counter) {
            counter.neverCalled++;
        }

        void above(Counter counter) throws Throwable {
            SPECIAL.invokeExact(this, counter);
        }
    }

    private static final MethodHandle VIRTUAL;
    private static final MethodHandle STATIC;
    private static final MethodHandle SETTER;
    private static final MethodHandle GETTER;
    private static final MethodHandle MAKER;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            VIRTUAL = lookup.findVirtual(Counter.class, "byVirtual", MethodType.methodType(void.class));
            STATIC = lookup.findStatic(Counter.class, "byStatic", MethodType.methodType(void.class, Counter.class));
            SETTER = lookup.findSetter(Counter.class, "racySetter", int.class);
            GETTER = lookup.findGetter(Counter.class, "racyGetter", int.class);
            MAKER = lookup.findConstructor(Making.class, MethodType.methodType(void.class, Counter.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Services return nothing. */
    private static Object count(int before) {
        return null;
    }

    private static <T> T of(Class<T> type, InvocationHandler handler) {
        Object proxy = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler);
        return type.cast(proxy);
    }

    private static Object like(Object target, InvocationHandler handler) {
        return Proxy.newProxyInstance(target.getClass().getClassLoader(), target.getClass().getInterfaces(), handler);
    }

    private static Service cast(String type, InvocationHandler handler) throws ClassNotFoundException {
        Class<?>[] types = {Class.forName(type)};
        return (Service) Proxy.newProxyInstance(Proxies.class.getClassLoader(), types, handler);
    }

    private static void handles(Counter counter) throws Throwable {
        VIRTUAL.invokeExact(counter);
        STATIC.invoke(counter);
        SETTER.invokeExact(counter, 1);
        if ((int) GETTER.invokeExact(counter) == 0) {
            counter.racyGetter++;
        }
        Object made = MAKER.invoke(counter);
        new MakingMore(counter).above(counter);
        MethodHandle local = MethodHandles.lookup().findVirtual(Local.class, "run", MethodType.methodType(void.class, Counter.class));
        local.invoke(new Local(), counter);
        Runnable walk = () -> StackWalker.getInstance().walk(frames -> counter.racyWalk++);
        walk.run();
    }

    static final class Local {
        void run(Counter counter) {
            counter.racyLocal++;
        }
    }

    public static void main(String[] args) throws Exception {
        Counter counter = new Counter();
        Class<?>[] both = {Service.class, Named.class};
        Service logged = (Service) Proxy.newProxyInstance(Proxies.class.getClassLoader(), both, new Logging(new Target()));
        Service lambda = of(Service.class, (proxy, method, arguments) -> count(counter.racyLambda++));
        Service twice = of(Service.class, (proxy, method, arguments) -> count(counter.racyDefault++));
        Object text = of(Named.class, (proxy, method, arguments) -> "" + counter.racyText++);
        Service like = (Service) like(new Target(), (proxy, method, arguments) -> count(counter.racyInterfaces++));
        Named generic = of(Named.class, (proxy, method, arguments) -> "" + counter.racyGeneric++);
        Object second = Proxy.newProxyInstance(
                Proxies.class.getClassLoader(), both, (proxy, method, arguments) -> "" + counter.racySecond++);
        Service cast = cast(System.getProperty("service", "proxies.Proxies$Service"), (proxy, method, arguments) -> count(counter.racyCast++));
        Runnable work = () -> {
            logged.call(counter);
            lambda.call(counter);
            twice.callTwice(counter);
            text.toString();
            like.call(counter);
            generic.name();
            ((Named) second).name();
            cast.call(counter);
            try {
                handles(counter);
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        };
        Thread thread = new Thread(work);
        thread.start();
        work.run();
        thread.join();
    }
}
